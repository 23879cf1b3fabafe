import CastProtocol
import ScenarioLanguage
import Testing

@testable import RunReporting

/// Values of events: what is read, how it is written, and what two statuses differ in.
@Suite struct EventValuesTests {
  private static let names = ["player", "position", "break", "volume", "title"]

  private static func status(_ random: inout SeededGenerator) -> JSONObject {
    let values: [JSONValue] = [.null, true, 1, 1.5, "playing", ["id": "mid"], [1, 2], [:]]
    return JSONObject(
      names.filter { _ in random.next(below: 2) == 0 }.map {
        .init($0, values[random.next(below: values.count)])
      })
  }

  @Test(
    "What changed between two statuses leads from the one to the other, and no further",
    arguments: 1...4 as ClosedRange<UInt64>)
  func changes(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let (old, new) = (Self.status(&random), Self.status(&random))
      let change = new.changes(since: old)
      #expect(old.applying(set: change.set, unset: change.unset) == new)
      #expect(change.set.members.allSatisfy { old[$0.name] != $0.value })
      #expect(change.unset.allSatisfy { old[$0] != nil && new[$0] == nil })
      #expect(new.changes(since: new).set.members.isEmpty && new.changes(since: new).unset.isEmpty)
    }
  }

  @Test("A field that is null is there: it is set, not unset")
  func null() {
    let change = JSONObject([.init("break", .null)]).changes(since: ["break": ["id": "mid"]])
    #expect(change.set.members.map(\.name) == ["break"] && change.unset.isEmpty)
    #expect(JSONObject().applying(set: change.set, unset: []).members.map(\.value) == [.null])
  }

  static let rounded: [(value: JSONValue, told: String)] = [
    (1.0006, "1.001"), (0.0004, "0"), (-0.0006, "-0.001"), (12, "12"),
    (.int(.max), "9223372036854775807"),
    (12.34567, "12.346"), ("1.23456", #""1.23456""#), (.null, "null"), (true, "true"),
    ([1.23456, ["a": [0.12345]]], #"[1.235,{"a":[0.123]}]"#), (.double(1e300), "1e+300"),
    (.double(-1.5e308), "-1.5e+308"), (.double(4e15), "4000000000000000"),
  ]

  @Test(
    "Numbers are told with at most three decimals, all the way down, and large ones stay what they are",
    arguments: rounded)
  func milliseconds(value: JSONValue, told: String) {
    #expect(value.roundedToMilliseconds.serialized() == told)
  }

  @Test(
    "Durations are told in seconds",
    arguments: [
      (Duration.milliseconds(1500), "1.5"), (.seconds(2), "2"), (.microseconds(400), "0"),
      (.microseconds(1600), "0.002"),
      (.zero, "0"), (.seconds(-3), "-3"),
    ])
  func durations(duration: Duration, told: String) {
    #expect(JSONValue.seconds(duration).serialized() == told)
  }

  static let numbers: [(json: JSONValue, int: Int?, double: Double?)] = [
    (7, 7, 7), (7.0, 7, 7), (7.5, nil, 7.5), (.int(1 << 53), nil, nil),
    (.int((1 << 53) - 1), (1 << 53) - 1, nil),
    (.int(-(1 << 53)), nil, nil), (.double(1e12), 1_000_000_000_000, nil),
    (.double(-1e13), -10_000_000_000_000, nil),
    (.double(999_999_999_999.5), nil, 999_999_999_999.5), (0.0004, nil, 0), ("7", nil, nil),
    (true, nil, nil),
    (.null, nil, nil), ([7], nil, nil), (.int(.min), nil, nil),
  ]

  @Test(
    "Counts below 2^53 and times below 10^12 s are read; what is larger, or of another type, is none",
    arguments: numbers)
  func limits(json: JSONValue, int: Int?, double: Double?) {
    #expect(Int(json: json) == int)
    #expect(Double(json: json) == double)
  }

  @Test(
    "Words of a closed list are read by their spelling alone",
    arguments: [
      ("passed", StepResult.passed), ("not_run", .notRun), ("notRun", nil), ("Passed", nil),
      ("", nil),
    ] as [(String, StepResult?)])
  func closed(word: String, result: StepResult?) {
    #expect(StepResult(json: .string(word)) == result)
  }

  @Test(
    "A word of a list that may grow is kept, whether it is known or not",
    arguments: [
      ("mdns", true), ("hosts", true), ("cache", true), ("satellite", false), ("", false),
      ("MDNS", false),
    ])
  func open(word: String, isKnown: Bool) throws {
    let read = try #require(OpenWord<AddressOrigin>(json: .string(word)))
    if case .known = read { #expect(isKnown) } else { #expect(!isKnown) }
    #expect(read.text == word && read.json == .string(word))
    #expect(OpenWord<AddressOrigin>(json: 1) == nil)
  }

  @Test("Of a list what cannot be read is left out, and the rest stays in order")
  func lists() {
    #expect([String](json: ["a", 1, "b", .null, ["c"]]) == ["a", "b"])
    #expect([Int](json: [1, "2", 3.5, 4, .int(.max)]) == [1, 4])
    #expect([String](json: ["a": "b"]) == nil)
    let related = EventKind.Problem(fields: ["related": [["label": "x"], 7, ["file": "a.yaml"]]])
      .related
    #expect(related?.map(\.label) == ["x", ""])
  }

  static let places: [(members: JSONObject, text: String?)] = [
    (["file": "a.yaml", "line": 2, "column": 3], "a.yaml:2:3"),
    (["file": "a.yaml", "line": 2], nil),
    (["line": 2, "column": 3], nil), (["file": 7, "line": 2, "column": 3], nil),
    (["file": "a.yaml", "line": .int(.max), "column": 3], nil),
    (["file": "", "line": -1, "column": 0], ":-1:0"),
  ]

  @Test(
    "A place is read where file, line and column are told; an end alone is none", arguments: places)
  func place(members: JSONObject, text: String?) {
    #expect(SourcePlace(members: members)?.text == text)
    var ended = members
    ended["endLine"] = 9
    #expect(SourcePlace(members: ended)?.endLine == (text == nil ? nil : 9))
    #expect(SourcePlace(members: ended)?.endColumn == nil)
  }
}
