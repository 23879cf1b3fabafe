import CastProtocol
import Testing

@testable import ScenarioLanguage

/// Every status field of docs/language/conditions.md "Status fields" with every matcher: which go together, and that
/// all others are T220.
@Suite struct FieldMatcherTests {
  /// A value that each sort of field takes.
  static func value(_ type: StatusField.ValueType) -> String {
    switch type {
    case .text, .free, .record: "abc"
    case .bool: "true"
    case .int: "3"
    case .number: "1.5"
    case .duration, .durationOrLive: "5s"
    case .percent: "40%"
    case .color: "yellow"
    case .choice(let choice): choice.values[0]
    case .list(let element): value(element)
    case .structure: "none"
    }
  }

  /// Whether the specification lets a matcher stand at a field of this type.
  static func fits(_ matcher: String, _ field: StatusField) -> Bool {
    switch matcher {
    case "min", "max", "above", "below", "about", "tolerance", "plus":
      switch field.type {
      case .int, .number, .duration, .durationOrLive, .percent, .free: true
      default: false
      }
    case "matches", "contains", "starts_with", "ends_with":
      switch field.type {
      case .text, .choice, .color, .free: true
      default: false
      }
    case "has", "only":
      switch field.type {
      case .list, .free: true
      default: false
      }
    case "count":
      switch field.type {
      case .list, .structure, .free: true
      default: false
      }
    case "advances": ["position", "position_reported"].contains(field.path.text)
    default: true
    }
  }

  static func map(_ matcher: String, _ field: StatusField) -> String {
    let isNumber = ["min", "max", "above", "below", "about", "tolerance", "plus"].contains(matcher)
    var value = field.type == .free && isNumber ? "1.5" : value(field.type)
    if case .list = field.type, ["not", "one_of"].contains(matcher) { value = "[\(value)]" }
    return switch matcher {
    case "tolerance": "{ about: \(value), tolerance: \(value) }"
    case "plus": "{ min: \(value), plus: \(value) }"
    case "one_of", "has", "only": "{ \(matcher): [\(value)] }"
    case "exists", "changed": "{ \(matcher): true }"
    case "count": "{ count: { min: 2 } }"
    case "advances": "{ advances: { at_least: 4s, over: 5s } }"
    default: "{ \(matcher): \(value) }"
    }
  }

  @Test("A matcher is taken where its field has the type for it, and T220 anywhere else", arguments: StatusField.all)
  func fields(field: StatusField) {
    let name = field.path.text.split(separator: "*", omittingEmptySubsequences: false).joined(separator: "some")
    for matcher in MatcherName.allCases.map(\.rawValue) {
      // A structure that cannot be absent is equal to nothing that could be written.
      if case .structure(noneAllowed: false) = field.type, ["not", "one_of"].contains(matcher) { continue }
      let document = Compiling.scenario("expect: { \(name): \(Self.map(matcher, field)) }")
      let codes = Compiling.codes(document)
      let isRight = Self.fits(matcher, field)
      #expect(isRight ? codes.isEmpty : codes == ["T220"], "\(name): \(Self.map(matcher, field)) gave \(codes)")
    }
  }

  static func condition(_ yaml: String, before: [String] = [], top: String = "") throws -> Condition {
    guard case .expect(let action) = try Compiling.step("expect: \(yaml)", before: before, top: top).action else {
      throw Compiling.NoPlan()
    }
    return action.condition
  }

  static let counts: [(yaml: String, holds: Bool)] = [
    ("{ tracks: { count: 2 } }", true), ("{ tracks: { count: { min: 3 } } }", false),
    ("{ tracks: { count: { above: 1, max: 2 } } }", true), ("{ commands: { count: 0 } }", true),
    ("{ breaks: { count: 0 } }", false), ("{ break: { count: { not: 3 } } }", true),
    ("{ tracks: { not: { count: 2 } } }", false),
  ]

  @Test("`count` is the length of a list or map; what is absent has none", arguments: counts)
  func count(yaml: String, holds: Bool) throws {
    let values: [String: JSONValue] = ["tracks": [1, 2], "commands": [], "break": ["id": "a", "clip": "b"]]
    #expect(try Self.condition(yaml).mismatches { values[$0.text] }.isEmpty == holds)
  }

