/// One problem of a document, tied to the characters that caused it (docs/language/codes.md "How a problem is told").
package struct Diagnostic: Error, Hashable, Sendable {
  package enum Severity: String, Hashable, Sendable { case error, warning, note }

  /// A place that belongs to the problem; `label` stands after its underline.
  package struct Label: Hashable, Sendable {
    package var span: SourceSpan
    package var text: String

    package init(_ span: SourceSpan, _ text: String = "") {
      self.span = span
      self.text = text
    }
  }

  package var severity: Severity
  /// `K101`, `T208` ...: never changes its meaning.
  package var code: Code
  /// A lowercase fragment: it is printed after "error[K101]: ".
  package var message: String
  /// Underlined with `^`; its start is the problem's place.
  package var primary: Label
  /// Underlined with `-`.
  package var related: [Label]
  /// What follows after the source, in this order.
  package var footers: [Footer]
  /// What cures it where the words stand on a command line, and no document is written.
  package var commandLineHint = CommandLineHint.same

  package enum Footer: Hashable, Sendable {
    /// May hold several lines.
    case help(String)
    case note(String)
  }

  package init(
    _ severity: Severity, _ code: Code, _ message: String, at primary: Label, related: [Label] = [],
    footers: [Footer] = []
  ) {
    self.severity = severity
    self.code = code
    self.message = message
    self.primary = primary
    self.related = related
    self.footers = footers
  }
}
