import CastProtocol
import Foundation
import Testing

@testable import ScenarioLanguage

/// The editor schema must not underline what `check` takes, and underlines what a pattern can see
/// (docs/language/README.md "In an editor").
@Suite struct SchemaPatternTests {
  struct Kind: Sendable, CustomTestStringConvertible {
    var name: String
    var type: FieldType
    /// Taken by both.
    var right: [String]
    /// Refused by both.
    var wrong: [String]
    /// What random texts are made of.
    var pieces: [String]
    var testDescription: String { name }
  }

  static let clocks = ["7", "07", "24", ":60", ":", ":00", "12", "-", "all-day", " ", "17:00", "-01:00"]
  static let dates = ["2026-", "12-", "24", "01", "02-", "31", "00", "13-", "-", "..", "/", "12-24", "2026-01-02", " "]

  static let kinds: [Kind] = [
    Kind(
      name: "percent", type: .percent(-.infinity ... .infinity), right: ["40%", "12.5%", "0%", "-3%"],
      wrong: ["40", "0.4", ".5%", "40 %", "1e3%", "%"], pieces: ["4", "0", ".", "%", "-", "12", " "]),
    Kind(
      name: "duration", type: .duration,
      right: ["500ms", "30s", "1m30s", "2h", "1d", "1.5s", "1h30m0.5s", "1d1h1m1s1ms", "0s", "12m5ms"],
      wrong: ["30", "1:30", "30 s", "30sec", "30s1m", "-5s", "1.5m3s", ".5s", "1.s", "s", "", "1s1s", "5M"],
      pieces: ["1", "30", ".", "5", "d", "h", "m", "s", "ms", "-", " "]),
    Kind(
      name: "signed duration", type: .signedDuration, right: ["+30s", "-10s", "-1h0.5m"],
      wrong: ["30s", "+30", "--3s", "+ 3s", "+-3s"], pieces: ["+", "-", "1", "30", "s", "m", "ms", ".", "5"]),
    Kind(
      name: "position", type: .position, right: ["start", "end", "90s", "1m30s"],
      wrong: ["1:02:03", "begin", "-5s", "start5s"],
      pieces: ["start", "end", "1", "s", "m", "30", "."]),
    Kind(
      name: "time", type: .time, right: ["07:00", "23:59:30", "24:00", "24:00:00", "00:00"],
      wrong: ["7:00", "7am", "24:01", "25:00", "12:60", "07:00:60", "24:00:01", "0700"], pieces: clocks),
    Kind(
      name: "hours", type: .hours, right: ["07:00-11:30", "17:00-01:00", "all-day", "00:00-24:00", "23:59:59-00:00"],
      wrong: ["07:00 - 11:30", "7-11", "07:00", "allday", "07:00-11:30-12:00"], pieces: clocks),
    Kind(
      name: "days", type: .days,
      right: ["mon-fri", "sat,sun", "daily", "weekdays", "weekends,mon", "fri-mon", "mon,mon"],
      wrong: ["monday", "1-5", "sat sun", "mon,", "mon-", "mon-tue-wed", "daily-mon", ""],
      pieces: ["mon", "tue", "sun", "-", ",", "daily", "weekends", " ", "day"]),
    Kind(
      name: "date", type: .date, right: ["2026-12-24", "2028-02-29"],
      wrong: ["24/12/2026", "12-24", "2026-1-1", "2026-13-01", "2026-00-10", "2026-12-32"],
      pieces: dates),
    Kind(
      name: "dates", type: .dates,
      right: ["2026-12-24", "2026-12-24..2026-12-26", "12-24..12-26", "12-24", "12-24..01-06"],
      wrong: ["24.12.", "2026-12-24..", "..12-24", "2026-12-24 .. 2026-12-26", "13-01", "12-24...12-26"], pieces: dates),
    Kind(
      name: "timestamp", type: .timestamp,
      right: [
        "2026-12-24T18:30:00+01:00", "2026-12-24T18:30:00Z", "2026-12-24t18:30:00.5z", "2026-12-24T00:00:00-23:59",
      ],
      wrong: [
        "2026-12-24T18:30:00", "2026-12-24", "2026-12-24 18:30:00Z", "2026-12-24T18:30Z", "2026-12-24T18:30:00+1",
      ],
      pieces: ["2026-12-24T18:30:00", "2026-12-24t", "18:30:00", "Z", "z", "+01:00", "-05:00", ".5", ".", " "]),
    Kind(
      name: "url", type: .url,
      right: [
        "https://e.com/a.mp4", "http://[2001:db8::1]:80/a?b#c", "file:a/b.png", "HTTPS://e.com", "https://u:p@h",
      ],
      wrong: ["e.com/a", "https:///a", "https:/a", "file:/etc/passwd", "file:", "https://e.com/a b", "a.mp4"],
      pieces: ["https://", "HTTP://", "file:", ":", "/", "//", "e.com", "a", "?", " ", "@", "[::1]", ":80"]),
    Kind(
      name: "color", type: .color,
      right: ["#FFFF00", "#ffff0080", "yellow", "black/75%", "black/12.5%", "#FFFF00/50%", "transparent"],
      wrong: ["#FFF", "#GG00FF", "pink", "black/75", "#FFFF00FF/50%", "Yellow", "", "#"],
      pieces: ["#", "FF", "00", "80", "f", "black", "red", "/", "75", "%", ".", "5", "G"]),
    Kind(
      name: "language", type: .language, right: ["en", "pt-BR", "zh-Hant-TW", "nds"],
      wrong: ["english", "e", "en-", "en_GB", "4n", "en-abcdefghi"],
      pieces: ["en", "e", "nds", "-", "BR", "_", "419", "abcdefgh"]),
    Kind(
      name: "mime", type: .mime, right: ["video/mp4", "application/x-mpegurl", "video/mp4; codecs=\"a b\""],
      wrong: ["mp4", "video/", "/mp4", "a/b/c"],
      pieces: ["video", "/", "mp4", "x-a.b+c", ";", " ", "codecs=1"]),
    Kind(
      name: "namespace", type: .urn, right: ["urn:x-cast:com.example"],
      wrong: ["com.example", "urn:a b", "x-cast:a", "urn:"],
      pieces: ["urn:", "x-cast:", "com", ".", "a", " "]),
    Kind(
      name: "time zone", type: .timeZone,
      right: ["Europe/Paris", "UTC", "America/Argentina/Buenos_Aires", "Etc/GMT+5"],
      wrong: ["Europe/", "/Paris", "Europe/Par is", "", "../etc/passwd"],
      pieces: ["Europe", "/", "Paris", "UTC", "GMT+5", "a_b", "Z-", ".", " "]),
    Kind(
      name: "cron", type: .cron, right: ["*/15 6-22 * * *", "30 2 * * mon-fri", " 0  0 1 jan sun ", "0\t0 * * *"],
      wrong: ["@daily", "* * * *", "0 0 0 * * *", ""], pieces: ["* ", "0 ", "*/5\t", "mon", "5", "1-5 ", ",", " ", "*"]),
  ]

