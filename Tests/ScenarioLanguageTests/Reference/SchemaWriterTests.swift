import CastProtocol
import Foundation
import Testing

@testable import ScenarioLanguage

/// The editor schema holds what the tables hold, and nothing else (docs/language/README.md "In an editor").
@Suite struct SchemaWriterTests {
  static let schema = SchemaWriter.schema()

  /// Every object of the schema with the path to it.
  static func objects(_ value: JSONValue, _ path: String = "") -> [(path: String, object: JSONObject)] {
    switch value {
    case .object(let object):
      [(path, object)] + object.members.flatMap { objects($0.value, "\(path)/\($0.name)") }
    case .array(let items): items.enumerated().flatMap { objects($0.element, "\(path)/\($0.offset)") }
    default: []
    }
  }

  static func definition(_ name: String) -> JSONObject? { schema["definitions"]?[name]?.object }

  static func names(_ value: JSONValue?) -> Set<String> { Set(value?.object?.members.map(\.name) ?? []) }

  @Test("Every reference leads to a definition, every definition is needed, and no name is given twice")
  func references() throws {
    let definitions = try #require(Self.schema["definitions"]?.object)
    let names = definitions.members.map(\.name)
    #expect(Set(names).count == names.count)
    let used = Self.objects(Self.schema).compactMap { $0.object["$ref"]?.string }
    for reference in used {
      #expect(reference.hasPrefix("#/definitions/"))
      #expect(definitions[String(reference.dropFirst("#/definitions/".count))] != nil, "\(reference)")
    }
    #expect(Set(names).subtracting(used.map { String($0.dropFirst("#/definitions/".count)) }) == [])
    #expect(SchemaWriter.schema().serialized() == Self.schema.serialized())
  }

  @Test("Every pattern is a regular expression, held to the whole text")
  func patterns() throws {
    for (path, object) in Self.objects(Self.schema) where !path.hasSuffix("/properties") {
      guard let pattern = object["pattern"]?.string else { continue }
      #expect(throws: Never.self, "\(path)") { try NSRegularExpression(pattern: pattern) }
    }
  }

  static let documents = DocumentKind.allCases.map(\.rawValue)

  @Test("A document takes its keys, needs what it needs, and nothing else", arguments: documents)
  func document(kind: String) throws {
    let spec = LanguageSchema.document(try #require(DocumentKind(rawValue: kind)))
    let definition = try #require(Self.definition(kind))
    #expect(definition["type"] == "object")
    #expect(definition["additionalProperties"] == false)
    #expect(Self.names(definition["properties"]) == Set(spec.keys.map(\.name)))
    let required = definition["required"]?.array?.compactMap(\.string) ?? []
    #expect(Set(required) == Set(spec.keys.filter(\.isRequired).map(\.name)))
  }

  @Test("Every map of the language has a definition with its keys, their defaults in the hover text")
  func maps() throws {
    let definitions = try #require(Self.schema["definitions"]?.object)
    let found = Set(definitions.members.map { Self.names($0.value["properties"]) })
    for map in LanguageSchema.maps where map !== LanguageSchema.modifiers {
      let keys = Set(map.keys.map(\.name))
      // Documents name theirs, conditions have more.
      #expect(
        found.contains(keys) || map.place.contains("condition") || keys.isSubset(of: Self.conditionNames),
        "\(map.place)")
    }
    let schedule = try #require(
      definitions.members.first { Self.names($0.value["properties"]).contains("jitter") }?.value["properties"])
    let jitter = try #require(schedule["jitter"]?["description"]?.string)
    #expect(jitter.contains("Default:"))
  }

  static let conditionNames = names(definition("condition")?["properties"])

  @Test("A step is a bare verb, or a map of all verbs and what may stand next to them")
  func step() throws {
    let choices = try #require(Self.definition("step")?["anyOf"]?.array)
    #expect(
      choices[0]["enum"]?.array?.compactMap(\.string) == LanguageSchema.verbs.filter(\.isBareAllowed).map(\.name))
    let properties = Self.names(choices[1]["properties"])
    #expect(properties == Set(LanguageSchema.verbNames + LanguageSchema.modifiers.keys.map(\.name)))
    for modifier in JudgingModifier.allCases {
      let owners = choices[1]["dependencies"]?[modifier.rawValue]?["anyOf"]?.array?.compactMap {
        $0["required"]?.array?.first?.string
      }
      #expect(owners == LanguageSchema.verbs.filter { $0.modifiers.contains(modifier) }.map(\.name), "\(modifier)")
    }
    // A verb says when its step is done.
    for verb in LanguageSchema.verbs {
      let text = choices[1]["properties"]?[verb.name]?["description"]?.string ?? ""
      #expect(text.hasPrefix(verb.summary) && text.contains("Done when"), "\(verb.name)")
    }
  }

  @Test("A condition has every field, and each field the matchers that the checker takes for it")
  func conditions() throws {
    #expect(Self.conditionNames.isSuperset(of: StatusField.names(below: FieldPath([]))))
    #expect(Self.conditionNames.isSuperset(of: ["all", "any", "not", "vars", "device"]))
    let values: [String: String] = [
      "not": "x", "one_of": "[x]", "exists": "true", "changed": "true", "min": "x", "max": "x", "above": "x",
      "below": "x",
      "about": "x", "advances": "{ at_least: 1s, over: 2s }", "matches": "x", "contains": "x", "starts_with": "x",
      "ends_with": "x", "has": "[x]", "only": "[x]", "count": "1",
    ]
    let fields: [(kind: MatcherKind, field: String, value: String)] = [
      (.text, "title", "x"), (.bool, "volume.muted", "true"), (.number, "rate", "1"), (.level, "volume.level", "1%"),
      (.position, "position", "1s"), (.duration, "break.time", "1s"), (.position, "position_reported", "1s"),
      (.color, "text_style.color", "red"), (.list(nil), "active_tracks", "x"), (.int, "queue.current", "1"),
      (.percent, "text_style.size", "100%"), (.length, "duration", "live"),
      (.list(StatusField.commands), "commands", "pause"), (.choice(StatusField.player), "player", "idle"),
    ]
    for (kind, field, value) in fields {
      let offered = Self.names(Self.definition(kind.name)?["properties"])
      #expect(offered == Set(kind.fitting.map(\.rawValue)))
      for (matcher, operand) in values {
        let isText = ["matches", "contains", "starts_with", "ends_with"].contains(matcher)
        let text = operand.replacing("x", with: isText ? "a" : value)
        let found = Compiling.codes(Compiling.scenario("expect: { \(field): { \(matcher): \(text) } }"))
        #expect(found.contains("T220") != offered.contains(matcher), "\(field) \(matcher): \(found)")
      }
    }
  }
}
