package import CastProtocol

extension Plan.MessagePattern {
  /// What keeps a message from matching, in the document's order; empty when it matches.
  package func mismatches(
    in message: JSONValue, resolve: Matcher.SavedValues = { _ in nil }
  ) -> [FieldMismatch] {
    // A member called `vars` or `device` is a member, no variable.
    condition.mismatches(value: { message.member(at: $0.parts) }, resolve: resolve, isOfMessage: true)
  }

  /// The pattern in words: `type SCORE, points min 3`.
  package func text(resolve: Matcher.SavedValues = { _ in nil }) -> String {
    condition.text(resolve: resolve) { _ in .free }
  }

  /// The pattern as events and plans show it, members nested.
  package func json(resolve: Matcher.SavedValues = { _ in nil }) -> JSONValue {
    condition.json(resolve: resolve) { _ in .free }
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
