package import CastClient
package import CastProtocol
package import RunReporting
package import ScenarioLanguage

/// Judges statuses as they come. Holds no clock and no connection.
///
/// Feed ``begin(with:)`` the merged status of now, then every status in order; call ``timerFired(at:)`` at
/// ``nextCheck``. After ``JudgeEffect/finished(_:)`` feed it nothing more.
package protocol ExpectationStateMachine: Sendable {
  mutating func begin(with view: StatusView) -> [JudgeEffect]
  /// Takes a status that was received at `status.view.at`.
  mutating func observe(_ status: ObservedStatus) -> [JudgeEffect]
  /// What is due at `now`; a call that comes early does nothing.
  mutating func timerFired(at now: Duration) -> [JudgeEffect]
  /// When ``timerFired(at:)`` wants to be called next.
  var nextCheck: Duration { get }
  /// What is judged, for choosing what to refresh.
  var conditions: [Condition] { get }
}

package enum JudgeEffect: Sendable {
  /// Ask the device for its status; the answer comes as a polled status.
  case refresh
  case finished(Verdict)
}

/// A status with where it came from.
package struct ObservedStatus: Sendable {
  package var view: StatusView
  package var source: Observation.Source

  package init(_ view: StatusView, source: Observation.Source = .push) {
    self.view = view
    self.source = source
  }
}

/// What an expectation came to.
package struct Verdict: Sendable {
  package enum Outcome: String, Hashable, Sendable {
    case passed, failed
    /// Nothing was seen that could prove or disprove it; counts as failed.
    case inconclusive
  }

  package var outcome: Outcome
  /// On the show clock.
  package var at: Duration
  package var want: JSONValue
  /// The judged fields at the end; absent ones are `null`.
  package var got: JSONObject
  package var mismatches: [FieldMismatch]
  /// The moment the condition was closest to holding, and the fields that did not fit then.
  package var nearest: NearMiss? = nil
  /// Pushed statuses seen in the window.
  package var statuses: Int
  /// Whether it rests on values reckoned between two statuses.
  package var isEstimated: Bool
  /// Whether it rests on an answer to our own question.
  package var isPolled: Bool
  /// Why it is inconclusive or failed beyond the mismatches.
  package var remark: String? = nil
  /// How near what held was to its limits.
  package var margins: [EventKind.Margin] = []
  /// The fields that fitted last, where it did not hold at once.
  package var waitedFor: [String] = []

  package struct NearMiss: Hashable, Sendable {
    package var at: Duration
    package var values: JSONObject
  }
}
