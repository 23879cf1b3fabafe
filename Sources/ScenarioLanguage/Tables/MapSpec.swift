/// Whether a part of the language works in this version.
package enum Support: Sendable {
  case built
  /// Known, type-checked and refused by name (K110).
  case later
}

/// One key of a map: everything that a check, a hover text or a page of `explain` says about it.
package struct KeySpec: Sendable {
  package let name: String
  package let type: FieldType
  package let isRequired: Bool
  /// What counts when the key is left out, as text.
  package let defaultText: String?
  package let summary: String
  package let support: Support
  /// The values of the map's `kind` key that the key belongs to; `nil`: all.
  package let kinds: [String]?

  init(
    _ name: String, _ type: FieldType, required: Bool = false, default defaultText: String? = nil,
    _ summary: String, support: Support = .built, kinds: [String]? = nil
  ) {
    self.name = name
    self.type = type
    self.isRequired = required
    self.defaultText = defaultText
    self.summary = summary
    self.support = support
    self.kinds = kinds
  }

  func with(support: Support) -> KeySpec {
    KeySpec(
      name, type, required: isRequired, default: defaultText, summary, support: support, kinds: kinds)
  }
}

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
    self.index = Dictionary(keys.indices.map { (keys[$0].name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  package subscript(name: String) -> KeySpec? { index[name].map { keys[$0] } }

  package func contains(_ name: String) -> Bool { index[name] != nil }
}
