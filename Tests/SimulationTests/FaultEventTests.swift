import CastProtocol
import RunReporting
import ScenarioRunner
import ScenarioLanguage
import Synchronization
import Testing

@testable import Simulation

/// A run tells what went wrong on purpose, so that its evidence says why it failed.
@Suite struct FaultEventTests {
  private final class Kept: EventSink {
    private let state = Mutex<[Event]>([])
    func record(_ event: Event) { state.withLock { $0.append(event) } }
    var events: [Event] { state.withLock { $0 } }
  }

  private static func run(_ faults: [String], steps: [String]) throws -> (events: [Event], timeline: String) {
    var simulation = ScenarioSimulation()
    simulation.seed = 7
    simulation.faults = try FaultTests.plan(faults)
    let kept = Kept()
    let plan = try ScenarioSimulationTests.compile(FaultTests.scenario(.init(steps: steps)))
    var configuration = RunConfiguration(runID: "TEST", toolVersion: "test", wallClock: { 1_767_225_600 })
    configuration.seed = 7
    _ = try simulation.run(plan, configuration: configuration, reportingTo: kept)
    return (kept.events, Timeline(of: plan, events: kept.events).text)
  }

  private static func notes(_ events: [Event]) -> [EventKind.FaultNote] {
    events.compactMap { if case .fault(let note) = $0.kind { note } else { nil } }
  }

  @Test("Each fault that comes is an event with its entry, at the moment when it goes wrong")
  func events() throws {
    let faults = [
      "{ at: playing, after: 5s, times: 1, player: stall, for: 3s }", "{ at: pause, delay: 200ms }",
      "{ at: rate, accept_but_ignore: true }",
    ]
    let events = try Self.run(faults, steps: FaultTests.play + ["wait: 20s", "pause"]).events
    let notes = Self.notes(events)
    #expect(notes.map(\.number) == [1, 2] && notes.map(\.count) == [1, 1] && notes.allSatisfy { $0.receiver == "TV" })
    #expect(notes.map(\.fault) == ["{ at: playing, after: 5s, player: stall, for: 3s, times: 1 }", faults[1]])
    #expect(notes.map { $0.place?.text } == ["lab.yaml:3:5", "lab.yaml:4:5"])
    #expect(events.first { $0.type == .fault }?.elapsed == 5)
  }

  @Test("Without faults a run tells of none") func none() throws {
    #expect(try Self.notes(Self.run(["{ at: seek, duplicate: true }"], steps: FaultTests.play).events) == [])
  }

  @Test("A timeline that a fault made fail names the step, the seed and the faults that had come, and not the scenario")
  func timeline() throws {
    let text = try Self.run(["{ at: load, answer: load_failed, code: 311 }"], steps: FaultTests.play).timeline
    #expect(
      text.contains("fails, first at s1, with seed 7, and these faults had come:\n  fault lab.yaml:3: { at: load,"),
      "\(text)")
    #expect(!text.contains("cannot pass"))
  }

  @Test("What a fault says of itself compiles to the same fault", arguments: FaultTests.cases)
  func texts(test: FaultTests.Case) throws {
    let plan = try FaultTests.plan(test.faults)
    func bare(_ plan: ReceiverPlan) -> [ReceiverPlan.Fault] {
      plan.faults.map { fault in
        var fault = fault
        fault.origin = nil
        return fault
      }
    }
    #expect(try bare(FaultTests.plan(plan.faults.map(\.text))) == bare(plan))
  }
}
