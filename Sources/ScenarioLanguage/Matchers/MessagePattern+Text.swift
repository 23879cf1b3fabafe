package import CastProtocol

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
