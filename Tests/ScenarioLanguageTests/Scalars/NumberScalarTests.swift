import Testing

@testable import ScenarioLanguage

/// The limits and the words of numbers, percentages, factors and truth values (docs/language/values.md "Spellings").
@Suite struct NumberScalarTests {
  static let spelling = "help: digits, with `.` between digits where decimals make sense"

  static let ints: [(text: String, range: ClosedRange<Int>, words: String)] = [
    ("1", 1...10, "1"), ("10", 1...10, "10"), ("0", 1...10, "T213: `0` is out of range | from 1 to 10"),
    ("11", 1...10, "T213: `11` is out of range | from 1 to 10"),
    ("-1", 0...Int.max, "T213: `-1` is out of range | 0 or more"),
    ("7", Int.min...6, "T213: `7` is out of range | 6 or less"),
    ("999999999999999999", Int.min...Int.max, "999999999999999999"),
    ("-999999999999999999", Int.min...Int.max, "-999999999999999999"),
    // More digits than are looked at, though some of these would fit.
    ("1000000000000000000", Int.min...Int.max, "T213: `1000000000000000000` is out of range | fewer digits"),
    ("1.5", 1...10, "T221: `1.5` is not a whole number"),
    ("4.0", 1...10, "T221: `4.0` is not a whole number | write `4`"),
    // Nothing is suggested that would be refused in its turn.
    ("40.0", 1...10, "T221: `40.0` is not a whole number"),
    ("0x1F", 1...100, "T221: `0x1F` is not a whole number | did you mean `31`? | \(spelling)"),
    ("0x1F", 1...10, "T221: `0x1F` is not a whole number | \(spelling)"),
    ("-0x1F", -100...0, "T221: `-0x1F` is not a whole number | did you mean `-31`? | \(spelling)"),
    ("0b101", 1...10, "T221: `0b101` is not a whole number | did you mean `5`? | \(spelling)"),
    ("0o17", 1...100, "T221: `0o17` is not a whole number | did you mean `15`? | \(spelling)"),
    ("0x-1", 1...10, "T221: `0x-1` is not a whole number | \(spelling)"),
    ("0xG", 1...10, "T221: `0xG` is not a whole number | \(spelling)"),
    ("1_000", 1...1_000, "T221: `1_000` is not a whole number | did you mean `1000`? | \(spelling)"),
    ("1e3", 1...1_000, "T221: `1e3` is not a whole number | did you mean `1000`? | \(spelling)"),
    ("1e13", 1...Int.max, "T221: `1e13` is not a whole number | \(spelling)"),
    ("+7", 1...10, "T221: `+7` is not a whole number | did you mean `7`? | \(spelling)"),
    ("7.", 1...10, "T221: `7.` is not a whole number | did you mean `7`? | \(spelling)"),
    (".5", 0...10, "T221: `.5` is not a whole number | \(spelling)"),
    ("three", 1...10, "T221: `three` is not a whole number | \(spelling)"),
    ("", 1...10, "T221: `` is not a whole number | \(spelling)"),
    ("-", 1...10, "T221: `-` is not a whole number | \(spelling)"),
    (
      "010", 1...10,
      "T206: `010` has a leading zero | 8 or 10? | help: write `10` (YAML 1.1 tools read 010 as octal 8)"
    ),
    ("08", 1...10, "T206: `08` has a leading zero | help: write `8`"),
    ("007", 1...10, "T206: `007` has a leading zero | help: write `7`"),
    ("00", 0...10, "T206: `00` has a leading zero | help: write `0`"),
    ("01.50", 0...10, "T206: `01.50` has a leading zero | help: write `1.50`"),
    ("-00.5", -1...1, "T206: `-00.5` has a leading zero | help: write `-0.5`"),
    ("0", 0...10, "0"), ("-0", 0...10, "0"),
  ]

  @Test("A whole number has plain digits and keeps to its limits", arguments: ints)
  func int(text: String, range: ClosedRange<Int>, words: String) {
    #expect(ScalarWords.of { try NumberScalar.int(text, in: range) } == words)
  }

