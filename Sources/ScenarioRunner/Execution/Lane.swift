import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// What a line of steps has of its own: the document's steps are one, each branch of `parallel` is another while it
/// runs, and each device has one for what is done with its statuses.
struct Lane: Sendable {
  /// The lane whose code runs; tasks that it starts belong to it, too.
  @TaskLocal static var current = 0

  /// Where the document's steps run.
  static let main = 0

  /// Where a device's statuses are told and judged.
  static func watching(device index: Int) -> Int { -1 - index }

  var parent: Int?
  /// The device that the running step means; `nil` while it means none of several.
  var device: Int?
  var stepID: String?
  /// Where the running steps stand inside another step.
  var nesting: ScenarioRun.Nesting?
  /// When the innermost group that has a limit of its own must be over.
  var groupEnd: Duration?
  var attempt = 1
  /// Steps so far that passed on a later try.
  var flakySteps = 0
  /// The last observation of each device before the last action began.
  var actionStarts: [Int] = []
  /// The status of each device when the last action began, for `changed`.
  var baselines: [StatusView.Baseline?] = []
  /// What a loop gives its value: `item`, `index`.
  var loopValues: [String: JSONValue] = [:]
  /// What the last `exec` wrote.
  var reply: JSONValue?
  /// What the running step waits for.
  var awaited: [Condition] = []
  /// Whether the running step, or one that it stands in, is tried again when the app is gone.
  var retriesLoss = false
  var running: Task<Void, Never>?
  /// Sleeps until there is another connection, or none.
  var linkWait: Task<Void, Never>?
  /// Why this lane ends before its time.
  var stopCause: ScenarioRun.StopCause?
  /// Cleans up although it, or the run, was stopped.
  var isSheltered = false
  /// What became of the steps of a branch.
  var outcome: ScenarioRun.ListOutcome?
}
