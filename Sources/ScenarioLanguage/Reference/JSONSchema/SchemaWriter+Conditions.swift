import CastProtocol

extension SchemaWriter {
  /// A map of status fields to matchers, with what may stand beside them.
  func condition() -> JSONValue {
    var properties: [JSONObject.Member] = LanguageSchema.conditionKeys.map { key in
      let schema: JSONValue =
        switch key.name {
        case "device": facts()
        case "vars": Self.map(["minProperties": 1])
        case "not": Self.pointer("condition")
        default: Self.limited(Self.list(of: Self.pointer("condition")), fewest: 1)
        }
      return JSONObject.Member(key.name, Self.described(schema, key.summary))
    }
    properties += members(below: FieldPath([]))
    // Paths, such as `volume.level` and `raw.media./status/0`.
    let paths = StatusField.all.filter { $0.path.parts.count > 1 }.map { field in
      let parts = field.path.parts.filter { $0 != "*" }.joined(separator: "\\.")
      return JSONObject.Member(field.isWildcard ? "^\(parts)\\." : "^\(parts)$", self.field(field.path))
    }
    let map = Self.map([
      "properties": .object(JSONObject(properties)), "patternProperties": .object(JSONObject(paths)),
      "additionalProperties": false, "minProperties": 1,
    ])
    return Self.described(map, "Status fields, all of which must match.")
  }

  /// Facts about the device and what they must be.
  private func facts() -> JSONValue {
    let fact: JSONValue = ["anyOf": [MatcherKind.fact.value, Self.pointer(MatcherKind.fact.name)]]
    let members = ConditionCompiler.deviceFacts.map { JSONObject.Member($0, fact) }
    return Self.map([
      "properties": .object(JSONObject(members)), "additionalProperties": false, "minProperties": 1,
    ])
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
    case .free: return Self.oneOfNone
    default:
      let kind = MatcherKind(field)
      return ["anyOf": [kind.value, Self.pointer(kind.name)]]
    }
  }

  /// Anything but `{ one_of: [] }`; beside other names `one_of` is a name of the app's own.
  private static let oneOfNone: JSONValue = [
    "not": [
      "type": "object", "maxProperties": 1, "required": ["one_of"],
      "properties": ["one_of": ["type": "array", "maxItems": 0]],
    ]
  ]

  private func structure(_ path: FieldPath, noneAllowed: Bool) -> JSONValue {
    // A wildcard below it takes anything.
    let isOpen = StatusField.all.contains { $0.isWildcard && $0.path.parts.starts(with: path.parts) }
    let fields = members(below: path)
    // A field's own name comes first, such as `count` of the queue.
    let names = MatcherName.allCases.filter { matcher in
      matcher.spec.fit.takes(MatcherSubject(type: .structure(noneAllowed: noneAllowed)))
        && !fields.contains { $0.name == matcher.rawValue }
    }
    let plain = names.filter { if case .bool = $0.spec.operand { true } else { false } }
    let own = (plain + names.filter { !plain.contains($0) }).map { matcher in
      let isFree = if case .matcher = matcher.spec.operand { true } else { isOpen }
      return JSONObject.Member(matcher.rawValue, isFree ? true : MatcherKind.free.operand(of: matcher))
    }
    var rules: JSONObject = [
      "properties": .object(JSONObject(fields + own)),
      "additionalProperties": isOpen ? Self.oneOfNone : false,
      "minProperties": 1,
    ]
    if isOpen { rules["allOf"] = [Self.oneOfNone] }
    let map = Self.map(rules)
    return noneAllowed ? ["anyOf": [["enum": ["none"]], map]] : map
  }

  /// The matchers that fit one kind of field.
  func matchers(_ kind: MatcherKind) -> JSONValue {
    let fitting = kind.fitting
    let members = fitting.map { matcher in
      JSONObject.Member(matcher.rawValue, Self.described(kind.operand(of: matcher), matcher.spec.summary))
    }
    var rules: JSONObject = [
      "properties": .object(JSONObject(members)), "additionalProperties": false, "minProperties": 1,
    ]
    if fitting.contains(.tolerance) {
      let references: JSONValue = .array(MatcherName.references.map { ["required": [.string($0.rawValue)]] })
      rules["dependencies"] = ["tolerance": ["required": ["about"]], "plus": ["anyOf": references]]
    }
    if let rule = kind.boundsRule { rules["allOf"] = [rule] }
    return Self.map(rules)
  }
}
