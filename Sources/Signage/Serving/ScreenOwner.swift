import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage
import Synchronization

/// Notes that somebody else has the screen's device, or that our app ended, until the screen has dealt with it.
final class ScreenOwner: SessionOwner, ActionCaller {
  private let loss = Mutex<StepFailure?>(nil)

  /// Why what was ours is ours no more; `nil`: it is.
  var cause: StepFailure? { loss.withLock { $0 } }

  /// The screen acts anew.
  func forget() { loss.withLock { $0 = nil } }

  private func note(_ failure: StepFailure) { loss.withLock { $0 = $0 ?? failure } }

  // MARK: what a session asks

  var endsOnLoss: Bool { true }
  var judgesRules: Bool { false }
  var hasEndedByLoss: Bool { cause != nil }
  var isInterrupted: Bool { false }
  var runningStep: String? { nil }
  func values(for device: DeviceSession) -> [String: JSONValue] { [:] }
  func isTakenOver(_ failure: StepFailure) { note(failure) }
  func isGone(_ failure: StepFailure, from device: DeviceSession, view: StatusView) { note(failure) }
  func isBroken(_ monitor: Plan.Monitor) {}

  // MARK: what an action asks

  var isStopped: Bool { cause != nil }
  var values: [String: JSONValue] { [:] }
  var awaited: [Condition] { [] }
}
