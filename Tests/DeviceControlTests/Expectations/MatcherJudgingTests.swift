import CastProtocol
import Glibc
import ScenarioLanguage
import Testing

@testable import DeviceControl

/// Which values a matcher holds for, alone and in a condition.
@Suite struct MatcherJudgingTests {
  typealias Operand = Matcher.Operand

  static func literal(_ value: JSONValue, plus: Double = 0) -> Operand { Operand(.literal(value), plus: plus) }

  /// A matcher that a wrong pattern makes hold for nothing.
  private static func pattern(_ text: String) -> Matcher {
    (try? TextPattern(text)).map { .matches($0) } ?? .oneOf([])
  }

  static let truths: [(matcher: Matcher, value: JSONValue?, holds: Bool)] = [
    (.equals(literal("playing")), "playing", true),
    (.equals(literal("playing")), "Playing", false),
    (.equals(literal("playing")), nil, false),
    (.equals(literal(.null)), nil, true),
    (.equals(literal(.null)), .null, true),
    (.equals(literal(.null)), ["id": "mid"], false),
    (.equals(literal(40)), 40.000000596, true),
    (.equals(literal(1.5)), 1.6, false),
    (.equals(literal(["en", "no"])), ["en", "no"], true),
    (.equals(literal(["en", "no"])), ["no", "en"], false),
    (.not(.equals(literal("idle"))), "playing", true),
    (.not(.equals(literal("idle"))), "idle", false),
    (.not(.equals(literal("idle"))), nil, true),
    (.oneOf(["playing", "buffering"]), "buffering", true),
    (.oneOf(["playing", "buffering"]), "paused", false),
    (.range(min: literal(5), max: nil, above: nil, below: nil), 5, true),
    (.range(min: literal(5), max: nil, above: nil, below: nil), 4.9999999999, true),
    (.range(min: literal(5), max: nil, above: nil, below: nil), 4.9, false),
    (.range(min: literal(5), max: literal(8), above: nil, below: nil), 8.1, false),
    (.range(min: nil, max: nil, above: literal(0), below: nil), 0, false),
    (.range(min: nil, max: nil, above: literal(0), below: nil), 0.1, true),
    (.range(min: nil, max: nil, above: nil, below: literal(2)), 2, false),
    (.range(min: nil, max: nil, above: nil, below: literal(2)), nil, false),
    (.range(min: nil, max: nil, above: nil, below: literal(2)), "live", false),
    (.about(literal(10), tolerance: 1), 11, true),
    (.about(literal(10), tolerance: 1), 8.9, false),
    (.about(literal(10, plus: 15), tolerance: 1), 25.5, true),
    (.about(literal(10), tolerance: 1), nil, false),
    (.about(Operand(.saved("p0"), plus: 15), tolerance: 1), 35.5, true),
    (.about(Operand(.saved("lost")), tolerance: 1), 0, false),
    (pattern("^S01E\\d+"), "S01E07", true),
    (pattern("^S01E\\d+"), "xS01E07", false),
    (.contains("Sintel"), "The Sintel film", true),
    (.contains("Sintel"), "sintel", false),
    (.contains(""), "x", true),
    (.contains("aab"), "aaaab", true),
    (.contains("abab"), "abaabab", true),
    (.contains("ababa"), "ababbabab", false),
    (.contains("é"), "cafe\u{301}", false),
    (.startsWith("https:"), "https://x", true),
    (.endsWith(".mp4"), "a.mp3", false),
    (.has(["en"]), ["no", "en"], true),
    (.has(["en", "de"]), ["no", "en"], false),
    (.has([]), nil, false),
    (.has(["en"]), [["id": "en", "kind": "text"]], true),
    (.has([["kind": "audio"]]), [["id": "en", "kind": "text"]], false),
    (.only(["en", "no"]), ["no", "en"], true),
    (.only(["en"]), ["no", "en"], false),
    (.only([]), [], true),
    (.exists(true), "x", true),
    (.exists(true), .null, false),
    (.exists(false), nil, true),
    (.advances(atLeast: 4, over: 5), 9, false),
  ]

  @Test("A matcher holds for exactly the values its rule names", arguments: truths)
  func truth(matcher: Matcher, value: JSONValue?, holds: Bool) {
    let mismatch = matcher.mismatch(with: value) { $0 == "p0" ? 20 : nil }
    #expect((mismatch == nil) == holds)
  }

  @Test("A number outside its bounds knows how far away it is")
  func distances() {
    let about = Matcher.about(Self.literal(10), tolerance: 1)
    #expect(about.mismatch(with: 12.5)?.distance == 1.5)
    #expect(about.mismatch(with: nil)?.distance == nil)
    let range = Matcher.range(min: Self.literal(5), max: Self.literal(8), above: nil, below: nil)
    #expect(range.mismatch(with: 9)?.distance == 1)
  }

  @Test("A text is searched in time linear in both texts")
  func contains() {
    func seconds(_ count: Int) -> Double {
      let text = JSONValue.string(String(repeating: "a", count: 2 * count))
      let matcher = Matcher.contains(String(repeating: "a", count: count) + "b")
      let start = clock()
      _ = matcher.mismatch(with: text)
      return Double(clock() - start) / Double(CLOCKS_PER_SEC)
    }
    // A busy computer may spoil a measurement.
    #expect((0..<3).contains { _ in seconds(64_000) < 9 * seconds(16_000) + 0.05 })
  }

  static let condition = Condition.all([
    .field(FieldPath(["position"]), .about(literal(10), tolerance: 1), span: Make.span),
    .field(FieldPath(["break"]), .equals(literal(.null)), span: Make.span),
    .field(FieldPath(["text_style", "size"]), .equals(literal(150)), span: Make.span),
  ])

  @Test("A condition names the fields that keep it from holding")
  func unmet() {
    let values: [String: JSONValue] = ["position": 18, "text_style.size": 150]
    let found = Self.condition.mismatches { values[$0.text] }
    #expect(found.map(\.path.text) == ["position"])
    #expect(found.first?.mismatch.distance == 7)
    let any = Condition.any([Self.condition, .field(FieldPath(["player"]), .exists(false), span: Make.span)])
    #expect(any.mismatches { values[$0.text] }.isEmpty)
    #expect(!Condition.not(any).mismatches { values[$0.text] }.isEmpty)
  }

  @Test("What advances is asked of the judge, also when negated")
  func advances() {
    let path = FieldPath(["position"])
    let matcher = Matcher.advances(atLeast: 4, over: 5)
    for (judgement, inner, holds) in [
      (true, matcher, true), (false, matcher, false), (true, .not(matcher), false), (false, .not(matcher), true),
    ] {
      let condition = Condition.field(path, inner, span: Make.span)
      let found = condition.mismatches(value: { _ in 1 }, advances: { _, _, _ in judgement })
      #expect(found.isEmpty == holds)
    }
  }
}
