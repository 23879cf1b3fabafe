/// Workflow commands that a GitHub runner turns into annotations: `::error file=a.yaml,line=1,...,title=K101::message`.
package struct GitHubCheckFormat: CheckFormat {
  package init() {}

  package func begin() -> String { "" }
  package func end(_ summary: CheckSummary) -> String {
    summary.unreadable.map { "::error file=\(Self.property($0.file))::\(Self.data($0.message))\n" }.joined()
  }

  package func add(_ result: CheckResult) -> String { result.diagnostics.map(Self.command).joined() }

  static func command(_ diagnostic: Diagnostic) -> String {
    let level =
      switch diagnostic.severity {
      case .error: "error"
      case .warning: "warning"
      case .note: "notice"
      }
    let span = diagnostic.primary.span
    var properties = ["file=\(property(span.file))", "line=\(span.line)", "endLine=\(span.endLine)"]
    // Columns are refused where a problem has several lines.
    if span.line == span.endLine { properties += ["col=\(span.column)", "endColumn=\(span.endColumn)"] }
    properties.append("title=\(property(diagnostic.code.rawValue))")
    let told = [diagnostic.message, diagnostic.primary.text].filter { !$0.isEmpty }.joined(separator: ": ")
    let help = diagnostic.help.map { "help: \($0)" } + diagnostic.notes.map { "note: \($0)" }
    return "::\(level) \(properties.joined(separator: ","))::\(data(([told] + help).joined(separator: "\n")))\n"
  }

  /// The text of a command: line breaks are encoded, other controls shown.
  private static func data(_ text: String) -> String {
    TerminalText.escapedLines(text).replacing("%", with: "%25").replacing("\n", with: "%0A")
  }

  /// The value of a property: what ends one is encoded, too.
  private static func property(_ text: String) -> String {
    TerminalText.oneLine(text).replacing("%", with: "%25").replacing(":", with: "%3A").replacing(",", with: "%2C")
  }

  /// Text for people in a log that a runner reads, too: nothing in it is a command.
  static func harmless(_ text: String) -> String {
    guard text.contains("::") || text.contains("##[") else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let line = line.replacing("##[", with: "# #[")
      let start = line.drop { $0.isWhitespace }
      guard start.hasPrefix("::"), !start.hasPrefix("::: ") else { return String(line) }
      return line.prefix(line.count - start.count) + ": :" + start.dropFirst(2)
    }.joined(separator: "\n")
  }
}
