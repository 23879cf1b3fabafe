import CastProtocol
import ScenarioLanguage
import TestSupport
import Testing

@testable import RunReporting
@testable import ScenarioRunner
@testable import Simulation

/// A run that is killed anywhere and gone on with ends as one that nobody killed (docs/runs.md "A run that died").
@Suite struct ResumedRunTests {
  static func document(_ text: String, environment: [String: String] = [:]) throws -> RunnableDocument {
    var inputs = PlanCompiler.Inputs()
    inputs.environment = { environment[$0] }
    let compiled = PlanCompiler.compile(SourceFile(name: "a.yaml", bytes: Array(text.utf8)), inputs: inputs)
    guard let document = RunnableDocument(compiled.plans) else {
      Issue.record("\(compiled.diagnostics.map { "\($0.code) \($0.message)" })")
      throw CancellationError()
    }
    return document
  }

  static let twenty =
    "scenario: Twenty\ndevice: TV\nsteps:\n"
    + (1...20).map { "  - load: https://cdn.example.com/\($0).mp4\n  - expect: { player: playing }\n" }.joined()

  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var text: String
    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "flow",
      text: """
        scenario: Flow
        device: TV
        vars: { n: 0, m: { type: map, default: { list: [] } } }
        media:
          film: { url: https://cdn.example.com/film.mp4, duration: 5m }
          other: { url: https://cdn.example.com/other.mp4, duration: 5m }
        setup:
          - volume: 40%
        steps:
          - load: film
          - set: { n: 2, m: { list: [5, 9] } }
          - repeat: { times: 3, steps: [{ load: other }, { wait: 2s }, { pause: {} }, { play: {} }] }
          - for_each: { item: "${m.list}", steps: [{ seek: "${item}" }, { log: "at ${item}" }] }
          - choose:
              - { if: { player: paused }, steps: [{ log: no }] }
              - { otherwise: [{ pause: {} }, { load: film }, { group: { steps: [{ mute: true }], finally: [{ mute: false }] } }] }
          - save: { p: volume.level }
          - pause: {}
            if: { player: playing }
          - wait: 1s
          - repeat: { until: { player: playing }, at_most: 4, steps: [{ play: {} }] }
          - expect: { vars: { n: 2 } }
          - log: "${n} ${p}"
        finally:
          - stop: {}
          - stop_app

        """),
    Case(
      name: "roles at the same time",
      text: """
        scenario: Two
        roles: { left: Bar left, right: Bar right }
        media:
          film: { url: https://cdn.example.com/film.mp4, duration: 5m }
          other: { url: https://cdn.example.com/other.mp4, duration: 5m }
        steps:
          - launch: default
            role: all
          - parallel:
              - { name: l, role: left, steps: [{ load: film, role: left }, { wait: 3s }, { pause: {}, role: left }] }
              - { name: r, role: right, steps: [{ load: other, role: right }, { seek: 30s, role: right }] }
          - volume: 30%
            role: right
          - expect: { player: paused }
            role: left
          - expect: { player: playing }
            role: right

        """),
    Case(
      name: "rows and tries",
      text: """
        scenario: Rows
        device: TV
        matrix: { item: [a, b, c] }
        steps:
          - load: "https://cdn.example.com/${matrix.item}.mp4"
          - group: { steps: [{ seek: 10s }, { expect: { position: { min: 10s } } }] }
            retry: 2
          - expect: { player: playing }

        """),
  ]

  private static func results(_ run: KilledRun) -> [String] {
    run.last.events.compactMap { event in
      guard case .stepFinished(let finished) = event.kind else { return nil }
      return "\(event.device ?? "") \(event.step ?? "") \(finished.pass ?? 0) \(finished.result.rawValue)"
    }.sorted()
  }

  @Test("Killed at every record of its journal, a run ends as one that nobody killed", arguments: cases)
  func everyRecord(_ one: Case) throws {
    let document = try Self.document(one.text)
    let whole = try KilledRun(document, killed: [])
    #expect(whole.last.outcome == .init(result: .passed, exitCode: 0), "\(whole.results)")
    let records = whole.last.journal.count { $0 == UInt8(ascii: "\n") }
    // The last one says that the run is over.
    for record in 2..<records {
      let run = try KilledRun(document, killed: [.record(record)])
      #expect(run.last.outcome == whole.last.outcome, "record \(record): \(run.results)")
      #expect(Self.results(run) == Self.results(whole), "record \(record)")
      #expect(run.contents == whole.contents, "record \(record)")
      #expect(run.plays.values.allSatisfy { $0 == 1 })
    }
    print("\(one.name): killed at \(records - 2) records, gone on with \(records - 2) times, no load came twice")
  }

  @Test("R1 in simulation: killed at any moment, each item of twenty comes to the device exactly once")
  func anyMoment() throws {
    let document = try Self.document(Self.twenty)
    let latency: ClosedRange<Duration> = .milliseconds(1)...(.milliseconds(40))
    let whole = try KilledRun(document, killed: [], latency: latency)
    let length = try #require(whole.last.events.last?.elapsed)
    let count = 30 * Effort.factor
    var random = SeededGenerator(seed: 1)
    var adopted = 0
    var replayed = 0
    for seed in 0..<count {
      let moment = Duration.milliseconds(Int(length * 1000 * random.fraction()))
      let run = try KilledRun(document, killed: [.at(moment)], seed: UInt64(seed), latency: latency)
      #expect(run.last.outcome == .init(result: .passed, exitCode: 0), "seed \(seed) at \(moment): \(run.results)")
      #expect(run.plays.values.allSatisfy { $0 == 1 }, "seed \(seed) at \(moment)")
      #expect(
        run.contents.count == 20 && run.contents.values.allSatisfy { $0 == 1 },
        "seed \(seed) at \(moment): \(run.contents)")
      adopted += run.results.count { $0.hasSuffix("adopted") }
      replayed += run.results.count { $0.hasSuffix("replayed") }
    }
    #expect(adopted > 0 && replayed > 0)
    print(
      "R1: \(count) of \(count) moments: each item came once; \(adopted) adopted, \(replayed) sent for the first time")
  }

  @Test("A run that is killed again and again comes to its end")
  func again() throws {
    let document = try Self.document(Self.twenty)
    let deaths = (1...8).map { KilledRun.Death.record(4 + $0 * 8) }
    let run = try KilledRun(document, killed: deaths, latency: .milliseconds(1)...(.milliseconds(20)))
    #expect(run.last.outcome == .init(result: .passed, exitCode: 0), "\(run.results)")
    #expect(run.contents.count == 20 && run.contents.values.allSatisfy { $0 == 1 }, "\(run.contents)")
    guard case .runStarted(let started)? = run.last.events.first?.kind else { throw CancellationError() }
    #expect(started.resumes == "01PART8")
  }

  @Test(
    "R2 in simulation: killed between intent and done, a step is adopted, skipped or replayed as it declares",
    arguments: ["adopt", "replay", "skip"])
  func policies(_ rule: String) throws {
    let text = """
      scenario: One
      device: TV
      steps:
        - launch: default
        - load: https://cdn.example.com/1.mp4
          on_resume: \(rule)
        - wait: 1s

      """
    let document = try Self.document(text)
    let latency: ClosedRange<Duration> = .milliseconds(5)...(.milliseconds(60))
    let count = 12 * Effort.factor
    var most = 0
    var words: [String: Int] = [:]
    var random = SeededGenerator(seed: 2)
    for seed in 0..<count {
      let whole = try KilledRun(document, killed: [], seed: UInt64(seed), latency: latency)
      func moment(_ type: EventType) -> Double {
        whole.last.events.first { $0.type == type && $0.step == "s2" }?.elapsed ?? 0
      }
      let (begin, end) = (moment(.stepStarted), moment(.stepFinished))
      let at = Duration.milliseconds(Int((begin + (end - begin) * random.fraction()) * 1000))
      let run = try KilledRun(document, killed: [.at(at)], seed: UInt64(seed), latency: latency)
      most = max(most, run.contents.values.max() ?? 0)
      if let word = run.results.first(where: { $0.hasPrefix("s2 ") })?.split(separator: " ").last {
        words[String(word), default: 0] += 1
      }
      #expect(run.last.outcome.exitCode == 0, "seed \(seed), killed after \(at): \(run.results)")
    }
    #expect(most <= (rule == "replay" ? 2 : 1), "\(rule): \(words)")
    if rule == "replay" { #expect(most == 2 && words["adopted"] == nil, "\(words)") }
    if rule == "skip" { #expect((words["skipped"] ?? 0) > 0 && words["replayed"] == nil, "\(words)") }
    if rule == "adopt" { #expect((words["adopted"] ?? 0) > 0, "\(words)") }
    let told = words.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    print("R2 \(rule): \(count) kills inside a load, at most \(max(0, most - 1)) repeats (\(told))")
  }

  @Test("A run that was being ended is cleaned up, and its steps are not gone on with")
  func interrupted() throws {
    let text = """
      scenario: Ended
      device: TV
      steps:
        - load: https://cdn.example.com/1.mp4
        - wait: 60s
        - log: never
      finally:
        - log: tidying
        - wait: 10s
        - stop_app

      """
    let document = try Self.document(text)
    let run = try KilledRun(document, killed: [.at(.seconds(25))], signalled: .seconds(20))
    #expect(run.last.outcome.exitCode == 130, "\(run.results)")
    #expect(run.results.contains("s1 passed taken"), "\(run.results)")
    #expect(run.results.contains("s3 not_run"), "\(run.results)")
    #expect(run.results.contains { $0.hasPrefix("finally3 passed") || $0.hasPrefix("f") && $0.contains("passed") })
    let stops = run.last.events.filter { $0.type == .log && $0.fields["text"] == "never" }
    #expect(stops.isEmpty && run.contents.values.allSatisfy { $0 == 1 })
  }

  @Test("The scenario's deadline counts what earlier parts took; a failure is taken over with its reason")
  func deadline() throws {
    let text = """
      scenario: Late
      device: TV
      timeout: 60s
      steps:
        - load: https://cdn.example.com/1.mp4
        - pause: {}
        - expect: { player: playing }
          if_fails: continue
          within: 1s
        - repeat: { until: { player: playing }, at_most: 1000, steps: [{ wait: 1s }] }

      """
    let document = try Self.document(text)
    let run = try KilledRun(document, killed: [.at(.seconds(50))])
    #expect(run.last.outcome.exitCode == 6, "\(run.results)")
    let end = try #require(run.last.events.last?.elapsed)
    #expect(end < 15, "the second part had what was left: \(end)")
    let failed = run.last.events.compactMap { event -> EventKind.StepFinished? in
      guard case .stepFinished(let finished) = event.kind, event.step == "s3" else { return nil }
      return finished
    }
    #expect(failed.first?.result == .failed && failed.first?.resumed == .taken && failed.first?.reason != nil)
  }

  @Test("A run of which everything is done sends nothing")
  func over() throws {
    let document = try Self.document(Self.twenty)
    let whole = try KilledRun(document, killed: [])
    let records = whole.last.journal.count { $0 == UInt8(ascii: "\n") }
    // All but that the run is over.
    let run = try KilledRun(document, killed: [.record(records - 1)])
    #expect(run.last.messages == 0 && run.last.outcome == whole.last.outcome, "\(run.last.messages)")
    #expect(Self.results(run) == Self.results(whole))
  }

  @Test("Nothing looks back to a step of the run that died")
  func lookingBack() throws {
    let text = """
      scenario: Back
      device: TV
      steps:
        - id: first
          load: https://cdn.example.com/1.mp4
        - wait: 5s
        - expect_sequence: [{ player: playing }]
          since: first
          within: 1s

      """
    let document = try Self.document(text)
    #expect(try KilledRun(document, killed: []).last.outcome.exitCode == 0)
    let run = try KilledRun(document, killed: [.record(4)])
    #expect(run.results.contains("first passed taken"), "\(run.results)")
    let failed = run.last.events.compactMap { event -> EventKind.AttemptFailed? in
      guard case .attemptFailed(let failed) = event.kind else { return nil }
      return failed
    }
    #expect(failed.last?.error.errorClass == .connectionLost, "\(run.results)")
  }

  @Test("Reports say which run was gone on with, and what became of each step")
  func reports() throws {
    let document = try Self.document(Self.twenty)
    let run = try KilledRun(document, killed: [.record(20)])
    var transcript = RunTranscript()
    for event in run.last.events { transcript.record(event) }
    #expect(transcript.run.resumes == "01PART1")
    let taken = transcript.scenario?.steps.filter { $0.resumed == .taken }.count ?? 0
    #expect(taken > 3 && transcript.scenario?.steps.count == 40)
    for event in run.last.events {
      // What is stored can be read again.
      #expect(EventRecord(json: EventRecord(event).json)?.event.kind == event.kind)
    }
  }
}

/// The connection breaks at any moment of a run (docs/security.md 5, R14).
@Suite struct CutRunTests {
  @Test("R14: cut at any moment a run passes over a new connection, or fails with a class; none hangs")
  func cut() throws {
    let document = try ResumedRunTests.document(
      """
      scenario: Cut
      device: TV
      defaults: { retry: { attempts: 3, wait: 1s } }
      media: { film: { url: https://cdn.example.com/film.mp4, duration: 5m } }
      steps:
        - load: film
        - wait: 3s
        - pause: {}
        - play: {}
        - seek: 60s
        - volume: 30%
        - wait: 3s
        - expect: { player: playing, position: { min: 60s } }
        - stop: {}

      """)
    func run(cutAt cut: Duration?, seed: UInt64) throws -> (outcome: Runner.Outcome, events: [Event]) {
      var simulation = ScenarioSimulation()
      simulation.seed = seed
      simulation.link = cut.map { LinkScript.cut(at: $0) } ?? LinkScript()
      simulation.link.delay = .milliseconds(1)...(.milliseconds(40))
      let sink = KeptEvents()
      let configuration = RunConfiguration(runID: "01CUT", toolVersion: "0", wallClock: { 0 })
      return (try simulation.run(document, configuration: configuration, reportingTo: sink), sink.all)
    }
    let whole = try run(cutAt: nil, seed: 0)
    #expect(whole.outcome.exitCode == 0)
    let length = try #require(whole.events.last?.elapsed)
    var random = SeededGenerator(seed: 14)
    let count = 100 * Effort.factor
    var passed = 0
    var longest = 0.0
    for seed in 0..<count {
      let moment = Duration.milliseconds(1 + Int(length * 1000 * random.fraction()))
      let (outcome, events) = try run(cutAt: moment, seed: UInt64(seed))
      if outcome.exitCode == 0 { passed += 1 }
      let failed = events.contains { event in
        switch event.kind {
        case .attemptFailed(let failed): failed.error.errorClass != nil && failed.nextTryIn == nil
        case .expectFailed, .diagnostic: true
        default: false
        }
      }
      #expect(outcome.exitCode == 0 || failed, "seed \(seed) at \(moment): \(outcome)")
      let end = try #require(events.last?.elapsed)
      longest = max(longest, end - length)
      #expect(end <= length + 15, "seed \(seed) at \(moment): \(end) s")
    }
    print(
      "R14: \(count) cuts: \(passed) passed over a new connection, \(count - passed) failed with a class, at most \(longest) s longer"
    )
  }
}