  static let changes: [(yaml: String, old: JSONValue?, new: JSONValue?, holds: Bool)] = [
    ("{ title: { changed: true } }", "a", "b", true), ("{ title: { changed: true } }", "a", "a", false),
    ("{ title: { changed: false } }", "a", "a", true), ("{ title: { changed: true } }", nil, "a", true),
    ("{ title: { changed: true } }", "a", nil, true), ("{ title: { changed: false } }", nil, nil, true),
    ("{ title: { not: { changed: true } } }", "a", "a", true), ("{ rate: { changed: true } }", 1, 1.0, false),
  ]

  @Test("`changed` compares with the value when the last action started", arguments: changes)
  func changed(yaml: String, old: JSONValue?, new: JSONValue?, holds: Bool) throws {
    let condition = try Self.condition(yaml)
    #expect(condition.mismatches(value: { _ in new }, before: { _ in old }).isEmpty == holds)
  }

  @Test("Both are told in words and as events show them")
  func words() throws {
    let condition = try Self.condition("{ tracks: { count: { min: 2 } }, title: { changed: true } }")
    #expect(condition.text() == "tracks count min 2, title changed")
    #expect(condition.json() == ["tracks": ["count": ["min": 2]], "title": ["changed": true]])
  }

  @Test("A saved value and a fact about the device are asked of the run")
  func runTime() throws {
    let condition = try Self.condition(
      "{ vars: { p0: { min: 5s } }, device: { model: Chromecast } }",
      before: ["play: {}\nsave: { p0: position }"])
    let facts: [String: JSONValue] = ["p0": 6, "device.model": "Chromecast"]
    #expect(condition.mismatches(value: { _ in nil }, resolve: { facts[$0] }).isEmpty)
    let other = condition.mismatches(value: { _ in nil }, resolve: { $0 == "p0" ? 4 : "Nest Hub" })
    #expect(other.map(\.path.text) == ["vars.p0", "device.model"])
  }

  static let wrong: [(yaml: String, problem: String)] = [
    ("{ vars: { sped: 1 } }", "N401 undefined variable `sped`"),
    ("{ vars: { p0: { changed: true } } }", "N401 undefined variable `p0`"),
    ("{ device: {} }", "T210 expected a map of facts about the device"),
    ("{ device: { modle: x } }", "K101 unknown fact `modle` about a device"),
    ("{ device: { name: { changed: true } } }", "T220 `changed` is for status fields, `device.name` is text"),
    ("{ tracks: { count: abc } }", "T221 `abc` is not a whole number"),
    ("{ tracks: { count: { contains: 1 } } }", "T220 `contains` is for text, `tracks` is a whole number"),
    ("{ title: { changed: yes } }", "T204 `yes` is not true or false"),
  ]

  @Test("Wrong names and types in them are refused", arguments: wrong)
  func refused(yaml: String, problem: String) {
    let problems = Compiling.outcome(Compiling.scenario("expect: \(yaml)")).diagnostics
    #expect(problems.map { "\($0.code) \($0.message)" } == [problem])
  }

  @Test("A variable that only a condition reads is used")
  func used() {
    #expect(
      Compiling.codes("scenario: V\ndevice: TV\nvars: { a: 1 }\nsteps: [{ expect: { vars: { a: 1 } } }]\n") == [])
  }

  @Test(
    "Custom data and raw messages are read by path and by JSON pointer",
    arguments: [
      "custom.a.b: 3", "custom: { a: { b: 3 } }", "raw.media./status/0/videoInfo: { exists: true }",
      "raw.receiver./status/volume/level: { about: 0.4 }", "raw: { media: { /status/0/custom: 3 } }",
      "metadata.images: { count: 1 }", "metadata: { title: { starts_with: S } }",
    ])
  func paths(field: String) {
    #expect(Compiling.codes(Compiling.scenario("expect: { \(field) }")) == [])
  }
}
