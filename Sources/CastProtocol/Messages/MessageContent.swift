/// All that a message says: as a tree, or as the text of one, which is made a tree of when somebody asks.
///
/// A status was read straight from its text; hardly anybody asks for what else it says.
package enum MessageContent: Sendable {
  case json(JSONValue)
  /// A text that was read before, and is JSON.
  case text(String)

  /// What it says. From ``text(_:)`` it is read anew each time.
  package var json: JSONValue {
    switch self {
    case .json(let value): value
    case .text(let text): (try? JSONValue(parsing: text)) ?? .null
    }
  }

  /// Where it is a tree already.
  package var knownJSON: JSONValue? { if case .json(let value) = self { value } else { nil } }
}

extension MessageContent: Hashable {
  /// By what is said, however that is kept.
  package static func == (left: Self, right: Self) -> Bool {
    if case (.text(let a), .text(let b)) = (left, right), a == b { return true }
    return left.json == right.json
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(json) }
}
