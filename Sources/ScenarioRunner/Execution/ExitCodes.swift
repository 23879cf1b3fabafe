import RunReporting
import ScenarioLanguage

/// Collects what went wrong in a run and chooses how the process ends (docs/reference.md "Exit codes").
package struct ExitCodes: Hashable, Sendable {
  private var seen: Set<RunExit> = []

  mutating func insert(_ exit: RunExit) { seen.insert(exit) }

  mutating func formUnion(_ other: ExitCodes) { seen.formUnion(other.seen) }

  /// Adds the exit of an error class.
  /// - Parameter isConnected: Whether a first RECEIVER_STATUS has come in this run; before it everything is
  ///   ``RunExit/noDevice``.
  mutating func insert(errorClass: ErrorClass, isConnected: Bool) {
    insert(isConnected || errorClass == .busy ? errorClass.exit : .noDevice)
  }

  /// Their numbers, for a journal.
  var numbers: [Int] { seen.map { Int($0.rawValue) }.sorted() }

  init() {}

  init(numbers: [Int]) { seen = Set(numbers.compactMap { Int32(exactly: $0).flatMap(RunExit.init(rawValue:)) }) }

  var chosen: RunExit { .worst(of: seen) }
}