  static let numbers: [(text: String, words: String)] = [
    ("0.5", "0.5"), ("2", "2.0"), ("2.0", "2.0"), ("0.4999", "T213: `0.4999` is out of range | from 0.5 to 2"),
    ("2.0001", "T213: `2.0001` is out of range | from 0.5 to 2"), ("-1", "T213: `-1` is out of range | from 0.5 to 2"),
    (".5", "T221: `.5` is not a number | did you mean `0.5`? | \(spelling)"),
    (".25", "T221: `.25` is not a number | \(spelling)"),
    ("1.", "T221: `1.` is not a number | did you mean `1`? | \(spelling)"),
    ("15e-1", "T221: `15e-1` is not a number | did you mean `1.5`? | \(spelling)"),
    ("+1.5", "T221: `+1.5` is not a number | did you mean `1.5`? | \(spelling)"),
    (".inf", "T221: `.inf` is not a number | \(spelling)"), (".nan", "T221: `.nan` is not a number | \(spelling)"),
    ("1,5", "T221: `1,5` is not a number | \(spelling)"), ("1.5.0", "T221: `1.5.0` is not a number | \(spelling)"),
    ("01.5", "T206: `01.5` has a leading zero | help: write `1.5`"),
  ]

  @Test("A number has digits on both sides of its point", arguments: numbers)
  func number(text: String, words: String) {
    #expect(ScalarWords.of { try NumberScalar.number(text, in: 0.5...2) } == words)
  }

  static let plain: [(text: String, int: String, number: String)] = [
    ("42", "42", "42.0"), ("-3", "-3", "-3.0"), ("4.0", "T221", "4.0"), ("-08", "T206", "T206"),
    ("0x1F", "T221", "T221"), ("1_000", "T221", "T221"), ("99999999999999999999", "T213", "1e+20"),
    ("٣", "T221", "T221"), ("", "T221", "T221"),
  ]

