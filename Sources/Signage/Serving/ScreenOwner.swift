import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage
import Synchronization

/// Notes that somebody else has the screen's device, or that our app ended, until the screen has dealt with it.
final class ScreenOwner: SessionOwner, ActionCaller {
  private struct Loss {
    var failure: StepFailure
    var time: Duration
  }

  private let clock: TimeSource
  private let loss = Mutex<Loss?>(nil)

  init(clock: TimeSource) { self.clock = clock }

  /// Why what was ours is ours no more; `nil`: it is.
  var cause: StepFailure? { loss.withLock { $0?.failure } }
  /// When it ceased to be ours, on the show clock.
  var causeTime: Duration? { loss.withLock { $0?.time } }

  /// The screen deals with it, and acts anew.
  /// - Returns: What it was.
  @discardableResult
  func take() -> StepFailure? {
    loss.withLock { loss in
      defer { loss = nil }
      return loss?.failure
    }
  }

  private func note(_ failure: StepFailure) {
    let new = Loss(failure: failure, time: clock.now)
    loss.withLock { $0 = $0 ?? new }
  }

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
