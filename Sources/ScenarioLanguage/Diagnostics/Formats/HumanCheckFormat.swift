/// Problems with their source lines, and what is valid, for people.
package struct HumanCheckFormat: CheckFormat {
  /// How much is told, and for whom.
  package struct Style: Sendable {
    package var isColored = false
    /// The columns of the terminal, where there is one.
    package var width: Int?
    /// Only problems.
    package var isQuiet = false
    /// Warnings fail a document, too.
    package var isStrict = false
    /// A line at the end with the number of documents.
    package var hasSummary = false
    /// Annotations for a GitHub runner follow the problems of each document.
    package var annotates = false

    package init() {}
  }

  private let style: Style
  /// Problems were told last: an empty line parts them from what follows.
  private var needsGap = false

  package init(_ style: Style) { self.style = style }

  package func begin() -> String { "" }

  package mutating func add(_ result: CheckResult) -> String {
    var text = DiagnosticRenderer(sources: result.sources, isColored: style.isColored, width: style.width)
      .render(result.diagnostics)
    if result.hidden > 0 || result.isCut {
      let count = "\(result.isCut ? "at least " : "")\(result.hidden)"
      let more =
        result.hidden == 0
        ? "and maybe more problems" : "and \(count) more problem\(result.hidden == 1 && !result.isCut ? "" : "s")"
      text += "\n" + TerminalText.oneLine("... \(more) in \(result.file)") + "\n"
    }
    let passes = result.errors == 0 && !(style.isStrict && result.warnings > 0)
    if !style.isQuiet, result.isNamed, passes, let identity = result.identity {
      let details = identity.details.isEmpty ? "" : ": \(identity.details)"
      text += TerminalText.oneLine("\(result.file): \(identity.kind.rawValue) `\(identity.title)` is valid\(details)")
      text += "\n"
    }
    if text.isEmpty { return "" }
    if needsGap { text = "\n" + text }
    needsGap = !result.diagnostics.isEmpty
    return style.annotates ? GitHubCheckFormat.harmless(text) + GitHubCheckFormat().add(result) : text
  }

  package mutating func end(_ summary: CheckSummary) -> String {
    var text = ""
    if style.hasSummary, !style.isQuiet { text = (needsGap ? "\n" : "") + summary.text + "\n" }
    return style.annotates ? text + GitHubCheckFormat().end(summary) : text
  }
}
