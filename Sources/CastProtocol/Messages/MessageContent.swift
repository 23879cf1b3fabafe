/// The whole content of a message: a JSON tree, or its text, which is parsed on request.
///
/// Statuses are read from their text without a tree, and their other members are seldom asked for.
package enum MessageContent: Sendable {
  case json(JSONValue)
  /// A text that was read before, and is JSON.
  case text(String)

  /// The content as a tree. ``text(_:)`` is parsed at each call.
  package var json: JSONValue {
    switch self {
    case .json(let value): value
    case .text(let text): (try? JSONValue(parsing: text)) ?? .null
    }
  }

  /// The tree, where there is one already; `nil` for text.
  package var knownJSON: JSONValue? { if case .json(let value) = self { value } else { nil } }
}

extension MessageContent: Hashable {
  /// Compares the contents: a tree and a text can be equal.
  package static func == (left: Self, right: Self) -> Bool {
    if case (.text(let a), .text(let b)) = (left, right), a == b { return true }
    return left.json == right.json
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(json) }
}
