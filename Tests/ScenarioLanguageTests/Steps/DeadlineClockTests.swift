import Testing

@testable import ScenarioLanguage

/// What must pass before a step, and which limits cannot be reached (P603).
@Suite struct DeadlineClockTests {
  static let raised: [(steps: String, least: [String])] = [
    ("{ repeat: { times: 3, steps: [{ wait: 10s }] } }, { wait: 20s }", []),
    // The passes of a loop follow each other, and a limit in it counts in the last one.
    ("{ repeat: { times: 3, steps: [{ wait: 20s }] } }, { wait: 1s }", ["1m5s", "1m6s"]),
    ("{ group: { steps: [{ wait: 30s }, { wait: 40s }] } }", ["1m15s"]),
    // Of branches the longest counts.
    ("{ choose: [{ if: { player: idle }, steps: [{ wait: 70s }] }, { otherwise: [play] }] }", ["1m15s"]),
    ("{ parallel: [{ steps: [{ wait: 40s }] }, { steps: [{ wait: 50s }] }] }, { wait: 15s }", ["1m10s"]),
  ]
  @Test(
    "A limit that ends behind the deadline is told where it stands, with the least that would do", arguments: raised)
  func raise(steps: String, least: [String]) {
    let problems = Compiling.outcome("scenario: S\ndevice: TV\ntimeout: 1m\nsteps: [\(steps)]\n").diagnostics
      .filter { $0.code == .p603 }
    #expect(problems.flatMap(\.footers) == least.map { .help("raise the scenario `timeout` to at least \($0)") })
  }

  static let steps: [(step: String, isLate: Bool)] = [
    ("{ wait: 55s }", false), ("{ wait: 56s }", true), ("{ discover: 56s }", true), ("{ discover: 5s }", false),
    ("{ discover: { for: 5m } }", true), ("{ discover: { at_least: 2 } }", false),
    ("{ volume: { to: 10%, over: 20m } }", true), ("{ volume: { to: 10%, over: 20s } }", false),
    ("{ volume: 10% }", false),
    ("{ expect: { player: idle }, within: 50s, for: 10s }", true),
    ("{ expect: { player: idle }, within: 40s, for: 10s }", false),
    ("{ always: { player: idle }, during: 56s }", true), ("{ play: , timeout: 56s }", true),
    ("{ discover: { for: 40s } }, { wait: 20s }", true), ("{ volume: { to: 10%, over: 40s } }, { wait: 20s }", true),
    ("{ discover: { for: 40s }, skip: not today }, { wait: 20s }", false),
  ]
  @Test(
    "What a step takes by itself, and what it must hold, has to fit into the deadline of the document", arguments: steps
  )
  func fits(step: String, isLate: Bool) {
    let codes = Compiling.codes(
      "scenario: S\ndevice: TV\ntimeout: 1m\nwatch: [{ never: { player: paused } }]\nsteps: [\(step)]\n")
    #expect(codes == (isLate ? ["P603"] : []))
  }
}
