package import CastProtocol

extension Matcher {
  /// What stands behind one of a matcher's names, compiled.
  enum Part {
    case matcher(Matcher)
    case values([JSONValue])
    case reference(Operand, isRounded: Bool)
    case tolerance(Double)
    case text(String)
    case elements([JSONValue])
    case count(Matcher)
    case bool(Bool, words: String)
    case advance(atLeast: Double, over: Double)
  }

  /// The matcher in words, without the field's name: `10.0s ± 1s`, `min 5s`, `none`.
  ///
  /// - Parameters:
  ///   - type: How the field's values are written.
  ///   - resolve: Values saved by earlier steps; where one is missing its name is shown.
  package func text(as type: StatusField.ValueType, resolve: SavedValues = { _ in nil }) -> String {
    if case .equals(let operand) = self { return operand.text(as: type, rounded: false, resolve: resolve) }
    return parts.map { name, part in
      let name = name.rawValue.replacing("_", with: " ")
      return switch part {
      case .matcher(let inner): "\(name) \(inner.text(as: type, resolve: resolve))"
      case .values(let values):
        "\(name) \(values.map { $0.text(as: type, isRounded: false) }.joined(separator: ", "))"
      case .reference(let operand, true): operand.text(as: type, rounded: true, resolve: resolve)
      case .reference(let operand, false): "\(name) \(operand.text(as: type, rounded: false, resolve: resolve))"
      case .tolerance(let distance): "± \(JSONValue.double(distance).text(as: type, isRounded: false))"
      case .text(let text): "\(name) \(text)"
      case .elements(let values): "\(name) \(JSONValue.array(values).text(as: type, isRounded: false))"
      case .count(let inner): "\(name) \(inner.text(as: .int, resolve: resolve))"
      case .bool(_, let words): words
      case .advance(let atLeast, let over):
        "\(name) \(Duration.seconds(atLeast).spelled) in \(Duration.seconds(over).spelled)"
      }
    }.joined(separator: " ")
  }

  /// The matcher as events show it: `{"about":10.0,"tolerance":1.0}`, or the plain value.
  package func json(as type: StatusField.ValueType, resolve: SavedValues = { _ in nil }) -> JSONValue {
    if case .equals(let operand) = self { return operand.json(as: type, resolve: resolve) }
    return .object(
      JSONObject(
        parts.map { name, part in
          let value: JSONValue =
            switch part {
            case .matcher(let inner): inner.json(as: type, resolve: resolve)
            case .values(let values), .elements(let values): .array(values)
            case .reference(let operand, _): operand.json(as: type, resolve: resolve)
            case .tolerance(let distance): .double(distance)
            case .text(let text): .string(text)
            case .count(let inner): inner.json(as: .int, resolve: resolve)
            case .bool(let wanted, _): .bool(wanted)
            case .advance(let atLeast, let over): ["at_least": .double(atLeast), "over": .double(over)]
            }
          return JSONObject.Member(name.rawValue, value)
        }))
  }

  /// The matchers of one field that ``json(as:resolve:)`` wrote; what it never wrote is a plain value.
  package static func read(_ json: JSONValue) -> [Matcher] {
    guard let object = json.object, object.members.count > 1 else { return [read(single: json)] }
    var found: [Matcher] = []
    var hasRange = false
    for member in object.members {
      switch MatcherName(rawValue: member.name)?.spec.operand {
      case nil, .offset: return [read(single: json)]
      case .tolerance: continue
      case .reference where member.name != MatcherName.about.rawValue:
        // Bounds are one matcher.
        if hasRange { continue }
        hasRange = true
      default: break
      }
      let written: JSONValue = .object(JSONObject([member]))
      found.append(read(member, of: object) ?? .equals(.init(.literal(written))))
    }
    return found
  }

  /// Whether an object is what ``json(as:resolve:)`` writes, and not a structure: its first name says so.
  package static func isWritten(_ object: JSONObject) -> Bool {
    guard let name = object.members.first?.name else { return false }
    return switch MatcherName(rawValue: name)?.spec.operand {
    // As a value is written that only the run knows.
    case nil: name == "saved"
    case .tolerance, .offset: false
    default: true
    }
  }

  private static func read(single json: JSONValue) -> Matcher {
    let object = json.object ?? JSONObject()
    return object.members.first.flatMap { read($0, of: object) } ?? .equals(.init(.literal(json)))
  }

  private static func read(_ member: JSONObject.Member, of object: JSONObject) -> Matcher? {
    func operand(_ name: MatcherName) -> Operand? { object[name.rawValue].map { Operand(.literal($0)) } }
    guard let name = MatcherName(rawValue: member.name) else { return nil }
    let value = member.value
    switch name.spec.operand {
    case .matcher: return .not(read(single: value))
    case .values(let make), .elements(let make): return make(value.array ?? [])
    case .reference where name == .about:
      return .about(.init(.literal(value)), tolerance: object[MatcherName.tolerance.rawValue]?.number ?? 0)
    case .reference:
      return .range(min: operand(.min), max: operand(.max), above: operand(.above), below: operand(.below))
    case .tolerance, .offset: return nil
    case .pattern: return (try? TextPattern(value.string ?? "")).map { .matches($0) }
    case .text(let make): return make(value.string ?? "")
    case .count: return .count(read(single: value))
    case .bool(let make): return make(value.bool ?? true)
    case .advance: return .advances(atLeast: value["at_least"]?.number ?? 0, over: value["over"]?.number ?? 0)
    }
  }
}

extension Matcher.Operand {
  fileprivate func text(as type: StatusField.ValueType, rounded: Bool, resolve: Matcher.SavedValues) -> String {
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
