/// Types in the few words that a table or a hover text has room for.
enum TypeText {
  /// `duration`, `media id or URL`, `list of steps`; limits are said where they are not what the type says by itself.
  static func words(_ type: FieldType) -> String {
    switch type {
    case .scalar(.int, .whole(let range)): "int" + limits(range)
    case .scalar(.number, .decimal(let range)):
      range.lowerBound.isFinite || range.upperBound.isFinite
        ? "number \(number(range.lowerBound)) to \(number(range.upperBound))" : "number"
    case .scalar(.percent, .decimal(let range)):
      range.lowerBound == 0 && range.upperBound == 100 || !range.lowerBound.isFinite
        ? "percent" : "percent \(number(range.lowerBound)) to \(number(range.upperBound))"
    case .scalar(let kind, _): kind.spec.name
    case .choice(_, let values): values.joined(separator: ", ")
    case .words(let values, let other): (values + [words(other)]).joined(separator: ", or ")
    case .reference(let kind): words(kind)
    case .list(_, let what): "list of \(what)"
    case .oneOrMany(let inner, let what): "\(words(inner)), or list of \(what)"
    case .byShape(let scalar, let list, let map):
      [scalar, list, map].compactMap { $0.map(words) }.joined(separator: ", or ")
    case .map(let spec): "map (\(spec.topic))"
    case .mapOf(_, let what): "map of \(what)"
    case .steps: "list of steps"
    case .condition: "condition"
    case .matchers: "map of matchers"
    case .anyValue: "any value"
    case .anyMap: "any map"
    case .savable(let inner): words(inner)
    }
  }

  static func words(_ reference: FieldType.Reference) -> String {
    switch reference {
    case .media: "media id"
    case .textStyle: "text style id"
    case .app: "app id or app"
    case .daypart: "daypart id"
    case .calendar: "calendar id"
    case .trigger: "trigger id"
    case .block: "block id"
    case .role: "role"
    case .inventory: "inventory id"
    case .tag: "tag of the inventory"
    case .track: "track id"
    case .clip: "clip id"
    case .step: "step id"
    case .mediaOrURL: "media id or url"
    }
  }

  static func words(_ type: StatusField.ValueType) -> String {
    switch type {
    case .text: "text"
    case .bool: "bool"
    case .int: "int"
    case .number: "number"
    case .duration: "duration"
    case .durationOrLive: "duration, or live"
    case .percent: "percent"
    case .color: "color"
    case .choice(let choice): choice.values.joined(separator: ", ")
    case .list(let inner):
      if case .record = inner { "list, by ids" } else { "list of \(words(inner))" }
    case .structure(let noneAllowed): noneAllowed ? "none, or fields" : "fields"
    case .record: "id"
    case .free: "any value"
    }
  }

  private static func limits(_ range: ClosedRange<Int>) -> String {
    // Bounds that only keep numbers from overflowing tell nobody anything.
    let lowest = range.lowerBound == .min ? nil : range.lowerBound
    let highest = range.upperBound >= 100_000 ? nil : range.upperBound
    return switch (lowest, highest) {
    case (let lowest?, let highest?): " \(lowest) to \(highest)"
    case (let lowest?, nil): lowest == 0 ? "" : " from \(lowest)"
    case (nil, _): ""
    }
  }

  private static func number(_ value: Double) -> String {
    Int(exactly: value).map(String.init) ?? "\(value)"
  }
}
