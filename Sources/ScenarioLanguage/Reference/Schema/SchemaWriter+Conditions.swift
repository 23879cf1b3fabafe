import CastProtocol

/// Fields that take the same matchers.
enum MatcherSort: String, CaseIterable {
  case text, choice, bool, number, duration, position, percent, color, list, free

  var name: String { "matchers_\(rawValue)" }

  /// What fits a field, as ``MatcherCompiler/fits(_:)`` says.
  init(_ field: StatusField) {
    self =
      switch field.type {
      case .text, .record: .text
      case .choice: .choice
      case .bool: .bool
      case .int, .number: .number
      case .duration where MatcherCompiler.canAdvance(field.path): .position
      case .duration, .durationOrLive: .duration
      case .percent: .percent
      case .color: .color
      case .list: .list
      case .structure, .free: .free
      }
  }

  var fitting: Set<String> {
    let every: Set<String> = ["not", "one_of", "exists", "changed"]
    let ordered: Set<String> = ["min", "max", "above", "below", "about", "tolerance", "plus"]
    let textual: Set<String> = ["matches", "contains", "starts_with", "ends_with"]
    return switch self {
    case .text, .choice, .color: every.union(textual)
    case .bool: every
    case .number, .percent: every.union(ordered)
    case .duration: every.union(ordered)
    case .position: every.union(ordered).union(["advances"])
    case .list: every.union(["has", "only", "count"])
    case .free: every.union(ordered).union(textual).union(["has", "only", "count"])
    }
  }

  /// The values that the field takes.
  var value: JSONValue {
    switch self {
    case .text, .choice: SchemaWriter.anyText
    case .bool: ["type": ["boolean", "string"], "pattern": .string(SchemaPatterns.bool)]
    case .number: ["type": ["number", "string"], "pattern": .string(SchemaPatterns.number)]
    case .duration, .position: Self.typed("([+-]?\(SchemaPatterns.duration)|live)")
    case .percent: Self.typed("[+-]?[0-9]+(\\.[0-9]+)?%")
    case .color: Self.typed(SchemaPatterns.whole(.color) ?? "")
    case .list: ["type": ["array", "string"]]
    case .free: true
    }
  }

  private static func typed(_ pattern: String) -> JSONValue {
    ["type": "string", "pattern": .string(SchemaPatterns.typed(pattern))]
  }
}

extension SchemaWriter {
  /// A map of status fields to matchers, with what may stand beside them.
  func condition() -> JSONValue {
    var properties: [JSONObject.Member] = Language.conditionKeys.map { key in
      let schema: JSONValue =
        switch key.type {
        case .condition: Self.pointer("condition")
        case .matchers: Self.map([:])
        default: list(of: Self.pointer("condition"))
        }
      return JSONObject.Member(key.name, Self.described(schema, key.summary))
    }
    properties += members(below: FieldPath([]))
    let map = Self.map([
      "properties": .object(JSONObject(properties)),
      // Paths, such as `volume.level` and `raw.media./status/0`.
      "patternProperties": ["^[a-z_]+\\.": true], "additionalProperties": false, "minProperties": 1,
    ])
    return Self.described(map, "Status fields, all of which must match.")
  }

  private func members(below path: FieldPath) -> [JSONObject.Member] {
    StatusField.names(below: path).map { name in
      let inner = FieldPath(path.parts + [name])
      let summary = StatusField.find(inner).map { Topics.sentence($0.summary) } ?? ""
      return JSONObject.Member(name, Self.described(field(inner), summary))
    }
  }

  private func field(_ path: FieldPath) -> JSONValue {
    let field = StatusField.find(path) ?? StatusField(path.text, .free, "")
    switch field.type {
    case .structure(let noneAllowed): return structure(path, noneAllowed: noneAllowed)
    case .choice(let choice) where !choice.isOpen:
      return ["anyOf": [Self.choice(choice.values), Self.pointer(MatcherSort.choice.name)]]
    case .free: return true
    default:
      let sort = MatcherSort(field)
      return ["anyOf": [sort.value, Self.pointer(sort.name)]]
    }
  }

  private func structure(_ path: FieldPath, noneAllowed: Bool) -> JSONValue {
    // A wildcard below it takes anything.
    let isOpen = StatusField.all.contains { $0.isWildcard && $0.path.parts.starts(with: path.parts) }
    let own = ["exists", "changed", "not", "one_of", "count"].map { JSONObject.Member($0, true) }
    let map = Self.map([
      "properties": .object(JSONObject(members(below: path) + own)), "additionalProperties": .bool(isOpen),
      "minProperties": 1,
    ])
    return noneAllowed ? ["anyOf": [["enum": ["none"]], map]] : map
  }

  /// The matchers that fit one sort of field.
  func matchers(_ sort: MatcherSort) -> JSONValue {
    let members = Language.matchers.filter { sort.fitting.contains($0.name) }.map { matcher in
      JSONObject.Member(matcher.name, Self.described(operand(of: matcher.name, sort), matcher.summary))
    }
    return Self.map([
      "properties": .object(JSONObject(members)), "additionalProperties": false, "minProperties": 1,
    ])
  }

  private func operand(of matcher: String, _ sort: MatcherSort) -> JSONValue {
    switch matcher {
    case "not": ["anyOf": [sort.value, Self.pointer(sort.name)]]
    case "one_of", "has", "only":
      ["type": ["array", "string"], "pattern": .string(SchemaPatterns.wholeSubstitution)]
    case "exists", "changed": MatcherSort.bool.value
    case "matches", "contains", "starts_with", "ends_with": Self.anyText
    case "count": true
    case "advances":
      Self.map([
        "properties": ["at_least": MatcherSort.duration.value, "over": MatcherSort.duration.value],
        "additionalProperties": false, "required": ["at_least", "over"],
      ])
    default: sort.value
    }
  }
}
