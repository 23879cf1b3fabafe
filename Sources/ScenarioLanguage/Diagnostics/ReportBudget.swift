/// How many problems of a document are worth finding, keeping and showing (docs/language/codes.md "How a problem is
/// told").
package struct ReportBudget {
  package static let shown = 50
  /// The most errors that are kept, and the most others. It is far above ``shown``, so that the first ones by place are
  /// among them in whatever order they are found.
  private static let kept = 1_000
  /// After this many errors the search for more stops, even if all of them are at the same few places.
  private static let sought = 3_000

  /// Errors found, repeated ones included.
  private(set) var errors = 0
  private var keptErrors = 0
  private var keptOthers = 0
  /// How many were found beyond those kept.
  private(set) var omitted = 0
  private var isStopped = false

  mutating func found(_ severity: Diagnostic.Severity) { if severity == .error { errors += 1 } }

  /// Counts a new problem and says whether it is kept. Any number of warnings leaves room for errors, since they are
  /// why the document is refused.
  mutating func keeps(_ severity: Diagnostic.Severity) -> Bool {
    guard hasRoom(for: severity) else {
      omitted += 1
      return false
    }
    if severity == .error { keptErrors += 1 } else { keptOthers += 1 }
    return true
  }

  func hasRoom(for severity: Diagnostic.Severity) -> Bool {
    (severity == .error ? keptErrors : keptOthers) < Self.kept
  }

  mutating func stop() { isStopped = true }

  /// Adds what another collector counted and did not hand over with its problems.
  mutating func add(_ other: ReportBudget, to before: ReportBudget) {
    errors = before.errors + other.errors
    omitted += other.omitted
    isStopped = isStopped || other.isStopped
  }

  /// Whether checking stops, because no further problem would be shown or the document is too large.
  package var isSpent: Bool { isStopped || hasTooManyErrors }

  /// Whether checking stopped because of too many errors, so that their number is unknown.
  package var hasTooManyErrors: Bool { keptErrors >= Self.kept || errors >= Self.sought }

  /// Whether a suggestion is worth its time: nobody reads one after hundreds of errors.
  var allowsSuggestions: Bool { errors < 4 * Self.shown }

  /// Whether more problems are kept than anybody reads, so that further ones need no costly help.
  var exceedsReading: Bool { keptErrors + keptOthers >= 2 * Self.shown }
}
