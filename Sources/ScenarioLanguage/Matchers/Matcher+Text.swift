package import CastProtocol

extension Matcher {
  /// The matcher in words, without the field's name: `10.0s ± 1s`, `min 5s`, `none`.
  ///
  /// - Parameters:
  ///   - type: How the field's values are written.
  ///   - resolve: Values saved by earlier steps; where one is missing its name is shown.
  package func text(as type: StatusField.ValueType, resolve: SavedValues = { _ in nil }) -> String {
    func spelled(_ operand: Operand) -> String { operand.text(as: type, rounded: false, resolve: resolve) }
    switch self {
    case .equals(let operand): return spelled(operand)
    case .not(let inner): return "not \(inner.text(as: type, resolve: resolve))"
    case .oneOf(let choices):
      return "one of \(choices.map { $0.text(as: type, isRounded: false) }.joined(separator: ", "))"
    case .range(let min, let max, let above, let below):
      let bounds = [("min", min), ("max", max), ("above", above), ("below", below)]
      return bounds.compactMap { name, operand in operand.map { "\(name) \(spelled($0))" } }.joined(separator: " ")
    case .about(let operand, let tolerance):
      let reference = operand.text(as: type, rounded: true, resolve: resolve)
      return "\(reference) ± \(JSONValue.double(tolerance).text(as: type, isRounded: false))"
    case .matches(let pattern): return "matches \(pattern.source)"
    case .contains(let part): return "contains \(part)"
    case .startsWith(let part): return "starts with \(part)"
    case .endsWith(let part): return "ends with \(part)"
    case .has(let wanted): return "has \(JSONValue.array(wanted).text(as: type, isRounded: false))"
    case .only(let wanted): return "only \(JSONValue.array(wanted).text(as: type, isRounded: false))"
    case .count(let inner): return "count \(inner.text(as: .int, resolve: resolve))"
    case .exists(let wanted): return wanted ? "present" : "absent"
    case .changed(let wanted): return wanted ? "changed" : "as before"
    case .advances(let atLeast, let over):
      return "advances \(Duration.seconds(atLeast).spelled) in \(Duration.seconds(over).spelled)"
    }
  }

  /// The matcher as events show it: `{"about":10.0,"tolerance":1.0}`, or the plain value.
  package func json(as type: StatusField.ValueType, resolve: SavedValues = { _ in nil }) -> JSONValue {
    func value(_ operand: Operand) -> JSONValue { operand.json(as: type, resolve: resolve) }
    switch self {
    case .equals(let operand): return value(operand)
    case .not(let inner): return ["not": inner.json(as: type, resolve: resolve)]
    case .oneOf(let choices): return ["one_of": .array(choices)]
    case .range(let min, let max, let above, let below):
      let bounds = [("min", min), ("max", max), ("above", above), ("below", below)]
      return .object(
        JSONObject(bounds.compactMap { name, operand in operand.map { JSONObject.Member(name, value($0)) } }))
    case .about(let operand, let tolerance): return ["about": value(operand), "tolerance": .double(tolerance)]
    case .matches(let pattern): return ["matches": .string(pattern.source)]
    case .contains(let part): return ["contains": .string(part)]
    case .startsWith(let part): return ["starts_with": .string(part)]
    case .endsWith(let part): return ["ends_with": .string(part)]
    case .has(let wanted): return ["has": .array(wanted)]
    case .only(let wanted): return ["only": .array(wanted)]
    case .count(let inner): return ["count": inner.json(as: .int, resolve: resolve)]
    case .exists(let wanted): return ["exists": .bool(wanted)]
    case .changed(let wanted): return ["changed": .bool(wanted)]
    case .advances(let atLeast, let over):
      return ["advances": ["at_least": .double(atLeast), "over": .double(over)]]
    }
  }
}

extension Matcher.Operand {
  fileprivate func text(
    as type: StatusField.ValueType, rounded: Bool, resolve: Matcher.SavedValues
  ) -> String {
    if let value = value(resolve) { return value.text(as: type, isRounded: rounded) }
    guard case .saved(let name) = base else { return "none" }
    if plus == 0 { return "${\(name)}" }
    return "${\(name)} \(plus < 0 ? "-" : "+") \(JSONValue.double(abs(plus)).text(as: type, isRounded: false))"
  }

  fileprivate func json(as type: StatusField.ValueType, resolve: Matcher.SavedValues) -> JSONValue {
    guard let value = value(resolve) else {
      guard case .saved(let name) = base else { return .null }
      return plus == 0 ? .string("${\(name)}") : ["saved": .string(name), "plus": .double(plus)]
    }
    if case .duration = type, let number = value.number { return .double(number) }
    return value
  }
}

