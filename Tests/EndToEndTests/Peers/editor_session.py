"""Talks to `showcaller lsp` as an editor does, by pygls: a line for each thing that was seen.

editor_session.py BINARY FOLDER
"""
import asyncio
import pathlib
import sys

from lsprotocol import types as lsp
from pygls.lsp.client import BaseLanguageClient


async def main(binary, folder):
    client = BaseLanguageClient("judge", "1")
    published = asyncio.Queue()

    @client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def _(params: lsp.PublishDiagnosticsParams):
        published.put_nowait(params)

    async def problems(uri, accept):
        while True:
            params = await asyncio.wait_for(published.get(), 20)
            if params.uri == uri and accept(params.diagnostics):
                return params.diagnostics

    await client.start_io(binary, "lsp", "--stdio", cwd=folder)
    root = pathlib.Path(folder)
    result = await client.initialize_async(
        lsp.InitializeParams(capabilities=lsp.ClientCapabilities(), root_uri=root.as_uri(), process_id=None))
    assert result.server_info.name == "showcaller"
    client.initialized(lsp.InitializedParams())
    print("initialized")

    path = root / "a.yaml"
    uri = path.as_uri()
    text = ("scenario: S\ndevice: TV\ninclude: [lib.yaml]\nsteps:\n  - load: film\n  - expect: { player: plaing }\n")
    client.text_document_did_open(
        lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri=uri, language_id="yaml", version=1, text=text)))
    found = await problems(uri, lambda all: any(one.code == "T205" for one in all))
    assert found[0].range.start == lsp.Position(5, 22), found
    print("problem shown")

    document = lsp.TextDocumentIdentifier(uri)
    actions = await client.text_document_code_action_async(
        lsp.CodeActionParams(document, found[0].range, lsp.CodeActionContext(diagnostics=found)))
    edit = actions[0].edit.changes[uri][0]
    assert edit.new_text == "playing", actions
    client.text_document_did_change(
        lsp.DidChangeTextDocumentParams(
            lsp.VersionedTextDocumentIdentifier(version=2, uri=uri),
            [lsp.TextDocumentContentChangePartial(range=edit.range, text=edit.new_text)]))
    await problems(uri, lambda all: not any(one.code == "T205" for one in all))
    print("problem mended")

    hover = await client.text_document_hover_async(lsp.HoverParams(document, lsp.Position(4, 6)))
    assert "load" in hover.contents.value, hover
    print("page shown")

    found = await client.text_document_definition_async(lsp.DefinitionParams(document, lsp.Position(4, 11)))
    assert found.uri == (root / "lib.yaml").as_uri() and found.range.start == lsp.Position(2, 2), found
    print("definition found")

    offered = await client.text_document_completion_async(lsp.CompletionParams(document, lsp.Position(4, 10)))
    assert "film" in [item.label for item in offered.items], offered
    print("names offered")

    edits = await client.text_document_formatting_async(
        lsp.DocumentFormattingParams(document, lsp.FormattingOptions(tab_size=2, insert_spaces=True)))
    assert not edits, edits
    print("formatted")

    await client.shutdown_async(None)
    client.exit(None)
    server = client._server
    assert await asyncio.wait_for(server.wait(), 10) == 0
    print("ended")


asyncio.run(main(sys.argv[1], sys.argv[2]))
