import CastProtocol
import ScenarioLanguage
import Signage
import Testing

@Suite struct ScreenCursorTests {
  private static func cursor(_ lines: String, at clock: String = "2026-11-23 12:00") throws -> (ScreenCursor, Int) {
    let program = try Serving.program(lines)
    let time = try Playlists.moment(clock, program)
    return (ScreenCursor(program, at: time, seed: 5), time)
  }

  /// What is shown at each of some moments, in seconds from the begin.
  private static func names(_ cursor: inout ScreenCursor, _ start: Int, at seconds: [Int]) -> [String] {
    seconds.map { second in
      switch cursor.next(at: start + second) {
      case .show(let showing): showing.name
      case .rest(let screen, _): screen.rawValue
      case .nothing: "nothing"
      }
    }
  }

  @Test("A rule that is through leaves its place to the next, until its window opens again")
  func through() throws {
    var (cursor, start) = try Self.cursor(
      "program:\n  - { during: { hours: 12:00-12:30 }, play: [a, b], repeat: false }\n  - { play: [c] }")
    let day = 86_400
    #expect(
      Self.names(&cursor, start, at: [0, 10, 20, 30, day, day + 10, day + 20]) == ["a", "b", "c", "c", "a", "b", "c"])
  }

  @Test("A list begins at its top when its window opens again")
  func windows() throws {
    var (cursor, start) = try Self.cursor(
      "program:\n  - { during: { hours: 12:00-12:30 }, play: [a, b, c] }\n  - { play: [d] }")
    #expect(Self.names(&cursor, start, at: [0, 10, 3_600, 86_400, 86_410]) == ["a", "b", "d", "a", "b"])
  }

  @Test("Quiet hours win over interrupts, and what was due in them is left out")
  func quiet() throws {
    var (cursor, start) = try Self.cursor(
      "program: [{ play: [a] }]\ninterrupts: [{ at: \"12:10\", play: [b] }]\nquiet: { hours: 12:05-12:20 }")
    #expect(Self.names(&cursor, start, at: [0, 400, 700, 1_300, 1_310]) == ["a", "stop", "stop", "a", "a"])
  }

  @Test("Interrupts of one moment come one after the other, with all of their items, each as often as it says")
  func several() throws {
    var (cursor, start) = try Self.cursor(
      """
      program: [{ play: [a] }]
      interrupts:
        - { at: "12:01", play: [b, { media: c, times: 2 }] }
        - { at: "12:01", play: [d] }
      """)
    #expect(Self.names(&cursor, start, at: [0, 61, 71, 81, 91, 101]) == ["a", "b", "c", "c", "d", "a"])
  }

  @Test("What a restart goes on with: the order, what is through, and interrupts that are due")
  func stored() throws {
    let lines = """
      program:
        - { during: { hours: 12:00-12:30 }, play: [a, b], repeat: false }
        - { play: [c, d, e], order: shuffle }
      interrupts: [{ at: "12:05", play: [f] }]
      """
    var (cursor, start) = try Self.cursor(lines)
    _ = Self.names(&cursor, start, at: [0, 10, 20])
    var (restarted, _) = try Self.cursor(lines, at: "2026-11-23 12:06")
    restarted.restore(cursor.json)
    #expect(Self.names(&restarted, start, at: [360]) == ["f"])
    let rest = [370, 380, 390, 400]
    _ = Self.names(&cursor, start, at: [360])
    #expect(Self.names(&restarted, start, at: rest) == Self.names(&cursor, start, at: rest))
  }

  @Test("Interrupts come although the clock was ahead before it was put right")
  func wrongClock() throws {
    var (cursor, start) = try Self.cursor(
      "program: [{ play: [a] }]\ninterrupts: [{ at: \"12:10\", play: [b] }]")
    #expect(Self.names(&cursor, start, at: [400_000, 10, 20, 601]) == ["b", "a", "a", "b"])
  }

  @Test(
    "Damaged or foreign memories are as good as none",
    arguments: [
      "{}", "{\"v\":1}", "{\"v\":1,\"rotations\":7,\"through\":[{\"rule\":99}],\"interrupts_to\":\"x\"}", "[]",
    ])
  func damaged(text: String) throws {
    var (cursor, start) = try Self.cursor("program: [{ play: [a, b] }]")
    cursor.restore(try JSONValue(parsing: Array(text.utf8)))
    #expect(Self.names(&cursor, start, at: [0, 10, 20]) == ["a", "b", "a"])
  }

  @Test("An edited program goes on where its lists stayed the same")
  func edited() throws {
    var (cursor, start) = try Self.cursor("program: [{ play: [a, b, c] }]\nfallback: f")
    _ = Self.names(&cursor, start, at: [0])
    cursor.replace(try Serving.program("program: [{ play: [a, b, c] }]\nfallback: e"))
    #expect(Self.names(&cursor, start, at: [10]) == ["b"])
    cursor.replace(try Serving.program("program: [{ play: [b, a] }]"))
    #expect(Self.names(&cursor, start, at: [20]) == ["b"])
  }

  @Test("What the ledger calls a part is read back, with or without its daypart; other words are none")
  func ledgerNames() {
    let parts: [ScreenCursor.Part] = [.rule(0), .rule(12), .interrupt(3), .fallback, .order]
    #expect(parts.map(\.ledgerName) == ["program[0]", "program[12]", "interrupts[3]", "fallback", "asked for"])
    #expect(parts.map { ScreenCursor.Part(ledgerName: $0.ledgerName) } == parts)
    #expect(parts.filter(\.comesBetween) == [.interrupt(3), .order])
    #expect(ScreenCursor.Part(ledgerName: "program[1] late [night]") == .rule(1))
    for name in ["", "program", "program[]", "program[-1]", "program[x] y", "interrupts[0", "asked for it", "]["] {
      #expect(ScreenCursor.Part(ledgerName: name) == nil, "\(name)")
    }
  }
}
