import ScenarioLanguage
import Testing

@testable import RunReporting
@testable import ScenarioRunner

/// What becomes of the rules of `watch` when a run is gone on with.
extension ResumedRunTests {
  private static func loud(_ limit: String = "4s", wait: String = "6s", more: String = "") throws
    -> RunnableDocument
  {
    try document(
      """
      scenario: Loud
      device: TV
      watch:
        - name: loud
          never: { volume.level: { above: 60% } }
          for: \(limit)
      steps:
        - volume: 40%
        - volume: 80%
        - log: on air
        - wait: \(wait)
        - volume: 40%
      \(more)
      """)
  }

  private static func finished(_ run: KilledRun) -> [EventKind.ScenarioFinished] {
    run.last.events.compactMap { if case .scenarioFinished(let finished) = $0.kind { finished } else { nil } }
  }

  @Test("A scenario that is gone on with tells of no rule how near it came: nobody judged it all the time")
  func noMargins() throws {
    let document = try Self.loud("60s")
    let whole = try KilledRun(document, killed: [])
    #expect(Self.finished(whole).map { $0.rules.map(\.name) } == [["loud"]])
    let run = try KilledRun(document, killed: [.at(.seconds(3))])
    #expect(run.results.contains("s2 passed taken"), "\(run.results)")
    #expect(Self.finished(run).map(\.rules) == [[]], "\(run.results)")
  }

  @Test("A rule that is broken when the run dies is broken when it goes on, and for as long as it was seen to be")
  func streaks() throws {
    // The wait is done again, and is alone longer than the rule lasts.
    let run = try KilledRun(try Self.loud(), killed: [.at(.seconds(3))])
    #expect(run.last.outcome.exitCode == 1 && run.results.contains("s2 passed taken"), "\(run.results)")
    // Neither wait is.
    let more = "  - volume: 80%\n  - wait: 3s\n  - log: half\n  - wait: 3s\n  - volume: 40%\n"
    let halves = try Self.loud(wait: "0s", more: more)
    let whole = try KilledRun(halves, killed: [])
    #expect(whole.last.outcome.exitCode == 1, "\(whole.results)")
    let twice = try KilledRun(halves, killed: [.at(.seconds(5)), .at(.milliseconds(500))])
    #expect(twice.results.contains("s8 passed taken"), "\(twice.results)")
    #expect(twice.last.outcome.exitCode == 1, "\(twice.results)")
  }

  @Test("A rule that holds again when the run goes on begins anew")
  func streaksOver() throws {
    let quiet = try Self.document("scenario: Other\ndevice: TV\nsession: { leave: keep }\nsteps:\n  - volume: 20%\n")
    let run = try KilledRun(try Self.loud(), killed: [.at(.seconds(3))], other: quiet)
    #expect(run.last.outcome.exitCode == 0, "\(run.results)")
  }

  @Test("A rule is told as one that held only where it was not broken for longer than its `for`")
  func lastMoment() throws {
    for milliseconds in 990...1010 {
      let document = try Self.document(
        """
        scenario: Loud
        device: TV
        watch:
          - { name: short, never: { volume.level: { above: 60% } }, for: 1s }
          - { name: long, never: { volume.level: { above: 60% } }, for: 10s }
        steps:
          - volume: 80%
          - wait: \(milliseconds)ms

        """)
      let run = try KilledRun(document, killed: [])
      let rules = try #require(Self.finished(run).first).rules
      let long = try #require(rules.first { $0.name == "long" }?.margins.first)
      let wasBroken = (long.used ?? 0) > 1
      #expect(rules.contains { $0.name == "short" } == !wasBroken, "\(milliseconds) ms: \(long)")
      #expect(run.last.outcome.exitCode == (wasBroken ? 1 : 0), "\(milliseconds) ms: \(long)")
    }
  }
}
