import CastProtocol
import ScenarioLanguage
import Testing

@testable import RunReporting

/// `want` and `got` of stored events, back in the language's words.
@Suite struct WantTextTests {
  private static let span = SourceSpan(file: "a.yaml", line: 1, column: 1, endLine: 1, endColumn: 2)

  private static func field(_ path: String, _ matcher: Matcher) -> Condition {
    .field(FieldPath(path.split(separator: ".").map(String.init)), matcher, span: span)
  }

  private static func value(_ json: JSONValue) -> Matcher.Operand { .init(.literal(json)) }

  private static func pattern(_ text: String) -> Matcher {
    (try? TextPattern(text)).map { Matcher.matches($0) } ?? .contains(text)
  }

  static let matchers: [(path: String, matcher: Matcher, text: String)] = [
    ("player", .equals(value("playing")), "player playing"), ("break", .equals(value(.null)), "break none"),
    ("player", .not(.equals(value("idle"))), "player not idle"),
    ("player", .oneOf(["idle", "paused"]), "player one of idle, paused"),
    ("position", .range(min: value(5), max: nil, above: nil, below: value(60)), "position min 5s below 1m"),
    ("position", .range(min: nil, max: value(90), above: value(1.5), below: nil), "position max 1m30s above 1.5s"),
    ("position", .about(value(10), tolerance: 1), "position 10.0s ± 1s"),
    ("volume.level", .about(value(40), tolerance: 1), "volume.level 40% ± 1%"),
    ("title", pattern("^a+$"), "title matches ^a+$"), ("title", .contains("a b"), "title contains a b"),
    ("content", .startsWith("https://"), "content starts with https://"),
    ("content", .endsWith(".m3u8"), "content ends with .m3u8"),
    ("active_tracks", .has(["no"]), "active_tracks has [no]"),
    ("active_tracks", .only(["no", "en"]), "active_tracks only [no, en]"),
    ("queue.items", .count(.equals(value(3))), "queue.items count 3"),
    ("queue.items", .count(.range(min: value(1), max: nil, above: nil, below: nil)), "queue.items count min 1"),
    ("error", .exists(true), "error present"), ("error", .exists(false), "error absent"),
    ("title", .changed(true), "title changed"), ("title", .changed(false), "title as before"),
    ("position", .advances(atLeast: 2, over: 90), "position advances 2s in 1m30s"),
    ("break.clip_time", .not(.range(min: value(5), max: nil, above: nil, below: nil)), "break.clip_time not min 5s"),
    ("metadata.studio", .equals(value("x")), "metadata.studio x"), ("rate", .equals(value(1.5)), "rate 1.5"),
  ]

  @Test("A condition reads from its stored form as it read in the run", arguments: matchers)
  func matcher(path: String, matcher: Matcher, text: String) throws {
    let condition = Self.field(path, matcher)
    #expect(condition.text() == text)
    #expect(try Self.stored(condition) == text)
  }

  /// What reports make of a condition after its trip through a line.
  private static func stored(_ condition: Condition) throws -> String {
    WantText.conditions(try JSONValue(parsing: condition.json().serialized()))
  }

  static let groups: [(condition: Condition, text: String)] = [
    (
      .all([field("player", .equals(value("playing"))), field("position", .equals(value(5)))]),
      "player playing, position 5s"
    ),
    (
      .all([field("content", .startsWith("https:")), field("content", .endsWith(".mpd"))]),
      "content starts with https:, content ends with .mpd"
    ),
    (
      .all([
        field("position", .range(min: value(5), max: nil, above: nil, below: nil)),
        field("position", .not(.about(value(30), tolerance: 1))),
      ]), "position min 5s, position not 30.0s ± 1s"
    ),
    (
      .all([field("title", .contains("a")), field("title", .contains("b"))]), "title contains a, title contains b"
    ),
    (
      .any([field("player", .equals(value("idle"))), field("break", .exists(false))]),
      "any of (player idle; break absent)"
    ),
    (.not(field("player", .equals(value("paused")))), "not (player paused)"),
    (
      .all([
        .not(.any([field("player", .equals(value("idle"))), field("rate", .equals(value(0)))])),
        field("volume.muted", .equals(value(true))), field("volume.level", .equals(value(40))),
      ]), "not (any of (player idle; rate 0)), volume.muted true, volume.level 40%"
    ),
    (
      .all([.not(field("player", .equals(value("idle")))), .not(field("player", .equals(value("paused"))))]),
      "not (player idle), not (player paused)"
    ),
  ]

