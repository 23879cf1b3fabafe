package import CastProtocol

/// A map of fields to matchers, all of which must hold (docs/language/conditions.md "Conditions").
package indirect enum Condition: Codable, Hashable, Sendable {
  /// `span` is the entry's place in the document, key and value.
  case field(FieldPath, Matcher, span: SourceSpan)
  case all([Condition])
  case any([Condition])
  case not(Condition)

  /// One condition that holds where all of these do, of which there is one at least.
  static func joined(_ conditions: [Condition]) -> Condition {
    conditions.count == 1 ? conditions[0] : .all(conditions)
  }

  /// Every field with its matcher, in the document's order.
  package var leaves: [(path: FieldPath, matcher: Matcher, span: SourceSpan)] {
    switch self {
    case .field(let path, let matcher, let span): [(path, matcher, span)]
    case .all(let conditions), .any(let conditions): conditions.flatMap(\.leaves)
    case .not(let inner): inner.leaves
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
    case .field(let path, let matcher, _): return "\(path.text) \(matcher.text(as: type(path), resolve: resolve))"
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
  private static func add(_ value: JSONValue, at path: [String], joining isJoined: Bool, to maps: inout [JSONTree]) {
    for index in maps.count > 1 ? [0, maps.count - 1] : [0]
    where maps[index].join(value, at: path[...], joining: isJoined) { return }
    var map = JSONTree()
    _ = map.join(value, at: path[...], joining: isJoined)
    maps.append(map)
  }

  /// The fields as written at the top of the condition, each once: what a step's name lists.
  package var topFields: [String] {
    var names: [String] = []
    addTopFields(to: &names)
    return names
  }

  private func addTopFields(to names: inout [String]) {
    switch self {
    case .field(let path, _, _):
      if let name = path.parts.first, !names.contains(name) { names.append(name) }
    case .all(let conditions), .any(let conditions): for condition in conditions { condition.addTopFields(to: &names) }
    case .not(let inner): inner.addTopFields(to: &names)
    }
  }
}

extension Plan.MessagePattern {
  /// The pattern in words: `type SCORE, points min 3`.
  package func text(resolve: Matcher.SavedValues = { _ in nil }) -> String {
    condition.text(resolve: resolve) { _ in .free }
  }

  /// The pattern as events and plans show it, members nested.
  package func json(resolve: Matcher.SavedValues = { _ in nil }) -> JSONValue {
    condition.json(resolve: resolve) { _ in .free }
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
