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
      if hasMembers(path), let inner = value.object, !Matcher.isWritten(inner) {
        return leaves(value, below: path.parts)
      }
      return Matcher.read(value).map { (path, $0.text(as: StatusField.type(of: path))) }
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
}
