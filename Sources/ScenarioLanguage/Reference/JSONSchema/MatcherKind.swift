import CastProtocol

/// Fields that take the same matchers, with the same values.
enum MatcherKind: Hashable {
  case text, bool, int, number, duration, position, percent, color, free
  /// A duration, or `live`.
  case length
  /// A percentage between the limits of ``MatcherCompiler/limits(of:)``.
  case level
  /// How many there are of something, which is no field of its own.
  case count
  /// A text about the device, which does not change while a scenario runs.
  case fact
  case choice(StatusField.Choice)
  /// A list, of these words only where there is a choice.
  case list(StatusField.Choice?)

  /// What fits a field, as ``MatcherCompiler/fits(_:)`` says.
  init(_ field: StatusField) {
    self =
      switch field.type {
      case .text, .record: .text
      case .choice(let choice): .choice(choice)
      case .bool: .bool
      case .int: .int
      case .number: .number
      case .duration where MatcherCompiler.canAdvance(field.path): .position
      case .duration: .duration
      case .durationOrLive: .length
      case .percent: MatcherCompiler.limits(of: field.path) == nil ? .percent : .level
      case .color: .color
      case .list(.choice(let choice)): .list(choice)
      case .list: .list(nil)
      case .structure, .free: .free
      }
  }

  /// Of all fields, in their order, and of what else is matched.
  static let all: [MatcherKind] = {
    var found: [MatcherKind] = []
    for field in StatusField.all where !found.contains(MatcherKind(field)) {
      if MatcherKind(field) != .free { found.append(MatcherKind(field)) }
    }
    return found + [.count, .fact]
  }()

  var name: String {
    switch self {
    case .choice(let choice): "matchers_\(choice.name.replacing(" ", with: "_"))"
    case .list(let choice?): "matchers_list_of_\(choice.name.replacing(" ", with: "_"))"
    case .list: "matchers_list"
    default: "matchers_\(self)"
    }
  }

  /// One of the fields, or what stands in place of one.
  private var subject: MatcherSubject {
    switch self {
    case .text: MatcherSubject(type: .text)
    case .fact: MatcherSubject(type: .text, isStatusField: false)
    case .bool: MatcherSubject(type: .bool)
    case .int: MatcherSubject(type: .int)
    case .count: MatcherSubject(type: .int, isStatusField: false)
    case .number: MatcherSubject(type: .number)
    case .duration: MatcherSubject(type: .duration)
    case .position: MatcherSubject(type: .duration, canAdvance: true)
    case .length: MatcherSubject(type: .durationOrLive)
    case .percent, .level: MatcherSubject(type: .percent)
    case .color: MatcherSubject(type: .color)
    case .choice(let choice): MatcherSubject(type: .choice(choice))
    case .list: MatcherSubject(type: .list(of: .text))
    case .free: MatcherSubject(type: .free)
    }
  }

  var fitting: [MatcherName] { MatcherName.allCases.filter { $0.spec.fit.takes(subject) } }

  /// The values that the field takes.
  var value: JSONValue {
    switch self {
    case .text, .fact: SchemaWriter.anyText
    case .choice(let choice): choice.isOpen ? SchemaWriter.anyText : SchemaWriter.choice(choice.values)
    case .bool: ["type": ["boolean", "string"], "pattern": .string(SchemaPatterns.bool)]
    case .int, .count: ["type": ["integer", "string"], "pattern": .string(SchemaPatterns.int(in: Int.min...Int.max))]
    case .number: Self.number(in: -.infinity ... .infinity)
    case .duration, .position: Self.typed(SchemaPatterns.duration)
    case .length: Self.typed("(\(SchemaPatterns.duration)|live)")
    case .percent: Self.percent(in: -.infinity ... .infinity)
    case .level: Self.percent(in: 0...100)
    case .color: Self.typed(SchemaPatterns.whole(.color) ?? "")
    case .list: SchemaWriter.list(of: item)
    case .free: true
    }
  }

  /// What a list of the field's holds.
  private var item: JSONValue {
    if case .list(let choice?) = self { return SchemaWriter.choice(choice.values) }
    return SchemaWriter.anyText
  }

  /// What a matcher of the field is given.
  func operand(of matcher: MatcherName) -> JSONValue {
    switch matcher.spec.operand {
    case .matcher: ["anyOf": [value, SchemaWriter.pointer(name)]]
    case .values: SchemaWriter.limited(SchemaWriter.list(of: value), fewest: 1)
    case .elements: SchemaWriter.list(of: item)
    case .bool: MatcherKind.bool.value
    case .pattern, .text: SchemaWriter.anyText
    case .count: ["anyOf": [MatcherKind.count.value, SchemaWriter.pointer(MatcherKind.count.name)]]
    case .advance:
      SchemaWriter.map([
        "properties": [
          "at_least": Self.typed(SchemaPatterns.duration),
          "over": Self.typed(SchemaPatterns.positive(SchemaPatterns.duration)),
        ],
        "additionalProperties": false, "required": ["at_least", "over"],
      ])
    case .tolerance: distance(isSigned: false)
    case .offset: distance(isSigned: true)
    // With `plus` the sum counts, so the limits are a rule of the whole map.
    case .reference: self == .level ? MatcherKind.percent.value : value
    }
  }

  /// What is added to a value of the field, or allowed on both sides of it.
  private func distance(isSigned: Bool) -> JSONValue {
    switch self {
    case .duration, .length, .position:
      isSigned ? Self.typed("[+-]?\(SchemaPatterns.duration)") : Self.typed(SchemaPatterns.duration)
    case .percent, .level: Self.percent(in: (isSigned ? -.infinity : 0) ... .infinity)
    default: Self.number(in: (isSigned ? -.infinity : 0) ... .infinity)
    }
  }

  /// What no value between the limits fits, without `plus`.
  var boundsRule: JSONValue? {
    guard self == .level else { return nil }
    let negative = "-[0-9]+(\\.[0-9]+)?"
    let atLeast = Self.typed("(\(negative)|\(NumberPattern.decimal(in: 0...100)))%")
    let above = Self.typed("(\(negative)|\(NumberPattern.decimal(below: 100)))%")
    let some = NumberPattern.decimal(in: 0 ... .infinity)
    return [
      "anyOf": [
        ["type": "object", "required": ["plus"]],
        [
          "properties": [
            "min": atLeast, "above": above, "max": Self.typed("\(some)%"),
            "below": Self.typed("\(SchemaPatterns.positive(some))%"), "about": Self.percent(in: 0...100),
          ]
        ],
      ]
    ]
  }

  private static func percent(in range: ClosedRange<Double>) -> JSONValue {
    typed("\(NumberPattern.decimal(in: range))%")
  }

  private static func number(in range: ClosedRange<Double>) -> JSONValue {
    var object: JSONObject = ["type": ["number", "string"], "pattern": .string(SchemaPatterns.number(in: range))]
    if range.lowerBound.isFinite { object["minimum"] = JSONValue(range.lowerBound) }
    return .object(object)
  }

  private static func typed(_ pattern: String) -> JSONValue {
    ["type": "string", "pattern": .string(SchemaPatterns.typed(pattern))]
  }
}
