import CastProtocol
import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner
import TestSupport
import Testing

@testable import Simulation

/// Made-up scenarios: a claim must hold on slow links, too, and what passes anywhere must not be called impossible.
@Suite struct SeededProofTests {
  /// Steps that a person could write, with numbers drawn by a seed.
  private static func steps(_ seed: Int) -> String {
    var generator = SeededGenerator(seed: UInt64(seed))
    func pick(_ choices: [String]) -> String { choices[generator.next(below: choices.count)] }
    func number(_ range: ClosedRange<Int>) -> Int {
      range.lowerBound + generator.next(below: range.upperBound - range.lowerBound + 1)
    }
    var lines = [
      pick([
        "- load: film", "- load: { media: film, start: \(number(1...170))s }", "- load: { media: film, rate: 2 }",
        "- load: { media: film, autoplay: false }",
      ])
    ]
    for _ in 0..<number(1...5) {
      lines.append(
        pick([
          "- wait: \(number(1...90))s", "- seek: \(number(0...400))s",
          "- seek: { by: \(pick(["+", "-"]))\(number(1...60))s }",
          "- rate: \(pick(["0.5", "1", "1.5", "2"]))", "- pause", "- play", "- tracks: [en]", "- volume: 30%",
          "- wait: \(number(1...20))s\n  if: { player: playing }",
          "- repeat: { times: \(number(1...4)), steps: [{ wait: \(number(1...30))s }] }",
          "- group: { steps: [{ seek: \(number(0...300))s }, { wait: 2s }] }",
        ]))
    }
    let field = pick([
      "break: { id: mid }", "break: { id: late }", "break: { clip: soap }", "position: { min: \(number(1...500))s }",
      "position: { about: \(number(1...500))s, tolerance: 2s }",
      "player: playing, position: { above: \(number(1...300))s }",
      "rate: \(pick(["1", "1.5", "2"]))", "active_tracks: { has: [en] }",
      "break: { clip: car, clip_time: { min: \(number(1...20))s } }",
    ])
    lines.append(
      pick([
        "- expect: { \(field) }\n  within: \(number(0...200))s",
        "- always: { break: none }\n  during: \(number(1...200))s",
        "- never: { break: { id: mid } }\n  during: \(number(1...200))s",
        "- expect_sequence: [{ player: playing }, { \(field) }]\n  within: \(number(1...200))s",
      ]))
    return lines.joined(separator: "\n")
  }

  @Test(
    "A claim holds whatever the link's delays, and what passes on some link is not claimed",
    arguments: 0..<6 * Effort.factor)
  func claims(block: Int) throws {
    for seed in (block * 12)..<(block * 12 + 12) {
      let steps = Self.steps(seed)
      let plan = try ScenarioSimulationTests.compile(PlanProofTests.scenario(steps), named: "lobby.yaml")
      let claims = PlanProof.diagnostics(for: plan).filter { $0.code == .p602 }
      // Only the last step judges.
      let judge = try #require(plan.steps.last?.id)
      for latency in [nil, .milliseconds(1) ... .milliseconds(900)] as [ClosedRange<Duration>?] {
        let run = try ScenarioSimulationTests.run(plan, seed: UInt64(seed), latency: latency)
        let verdict = run.events.last { $0.type == .stepFinished && $0.step == judge }?.fields["result"]?.string
        if verdict == "passed" { #expect(claims.isEmpty, "seed \(seed):\n\(steps)\n\(claims.map(\.primary.text))") }
        if !claims.isEmpty { #expect(verdict != "passed", "seed \(seed):\n\(steps)") }
      }
    }
  }

  @Test("Enough of the made-up scenarios are impossible for that to mean something") func both() throws {
    let claimed = try (0..<120).filter { seed in
      let plan = try ScenarioSimulationTests.compile(PlanProofTests.scenario(Self.steps(seed)), named: "lobby.yaml")
      return !PlanProof.diagnostics(for: plan).isEmpty
    }
    #expect((5...80).contains(claimed.count), "\(claimed.count) of 120")
  }
}
