package import RunReporting
package import Signage
package import Simulation

/// All that is known of one run when it is over.
package struct Trace: Sendable {
  package var script = FaultScript(seed: 0, [])
  /// What went wrong with the simulation itself.
  package var error: SimulationError?
  /// Seconds of the simulation when it ended.
  package var end = 0.0
  /// Objects that were still there when it was over.
  package var survivors: [String] = []
  /// What the receivers say, by the device's name in events.
  package var ledgers: [String: ReceiverLedger] = [:]

  // MARK: of a scenario

  package var events: [Event] = []
  /// The exit code.
  package var exit: Int?

  // MARK: of a playlist

  package var records: [LedgerRecord] = []
  /// Unix time at which serving began, and for how many seconds.
  package var served: (start: Double, length: Double)?
  /// When nobody served, in seconds of the simulation.
  package var pauses: [Range<Double>] = []

  package init() {}

  /// All that a run tells, byte for byte.
  package var text: String {
    let lines = events.map { EventRecord($0).jsonLine } + records.map { "\($0)" }
    return lines.joined(separator: "\n") + "\n\(exit ?? -1) \(error.map(String.init(describing:)) ?? "")"
  }
}
