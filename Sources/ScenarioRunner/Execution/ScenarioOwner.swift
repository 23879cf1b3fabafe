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
  }

  private let state = Mutex(State())
  private let takeover: Plan.Takeover
  private let stops: StopTree
  private let variables: Variables

  /// Hears of each rule that counts and is broken.
  private let noteBroken: @Sendable (String) -> Void

  init(
    takeover: Plan.Takeover, stops: StopTree, variables: Variables,
    noteBroken: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.noteBroken = noteBroken
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

  /// The scenario has failed, whatever its steps come to.
  func failOutsideSteps() {
    state.withLock { $0.hasFailureOutsideSteps = true }
  }
}
