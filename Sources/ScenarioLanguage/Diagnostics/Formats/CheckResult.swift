/// What checking one document came to.
package struct CheckResult: Sendable {
  /// What the document is, when it could be told.
  package struct Identity: Hashable, Sendable {
    package var kind: DocumentKind
    package var id: String
    package var title: String
    /// For people, after the kind and the title: how many steps it has, say.
    package var details: String

    package init(kind: DocumentKind, id: String, title: String, details: String = "") {
      self.kind = kind
      self.id = id
      self.title = title
      self.details = details
    }
  }

  /// The document as named by the user.
  package var file: String
  /// `nil` when it has errors.
  package var identity: Identity?
  /// The problems to show; one of a library may have been shown with another document already.
  package var diagnostics: [Diagnostic]
  /// How many there are of each, told or not.
  package let errors: Int
  package let warnings: Int
  /// How many more there are than are told.
  package let hidden: Int
  /// Looking for more stopped: there may be more than ``hidden`` says.
  package let isCut: Bool
  /// The files that spans refer to.
  package var sources: [SourceFile]
  /// Whether it was named on the command line, so that a line says so if it is valid; not found in a folder.
  package var isNamed: Bool
  /// Where the document sends receivers; none where it has errors.
  package var addresses: [FetchedAddress] = []

  package init(
    file: String, identity: Identity?, diagnostics: [Diagnostic], hidden: Int = 0, isCut: Bool = false,
    sources: [SourceFile], isNamed: Bool = true
  ) {
    self.file = file
    self.hidden = hidden
    self.isCut = isCut
    self.diagnostics = diagnostics
    errors = diagnostics.count { $0.severity == .error }
    warnings = diagnostics.count { $0.severity == .warning }
    self.identity = errors == 0 ? identity : nil
    self.sources = sources
    self.isNamed = isNamed
  }

  /// The same result with more that was found, by place; errors are kept where that is more than is shown.
  package func adding(_ more: [Diagnostic]) -> CheckResult {
    guard !more.isEmpty else { return self }
    func place(_ diagnostic: Diagnostic) -> (Int, String, Int, Int) {
      let span = diagnostic.primary.span
      return (span.file == file ? 0 : 1, span.file, span.line, span.column)
    }
    var all = (diagnostics + more).enumerated().sorted { left, right in
      let (a, b) = (place(left.element), place(right.element))
      return a == b ? left.offset < right.offset : a < b
    }.map(\.element)
    let excess = all.count - ReportBudget.shown
    if excess > 0 {
      let errors = all.filter { $0.severity == .error }.prefix(ReportBudget.shown).count
      var room = (error: errors, other: ReportBudget.shown - errors)
      all = all.filter { diagnostic in
        if diagnostic.severity == .error {
          room.error -= 1
          return room.error >= 0
        }
        room.other -= 1
        return room.other >= 0
      }
    }
    var result = CheckResult(
      file: file, identity: identity, diagnostics: all, hidden: hidden + max(0, excess), isCut: isCut, sources: sources,
      isNamed: isNamed)
    result.addresses = addresses
    return result
  }
}

/// What a whole check came to.
package struct CheckSummary: Sendable {
  /// A file that was named or found and could not be read.
  package struct Unreadable: Hashable, Sendable {
    package var file: String
    package var message: String
    /// What to do about it.
    package var help: String?

    package init(file: String, message: String, help: String? = nil) {
      self.file = file
      self.message = message
      self.help = help
    }
  }

  package var documents = 0
  /// Documents with errors.
  package var invalid = 0
  package var errors = 0
  package var warnings = 0
  /// YAML files found in folders that are no documents of ours.
  package var skipped: [String] = []
  package var unreadable: [Unreadable] = []

  package init() {}

  package mutating func add(_ result: CheckResult) {
    documents += 1
    if result.errors > 0 { invalid += 1 }
    errors += result.errors
    warnings += result.warnings
  }

  /// `12 documents, 2 with errors, 1 warning`.
  package var text: String {
    var parts = [ScalarText.counted(documents, "document")]
    if invalid > 0 { parts.append("\(invalid) with errors") }
    if warnings > 0 { parts.append(ScalarText.counted(warnings, "warning")) }
    if invalid == 0, warnings == 0, documents > 0 { parts.append("no problems") }
    if !unreadable.isEmpty { parts.append("\(unreadable.count) not readable") }
    if !skipped.isEmpty { parts.append("\(ScalarText.counted(skipped.count, "other YAML file")) skipped") }
    return parts.joined(separator: ", ")
  }
}
