import Testing

@testable import ScenarioLanguage

/// What must pass before a step, and which limits cannot be reached (P603).
@Suite struct DeadlineClockTests {
  private static func span(_ line: Int) -> SourceSpan {
    SourceSpan(file: "lobby.yaml", line: line, column: 1, endLine: line, endColumn: 2)
  }

  @Test("A limit that ends behind the deadline is told once, with the latest of its ends")
  func limit() {
    var clock = DeadlineClock(limit: .seconds(10), start: .seconds(5), cure: "raise it")
    clock.note(end: .seconds(10), at: Self.span(1))
    #expect(clock.problems.isEmpty)
    clock.note(end: .seconds(11), at: Self.span(2))
    clock.note(end: .seconds(13), at: Self.span(2))
    clock.note(end: .seconds(12), at: Self.span(3))
    clock.note(end: .seconds(99), at: nil)
    #expect(clock.problems.map(\.primary.span.line) == [2, 3])
    #expect(
      clock.problems.map(\.footers) == [[.help("raise it to at least 13s")], [.help("raise it to at least 12s")]])
    #expect(clock.latest?.end == .seconds(13))
  }

  @Test("The passes of a loop follow each other, and a limit in it counts in the last one")
  func loop() {
    var clock = DeadlineClock(limit: .seconds(10))
    clock.passed = .seconds(3)
    clock.note(end: .seconds(4), at: Self.span(1))
    clock.repeatPass(times: 3, since: .seconds(1), before: nil)
    #expect(clock.passed == .seconds(7))
    #expect(clock.latest?.end == .seconds(8))
    clock.repeatPass(times: .max, since: .zero, before: nil)
    #expect(clock.problems.map(\.primary.span.line) == [1])
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
