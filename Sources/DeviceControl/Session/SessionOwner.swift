package import CastProtocol
package import ScenarioLanguage
package import RunReporting

/// The owner of a session decides what happens when our app ends, another sender takes the device, or a rule is broken.
///
/// Called on the session's own executor, in the order of the statuses; it must answer at once.
package protocol SessionOwner: Sendable {
  /// Whether our app's end and other senders end what the owner does.
  var endsOnLoss: Bool { get }
  /// Whether the rules of `watch` hold now.
  var judgesRules: Bool { get }
  /// Whether the loss of a device ended it already: what is seen now says nothing of what it asserts.
  var hasEndedByLoss: Bool { get }
  /// Whether the user wants out: what fails then says nothing about the device.
  var isInterrupted: Bool { get }
  /// The step that runs, for what is told beside it.
  var runningStep: String? { get }
  /// What was saved or set so far, for the rules of `watch`.
  func values(for device: DeviceSession) -> [String: JSONValue]
  /// Another sender has the device, or replaced what was ours.
  func isTakenOver(_ failure: StepFailure)
  /// Our app is gone, and no other came in its place.
  /// - Parameter view: The device as it is now.
  func isGone(_ failure: StepFailure, from device: DeviceSession, view: StatusView)
  /// A rule of `watch` was broken; it was told.
  func isBroken(_ monitor: Plan.Monitor)
}

/// An owner to whom nothing of that matters.
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
