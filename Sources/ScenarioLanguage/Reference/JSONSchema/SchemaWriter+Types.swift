import CastProtocol

extension SchemaWriter {
  /// The schema of a value of a type.
  mutating func schema(of type: FieldType) -> JSONValue {
    switch type {
    case .scalar(.bool, _): return ["type": ["boolean", "string"], "pattern": .string(SchemaPatterns.bool)]
    case .scalar(.int, let limits): return Self.int(limits.whole)
    case .scalar(.number, let limits): return Self.number(limits.decimal)
    case .scalar(.factor, _):
      return Self.withExamples(
        [
          "type": ["number", "string"], "exclusiveMinimum": 0,
          "pattern": .string(SchemaPatterns.typed(SchemaPatterns.whole(.factor) ?? "")),
        ], type)
    case .scalar(.id, _): return ["type": "string", "pattern": .string(SchemaPatterns.id)]
    case .scalar(.statusPath, _): return Self.statusPath
    case .scalar:
      guard let pattern = SchemaPatterns.whole(type) else { return Self.withExamples(Self.someText, type) }
      return Self.withExamples(["type": "string", "pattern": .string(SchemaPatterns.typed(pattern))], type)
    case .choice(_, let values): return Self.choice(values)
    case .words(let values, let other):
      return ["anyOf": [["enum": .array(values.map(JSONValue.string))], schema(of: other)]]
    case .reference(.mediaOrURL): return ["type": "string", "pattern": .string(SchemaPatterns.typed(#"[^\s]+"#))]
    case .reference: return Self.someText
    case .list(let item, _): return list(item)
    case .oneOrMany(.scalar(.hours, _), _):
      // No hours at all would be a time that never comes.
      return ["anyOf": [schema(of: .hours), Self.limited(list(.hours), fewest: 1)]]
    case .oneOrMany(let item, _): return ["anyOf": [schema(of: item), list(item)]]
    case .byShape(let scalar, let list, let map):
      let choices = [scalar, list, map].compactMap { $0 }.map { schema(of: $0) }
      return choices.count == 1 ? choices[0] : ["anyOf": .array(choices)]
    case .map(let spec): return reference(to: spec)
    case .mapOf(let value, _): return namedEntries(schema(of: value))
    case .steps: return Self.list(of: Self.pointer("step"))
    case .condition: return Self.pointer("condition")
    case .matchers, .anyMap: return Self.map([:])
    case .anyValue: return true
    case .savable(let inner): return schema(of: inner)
    }
  }

  private mutating func list(_ item: FieldType) -> JSONValue { Self.list(of: schema(of: item)) }

  /// A list, or a variable that is one.
  static func list(of items: JSONValue) -> JSONValue {
    ["type": ["array", "string"], "items": items, "pattern": .string(SchemaPatterns.wholeSubstitution)]
  }

  /// A map with these rules, or a variable that is one.
  static func map(_ rules: JSONObject) -> JSONValue {
    var object: JSONObject = ["type": ["object", "string"], "pattern": .string(SchemaPatterns.wholeSubstitution)]
    object.members += rules.members
    return .object(object)
  }

  private static func withExamples(_ schema: JSONValue, _ type: FieldType) -> JSONValue {
    guard case .object(var object) = schema else { return schema }
    let examples = type.kind?.spec.examples ?? []
    if !examples.isEmpty { object["examples"] = .array(examples.map(JSONValue.string)) }
    return .object(object)
  }

  private static func int(_ range: ClosedRange<Int>) -> JSONValue {
    var object: JSONObject = ["type": ["integer", "string"], "pattern": .string(SchemaPatterns.int(in: range))]
    if range.lowerBound != .min { object["minimum"] = .int(range.lowerBound) }
    if range.upperBound != .max { object["maximum"] = .int(range.upperBound) }
    return .object(object)
  }

  private static func number(_ range: ClosedRange<Double>) -> JSONValue {
    var object: JSONObject = ["type": ["number", "string"], "pattern": .string(SchemaPatterns.number(in: range))]
    if range.lowerBound.isFinite { object["minimum"] = JSONValue(range.lowerBound) }
    if range.upperBound.isFinite { object["maximum"] = JSONValue(range.upperBound) }
    return .object(object)
  }

  static func choice(_ values: [String]) -> JSONValue {
    [
      "anyOf": [
        ["enum": .array(values.map(JSONValue.string))],
        ["type": "string", "pattern": .string(SchemaPatterns.substitution)],
      ]
    ]
  }

  private static let statusPath: JSONValue = {
    let names = StatusField.names(below: FieldPath([])).joined(separator: "|")
    let pattern = SchemaPatterns.typed("(\(names))(\\..+)?")
    return withExamples(["type": "string", "pattern": .string(pattern)], .statusPath)
  }()
}
