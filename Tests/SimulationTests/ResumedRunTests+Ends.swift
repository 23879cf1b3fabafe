import CastProtocol
import ScenarioLanguage
import TestSupport
import Testing

@testable import RunReporting
@testable import ScenarioRunner

/// What a resumed run must not lose of the part that died.
extension ResumedRunTests {
  private static func obstacle(_ steps: String) throws -> String? {
    let document = try document("scenario: A\ndevice: TV\nsteps:\n\(steps)  - log: done\n  - wait: 1s\n")
    let whole = try KilledRun(document, killed: [])
    #expect(whole.last.outcome.exitCode == 0, "\(whole.results)")
    let lines = whole.last.journal.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // Without the end of the scenario, and that of the run.
    let text = lines.dropLast(3).joined(separator: [UInt8(ascii: "\n")]) + [UInt8(ascii: "\n")]
    return JournaledRun(try JournalReader(Array(text)))?.work.obstacle
  }

  @Test("A connection that a step made or ended is gone with its process: such a run is not resumed")
  func connections() throws {
    #expect(try Self.obstacle("  - connect: { auth: none }\n")?.contains("changed a connection") == true)
    #expect(try Self.obstacle("  - disconnect\n")?.contains("changed a connection") == true)
    #expect(try Self.obstacle("  - connect\n") == nil)
    #expect(try Self.obstacle("  - connect: { auth: none }\n    skip: not now\n") == nil)
  }

  /// A scenario up to its steps, with a rule that goes on when it is broken.
  private static let loud = """
    scenario: A
    device: TV
    watch:
      - name: loud
        always: { volume.level: { max: 50% } }
        if_fails: continue
    """

  @Test("What failed is as durable as what a device was sent")
  func durable() throws {
    let document = try Self.document(
      """
      \(Self.loud)
      steps:
        - log: fine
        - volume: 80%
        - expect: { player: playing }
          if_fails: continue
          within: 1s

      """)
    let run = try KilledRun(document, killed: [])
    var words: [String] = []
    for kind in run.last.durable {
      switch kind {
      case .done(let done): words.append(done.step)
      case .broken(let broken): words.append(broken.name)
      default: break
      }
    }
    #expect(words.contains("s3") && words.contains("loud") && !words.contains("s1"), "\(words)")
  }

  @Test("A run that reaches no device has nothing that must be on the disk")
  func nothingDurable() throws {
    let document = try Self.document("scenario: A\ndevice: TV\nsteps:\n  - wait: 10s\n")
    let away = try KilledRun(document, killed: [], away: "TV", isAwayFromBegin: true)
    #expect(away.last.outcome.exitCode == 4 && away.last.durable.isEmpty, "\(away.last.durable)")
    let there = try KilledRun(document, killed: [])
    #expect(there.last.outcome.exitCode == 0 && !there.last.durable.isEmpty)
  }

