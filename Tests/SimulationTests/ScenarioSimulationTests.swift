import CastProtocol
import Foundation
import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner
import Synchronization
import TestSupport
import Testing

@testable import Simulation

/// Whole runs on the virtual clock: the same seed, the same bytes; other seeds, the same verdict.
@Suite struct ScenarioSimulationTests {
  private final class Lines: EventSink {
    private let events = Mutex<[Event]>([])
    func record(_ event: Event) { events.withLock { $0.append(event) } }
    var all: [Event] { events.withLock { $0 } }
    var text: String { all.map { EventRecord($0).jsonLine }.joined(separator: "\n") }
  }

  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  static let examples: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: "examples").path)) ?? []
    return names.filter { $0.hasSuffix(".yaml") && $0 != "lab.yaml" }.sorted()
  }()

  static func plan(_ example: String) throws -> Plan {
    let data = try Data(contentsOf: root.appending(path: "examples/\(example)"))
    return try compile(String(decoding: data, as: UTF8.self), named: example)
  }

  static func compile(_ text: String, named name: String = "test.yaml") throws -> Plan {
    let outcome = PlanCompiler.compile(SourceFile(name: name, bytes: Array(text.utf8)))
    guard case .scenario(let plan)? = outcome.document else {
      throw CompileFailure(problems: outcome.diagnostics.map { "\($0.code) \($0.message)" })
    }
    return plan
  }
  struct CompileFailure: Error { var problems: [String] }

  static func run(
    _ plan: Plan, seed: UInt64, latency: ClosedRange<Duration>? = nil
  ) throws -> (outcome: Runner.Outcome, events: [Event], text: String) {
    var simulation = ScenarioSimulation()
    simulation.seed = seed
    simulation.link.delay = latency
    let lines = Lines()
    var configuration = RunConfiguration(runID: "TEST", toolVersion: "test", wallClock: { 1_767_225_600 })
    configuration.seed = seed
    let outcome = try simulation.run(plan, configuration: configuration, reportingTo: lines)
    return (outcome, lines.all, lines.text)
  }

  @Test("The channels that a plan speaks are there in a simulation, and what is sent comes back; others are not")
  func channels() throws {
    func outcome(_ step: String) throws -> (outcome: Runner.Outcome, events: [Event], text: String) {
      let text = """
        scenario: Channels
        device: TV
        steps:
          - launch: A1B2C3D4
          - \(step)

        """
      return try Self.run(Self.compile(text), seed: 1)
    }
    let name = "urn:x-cast:com.example.score"
    let good = try outcome(
      "send: { namespace: \"\(name)\", message: { type: GO, n: 1 }, expect_reply: { n: 1 } }\n"
        + "  - expect_message: { namespace: \"\(name)\", message: { type: GO } }\n    within: 0s")
    #expect(good.outcome.exitCode == 0, "\(good.text)")
    let wrong = try outcome("send: { namespace: \"\(name)\", message: { n: 1 }, expect_reply: { n: 2 } }")
    #expect(wrong.outcome.exitCode == 6 && wrong.text.contains("no reply fits"), "\(wrong.text)")
  }

  @Test("There are examples to simulate")
  func present() { #expect(Self.examples.contains("ads.yaml") && Self.examples.contains("hello.yaml")) }

  @Test(
    "Every example gives one verdict whatever the seed of the link delays, and nothing escapes, hangs or leaks",
    arguments: examples)
  func seeds(example: String) throws {
    let plan = try Self.plan(example)
    for seed in 0..<40 * Effort.factor {
      let run = try Self.run(plan, seed: UInt64(seed), latency: .zero ... .milliseconds(40))
      #expect(run.outcome == Runner.Outcome(result: .passed, exitCode: 0), "seed \(seed): \(run.events.suffix(6))")
      guard run.outcome.exitCode == 0 else { return }
      #expect(run.events.map(\.number) == Array(1...run.events.count))
      #expect(run.events.last?.type == .runFinished)
    }
  }

  @Test("The same seed gives the same event stream byte for byte", arguments: examples, [0, 7, 12345] as [UInt64])
  func repeats(example: String, seed: UInt64) throws {
    let plan = try Self.plan(example)
    let first = try Self.run(plan, seed: seed, latency: .zero ... .milliseconds(40))
    for _ in 0..<3 {
      let again = try Self.run(plan, seed: seed, latency: .zero ... .milliseconds(40))
      #expect(again.text == first.text)
    }
  }

  @Test("A plan that was stored and read back gives the same event stream byte for byte", arguments: examples)
  func stored(example: String) throws {
    let plan = try Self.plan(example)
    let text = try StoredDocuments.json(of: [RunnableDocument(plan)]).serialized()
    let read = try #require(StoredDocuments.read(JSONValue(parsing: text)) { _ in nil }.first?.rows.first)
    let first = try Self.run(plan, seed: 7, latency: .zero ... .milliseconds(40))
    #expect(try Self.run(read, seed: 7, latency: .zero ... .milliseconds(40)).text == first.text)
  }

  @Test("An expectation that fails is a verdict, with exit code 1, on every seed", arguments: 0..<20)
  func failing(seed: Int) throws {
    let plan = try Self.compile(
      """
      scenario: Wrong
      device: Living Room TV
      steps:
        - load: https://media.example.com/welcome.mp4
        - expect: { player: paused }
          within: 3s
      """)
    let run = try Self.run(plan, seed: UInt64(seed), latency: .zero ... .milliseconds(40))
    #expect(run.outcome == Runner.Outcome(result: .failed, exitCode: 1))
    let timeline = Timeline(of: plan, events: run.events).text
    #expect(timeline.contains("cannot pass") && timeline.contains("first at s2"))
    #expect(timeline.contains("FAILED   player: expected paused, observed playing"), "\(timeline)")
  }

  @Test("The timeline names every step, says how long it waited, and ends with the verdict")
  func timeline() throws {
    let plan = try Self.plan("ads.yaml")
    let run = try Self.run(plan, seed: 0)
    let timeline = Timeline(of: plan, events: run.events).text
    for step in plan.steps + plan.finally { #expect(timeline.contains(step.name), "\(timeline)") }
    #expect(timeline.contains("14 steps, 8 expectations and 2 monitors can all pass. No warnings."), "\(timeline)")
    #expect(timeline.contains("margin"))
    #expect(timeline.contains("▸ ad mid/car"))
  }

  @Test("Fifty seconds of ads.yaml are few steps of work, and none of waiting")
  func quick() throws {
    let plan = try Self.plan("ads.yaml")
    let run = try Self.run(plan, seed: 0)
    let elapsed = try #require(run.events.last?.elapsed)
    #expect(elapsed > 40 && elapsed < 60)
    #expect(run.events.count < 500)
  }
}
