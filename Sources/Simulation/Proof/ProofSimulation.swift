import CastProtocol
import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner
import Synchronization

/// A plan simulated for what one of its steps comes to.
struct ProofSimulation {
  /// `nil` where it was not run.
  var result: StepResult?
  /// Document seconds.
  var duration = 0.0
  /// The film position when the step ended, in seconds.
  var film: Double?
  /// The merged status just before the last action before it.
  var before = JSONObject()
  /// Steps other than it that failed.
  var failures = 0
  /// Document seconds that the whole run took.
  var length = 0.0
  /// Names of monitors that were broken.
  var brokenMonitors: [String] = []

  fileprivate init() {}

  /// Longer plans are given up: they would make a check slow.
  private static let limit = Duration.seconds(6 * 3600)
  /// What a film lasts of which the document says nothing: longer than any proof looks.
  private static let endless = 86_400.0

  /// Runs `plan` against a virtual receiver as far as the step `id`, or all of it.
  /// - Returns: `nil` when the step was not reached, or the simulation was given up.
  init?(of plan: Plan, until id: String?) {
    let recorder = Recorder(id)
    var simulation = ScenarioSimulation()
    simulation.limit = Self.limit
    let configuration = RunConfiguration(runID: "proof", toolVersion: "", wallClock: { 0 })
    guard
      (try? simulation.run(Self.prepared(plan, until: id), configuration: configuration, reportingTo: recorder)) != nil
    else { return nil }
    self = recorder.found
    if id != nil, result == nil { return nil }
  }

  /// The plan without what a proof must not depend on: what virtual films last by themselves, limits of the whole,
  /// and steps that come later.
  private static func prepared(_ plan: Plan, until id: String?) -> Plan {
    var plan = plan
    plan.timeout = limit
    plan.onFailure = []
    plan.finally = []
    if let id {
      plan.watch = []
      if let index = plan.setup.firstIndex(where: { $0.holds(id) }) {
        plan.setup = Array(plan.setup[...index])
        plan.steps = []
      } else if let index = plan.steps.firstIndex(where: { $0.holds(id) }) {
        plan.steps = Array(plan.steps[...index])
      }
    }
    return plan.mapAllSteps { step in
      guard case .load(var load) = step.action, load.request.media.duration == nil,
        load.request.media.streamType == "BUFFERED"
      else { return step }
      var step = step
      load.request.media.duration = endless
      step.action = .load(load)
      return step
    }
  }
}

extension Plan.Step {
  fileprivate func holds(_ id: String) -> Bool { self.id == id || isFlow && [self].flattened.contains { $0.id == id } }
}

/// Follows a run's events for the sake of one step.
private final class Recorder: EventSink {
  private struct State {
    var run = ProofSimulation()
    var status = JSONObject()
    var statusAt = 0.0
    /// The status before the step that began last, and before the action of which it may be the last.
    var started = 0.0
    var actions: [String] = []
  }

  private let id: String?
  private let state = Mutex(State())

  init(_ id: String?) { self.id = id }

  var found: ProofSimulation { state.withLock { $0.run } }

  private static let passive = ["expect", "log", "mark", "set", "save"]

  func record(_ event: Event) {
    state.withLock { state in
      switch event.kind {
      case .status(let change):
        state.status = state.status.applying(set: change.set, unset: change.unset)
        if change.scope == .media { state.statusAt = event.elapsed }
      case .stepStarted(let begun) where state.run.result == nil:
        if event.step == id { state.started = event.elapsed }
        if !Self.passive.contains(begun.verb) { state.run.before = state.status }
      case .stepFinished(let finished):
        let result = finished.result
        guard event.step == id, state.run.result != .failed, result != .notRun, result != .skipped else {
          if event.step != id, result.isBad { state.run.failures += 1 }
          return
        }
        state.run.result = result
        state.run.duration = event.elapsed - state.started
        state.run.film = Self.film(state, at: event.elapsed)
      case .runFinished: state.run.length = event.elapsed
      case .monitorFailed(let broken): state.run.brokenMonitors.append(broken.name)
      default: break
      }
    }
  }

  private static func film(_ state: State, at elapsed: Double) -> Double? {
    guard let position = state.status["position"]?.number else { return nil }
    guard state.status["player"]?.string == "playing", state.status["break"] == nil else { return position }
    return position + (elapsed - state.statusAt) * (state.status["rate"]?.number ?? 1)
  }
}
