import CastProtocol
import ScenarioLanguage

/// Source: LSP 3.17 "Completion", "Hover", "Goto Definition", "Document Formatting", "Code Action".
extension EditorSession {
  func answer(_ request: EditorRequest, _ params: JSONValue) throws(RPCError) -> JSONValue {
    guard let address = params["textDocument"]?["uri"]?.string else {
      throw RPCError(.invalidParams, "`textDocument.uri` is missing")
    }
    guard let document = documents[address] else {
      throw RPCError(.invalidParams, "\(address.prefix(200)) is not open")
    }
    switch request {
    case .formatting: return try format(document)
    case .codeAction:
      guard let range = EditorRange(params["range"]) else { throw RPCError(.invalidParams, "`range` is missing") }
      return .array(actions(document, range))
    case .completion, .hover, .definition:
      guard let position = EditorPosition(params["position"]) else {
        throw RPCError(.invalidParams, "`position` is missing")
      }
      let text = SourceText(document.source)
      let line = min(position.line, max(text.lineCount, 1) - 1) + 1
      let column = position.line < text.lineCount ? text.column(of: position, in: encoding) : 1
      let edited = edited(document)
      switch request {
      case .completion: return completion(edited.offer(line: line, column: column), in: text)
      case .hover: return hover(edited, document, position, line, column, text)
      default: return definition(edited.definition(line: line, column: column), document)
      }
    }
  }

  private func edited(_ document: OpenDocument) -> EditedDocument {
    EditedDocument(
      document.source, lastReadable: document.lastReadable.map { SourceFile(name: document.name, bytes: $0) },
      inputs: inputs(document.source, openFiles))
  }

  // MARK: Completion

  private func completion(_ offer: EditedDocument.Offer?, in text: SourceText) -> JSONValue {
    guard let offer else { return ["isIncomplete": false, "items": []] }
    let range = text.range(of: offer.replaced, in: encoding).json
    let items = offer.candidates.prefix(Limit.candidates).enumerated().map { index, candidate -> JSONValue in
      var item: JSONObject = [
        "label": .string(candidate.label), "kind": .int(candidate.kind.number),
        // In the order of the tables, which is the order of reading.
        "sortText": .string(String(repeating: "0", count: 4 - "\(index)".count) + "\(index)"),
        "filterText": .string(candidate.label), "textEdit": ["range": range, "newText": .string(candidate.text)],
      ]
      if !candidate.detail.isEmpty { item["detail"] = .string(candidate.detail) }
      if !candidate.summary.isEmpty { item["documentation"] = .string(candidate.summary) }
      return .object(item)
    }
    return ["isIncomplete": .bool(offer.candidates.count > Limit.candidates), "items": .array(Array(items))]
  }

  // MARK: Hover and definition

  private func hover(
    _ edited: EditedDocument, _ document: OpenDocument, _ position: EditorPosition, _ line: Int, _ column: Int,
    _ text: SourceText
  ) -> JSONValue {
    var pages: [String] = []
    var range: EditorRange?
    for problem in document.found where problem.range.contains(position) {
      guard pages.count < 3, let page = CodePages.page(problem.diagnostic.code) else { continue }
      let told = PageText.text(page, exitCode: exitCode(page.code))
      if !pages.contains(told) { pages.append(told) }
      range = range ?? problem.range
    }
    if let explanation = edited.explanation(line: line, column: column) {
      pages.append(explanation.text)
      range = range ?? text.range(of: explanation.span, in: encoding)
    }
    guard let range else { return .null }
    let value =
      takesMarkdown
      ? pages.map { "```text\n\($0)\n```" }.joined(separator: "\n\n") : pages.joined(separator: "\n\n")
    return [
      "contents": ["kind": .string(takesMarkdown ? "markdown" : "plaintext"), "value": .string(value)],
      "range": range.json,
    ]
  }

  private func definition(_ span: SourceSpan?, _ document: OpenDocument) -> JSONValue {
    guard let span else { return .null }
    var range = EditorRange(start: EditorPosition(line: 0, character: 0), end: EditorPosition(line: 0, character: 0))
    if span.file == document.name {
      range = SourceText(document.source).range(of: span, in: encoding)
    } else if let source = try? inputs(document.source, openFiles).includedFile(span.file.lastPart, span.file).get() {
      range = SourceText(source).range(of: span, in: encoding)
    }
    return ["uri": .string(address(of: span.file, document)), "range": range.json]
  }

  // MARK: Changes

  private func format(_ document: OpenDocument) throws(RPCError) -> JSONValue {
    switch DocumentFormatter.format(document.source) {
    case .refused(let problems):
      let first = problems.first.map { "\($0.message), line \($0.primary.span.line)" } ?? "it is no YAML"
      throw RPCError(.requestFailed, "it stays as it is: \(first)")
    case .unsafe: throw RPCError(.requestFailed, "it stays as it is: laid out anew, it would mean something else")
    case .formatted(let bytes):
      if bytes == document.text.bytes { return [] }
      let whole = EditorRange(
        start: EditorPosition(line: 0, character: 0), end: document.text.end(in: encoding))
      return [["range": whole.json, "newText": .string(String(decoding: bytes, as: UTF8.self))]]
    }
  }

  /// What was meant, in place of what stands there: only where that cures the problem.
  private func actions(_ document: OpenDocument, _ range: EditorRange) -> [JSONValue] {
    let near = document.found.filter { $0.range.contains(range.start) || range.contains($0.range.start) }
    return near.prefix(5).compactMap { problem in
      guard problem.diagnostic.primary.span.file == document.name,
        let fix = edited(document).fix(of: problem.diagnostic)
      else { return nil }
      let edit: JSONValue = ["range": problem.range.json, "newText": .string(fix)]
      return [
        "title": .string("Write `\(fix)`"), "kind": "quickfix", "diagnostics": [problem.json], "isPreferred": true,
        "edit": .object(["changes": .object(JSONObject([.init(document.address, [edit])]))]),
      ]
    }
  }
}

extension String {
  /// The name of a file without its folders.
  fileprivate var lastPart: String { split(separator: "/").last.map(String.init) ?? self }
}

extension EditedDocument.Candidate.Kind {
  /// Source: LSP 3.17 "CompletionItemKind".
  fileprivate var number: Int {
    switch self {
    case .key: 10
    case .verb: 14
    case .value: 12
    case .name: 18
    case .variable: 6
    case .field: 5
    case .matcher: 24
    }
  }
}
