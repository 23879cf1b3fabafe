package import CastProtocol
package import ScenarioLanguage

/// The step that an action is done for: a value, passed as a parameter.
package struct ActionScope: Sendable {
  /// The step's id; `nil` for an action of no step.
  package var stepID: String?
  /// Which try of the step it is, from 1.
  package var attempt = 1
  /// When it must be over, on the show clock.
  package var deadline: Duration
  /// Where the device stood when the last action step began; `nil` before the first.
  package var mark: DeviceMark?
  /// The caller, which knows whether the action was stopped and which conditions its step waits for.
  package var caller: any ActionCaller

  package init(stepID: String? = nil, deadline: Duration, caller: any ActionCaller = NoCaller()) {
    self.stepID = stepID
    self.deadline = deadline
    self.caller = caller
  }

  /// The same with another deadline.
  package func until(_ deadline: Duration) -> ActionScope {
    var scope = self
    scope.deadline = deadline
    return scope
  }
}

/// The line of steps that an action is done for.
package protocol ActionCaller: Sendable {
  /// Whether the action was stopped from outside.
  var isStopped: Bool { get }
  /// What was saved or set so far, the values of loops, and facts about the device.
  var values: [String: JSONValue] { get }
  /// The conditions that the running step waits for: the end of the app may be one.
  var awaited: [Condition] { get }
}

/// It is never stopped and has no values: for a command without a scenario.
package struct NoCaller: ActionCaller {
  package init() {}
  package var isStopped: Bool { false }
  package var values: [String: JSONValue] { [:] }
  package var awaited: [Condition] { [] }
}

/// How far a device's observations were at some moment of a run.
package struct DeviceMark: Sendable {
  /// Which connection to the device it was, from 1: numbers of another one mean nothing.
  package var connection: Int
  /// The last observation before the moment.
  package var observed: Int
  /// The status of the moment, for `changed`.
  package var baseline: StatusView.Baseline
}