extension JSONValue {
  /// A status value in words, as its field spells it: `18.0s`, `40%`, `playing`, `none` when `null`.
  ///
  /// - Parameter isRounded: Durations as seconds with one decimal, as observed values are shown; else as written in
  ///   documents (`1m30s`).
  package func text(as type: StatusField.ValueType, isRounded: Bool = true) -> String {
    switch (self, type) {
    case (.null, _): return "none"
    case (.bool(let value), _): return value ? "true" : "false"
    case (.string(let value), _): return value
    case (.array(let values), .list(let element)):
      return "[\(values.map { $0.text(as: element, isRounded: isRounded) }.joined(separator: ", "))]"
    case (.array(let values), _):
      return "[\(values.map { $0.text(as: type, isRounded: isRounded) }.joined(separator: ", "))]"
    case (.object(let object), .record):
      return object["id"].map { $0.text(as: .text, isRounded: isRounded) } ?? serialized()
    case (.object, _): return serialized()
    case (.int, _), (.double, _):
      let number = self.number ?? 0
      switch type {
      case .duration, .durationOrLive:
        return isRounded ? "\(number.decimals(1, padded: true))s" : Duration.clamped(seconds: number).spelled
      case .percent: return "\(number.decimals(2))%"
      default: return number.decimals(3)
      }
    }
  }
}

extension Condition {
  /// The condition in words: `position 10.0s ± 1s, break none`.
  package func text(
    resolve: Matcher.SavedValues = { _ in nil },
    type: (FieldPath) -> StatusField.ValueType = { StatusField.type(of: $0) }
  ) -> String {
    switch self {
    case .field(let path, let matcher, _):
      return "\(path.text) \(matcher.text(as: type(path), resolve: resolve))"
    case .all(let conditions): return conditions.map { $0.text(resolve: resolve, type: type) }.joined(separator: ", ")
    case .any(let conditions):
      return "any of (\(conditions.map { $0.text(resolve: resolve, type: type) }.joined(separator: "; ")))"
    case .not(let inner): return "not (\(inner.text(resolve: resolve, type: type)))"
    }
  }

  /// The condition as events show it, structures nested: `{"position":{"about":10.0,"tolerance":1.0},"break":null}`.
  ///
  /// Matchers of one field stand side by side; what cannot stand in one map makes a list of maps under `all`.
  package func json(
    resolve: Matcher.SavedValues = { _ in nil },
    type: (FieldPath) -> StatusField.ValueType = { StatusField.type(of: $0) }
  ) -> JSONValue {
    var maps = [JSONTree()]
    add(to: &maps, resolve: resolve, type: type)
    return maps.count == 1 ? .object(maps[0].object) : ["all": .array(maps.map { .object($0.object) })]
  }

  private func add(
    to maps: inout [JSONTree], resolve: Matcher.SavedValues, type: (FieldPath) -> StatusField.ValueType
  ) {
    switch self {
    case .field(let path, let matcher, _):
      Self.add(matcher.json(as: type(path), resolve: resolve), at: path.parts, joining: true, to: &maps)
    case .all(let conditions):
      for condition in conditions { condition.add(to: &maps, resolve: resolve, type: type) }
    case .any(let conditions):
      let choices = conditions.map { $0.json(resolve: resolve, type: type) }
      Self.add(.array(choices), at: ["any"], joining: false, to: &maps)
    case .not(let inner):
      // Two of them must both not hold; joined, one of them would do.
      Self.add(inner.json(resolve: resolve, type: type), at: ["not"], joining: false, to: &maps)
    }
  }

  /// Puts a value into the first or the last of the maps, or into a new one where both have another in its place.
  private static func add(
    _ value: JSONValue, at path: [String], joining isJoined: Bool, to maps: inout [JSONTree]
  ) {
    for index in maps.count > 1 ? [0, maps.count - 1] : [0]
    where maps[index].join(value, at: path[...], joining: isJoined) { return }
    var map = JSONTree()
    _ = map.join(value, at: path[...], joining: isJoined)
    maps.append(map)
  }

  /// The fields as written at the top of the condition, each once: what a step's name lists.
  package var topFields: [String] {
    var names: [String] = []
    for leaf in leaves {
      if let name = leaf.path.parts.first, !names.contains(name) { names.append(name) }
    }
    return names
  }
}

extension JSONObject {
  /// Sets a member by path, making objects on the way; used for status values and what was expected of them.
  package mutating func set(_ value: JSONValue, at path: ArraySlice<String>) {
    guard let name = path.first else { return }
    if path.count == 1 {
      self[name] = value
    } else {
      var inner = self[name]?.object ?? JSONObject()
      inner.set(value, at: path.dropFirst())
      self[name] = .object(inner)
    }
  }
}
