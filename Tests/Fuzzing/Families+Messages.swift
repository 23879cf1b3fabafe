import CastProtocol
import ScenarioLanguage
import ToolServers

extension Family {
  static let messages = Family(
    name: "messages",
    seeds: {
      let editor = [
        #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"general":{"positionEncodings":["utf-8"]}}}}"#,
        #"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///a.yaml","languageId":"yaml","version":1,"text":"scenario: S\ndevice: TV\nsteps:\n  - expect: { player: pla"}}}"#,
        #"{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///a.yaml","version":2},"contentChanges":[{"range":{"start":{"line":3,"character":4},"end":{"line":3,"character":9}},"text":"é😀"}]}}"#,
        #"{"jsonrpc":"2.0","id":2,"method":"textDocument/completion","params":{"textDocument":{"uri":"file:///a.yaml"},"position":{"line":3,"character":25}}}"#,
        #"{"jsonrpc":"2.0","id":3,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///a.yaml"},"position":{"line":2,"character":2}}}"#,
        #"{"jsonrpc":"2.0","id":4,"method":"textDocument/definition","params":{"textDocument":{"uri":"file:///a.yaml"},"position":{"line":9,"character":2}}}"#,
        #"{"jsonrpc":"2.0","id":5,"method":"textDocument/formatting","params":{"textDocument":{"uri":"file:///a.yaml"}}}"#,
        #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":5}}"#,
        #"{"jsonrpc":"2.0","id":6,"method":"shutdown"}"#,
      ]
      let agent = [
        #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}"#,
        #"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"run","arguments":{"path":"a.yaml","speed":20},"_meta":{"progressToken":"t"}}}"#,
        #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}"#,
        #"{"jsonrpc":"2.0","id":3,"method":"tools/list"}"#,
      ]
      return [
        editor.map { HeaderFrames.framed($0) }.joined(), editor.joined(separator: "\n") + "\n",
        agent.joined(separator: "\n") + "\n",
      ].map { Array($0.utf8) }
    },
    words: [
      "Content-Length: ", "Content-Length: 0\r\n\r\n", "\r\n", "\n", "\"id\":", "null", "-1", "1e9", "4294967296",
      "\"line\":",
      "\"character\":", "\"text\":", "file:///%00", "\\ud83d", "[", "{", "exit",
    ], makeReader: { MessageReader() })
}

/// Streams of editors and agents: what is no message ends a stream or is answered, and no more is kept than may be.
private final class MessageReader: Reader {
  func read(_ bytes: [UInt8]) throws(Violation) {
    var editor = EditorSession(toolVersion: "0", exitCode: { _ in 3 }) { _, _ in PlanCompiler.Inputs() }
    var agent = AgentSession(toolVersion: "0")
    var headers = HeaderFrames()
    var lines = LineFrames()
    headers.push(bytes)
    lines.push(bytes)
    while let body = try? headers.next() { take(body, &editor) }
    // Without headers more of them are messages.
    while let line = try? lines.next() {
      take(line, &editor)
      var calls: [RPCID] = []
      for effect in agent.receive(line) { if case .call(let id, _) = effect { calls.append(id) } }
      for id in calls {
        _ = agent.progressed(id, done: 1, of: nil, "")
        for _ in 0..<2 where agent.finished(id, AgentAnswer(text: "", structured: [:])).count > 1 {
          throw Violation("a call was answered twice")
        }
      }
    }
  }

  private func take(_ body: [UInt8], _ editor: inout EditorSession) {
    _ = editor.receive(body)
    while editor.step() != nil {}
    if let job = editor.nextCheck() {
      let outcome = PlanCompiler.compile(job.source)
      _ = editor.finished(
        job,
        CheckResult(
          file: job.source.name, identity: nil, diagnostics: outcome.diagnostics, sources: outcome.sources))
    }
  }
}
