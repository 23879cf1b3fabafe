package import CastProtocol
package import ScenarioLanguage

extension Condition {
  /// Returns the fields that keep the condition from holding, in the document's order; empty when it holds.
  ///
  /// - Parameters:
  ///   - value: The merged status by path; `nil` when absent.
  ///   - resolve: Values saved by earlier steps.
  ///   - before: The status when the last action started, by path.
  ///   - isOfMessage: Its paths are members of a message, whatever their names.
  ///   - advances: Judges `advances`, which no single status can.
  package func mismatches(
    value: (FieldPath) -> JSONValue?, resolve: Matcher.SavedValues = { _ in nil },
    before: (FieldPath) -> JSONValue? = { _ in nil }, isOfMessage: Bool = false,
    advances: (FieldPath, _ atLeast: Double, _ over: Double) -> Bool = { _, _, _ in false }
  ) -> [FieldMismatch] {
    func actual(_ path: FieldPath) -> JSONValue? {
      if !isOfMessage, let name = path.variable { return resolve(name) }
      return value(path)
    }
    switch self {
    case .field(let path, let matcher, let span):
      let actual = actual(path)
      let mismatch: Mismatch?
      if let advanced = matcher.holdsAsAdvance(of: path, judge: advances) {
        mismatch = advanced ? nil : Mismatch(expected: matcher, actual: actual)
      } else if let changed = matcher.holdsAsChange(from: before(path), to: actual) {
        mismatch = changed ? nil : Mismatch(expected: matcher, actual: actual)
      } else {
        mismatch = matcher.mismatch(with: actual, resolve: resolve)
      }
      return mismatch.map { [FieldMismatch(path: path, mismatch: $0, span: span)] } ?? []
    case .all(let conditions):
      return conditions.flatMap {
        $0.mismatches(value: value, resolve: resolve, before: before, isOfMessage: isOfMessage, advances: advances)
      }
    case .any(let conditions):
      var found: [FieldMismatch] = []
      for condition in conditions {
        let mismatches = condition.mismatches(
          value: value, resolve: resolve, before: before, isOfMessage: isOfMessage, advances: advances)
        if mismatches.isEmpty { return [] }
        found += mismatches
      }
      return found
    case .not(let inner):
      if !inner.mismatches(value: value, resolve: resolve, before: before, isOfMessage: isOfMessage, advances: advances)
        .isEmpty
      {
        return []
      }
      return inner.leaves.map { path, matcher, span in
        FieldMismatch(path: path, mismatch: Mismatch(expected: .not(matcher), actual: actual(path)), span: span)
      }
    }
  }
}

extension Matcher {
  /// Whether an `advances` matcher (or its negation) holds; `nil` for every other matcher.
  fileprivate func holdsAsAdvance(of path: FieldPath, judge: (FieldPath, Double, Double) -> Bool) -> Bool? {
    if case .not(let inner) = self { return inner.holdsAsAdvance(of: path, judge: judge).map { !$0 } }
    guard case .advances(let atLeast, let over) = self else { return nil }
    return judge(path, atLeast, over)
  }

  /// Whether a `changed` matcher (or its negation) holds; `nil` for every other matcher.
  /// - Parameter old: Read only for those: it may have to be looked for in a long message.
  fileprivate func holdsAsChange(from old: @autoclosure () -> JSONValue?, to new: JSONValue?) -> Bool? {
    if case .not(let inner) = self { return inner.holdsAsChange(from: old(), to: new).map { !$0 } }
    guard case .changed(let wanted) = self else { return nil }
    return Self.isEqual(old(), new) != wanted
  }

  /// Whether it compares with the value when the last action started.
  var isAboutChange: Bool {
    switch self {
    case .changed: true
    case .not(let inner): inner.isAboutChange
    case .equals, .oneOf, .range, .about, .matches, .contains, .startsWith, .endsWith, .has, .only, .count, .exists,
      .advances:
      false
    }
  }
}

extension Plan.MessagePattern {
  /// What keeps a message from matching, in the document's order; empty when it matches.
  package func mismatches(
    in message: JSONValue, resolve: Matcher.SavedValues = { _ in nil }
  ) -> [FieldMismatch] {
    // A member called `vars` or `device` is a member, no variable.
    condition.mismatches(value: { message.member(at: $0.parts) }, resolve: resolve, isOfMessage: true)
  }
}

extension JSONValue {
  /// The value at names of members, from the outside in; a number counts the elements of a list from 0.
  package func member(at path: [String]) -> JSONValue? {
    path.reduce(Optional(self)) { value, name in
      switch value {
      case .object(let object)?: object[name]
      case .array(let elements)?: Int(name).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
      default: nil
      }
    }
  }
}
