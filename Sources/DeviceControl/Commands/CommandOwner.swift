import CastProtocol
import RunReporting
import ScenarioLanguage
import Synchronization

/// What may end a command before its time: its limit, whoever gave it, and, where it watches to the end, other senders.
final class CommandOwner: SessionOwner, ActionCaller {
  private struct State {
    var isActing = false
    var cause: StepFailure?
    var running: Task<Void, Never>?
  }

  private let takeover: Plan.Takeover
  private let state = Mutex(State())

  init(takeover: Plan.Takeover) { self.takeover = takeover }

  /// Why the command ends before its time; `nil` while nothing ends it.
  var cause: StepFailure? { state.withLock { $0.cause } }

  /// The command acts from now on.
  func begin() { state.withLock { $0.isActing = true } }
  func end() { state.withLock { $0.isActing = false } }

  /// What runs, for ``stop(_:)`` to end.
  func note(_ running: Task<Void, Never>) {
    let isStopped = state.withLock { state in
      state.running = running
      return state.cause != nil
    }
    if isStopped { running.cancel() }
  }

  /// Ends what runs; the first cause counts.
  func stop(_ cause: StepFailure) {
    let running = state.withLock { state in
      state.cause = state.cause ?? cause
      return state.running
    }
    running?.cancel()
  }

  // MARK: what a session asks

  var endsOnLoss: Bool { takeover == .fail && state.withLock { $0.isActing } }
  var judgesRules: Bool { false }
  var hasEndedByLoss: Bool { cause.map { $0.errorClass == .appGone || $0.errorClass == .takenOver } ?? false }
  var isInterrupted: Bool { cause?.errorClass == .interrupted }
  var runningStep: String? { nil }
  func values(for device: DeviceSession) -> [String: JSONValue] { [:] }
  func isTakenOver(_ failure: StepFailure) { if endsOnLoss { stop(failure) } }
  func isGone(_ failure: StepFailure, from device: DeviceSession, view: StatusView) { stop(failure) }
  func isBroken(_ monitor: Plan.Monitor) {}

  // MARK: what an action asks

  var isStopped: Bool { cause != nil }
  var values: [String: JSONValue] { [:] }
  var awaited: [Condition] { [] }
}