  @Test("Without limits a whole number and a number differ in decimals and length only", arguments: plain)
  func unlimited(text: String, int: String, number: String) {
    #expect(ScalarWords.of { try NumberScalar.int(text, in: .min ... .max) }.prefix { $0 != ":" } == int)
    #expect(
      ScalarWords.of { try NumberScalar.number(text, in: -.infinity ... .infinity) }.prefix { $0 != ":" } == number)
  }

  static let doubt = "note: the receiver counts from 0 to 1, people from 0 to 100; the % sign removes the doubt"
  static let sign = "help: a number and %: `40%`"

  static let percentages: [(text: String, range: ClosedRange<Double>, words: String)] = [
    ("0%", 0...100, "0.0"), ("100%", 0...100, "100.0"), ("12.5%", 0...100, "12.5"),
    ("100.1%", 0...100, "T213: `100.1%` is out of range | from 0% to 100%"),
    ("-0.1%", 0...100, "T213: `-0.1%` is out of range | from 0% to 100%"),
    ("25%", 25...400, "25.0"), ("400%", 25...400, "400.0"),
    ("24.9%", 25...400, "T213: `24.9%` is out of range | from 25% to 400%"),
    ("400.1%", 25...400, "T213: `400.1%` is out of range | from 25% to 400%"),
    ("40", 0...100, "T207: level is a percentage | did you mean `40%`? | \(doubt)"),
    ("0.4", 0...100, "T207: level is a percentage | did you mean `40%`? | \(doubt)"),
    ("0", 0...100, "T207: level is a percentage | did you mean `0%`? | \(doubt)"),
    ("1", 0...100, "T207: level is a percentage | 1% or 100%? | \(doubt)"),
    ("1.0", 0...100, "T207: level is a percentage | did you mean `100%`? | \(doubt)"),
    ("140", 0...100, "T207: level is a percentage | \(doubt)"),
    // Where 1% cannot be meant, a scale is.
    ("1", 25...400, "T207: level is a percentage | did you mean `100%`? | \(doubt)"),
    ("2", 25...400, "T207: level is a percentage | did you mean `200%`? | \(doubt)"),
    ("150", 25...400, "T207: level is a percentage | did you mean `150%`? | \(doubt)"),
    ("40 %", 0...100, "T207: `40 %` is not a percentage | did you mean `40%`? | \(sign)"),
    ("40 percent", 0...100, "T207: `40 percent` is not a percentage | did you mean `40%`? | \(sign)"),
    ("40PCT", 0...100, "T207: `40PCT` is not a percentage | did you mean `40%`? | \(sign)"),
    (".5%", 0...100, "T207: `.5%` is not a percentage | did you mean `0.5%`? | \(sign)"),
    ("140 %", 0...100, "T207: `140 %` is not a percentage | \(sign)"),
    ("half", 0...100, "T207: `half` is not a percentage | \(sign)"),
    ("%", 0...100, "T207: `%` is not a percentage | \(sign)"),
    ("x%", 0...100, "T207: `x%` is not a percentage | \(sign)"),
    (
      "040%", 0...100,
      "T206: `040` has a leading zero | 32 or 40? | help: write `40` (YAML 1.1 tools read 040 as octal 32)"
    ),
  ]

  @Test("A percentage has its sign, and only one that would do is suggested", arguments: percentages)
  func percent(text: String, range: ClosedRange<Double>, words: String) {
    #expect(ScalarWords.of { try NumberScalar.percent(text, in: range, field: "level") } == words)
  }

  static let factors: [(text: String, words: String)] = [
    ("1.1x", "1.1"), ("2", "2.0"), ("0.5x", "0.5"), ("0.0001", "0.0001"),
    ("0", "T213: a factor is above zero | not 0"), ("0.0x", "T213: a factor is above zero | not 0.0x"),
    ("-2x", "T213: a factor is above zero | not -2x"),
    ("110%", "T221: `110%` is not a factor such as `1.1x` | did you mean `1.1x`?"),
    ("50 %", "T221: `50 %` is not a factor such as `1.1x` | did you mean `0.5x`?"),
    ("1.1X", "T221: `1.1X` is not a factor such as `1.1x` | did you mean `1.1x`?"),
    ("2 x", "T221: `2 x` is not a factor such as `1.1x` | did you mean `2x`?"),
    ("x2", "T221: `x2` is not a factor such as `1.1x` | did you mean `2x`?"),
    ("0%", "T221: `0%` is not a factor such as `1.1x` | \(spelling)"),
    (".5", "T221: `.5` is not a factor such as `1.1x` | did you mean `0.5`? | \(spelling)"),
    ("twice", "T221: `twice` is not a factor such as `1.1x` | \(spelling)"),
    ("02x", "T206: `02` has a leading zero | help: write `2`"),
  ]

  @Test("A factor is above zero, with or without its x", arguments: factors)
  func factor(text: String, words: String) {
    #expect(ScalarWords.of { try NumberScalar.factor(text) } == words)
  }

  @Test(
    "What YAML 1.1 takes for a truth value is told what to write, in any capitals",
    arguments: [
      ("yes", "true"), ("Y", "true"), ("On", "true"), ("TRUE", "true"), ("1", "true"), ("NO", "false"), ("n", "false"),
      ("off", "false"), ("False", "false"), ("0", "false"),
    ])
  func bool(text: String, meant: String) {
    #expect(
      ScalarWords.of { try NumberScalar.bool(text) }
        == "T204: `\(text)` is not true or false | write `\(meant)` | note: yes/no/on/off are booleans only in YAML 1.1; showcaller accepts `true` and `false`"
    )
  }

  @Test("`true` and `false` are the only truth values")
  func truth() throws {
    #expect(try NumberScalar.bool("true") && !NumberScalar.bool("false"))
    #expect(
      ScalarWords.of { try NumberScalar.bool("maybe") }
        == "T204: `maybe` is not true or false | note: yes/no/on/off are booleans only in YAML 1.1; showcaller accepts `true` and `false`"
    )
  }
}
