/// The tree of a document's text, without a type anywhere.
package struct YAMLDocument: Sendable {
  package var root: YAMLNode
  /// Where values begin whose text is wrong: a message says so, and nothing more is said about them.
  package var alreadyReported: Set<Place> = []

  /// Whether it ends at a second document: what is missing may stand there.
  package var isCut = false

  /// Where a node begins.
  package struct Place: Hashable, Sendable {
    package var line: Int
    package var column: Int
    /// Of a library; empty for the document itself.
    package var file = ""
  }

  /// What bounds the size of a document, counted before anything is built (docs/design.md 5).
  package enum Limit {
    package static let bytes = 1 << 20
    package static let depth = 64
    package static let aliases = 1_000
    package static let nodesFromAliases = 10_000
    package static let nodes = 200_000
  }
}
