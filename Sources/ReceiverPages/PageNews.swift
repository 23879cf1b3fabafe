/// Something that a developer wants to know of a receiver page: a line of its console, an exception, a failed request.
package struct PageNews: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// `console.log` and its like.
    case console
    /// Thrown and not caught, or a promise that was rejected.
    case exception
    /// A request that failed or was answered with 400 or more.
    case request
    /// What the browser itself says: blocked, mixed content, deprecated.
    case browser
    /// What we say of the page: a message that was dropped, an end.
    case platform
  }

  package enum Level: String, Hashable, Sendable, CaseIterable {
    case debug, info, warning, error
  }

  /// Characters of a text; the rest is cut.
  static let textLimit = 4096

  package var kind: Kind
  package var level: Level
  package var text: String
  /// Where it happened, or what was asked for.
  package var address: String?
  /// The line of that file, from 1.
  package var line: Int?

  package init(_ kind: Kind, _ level: Level, _ text: String, address: String? = nil, line: Int? = nil) {
    self.kind = kind
    self.level = level
    self.text = text.count > Self.textLimit ? text.prefix(Self.textLimit) + "…" : text
    self.address = address.flatMap { $0.isEmpty ? nil : String($0.prefix(Self.textLimit)) }
    self.line = line
  }
}
