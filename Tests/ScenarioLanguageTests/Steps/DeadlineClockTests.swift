import Testing

@testable import ScenarioLanguage

/// What must pass before a step, and the limits that lie behind the one around them (P603).
@Suite struct DeadlineClockTests {
  /// A step as it is read.
  static func fields(_ text: String) throws -> StepFields {
    var node = try #require(YAMLParser.parse(SourceFile(text), reportingTo: DiagnosticCollector())?.root)
    var reader = FieldReader(diagnostics: DiagnosticCollector())
    let isSound = reader.readStep(&node)
    #expect(isSound, "\(text)")
    return try #require(StepFields(node))
  }

  static func clock(limit: Duration = .seconds(10), start: Duration = .zero) -> DeadlineClock {
    DeadlineClock(limit: limit, start: start, cure: "raise it")
  }

  /// What each problem says to write.
  static func cures(_ clock: DeadlineClock) -> [String] {
    clock.problems.map { problem in
      problem.footers.map { if case .help(let text) = $0 { text } else { "" } }.joined()
    }
  }

  static let limits: [(step: String, own: Duration, mustPass: Duration)] = [
    ("wait: 3s", .seconds(3), .seconds(3)),
    ("play: {}", .zero, .zero),
    ("{ play: {}, timeout: 4s }", .seconds(4), .zero),
    ("{ expect: { player: playing }, within: 5s }", .seconds(5), .zero),
    ("{ expect: { player: playing }, within: 5s, for: 2s }", .seconds(7), .zero),
    ("{ always: { player: playing }, during: 6s }", .seconds(6), .seconds(6)),
    ("discover: { for: 2s }", .seconds(2), .seconds(2)),
    ("volume: { to: 10%, over: 8s }", .seconds(8), .seconds(8)),
    ("{ volume: { to: 10%, over: 8s }, timeout: 9s }", .seconds(17), .seconds(8)),
  ]

  @Test("A step may take what it writes, and what it only waits for must pass", arguments: limits)
  func written(step: String, own: Duration, mustPass: Duration) throws {
    let parts = DeadlineParts(try Self.fields(step))
    #expect(parts.own == own)
    #expect(parts.mustPass == mustPass)
    #expect((parts.span == nil) == (own == .zero))
  }

  @Test("A limit that ends with the one around it can be reached, one that ends later cannot")
  func reach() throws {
    var clock = Self.clock()
    clock.step(DeadlineParts(try Self.fields("wait: 6s")))
    clock.step(DeadlineParts(try Self.fields("{ play: {}, timeout: 4s }")))
    #expect(clock.problems.isEmpty)
    #expect(clock.passed == .seconds(6), "a timeout need not pass")
    clock.step(DeadlineParts(try Self.fields("{ play: {}, timeout: 4001ms }")))
    #expect(Self.cures(clock) == ["raise it to at least 10.001s"])
  }

  @Test("What passed before the first step counts")
  func start() throws {
    var clock = Self.clock(start: .seconds(5))
    clock.step(DeadlineParts(try Self.fields("{ play: {}, timeout: 6s }")))
    #expect(Self.cures(clock) == ["raise it to at least 11s"])
  }

  @Test("One place is told once, with the latest of its ends, and places in the order of the document")
  func ends() {
    var clock = Self.clock()
    let places = (1...2).map { SourceSpan(file: "x", line: $0, column: 1, endLine: $0, endColumn: 2) }
    clock.note(end: .seconds(12), at: places[1])
    clock.note(end: .seconds(30), at: places[0])
    clock.note(end: .seconds(20), at: places[1])
    clock.note(end: .seconds(15), at: places[1])
    clock.note(end: .seconds(99), at: nil)
    #expect(Self.cures(clock) == ["raise it to at least 20s", "raise it to at least 30s"])
    #expect(clock.latest?.end == .seconds(30))
  }

  @Test("A loop's limits end in its last pass, and all its passes must pass")
  func passes() {
    let place = SourceSpan(file: "x", line: 1, column: 1, endLine: 1, endColumn: 2)
    var clock = Self.clock(start: .seconds(1))
    clock.note(end: .seconds(4), at: place)
    clock.passed = .seconds(3)
    clock.repeatPass(times: 3, since: .seconds(1), before: nil)
    #expect(clock.passed == .seconds(7))
    #expect(clock.latest?.end == .seconds(8))
    #expect(clock.problems.isEmpty)
    clock.repeatPass(times: 1_000_000_000_000, since: .zero, before: nil)
    #expect(clock.passed > .seconds(365 * 86_400), "it stops far behind every deadline, and does not trap")
    #expect(clock.problems.count == 1)
  }
}
