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
  /// The keys that must be there, in the table's order.
  let required: [String]
  /// What a map of a library may have instead of one of each of ``needsOneOf``.
  package let suffices: String?
  /// Whether some keys belong to some kinds only.
  let hasKinds: Bool
  /// Whether a key takes a color.
  let hasColors: Bool
  private let table: NameTable

  init(
    _ place: String, topic: String, _ keys: [KeySpec], exclusive: [[String]] = [], needsOneOf: [[String]] = [],
    suffices: String? = nil, defaultKind: String? = nil
  ) {
    self.suffices = suffices
    self.place = place
    self.topic = topic
    self.keys = keys
    self.exclusive = exclusive
    self.needsOneOf = needsOneOf
    self.defaultKind = defaultKind
    allowedNames = keys.filter { DocumentKind(rawValue: $0.name) == nil && $0.replacement == nil }.map(\.name).sorted()
    required = keys.filter(\.isRequired).map(\.name)
    hasKinds = keys.contains { $0.kinds != nil }
    hasColors = keys.contains { $0.type.kind == .color }
    table = NameTable(keys.map(\.name))
  }

  package subscript(name: String) -> KeySpec? { table[name].map { keys[$0] } }

  /// Where a key stands in ``keys``.
  func index(of name: String) -> Int? { table[name] }

  /// What a key takes. A key as a whole is dear to copy.
  func type(of name: String) -> FieldType? { table[name].map { keys[$0].type } }

  package func contains(_ name: String) -> Bool { table[name] != nil }
}
