package import ScenarioLanguage

/// Where a person reads what is said before anything runs.
package struct MessageOutput: Sendable {
  /// Tells the problems of documents, with the lines of these files.
  package var tellProblems: @Sendable (_ problems: [Diagnostic], _ sources: [SourceFile]) -> Void
  /// Tells a failure in a sentence and its cure.
  package var tellFailure: @Sendable (WorkspaceError) -> Void
  /// Says a line, whose escape sequences are taken out already.
  package var say: @Sendable (String) -> Void

  package init(
    tellProblems: @escaping @Sendable (_ problems: [Diagnostic], _ sources: [SourceFile]) -> Void,
    tellFailure: @escaping @Sendable (WorkspaceError) -> Void, say: @escaping @Sendable (String) -> Void
  ) {
    self.tellProblems = tellProblems
    self.tellFailure = tellFailure
    self.say = say
  }

  /// Nobody reads it.
  package static let none = MessageOutput(tellProblems: { _, _ in }, tellFailure: { _ in }, say: { _ in })
}
