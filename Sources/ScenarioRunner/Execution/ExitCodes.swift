import RunReporting
import ScenarioLanguage

/// Collects what went wrong in a run and chooses the exit code (docs/reference.md "Exit codes").
package struct ExitCodes: Hashable, Sendable {
  /// Several at once: the first of these that happened.
  private static let precedence: [Int32] = [70, 2, 3, 8, 130, 143, 4, 5, 6, 1, 7, 75]

  /// The place of a code among several at once: the lowest is chosen.
  package static func rank(of code: Int32) -> Int { precedence.firstIndex(of: code) ?? precedence.count }

  /// The exit code of several runs, of which each has its own; 0 where all have.
  package static func worst(of codes: some Sequence<Int32>) -> Int32 { codes.min { rank(of: $0) < rank(of: $1) } ?? 0 }

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
