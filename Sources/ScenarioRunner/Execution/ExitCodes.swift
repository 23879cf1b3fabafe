import RunReporting
import ScenarioLanguage

/// Collects what went wrong in a run and chooses the exit code (docs/reference.md "Exit codes").
struct ExitCodes: Hashable, Sendable {
  /// Several at once: the first of these that happened.
  private static let precedence: [Int32] = [70, 2, 3, 8, 130, 143, 4, 5, 6, 1, 7, 75]

  private var seen: Set<Int32> = []

  mutating func insert(_ code: Int32) { seen.insert(code) }

  mutating func formUnion(_ other: ExitCodes) { seen.formUnion(other.seen) }

  /// Adds the code of an error class.
  /// - Parameter isConnected: Whether a first RECEIVER_STATUS has come in this run; before it everything is 4.
  mutating func insert(errorClass: ErrorClass, isConnected: Bool) {
    insert(isConnected || errorClass == .busy ? errorClass.exitCode : 4)
  }

  var chosen: Int32 { Self.precedence.first(where: seen.contains) ?? 0 }
}
