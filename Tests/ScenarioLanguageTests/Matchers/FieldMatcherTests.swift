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

  @Test(
    "Custom data and raw messages are read by path and by JSON pointer",
    arguments: [
      "custom.a.b: 3", "custom: { a: { b: 3 } }", "raw.receiver./status/volume/level: { about: 0.4 }",
      "metadata.images: { count: 1 }", "metadata: { title: { starts_with: S } }",
    ])
  func paths(field: String) {
    #expect(Compiling.codes(Compiling.scenario("expect: { \(field) }")) == [])
  }
}
