package import CastProtocol
package import ScenarioLanguage
package import RunReporting

/// The owner of a session decides what happens when our app ends, another sender takes the device, or a rule is broken.
///
/// Called on the session's own executor, in the order of the statuses; it must answer at once.
package protocol SessionOwner: Sendable {
  /// Whether the owner ends when our app ends or another sender takes the device.
  var endsOnLoss: Bool { get }
  /// Whether the rules of `watch` hold now.
  var judgesRules: Bool { get }
  /// Whether the loss of a device has ended it: statuses no longer count for what it asserts.
  var hasEndedByLoss: Bool { get }
  /// Whether the user stops the run: a failure then says nothing about the device.
  var isInterrupted: Bool { get }
  /// The step that runs, for events that no step asked for.
  var runningStep: String? { get }
  /// What was saved or set so far, for the rules of `watch`.
  func values(for device: DeviceSession) -> [String: JSONValue]
  /// Another sender took the device, or replaced our app or media.
  func isTakenOver(_ failure: StepFailure)
  /// Our app is gone, and no other came in its place.
  /// - Parameter view: The device as it is now.
  func isGone(_ failure: StepFailure, from device: DeviceSession, view: StatusView)
  /// A rule of `watch` was broken, which was reported.
  func isBroken(_ monitor: Plan.Monitor)
  /// A rule with `for` begins to be broken on a device, or holds again.
  /// - Parameter device: Its place among the devices of the run.
  func noteStreak(of rule: String, on device: Int, isOver: Bool)
}

extension SessionOwner {
  /// Nobody goes on with it: nothing is written down.
  package func noteStreak(of rule: String, on device: Int, isOver: Bool) {}
}

/// An owner that does nothing of that.
package struct IndifferentOwner: SessionOwner {
  package init() {}
  package var endsOnLoss: Bool { false }
  package var judgesRules: Bool { false }
  package var hasEndedByLoss: Bool { false }
  package var isInterrupted: Bool { false }
  package var runningStep: String? { nil }
  package func values(for device: DeviceSession) -> [String: JSONValue] { [:] }
  package func isTakenOver(_ failure: StepFailure) {}
  package func isGone(_ failure: StepFailure, from device: DeviceSession, view: StatusView) {}
  package func isBroken(_ monitor: Plan.Monitor) {}
}
