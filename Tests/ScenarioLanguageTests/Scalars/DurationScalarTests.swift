import CastProtocol
import Testing

@testable import ScenarioLanguage

/// The limits and the words of durations (docs/language/values.md "Spellings").
@Suite struct DurationScalarTests {
  static func exact(_ seconds: Int64, _ nanoseconds: Int64 = 0) -> Duration {
    Duration(secondsComponent: seconds, attosecondsComponent: nanoseconds * 1_000_000_000)
  }

  static let values: [(text: String, value: Duration)] = [
    // The longest, in each unit.
    ("366d", exact(31_622_400)), ("365d24h", exact(31_622_400)), ("8784h", exact(31_622_400)),
    ("527040m", exact(31_622_400)), ("31622400s", exact(31_622_400)), ("31622400000ms", exact(31_622_400)),
    ("366d0s", exact(31_622_400)), ("365.999999999d", exact(31_622_399, 999_913_600)),
    // Nine decimals of each unit, to the nanosecond.
    ("0.123456789d", exact(10_666, 666_569_600)), ("0.999999999d", exact(86_399, 999_913_600)),
    ("1.999999999h", exact(7_199, 999_996_400)), ("0.999999999m", exact(59, 999_999_940)),
    ("0.000000001s", exact(0, 1)), ("0.5ms", exact(0, 500_000)), ("0.000001ms", exact(0, 1)),
    // What is beyond the ninth decimal counts for nothing.
    ("0.0000000019s", exact(0, 1)), ("1.0000000009s", exact(1)),
    // Only one unit may be large; the others need not be below the next one.
    ("1m90s", exact(150)), ("1h120m", exact(10_800)), ("0d0h0m0s0ms", .zero), ("00030s", exact(30)),
    ("2h", exact(7_200)), ("500ms", exact(0, 500_000_000)), ("1m30s", exact(90)), ("2m5.5s", exact(125, 500_000_000)),
    ("1d1h1m1s1ms", exact(90_061, 1_000_000)),
  ]

  @Test("A duration is exact to the ninth decimal of its unit, up to 366 days", arguments: values)
  func value(text: String, value: Duration) throws {
    #expect(try DurationScalar.read(text) == value)
    #expect(try DurationScalar.read("+" + text, signed: true) == value)
    #expect(try DurationScalar.read("-" + text, signed: true) == .zero - value)
  }

  static let usage = "help: units are ms, s, m, h, d, largest first: `1h30m`, `2m5.5s`"

  static let words: [(text: String, words: String)] = [
    (
      "30",
      "T201: a duration needs a unit | 30 what? | help: `30s` for seconds, `30ms` for milliseconds, `30m` for minutes"
    ),
    (
      "0.5",
      "T201: a duration needs a unit | 0.5 what? | help: `0.5s` for seconds, `0.5ms` for milliseconds, `0.5m` for minutes"
    ),
    (
      "1:30",
      "T202: `1:30` is not a duration | help: write `1m30s` (or `1h30m`) | note: YAML 1.1 tools read 1:30 as the number 90 (base 60); showcaller never does"
    ),
    (
      "1:02:03",
      "T202: `1:02:03` is not a duration | help: write `1h2m3s` | note: YAML 1.1 tools read 1:02:03 as the number 3723 (base 60); showcaller never does"
    ),
    (
      "0:00",
      "T202: `0:00` is not a duration | help: write `0s` | note: YAML 1.1 tools read 0:00 as the number 0 (base 60); showcaller never does"
    ),
    ("1:2:3:4", "T203: `1:2:3:4` is not a duration | \(usage)"),
    ("1:", "T203: unknown unit `:` in `1:` | at 1..<2 | \(usage)"),
    ("30sec", "T203: unknown unit `sec` in `30sec` | did you mean `s`? | at 2..<5 | \(usage)"),
    ("1h30Min", "T203: unknown unit `Min` in `1h30Min` | did you mean `m`? | at 4..<7 | \(usage)"),
    ("2w", "T203: unknown unit `w` in `2w` | at 1..<2 | \(usage)"),
    ("5µs", "T203: unknown unit `µs` in `5µs` | at 1..<3 | \(usage)"),
    ("30s1m", "T203: the largest unit comes first: `30s1m` | at 4..<5 | help: write `1m30s`"),
    ("5ms1s2h", "T203: the largest unit comes first: `5ms1s2h` | at 4..<5 | help: write `2h1s5ms`"),
    ("1s2s", "T203: unit `s` comes twice: `1s2s` | at 3..<4 | \(usage)"),
    ("1m1s1m", "T203: the largest unit comes first: `1m1s1m` | at 5..<6 | \(usage)"),
    ("1.5m3s", "T203: only the last unit may have decimals: `1.5m3s` | \(usage)"),
    ("30 s", "T203: a duration has no spaces: `30 s` | help: write `30s`"),
    ("1 h 30 min", "T203: a duration has no spaces: `1 h 30 min` | help: write `1h30m`"),
    ("3 apples", "T203: a duration has no spaces: `3 apples` | \(usage)"),
    (".5s", "T203: `.5s` is not a duration | help: write `0.5s`"),
    ("5.s", "T203: `5.s` is not a duration | help: write `5s`"),
    ("1..5s", "T203: `1..5s` is not a duration | \(usage)"), ("soon", "T203: `soon` is not a duration | \(usage)"),
    ("s", "T203: `s` is not a duration | \(usage)"), ("１s", "T203: `１s` is not a duration | \(usage)"),
    ("1e3s", "T203: unknown unit `e` in `1e3s` | at 1..<2 | \(usage)"),
    ("", "T203: `` is not a duration | \(usage)"),
    ("-5s", "T213: a duration has no sign: `-5s` | help: write `5s`"),
    ("+1m30s", "T213: a duration has no sign: `+1m30s` | help: write `1m30s`"),
    ("-5", "T213: a duration has no sign: `-5` | \(usage)"),
    ("367d", "T213: `367d` is too long | at most 366d"),
    ("366d0.001ms", "T213: `366d0.001ms` is too long | at most 366d"),
    ("99999999999999999999s", "T213: `99999999999999999999s` is too long | at most 366d"),
    ("8784h1ms", "T213: `8784h1ms` is too long | at most 366d"),
    ("31622400001ms", "T213: `31622400001ms` is too long | at most 366d"),
    ("999999999999s", "T213: `999999999999s` is too long | at most 366d"),
    ("9999999999999ms", "T213: `9999999999999ms` is too long | at most 366d"),
  ]