  @Test("R19: after a power cut that takes what was not on the disk, each item of twenty has come exactly once")
  func powerCuts() throws {
    let document = try Self.document(Self.twenty)
    let latency: ClosedRange<Duration> = .milliseconds(1)...(.milliseconds(40))
    let whole = try KilledRun(document, killed: [], latency: latency)
    let length = try #require(whole.last.events.last?.elapsed)
    let count = 40 * Effort.factor
    var random = SeededGenerator(seed: 19)
    var (lost, torn) = (0, 0)
    for seed in 0..<count {
      let moment = Duration.milliseconds(Int(length * 1000 * random.fraction()))
      let run = try KilledRun(
        document, killed: [.at(moment)], seed: UInt64(seed), latency: latency, losesPower: true)
      let reader = try JournalReader(run.parts[0].journal)
      let written = JournaledRun(try JournalReader(run.parts[0].written))?.work.counts.done ?? 0
      let kept = JournaledRun(reader)?.work.counts.done ?? 0
      #expect(kept <= written, "seed \(seed) at \(moment): \(kept) of \(written)")
      if kept < written { lost += 1 }
      if reader.tornLine != nil { torn += 1 }
      #expect(run.last.outcome == .init(result: .passed, exitCode: 0), "seed \(seed) at \(moment): \(run.results)")
      #expect(
        run.contents.count == 20 && run.contents.values.allSatisfy { $0 == 1 },
        "seed \(seed) at \(moment): \(run.contents)")
    }
    #expect(torn > 0)
    print(
      "R19: \(count) of \(count) power cuts: each item came once; \(lost) lost steps that were done, \(torn) tore a record"
    )
  }

  @Test("A rule that was broken before the run died is not told to have held, and is told once")
  func brokenRules() throws {
    let document = try Self.document(
      """
      \(Self.loud)
        - name: faint
          always: { volume.level: { min: 10% } }
      steps:
        - volume: 80%
        - wait: 5s
        - volume: 40%
        - wait: 20s
        - volume: 30%
        - wait: 1s

      """)
    let run = try KilledRun(document, killed: [.at(.seconds(15))])
    let finished = run.last.events.compactMap { event -> EventKind.ScenarioFinished? in
      if case .scenarioFinished(let finished) = event.kind { finished } else { nil }
    }
    #expect(finished.map(\.rules) == [[]] && run.last.outcome.exitCode == 1, "\(run.results)")
    #expect(run.last.events.count { $0.type == .monitorFailed } == 1)
  }

  @Test("A device that took part and does not answer any more fails, and leaves the run open")
  func missingDevice() throws {
    for order in ["", ", run: one_by_one", ", run: first"] {
      let document = try Self.document(
        """
        scenario: Each
        inventory: { a: { name: One, tags: [x] }, b: { name: Two, tags: [x] } }
        devices: { match: { tag: x }, at_least: 1\(order) }
        steps:
          - load: https://cdn.example.com/1.mp4
          - wait: 10s

        """)
      let run = try KilledRun(document, killed: [.at(.seconds(5))], away: "One")
      #expect(run.last.outcome.exitCode == 4, "\(order): \(run.last.outcome)")
      let past = try #require(JournaledRun(try JournalReader(run.last.journal)))
      #expect(past.end == nil, "\(order)")
      // With `first` the other device is none to go on with.
      #expect(past.work.devices(ofRow: "r0").count == (order.contains("first") ? 1 : 2), "\(order)")
    }
  }

  @Test("A run that was being ended begins no new row when it is resumed")
  func noNewRow() throws {
    let document = try Self.document(
      """
      scenario: Rows
      device: TV
      matrix: { item: [a, b, c] }
      steps:
        - log: "at ${matrix.item}"
        - wait: 60s
      finally:
        - log: tidying

      """)
    let whole = try KilledRun(document, killed: [], signalled: .seconds(20))
    let records = whole.last.journal.count { $0 == UInt8(ascii: "\n") }
    // The first row is over, and all but the end of the run is written.
    let run = try KilledRun(document, killed: [.record(records - 1)], signalled: .seconds(20))
    #expect(run.last.outcome == whole.last.outcome && run.last.outcome.exitCode == 130, "\(run.last.outcome)")
    #expect(run.last.events.count { $0.type == .scenarioStarted } == 1)
  }

  @Test("The duration of a resumed scenario has that of its first part")
  func duration() throws {
    let document = try Self.document(
      "scenario: A\ndevice: TV\nsteps:\n  - wait: 20s\n  - log: a\n  - wait: 20s\n  - wait: 20s\n")
    let run = try KilledRun(document, killed: [.at(.seconds(50))])
    let ends = run.last.events.compactMap { event -> Double? in
      if case .scenarioFinished(let finished) = event.kind { finished.duration } else { nil }
    }
    #expect(ends.count == 1 && ends[0] > 59 && ends[0] < 90, "\(ends)")
  }
}
