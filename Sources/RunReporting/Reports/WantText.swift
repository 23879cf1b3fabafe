package import CastProtocol
package import ScenarioLanguage

/// Turns `want` and `got` of events back into the language's words, so that a stored stream reads as a live one.
package enum WantText {
  /// `position 10.0s ± 1s, break none`; the entries of a sequence are joined by "then".
  package static func conditions(_ want: JSONValue) -> String {
    if let entries = want.array { return entries.map(conditions).joined(separator: ", then ") }
    return leaves(want).map { $0.path.parts.isEmpty ? $0.text : "\($0.path.text) \($0.text)" }.joined(separator: ", ")
  }

  /// Every field with its matcher in words; groups (`any`, `not`) have an empty path.
  package static func leaves(_ want: JSONValue, below prefix: [String] = []) -> [(path: FieldPath, text: String)] {
    if let entries = want.array { return entries.flatMap { leaves($0, below: prefix) } }
    guard let object = want.object, prefix.count < 16 else { return [] }
    return object.members.flatMap { member -> [(path: FieldPath, text: String)] in
      let (name, value) = (member.name, member.value)
      // Conditions that cannot stand in one map.
      if prefix.isEmpty, name == "all", case .array = value { return leaves(value) }
      if prefix.isEmpty, let text = group(name, value) { return [(FieldPath([]), text)] }
      let path = FieldPath(prefix + [name])
      if hasMembers(path), let inner = value.object, !isMatcher(inner) {
        return leaves(value, below: path.parts)
      }
      return matchers(value).map { (path, $0.text(as: StatusField.type(of: path))) }
    }
  }

  /// `position 18.0s, break none`.
  package static func values(_ values: JSONObject, below prefix: [String] = []) -> String {
    values.members.map { member in
      let path = FieldPath(prefix + [member.name])
      if hasMembers(path), let inner = member.value.object, prefix.count < 16 {
        return self.values(inner, below: path.parts)
      }
      return "\(path.text) \(value(member.value, at: path))"
    }.joined(separator: ", ")
  }

  /// One value as its field spells it; a structure by its members.
  package static func value(_ value: JSONValue, at path: FieldPath) -> String {
    if let object = value.object, hasMembers(path) {
      return object.members.map { "\($0.name) \(Self.value($0.value, at: FieldPath(path.parts + [$0.name])))" }
        .joined(separator: " ")
    }
    return value.text(as: StatusField.type(of: path))
  }

  /// Messages of apps are nested as they are.
  private static func hasMembers(_ path: FieldPath) -> Bool {
    path.parts.first == "message" || StatusField.hasMembers(path)
  }

  private static func group(_ name: String, _ value: JSONValue) -> String? {
    switch (name, value) {
    case ("any", .array(let choices)): "any of (\(choices.map(conditions).joined(separator: "; ")))"
    case ("not", .object), ("always", .object), ("never", .object): "\(name) (\(conditions(value)))"
    default: nil
    }
  }

  private static let keywords = [
    "not", "one_of", "min", "max", "above", "below", "about", "matches", "contains", "starts_with", "ends_with", "has",
    "only", "count", "exists", "changed", "advances", "saved",
  ]

  private static func isMatcher(_ object: JSONObject) -> Bool {
    object.members.first.map { keywords.contains($0.name) } ?? false
  }

  /// All matchers of one field, which stand side by side.
  private static func matchers(_ value: JSONValue) -> [Matcher] {
    guard let members = value.object?.members, members.count > 1 else { return [matcher(value)] }
    // Bounds are one matcher, and a tolerance is part of another.
    let bounds = ["min", "max", "above", "below"]
    var hasBounds = false
    var result: [Matcher] = []
    for member in members {
      switch member.name {
      case "tolerance": continue
      case "about": result.append(matcher(value.keeping(["about", "tolerance"])))
      case _ where bounds.contains(member.name):
        if !hasBounds { result.append(matcher(value.keeping(bounds))) }
        hasBounds = true
      case "saved": return [matcher(value)]
      case _ where keywords.contains(member.name): result.append(matcher(value.keeping([member.name])))
      default: return [matcher(value)]
      }
    }
    return result
  }

  /// The matcher that ``Matcher/json(as:resolve:)`` wrote.
  private static func matcher(_ value: JSONValue) -> Matcher {
    guard let object = value.object, let first = object.members.first else { return .equals(.init(.literal(value))) }
    func operand(_ name: String) -> Matcher.Operand? { object[name].map { Matcher.Operand(.literal($0)) } }
    switch first.name {
    case "not": return .not(matcher(first.value))
    case "one_of": return .oneOf(first.value.array ?? [])
    case "min", "max", "above", "below":
      return .range(min: operand("min"), max: operand("max"), above: operand("above"), below: operand("below"))
    case "about":
      return .about(.init(.literal(first.value)), tolerance: object["tolerance"]?.number ?? 0)
    case "matches":
      return (try? TextPattern(first.value.string ?? "")).map { .matches($0) } ?? .equals(.init(.literal(value)))
    case "contains": return .contains(first.value.string ?? "")
    case "starts_with": return .startsWith(first.value.string ?? "")
    case "ends_with": return .endsWith(first.value.string ?? "")
    case "has": return .has(first.value.array ?? [])
    case "only": return .only(first.value.array ?? [])
    case "count": return .count(matcher(first.value))
    case "changed": return .changed(first.value.bool ?? true)
    case "exists": return .exists(first.value.bool ?? true)
    case "advances":
      return .advances(atLeast: first.value["at_least"]?.number ?? 0, over: first.value["over"]?.number ?? 0)
    default: return .equals(.init(.literal(value)))
    }
  }
}

extension JSONValue {
  /// An object with only the members of these names.
  fileprivate func keeping(_ names: [String]) -> JSONValue {
    .object(JSONObject((object?.members ?? []).filter { names.contains($0.name) }))
  }
}
