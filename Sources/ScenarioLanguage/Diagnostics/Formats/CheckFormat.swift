/// Writes what a check finds, document by document, so that a long one is never held in memory.
package protocol CheckFormat: Sendable {
  /// What comes before the first document.
  mutating func begin() -> String
  mutating func add(_ result: CheckResult) -> String
  /// What comes after the last one.
  mutating func end(_ summary: CheckSummary) -> String
}

/// The names of the formats, as `--format` takes them.
package enum CheckFormatName: String, CaseIterable, Sendable {
  case human, json, sarif, github, gcc
}
