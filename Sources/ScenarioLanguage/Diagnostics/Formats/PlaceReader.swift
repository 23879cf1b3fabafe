import CastProtocol

/// A span with its columns in every unit that another program may count in.
struct Place: Hashable, Sendable {
  var span: SourceSpan
  /// `nil` where the file's text is not at hand.
  var start: SourceText.Columns?
  var end: SourceText.Columns?

  /// `file`, `line` and so on, for JSON; columns count Unicode scalars, UTF-16 units and bytes from 1.
  var members: [JSONObject.Member] {
    var members: [JSONObject.Member] = [
      .init("file", .string(span.file)), .init("line", .int(span.line)), .init("column", .int(span.column)),
      .init("endLine", .int(span.endLine)), .init("endColumn", .int(span.endColumn)),
    ]
    if let start, let end {
      members += [
        .init("utf16Column", .int(start.utf16)), .init("utf16EndColumn", .int(end.utf16)),
        .init("byteColumn", .int(start.bytes)), .init("byteEndColumn", .int(end.bytes)),
      ]
    }
    return members
  }
}

/// Looks the places of one document's problems up in its files.
struct PlaceReader {
  private let sources: [String: SourceText]

  init(_ result: CheckResult) {
    // Nobody asks where nothing is wrong, and lines cost time to find.
    let files = result.diagnostics.isEmpty ? [] : result.sources
    sources = Dictionary(files.map { ($0.name, SourceText($0)) }, uniquingKeysWith: { first, _ in first })
  }

  func place(_ span: SourceSpan) -> Place {
    let source = sources[span.file]
    return Place(
      span: span, start: source?.columns(line: span.line, column: span.column),
      end: source?.columns(line: span.endLine, column: span.endColumn))
  }
}

extension Diagnostic {
  /// The cures, in order.
  var help: [String] { footers.compactMap { if case .help(let text) = $0 { text } else { nil } } }
  /// The reasons, in order.
  var notes: [String] { footers.compactMap { if case .note(let text) = $0 { text } else { nil } } }
  /// What tells more about it.
  var explanation: String { "showcaller explain \(code)" }
}