  @Test("A wrong duration says what is wrong with it and what to write", arguments: words)
  func checksWords(text: String, words: String) {
    #expect(ScalarWords.of { try DurationScalar.read(text) } == words)
  }

  @Test(
    "A jump needs a sign, and points behind it",
    arguments: [
      ("30s", "T201: a relative duration needs a sign | forwards or back? | help: `+30s` or `-30s`"),
      ("-30sec", "T203: unknown unit `sec` in `30sec` | did you mean `s`? | at 3..<6 | \(usage)"),
      ("+-3s", "T203: `-3s` is not a duration | \(usage)"), ("--3s", "T203: `-3s` is not a duration | \(usage)"),
      (
        "-30",
        "T201: a duration needs a unit | -30 what? | help: `-30s` for seconds, `-30ms` for milliseconds, `-30m` for minutes"
      ),
    ])
  func signed(text: String, words: String) {
    #expect(ScalarWords.of { try DurationScalar.read(text, signed: true) } == words)
  }

  @Test("A text of sixty letters is looked at, a longer one is only refused")
  func length() throws {
    let most = "0000000001d0000000001h0000000001m0000000001s0000000000"
    #expect(try DurationScalar.read(most + "0.01ms") == .seconds(90_061) + .microseconds(10))
    #expect(
      ScalarWords.of { try DurationScalar.read(most + "0.001ms") }
        == "T203: `\(most)0.001m…` is not a duration | \(Self.usage)")
  }

  static let spellings: [(Duration, String)] = [
    (.zero, "0s"), (.milliseconds(500), "500ms"), (.seconds(90), "1m30s"), (.milliseconds(125_500), "2m5.5s"),
    (.seconds(605), "10m5s"), (.seconds(90_000), "1d1h"), (.seconds(600), "10m"), (.milliseconds(1_250), "1.25s"),
    (.milliseconds(93_784_500), "1d2h3m4.5s"), (.seconds(366 * 86_400), "366d"),
  ]

  @Test("A duration is spelled as documents write it, which reads as the same", arguments: spellings)
  func spelled(duration: Duration, text: String) throws {
    #expect(duration.spelled == text)
    #expect(try DurationScalar.read(text) == duration)
    if duration > .zero { #expect((.zero - duration).spelled == "-\(text)") }
  }

  @Test("The place of a problem is a part of the text")
  func ranges() throws {
    let problem = #expect(throws: ScalarProblem.self) { try DurationScalar.read("+1m30sec", signed: true) }
    #expect(problem?.range == 5..<8)
    let node = YAMLNode(
      .scalar(.init(text: "+1m30sec", style: .doubleQuoted)),
      span: SourceSpan(file: "x", line: 1, column: 4, endLine: 1, endColumn: 14))
    #expect(node.span(of: problem?.range) == SourceSpan(file: "x", line: 1, column: 10, endLine: 1, endColumn: 13))
    // With an escape inside, only the whole is sure.
    var escaped = node
    escaped.span.endColumn = 16
    #expect(escaped.span(of: 5..<8) == escaped.span)
  }

  @Test(
    "A position is a duration from the start, or one of two words",
    arguments: [
      ("start", "start"), ("end", "end"), ("1m30s", "at(90.0 seconds)"), ("0s", "at(0.0 seconds)"),
      ("begin", "T203: `begin` is not a position | did you mean `start`?"),
      ("Beginning", "T203: `Beginning` is not a position | did you mean `start`?"),
      ("ende", "T203: `ende` is not a position | did you mean `end`?"),
      ("middle", "T203: `middle` is not a duration | \(usage)"),
      ("-5s", "T213: a duration has no sign: `-5s` | help: write `5s`"),
    ])
  func position(text: String, words: String) {
    #expect(ScalarWords.of { try PositionScalar.read(text) } == words)
  }
}
