import CastProtocol
import CastTransport
import ScenarioLanguage
import Simulation
import Testing

@testable import DeviceControl
@testable import RunReporting
@testable import ScenarioRunner

/// Runs a scenario's text in a simulation and keeps what happened.
struct Play {
  var outcome: Runner.Outcome
  var events: [Event]

  struct Broken: Error, CustomStringConvertible { var description: String }

  static func plan(_ text: String) throws -> Plan {
    var inputs = PlanCompiler.Inputs()
    // Tests hand the values to the run.
    inputs.needsSecrets = false
    let compiled = PlanCompiler.compile(SourceFile(name: "a.yaml", bytes: Array(text.utf8)), inputs: inputs)
    guard case .scenario(let plan)? = compiled.document else {
      throw Broken(description: compiled.diagnostics.map { "\($0.code) \($0.message)" }.joined(separator: "\n"))
    }
    return plan
  }

  init(
    _ text: String, seed: UInt64 = 0, latency: ClosedRange<Duration>? = nil,
    interruptions: AsyncStream<Runner.Interruption>? = nil,
    accept: (@Sendable (any ByteChannel, TimeSources) -> Void)? = nil,
    configure: (inout RunConfiguration) -> Void = { _ in },
    simulate: (inout ScenarioSimulation) -> Void = { _ in },
    onEvent: (@Sendable (Event) -> Void)? = nil
  ) throws {
    try self.init(
      Self.plan(text), seed: seed, latency: latency, interruptions: interruptions, accept: accept, configure: configure,
      simulate: simulate, onEvent: onEvent)
  }

  init(
    _ plan: Plan, seed: UInt64 = 0, latency: ClosedRange<Duration>? = nil,
    interruptions: AsyncStream<Runner.Interruption>? = nil,
    accept: (@Sendable (any ByteChannel, TimeSources) -> Void)? = nil,
    configure: (inout RunConfiguration) -> Void = { _ in },
    simulate: (inout ScenarioSimulation) -> Void = { _ in },
    onEvent: (@Sendable (Event) -> Void)? = nil
  ) throws {
    try self.init(
      RunnableDocument(plan), seed: seed, latency: latency, interruptions: interruptions, accept: accept,
      configure: configure, simulate: simulate, onEvent: onEvent)
  }

  init(
    _ document: RunnableDocument, seed: UInt64 = 0, latency: ClosedRange<Duration>? = nil,
    interruptions: AsyncStream<Runner.Interruption>? = nil,
    accept: (@Sendable (any ByteChannel, TimeSources) -> Void)? = nil,
    configure: (inout RunConfiguration) -> Void = { _ in },
    simulate: (inout ScenarioSimulation) -> Void = { _ in },
    onEvent: (@Sendable (Event) -> Void)? = nil
  ) throws {
    var simulation = ScenarioSimulation()
    simulation.seed = seed
    simulation.link.delay = latency
    simulation.accept = accept
    simulation.limit = .seconds(7200)
    simulate(&simulation)
    var configuration = RunConfiguration(runID: "01TEST", toolVersion: "0.0.0", wallClock: { 1_795_251_600 })
    configuration.seed = seed
    configure(&configuration)
    let sink = RecordingSink(onEvent)
    outcome = try simulation.run(
      document, configuration: configuration, interruptions: interruptions, reportingTo: sink)
    events = sink.events
  }

  var lines: [String] { events.map { EventRecord($0).jsonLine } }

  func events(_ type: EventType, step: String? = nil) -> [Event] {
    events.filter { $0.type == type && (step == nil || $0.step == step) }
  }

  /// `s1 passed` for each finished step.
  var results: [String] {
    events(.stepFinished).map { "\($0.step ?? "") \($0.fields["result"]?.string ?? "")" }
  }

  /// The class of the last failed try of a step.
  func errorClass(of step: String) -> String? {
    events(.attemptFailed, step: step).last?.fields["error"]?["class"]?.string
  }
}
