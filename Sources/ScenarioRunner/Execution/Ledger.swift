import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// The results of a scenario's steps so far: counts, exit codes and the first failure, recorded in one place.
struct Ledger: Sendable {
  private(set) var tally = StepTally()
  private(set) var exits = ExitCodes()
  /// The class of the first failure that counts, for trying the scenario again.
  private(set) var failureClass: ErrorClass?

  /// How a step ended.
  struct End {
    var id: String
    var result: StepResult
    /// The last failure; `nil` when a try succeeded.
    var failure: StepFailure?
    var isIgnored = false
    /// Whether the step stands in another, with which it counts.
    var isNested = false
    /// Whether something stopped it from outside.
    var isStopped = false
    var section: StepSection
  }

  /// Counts a step.
  mutating func settle(_ end: End) {
    if end.isNested { return }
    tally.count(end.result, of: end.failure?.step ?? end.id, isIgnored: end.isIgnored)
    guard let failure = end.failure, !end.isIgnored else { return }
    // A failed cleanup is no reason to run again steps that passed.
    if !end.section.isCleanup { failureClass = failureClass ?? failure.errorClass }
    if end.isStopped, failure.isFromOutside { return }
    // What setup expects is about the bench, not about what is tested.
    if end.section == .setup, failure.isExpectation {
      exits.insert(.stepFailed)
    } else {
      exits.insert(errorClass: failure.errorClass, isConnected: true)
    }
  }

  /// Records a failure that is not one step's: of finding, of connecting, of the scenario's deadline.
  mutating func settle(_ failureClass: ErrorClass, isConnected: Bool) {
    exits.insert(errorClass: failureClass, isConnected: isConnected)
    self.failureClass = self.failureClass ?? failureClass
  }

  /// Records the class of a failure whose exit code is recorded already.
  mutating func recordFirst(_ failureClass: ErrorClass) { self.failureClass = self.failureClass ?? failureClass }

  mutating func insert(_ exit: RunExit) { exits.insert(exit) }

  /// Begins to count apart: until ``endApart(_:)`` neither counts nor exit codes of the scenario change.
  mutating func beginApart() -> Ledger {
    let before = self
    tally = StepTally()
    return before
  }

  /// Goes back to what counts.
  mutating func endApart(_ before: Ledger) { (tally, exits) = (before.tally, before.exits) }
}

extension StepFailure {
  /// The message, with the step inside `outer` that it is about.
  func message(in outer: Plan.Step) -> String {
    guard let step, step != outer.id else { return message }
    return "\(step): \(message)"
  }

  var isAboutMonitor: Bool { errorClass == .monitor }
  /// Whether it was made by what stopped the run, which has its own exit code.
  var isFromOutside: Bool { errorClass == .monitor || errorClass == .interrupted }
}