  @Test("All matchers of a field are told, and groups as the language has them", arguments: groups)
  func group(condition: Condition, text: String) throws {
    #expect(condition.text() == text)
    #expect(try Self.stored(condition) == text)
  }

  @Test(
    "Any conditions of different fields read from their stored form as they read in the run",
    arguments: 1...8 as ClosedRange<UInt64>)
  func property(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    func leaves(_ count: Int) -> [Condition] {
      var paths: Set<String> = []
      return (0..<count).compactMap { _ -> Condition? in
        let leaf = Self.matchers[random.next(below: Self.matchers.count)]
        // Structures stand beside their members in no document.
        return paths.insert(String(leaf.path.split(separator: ".")[0])).inserted
          ? Self.field(leaf.path, leaf.matcher) : nil
      }
    }
    for _ in 0..<60 {
      var parts = leaves(4)
      if random.next(below: 2) == 0 { parts.append(.any([.all(leaves(2)), .all(leaves(2))])) }
      if random.next(below: 2) == 0 { parts.append(.not(.all(leaves(2)))) }
      let condition = Condition.all(parts)
      #expect(try Self.stored(condition) == condition.text())
    }
  }

  static let wants: [(want: JSONValue, text: String)] = [
    ([["player": "idle"], ["player": "playing"]], "player idle, then player playing"),
    (["never": ["player": "paused"]], "never (player paused)"),
    (["always": ["position": ["min": 1]]], "always (position min 1s)"),
    (["message": ["type": "PONG"]], "message.type PONG"),
    (["message": ["a": ["b": ["c": 1]]]], "message.a.b.c 1"), (.null, ""), ("free text", ""), ([:], ""), ([], ""),
    (["position": [:]], "position {}"), (["position": ["about": "x"]], "position x ± 0s"),
    (["title": ["matches": "("]], #"title {"matches":"("}"#),
    (["position": ["saved": "a", "plus": 2]], #"position {"saved":"a","plus":2}"#),
    (["any": "x"], "any x"), (["not": 1], "not 1"),
  ]

  @Test("Sequences, messages, and what no condition has", arguments: wants)
  func want(want: JSONValue, text: String) { #expect(WantText.conditions(want) == text) }

  static let gots: [(got: JSONObject, text: String)] = [
    (["position": 18.04, "break": .null], "position 18.0s, break none"),
    (["volume": ["level": 40, "muted": false]], "volume.level 40%, volume.muted false"),
    (["active_tracks": ["no", "en"], "duration": "live"], "active_tracks [no, en], duration live"),
    (["tracks": [["id": "no", "kind": "text"], ["kind": "audio"]]], #"tracks [no, {"kind":"audio"}]"#),
    (["rate": 1.25, "media_session": 3, "app": .null], "rate 1.25, media_session 3, app none"),
    (["message": ["type": "X", "n": [1]]], "message.type X, message.n [1]"), ([:], ""),
    (["new": ["a": 1]], #"new {"a":1}"#),
  ]

  @Test("Observed values are told as their fields spell them", arguments: gots)
  func got(got: JSONObject, text: String) { #expect(WantText.values(got) == text) }

  @Test("What is nested without end is read to a limit")
  func deep() {
    let want = (0..<500).reduce(JSONValue.null) { inner, _ in ["message": inner] }
    #expect(WantText.conditions(want).count < 1000)
    var got = JSONObject()
    for _ in 0..<500 { got = ["message": .object(got)] }
    #expect(WantText.values(got).count < 10_000)
  }
}
