/// The keys that a map of one sort may have.
package final class MapSpec: Sendable {
  /// With its article, as in "unknown key `x` in a scenario".
  package let place: String
  /// What `showcaller explain` calls it.
  package let topic: String
  /// In the order in which people should read them.
  package let keys: [KeySpec]
  /// Groups of which at most one key may be there.
  package let exclusive: [[String]]
  /// Groups of which at least one key must be there.
  package let needsOneOf: [[String]]
  /// The kind that counts when a map with keys per kind does not say its `kind`.
  package let defaultKind: String?
  /// What should be written here, alphabetical; the key that says the kind of a document is not among them.
  package let allowedNames: [String]
  private let index: [String: Int]

  init(
    _ place: String, topic: String, _ keys: [KeySpec], exclusive: [[String]] = [], needsOneOf: [[String]] = [],
    defaultKind: String? = nil
  ) {
    self.place = place
    self.topic = topic
    self.keys = keys
    self.exclusive = exclusive
    self.needsOneOf = needsOneOf
    self.defaultKind = defaultKind
    allowedNames = keys.filter { DocumentKind(rawValue: $0.name) == nil && $0.replacement == nil }.map(\.name).sorted()
    self.index = Dictionary(keys.indices.map { (keys[$0].name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  package subscript(name: String) -> KeySpec? { index[name].map { keys[$0] } }

  package func contains(_ name: String) -> Bool { index[name] != nil }
}
