import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// What a step stands in: a value, passed along.
struct StepScope: Sendable {
  /// Where steps stand inside another one.
  struct Nesting: Sendable {
    /// The id of the step that holds them.
    var parent: String
    /// Which pass of a loop it is, from 1.
    var pass: Int?
  }

  var section: StepSection
  var line = StopTree.Line.main
  /// The device that the step is about; `nil` where it is about none of several.
  var device: Int?
  var stepID: String?
  var nesting: Nesting?
  /// When the innermost group that has a limit of its own must be over.
  var groupEnd: Duration?
  var attempt = 1
  /// What a loop gives its value: `item`, `index`.
  var loopValues: [String: JSONValue] = [:]
  /// The key of the list in a journal, and of the step; empty where there is none.
  var path = JournalKey()
  var key = JournalKey()
  /// The step was under way when an earlier part of the run died.
  var openIntent: JournalEntry.Intent?
}

extension StepSection {
  /// Whether it cleans up after the steps.
  var isCleanup: Bool { self == .onFailure || self == .finally }
}

/// How a step asks a device for something: it can be stopped, and it knows what was saved.
struct StepCaller: ActionCaller {
  let stops: StopTree
  let line: StopTree.Line
  let variables: Variables
  /// The values of loops, and what the line's last `exec` wrote.
  let local: [String: JSONValue]
  let device: DeviceSession

  var isStopped: Bool { stops.cause(of: line) != nil }
  var values: [String: JSONValue] { variables.all(local: local, facts: device.facts) }
  var awaited: [Condition] { stops.awaited(by: line) }
}
