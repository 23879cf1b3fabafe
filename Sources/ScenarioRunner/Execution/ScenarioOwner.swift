import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage
import Synchronization

/// Decides how a scenario goes on when a device loses our app, another sender takes it, or a rule is broken.
final class ScenarioOwner: SessionOwner {
  private struct State {
    var judgesRules = false
    var hasFailureOutsideSteps = false
    var runningStep: String?
    /// What ``noteStreak(of:on:isOver:)`` told the begin of, and not the end.
    var streaks: Set<Streak> = []
    var streakCount = 0
  }

  private struct Streak: Hashable {
    var rule: String
    var device: Int
  }

  /// A device may break a rule and keep it any number of times: of more nothing is written down.
  private static let streakLimit = 10_000

  private let state = Mutex(State())
  private let takeover: Plan.Takeover
  private let stops: StopTree
  private let variables: Variables

  /// Hears of each rule that counts and is broken.
  private let noteBroken: @Sendable (String) -> Void
  /// Hears of rules that begin to be broken on a device, or hold again.
  private let noteStreak: @Sendable (_ rule: String, _ device: Int, _ isOver: Bool) -> Void

  init(
    takeover: Plan.Takeover, stops: StopTree, variables: Variables,
    noteBroken: @escaping @Sendable (String) -> Void = { _ in },
    noteStreak: @escaping @Sendable (_ rule: String, _ device: Int, _ isOver: Bool) -> Void = { _, _, _ in }
  ) {
    self.noteBroken = noteBroken
    self.noteStreak = noteStreak
    self.takeover = takeover
    self.stops = stops
    self.variables = variables
  }

  var judgesRules: Bool {
    get { state.withLock { $0.judgesRules } }
    set { state.withLock { $0.judgesRules = newValue } }
  }

  /// The document's own step that runs.
  var runningStep: String? {
    get { state.withLock { $0.runningStep } }
    set { state.withLock { $0.runningStep = newValue } }
  }

  /// A monitor failure that leaves every step green.
  var hasFailureOutsideSteps: Bool { state.withLock { $0.hasFailureOutsideSteps } }

  var endsOnLoss: Bool { takeover == .fail && judgesRules }

  var hasEndedByLoss: Bool { if case .failure? = stops.cause { true } else { false } }

  var isInterrupted: Bool { if case .interrupted? = stops.cause { true } else { false } }

  func values(for device: DeviceSession) -> [String: JSONValue] { variables.all(facts: device.facts) }

  func isTakenOver(_ failure: StepFailure) {
    if endsOnLoss { stops.stop(.failure(failure)) }
  }

  func isGone(_ failure: StepFailure, from device: DeviceSession, view: StatusView) {
    let lines = stops.lines(about: device.number)
    let values = values(for: device)
    let isAwaited = lines.contains { line in line.awaited.contains { $0.isMetByLoss(view, saved: values) } }
    if isAwaited { return }
    let retrying = lines.filter(\.retriesLoss)
    if retrying.isEmpty { return stops.stop(.failure(failure)) }
    for line in retrying { stops.cancelRunning(line.line) }
  }

  func isBroken(_ monitor: Plan.Monitor) {
    if monitor.ifFails == .ignore { return }
    noteBroken(monitor.name)
    failOutsideSteps()
    if monitor.ifFails == .stop { stops.stop(.monitor(monitor.name)) }
  }

  func noteStreak(of rule: String, on device: Int, isOver: Bool) {
    let isNew = state.withLock { state in
      let streak = Streak(rule: rule, device: device)
      if isOver { return state.streaks.remove(streak) != nil }
      state.streakCount += 1
      return state.streakCount <= Self.streakLimit && state.streaks.insert(streak).inserted
    }
    if isNew { noteStreak(rule, device, isOver) }
  }

  /// A streak that an earlier part of the run wrote down goes on.
  func resumeStreak(of rule: String, on device: Int) {
    state.withLock { _ = $0.streaks.insert(Streak(rule: rule, device: device)) }
  }

  /// The scenario has failed, whatever its steps come to.
  func failOutsideSteps() {
    state.withLock { $0.hasFailureOutsideSteps = true }
  }
}
