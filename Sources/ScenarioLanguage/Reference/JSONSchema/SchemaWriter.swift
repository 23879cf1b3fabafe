package import CastProtocol

/// Writes the JSON Schema of the language (draft-07) from the tables that the checker uses
/// (docs/language/README.md "In an editor").
///
/// An editor gets one object for all steps, whose verbs are properties: "exactly one verb" is for `check` to say, because
/// a choice of objects makes editors offer everything twice.
package struct SchemaWriter {
  package static let id = "https://showcaller.example/schema/v1.json"

  /// The whole schema; the same bytes every time.
  package static func schema() -> JSONValue {
    var writer = SchemaWriter()
    return writer.root()
  }

  /// In the order in which they are first needed.
  private var definitions: [JSONObject.Member] = []
  private var names: [ObjectIdentifier: String] = [:]
  private var taken: Set<String> = []

  private init() {}

  private mutating func root() -> JSONValue {
    for kind in DocumentKind.allCases { _ = reference(to: LanguageSchema.document(kind)) }
    define("step", step())
    define("condition", condition())
    for kind in MatcherKind.all { define(kind.name, matchers(kind)) }
    let kinds = DocumentKind.allCases.map { kind in
      JSONObject.Member(
        kind.rawValue,
        Self.described(Self.someText, LanguageSchema.document(kind)[kind.rawValue]?.summary ?? "Kind and title."))
    }
    return .object([
      "$schema": "http://json-schema.org/draft-07/schema#",
      "$id": .string(Self.id),
      "title": "Showcaller",
      "description": .string(
        "A scenario, a playlist or a library of Showcaller, language revision \(LanguageSchema.revision)."),
      "type": "object",
      "properties": .object(JSONObject(kinds)),
      "if": ["required": ["playlist"]],
      "then": Self.pointer("playlist"),
      "else": [
        "if": ["required": ["library"]], "then": Self.pointer("library"), "else": Self.pointer("scenario"),
      ],
      "definitions": .object(JSONObject(definitions)),
    ])
  }

  static func pointer(_ name: String) -> JSONValue { ["$ref": .string("#/definitions/\(name)")] }

  /// Any scalar that can stand for a text: editors read `title: 1917` as a number.
  static let anyText: JSONValue = ["type": ["string", "number", "boolean"]]

  /// The same where it must say something.
  static let someText: JSONValue = ["type": ["string", "number", "boolean"], "minLength": 1]

  static func described(_ schema: JSONValue, _ text: String) -> JSONValue {
    guard case .object(let object) = schema, !text.isEmpty else { return schema }
    // What stands beside a reference does not count in draft-07.
    if object["$ref"] != nil { return ["description": .string(text), "allOf": [schema]] }
    return .object(JSONObject([JSONObject.Member("description", .string(text))] + object.members))
  }

  private mutating func define(_ name: String, _ schema: JSONValue) {
    definitions.append(JSONObject.Member(name, schema))
    taken.insert(name)
  }

  // MARK: Maps

  /// A reference to the definition of a map, which is made when it is first needed.
  mutating func reference(to spec: MapSpec) -> JSONValue {
    if let name = names[ObjectIdentifier(spec)] { return Self.pointer(name) }
    let name = freshName(spec)
    names[ObjectIdentifier(spec)] = name
    taken.insert(name)
    // Its place is kept before its parts are made, so that the order is the one in which people read.
    let index = definitions.count
    definitions.append(JSONObject.Member(name, true))
    definitions[index] = JSONObject.Member(name, object(spec))
    return Self.pointer(name)
  }

  private func freshName(_ spec: MapSpec) -> String {
    var base = spec.place.filter { $0 != "`" }
    for article in ["a ", "an "] where base.hasPrefix(article) { base.removeFirst(article.count) }
    base = String(base.map { $0 == " " || $0 == "." ? "_" : $0 })
    var name = base
    var number = 2
    while taken.contains(name) || ["step", "condition"].contains(name) {
      name = "\(base)_\(number)"
      number += 1
    }
    return name
  }

  private mutating func object(_ spec: MapSpec) -> JSONValue {
    let isDocument = DocumentKind(rawValue: spec.topic) != nil
    var result: JSONObject = [:]
    // A whole map may come from a variable; a whole document may not.
    result["type"] = isDocument ? "object" : ["object", "string"]
    if !isDocument { result["pattern"] = .string(SchemaPatterns.wholeSubstitution) }
    result["properties"] = .object(JSONObject(spec.keys.map { JSONObject.Member($0.name, property($0, of: spec)) }))
    result["additionalProperties"] = false
    let required = spec.keys.filter(\.isRequired).map { JSONValue.string($0.name) }
    if !required.isEmpty { result["required"] = .array(required) }
    var rules: [JSONValue] = []
    for group in spec.exclusive {
      let names = group.filter(spec.contains)
      for (index, first) in names.enumerated() {
        for second in names[(index + 1)...] {
          // A text has all keys: without its type a variable would be refused.
          rules.append(["not": ["type": "object", "required": [.string(first), .string(second)]]])
        }
      }
    }
    for group in spec.needsOneOf {
      let names = group.filter(spec.contains) + (spec.suffices.map { [$0] } ?? [])
      rules.append(["anyOf": .array(names.map { ["required": [.string($0)]] })])
    }
    rules += Self.kindRules(spec)
    let companions = Self.companions(spec)
    if !companions.isEmpty { result["dependencies"] = .object(JSONObject(companions)) }
    if !rules.isEmpty { result["allOf"] = .array(rules) }
    return .object(result)
  }

  /// Which keys a map may have, by what its `kind` says.
  private static func kindRules(_ spec: MapSpec) -> [JSONValue] {
    guard let usual = spec.defaultKind, case .choice(_, let kinds)? = spec["kind"]?.type else { return [] }
    return kinds.map { kind in
      let names = spec.keys.filter { $0.kinds?.contains(kind) ?? true }.map { JSONValue.string($0.name) }
      var condition: JSONValue = ["properties": ["kind": ["const": .string(kind)]]]
      // A map without a kind meets this condition, too, as it should for the usual one.
      if kind != usual { condition = ["properties": ["kind": ["const": .string(kind)]], "required": ["kind"]] }
      return ["if": condition, "then": ["propertyNames": ["enum": .array(names)]]]
    }
  }

  /// What must stand beside a key.
  private static func companions(_ spec: MapSpec) -> [JSONObject.Member] {
    spec.keys.compactMap { key in
      guard let (name, value) = key.companion else { return nil }
      var rule: JSONObject = ["required": [.string(name)]]
      if let value, case .choice(_, let choices)? = spec[name]?.type {
        // Any other word is wrong; one from a variable is for `check` to judge.
        let others = choices.filter { $0 != value }.map(JSONValue.string)
        rule["properties"] = .object(JSONObject([JSONObject.Member(name, ["not": ["enum": .array(others)]])]))
      }
      return JSONObject.Member(key.name, .object(rule))
    }
  }

  private mutating func property(_ key: KeySpec, of spec: MapSpec) -> JSONValue {
    var schema = Self.limited(self.schema(of: key.type), key)
    let isDocument = DocumentKind(rawValue: spec.topic) != nil
    if isDocument, key.name == "language" {
      schema = [
        "type": ["integer", "string"], "minimum": 1, "maximum": .int(LanguageSchema.revision),
        "pattern": .string(SchemaPatterns.int(in: 1...LanguageSchema.revision)),
      ]
    } else if isDocument, key.name == "vars" {
      schema = namedEntries(["anyOf": [reference(to: LanguageSchema.variable), true]])
    }
    return Self.described(schema, Self.text(of: key))
  }

  /// What a key says of its value beyond the type, wherever the value is written.
  private static func limited(_ schema: JSONValue, _ key: KeySpec?) -> JSONValue {
    guard let key, case .object(var rules) = limited(schema, fewest: key.fewest) else { return schema }
    if key.isDistinct { rules["uniqueItems"] = true }
    if key.isPositive {
      rules["exclusiveMinimum"] = 0
      rules["pattern"] = .string(
        SchemaPatterns.typed(SchemaPatterns.positive(NumberPattern.decimal(in: 0 ... .infinity))))
    }
    return .object(rules)
  }

  /// How many entries a list or map has at least.
  static func limited(_ schema: JSONValue, fewest: Int?) -> JSONValue {
    guard let fewest, case .object(var rules) = schema else { return schema }
    rules["minItems"] = .int(fewest)
    rules["minProperties"] = .int(fewest)
    return .object(rules)
  }

  /// What a hover shows: the summary with the default.
  static func text(of key: KeySpec) -> String {
    var text = key.summary
    if let kinds = key.kinds { text += " Kind: \(kinds.joined(separator: ", "))." }
    if let value = key.defaultText { text += " Default: \(value)." }
    return text
  }

  func namedEntries(_ value: JSONValue) -> JSONValue {
    [
      "type": ["object", "string", "null"], "pattern": .string(SchemaPatterns.wholeSubstitution),
      "propertyNames": ["pattern": .string(SchemaPatterns.id)], "additionalProperties": value,
    ]
  }

  // MARK: Steps

  private mutating func step() -> JSONValue {
    var properties: [JSONObject.Member] = []
    for verb in LanguageSchema.verbs {
      properties.append(JSONObject.Member(verb.name, Self.described(value(of: verb), Self.text(of: verb))))
    }
    for key in LanguageSchema.modifiers.keys where !properties.contains(where: { $0.name == key.name }) {
      properties.append(JSONObject.Member(key.name, property(key, of: LanguageSchema.modifiers)))
    }
    let bare = LanguageSchema.verbs.filter(\.isBareAllowed).map { JSONValue.string($0.name) }
    return [
      "description": "One verb, and what may stand next to it.",
      "anyOf": [
        ["type": "string", "enum": .array(bare)],
        [
          "type": "object", "properties": .object(JSONObject(properties)), "additionalProperties": false,
          "minProperties": 1, "dependencies": .object(JSONObject(Self.owners())),
        ],
        ["type": "string", "pattern": .string(SchemaPatterns.wholeSubstitution)],
      ],
    ]
  }

  /// The verbs beside which a modifier of judging steps may stand.
  private static func owners() -> [JSONObject.Member] {
    JudgingModifier.allCases.map { modifier in
      let verbs = LanguageSchema.verbs.filter { $0.modifiers.contains(modifier) }
      return JSONObject.Member(modifier.rawValue, ["anyOf": .array(verbs.map { ["required": [.string($0.name)]] })])
    }
  }

  private static func text(of verb: VerbSpec) -> String { "\(verb.summary) Done when \(verb.done)." }

  private mutating func value(of verb: VerbSpec) -> JSONValue {
    switch verb.form {
    case .bare: return ["anyOf": [["type": "null"], Self.map(["maxProperties": 0])]]
    case .value(let type): return Self.limited(schema(of: type), fewest: verb.fewest)
    case .keys(let spec, let short):
      var choices = [reference(to: spec)]
      if let short { choices.append(Self.limited(schema(of: short.type), spec[short.key])) }
      if verb.isBareAllowed { choices.append(["type": "null"]) }
      return choices.count == 1 ? choices[0] : ["anyOf": .array(choices)]
    }
  }
}