  /// Whether the checker's own reader takes a text.
  static func isTaken(_ text: String, _ type: FieldType) -> Bool {
    // Other schemes are a receiver's business, and refused by `check` all the same.
    let isFetched = type.kind != .url || (try? URLScalar.read(text))?.problemOfReceivers(after: "url") == nil
    return type.value(of: text) != nil && isFetched
  }

  static func expression(_ kind: Kind) throws -> NSRegularExpression {
    try NSRegularExpression(pattern: "^" + (#require(SchemaPatterns.whole(kind.type))) + "$")
  }

  static func isMatched(_ text: String, _ expression: NSRegularExpression) -> Bool {
    expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
  }

  @Test("What a reader takes is matched, and what a pattern can see to be wrong is not", arguments: kinds)
  func table(kind: Kind) throws {
    let expression = try Self.expression(kind)
    for text in kind.right {
      #expect(Self.isTaken(text, kind.type), "\(text) is not taken")
      #expect(Self.isMatched(text, expression), "\(text) is not matched")
    }
    for text in kind.wrong {
      #expect(!Self.isTaken(text, kind.type), "\(text) is taken")
      #expect(!Self.isMatched(text, expression), "\(text) is matched")
    }
  }

  @Test("No text that a reader takes is refused by the pattern, however it is put together", arguments: kinds)
  func random(kind: Kind) throws {
    let expression = try Self.expression(kind)
    var generator = MutationTests.Generator(seed: 20_261_121)
    var taken = 0
    for _ in 0..<3_000 {
      let text = (0..<Int.random(in: 1...7, using: &generator)).map { _ in
        kind.pieces.randomElement(using: &generator) ?? ""
      }.joined()
      guard Self.isTaken(text, kind.type) else { continue }
      taken += 1
      #expect(Self.isMatched(text, expression), "\(text)")
    }
    #expect(taken > 0, "no text was right: the pieces are")
  }

  @Test("The examples of a hover text are right, and match their own pattern", arguments: kinds)
  func examples(kind: Kind) throws {
    let expression = try Self.expression(kind)
    let examples = kind.type.kind?.spec.examples ?? []
    #expect(!examples.isEmpty)
    for text in examples { #expect(Self.isTaken(text, kind.type) && Self.isMatched(text, expression), "\(text)") }
  }

  @Test("A typed field takes a variable alone or inside its text")
  func substitution() throws {
    let pattern = try NSRegularExpression(pattern: SchemaPatterns.typed(#require(SchemaPatterns.whole(.duration))))
    for text in ["${x}", "${item.length}", "5${unit}", "90s"] { #expect(Self.isMatched(text, pattern), "\(text)") }
    for text in ["$x", "${}", "${X Y}", "90", "$"] { #expect(!Self.isMatched(text, pattern), "\(text)") }
  }
}
