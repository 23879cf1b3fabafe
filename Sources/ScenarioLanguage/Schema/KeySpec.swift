/// One key of a map: everything that a check, a hover text or a page of `explain` says about it.
package struct KeySpec: Sendable {
  package let name: String
  package let type: FieldType
  package let isRequired: Bool
  /// What counts when the key is left out, as text.
  package let defaultText: String?
  package let summary: String
  /// The values of the map's `kind` key that the key belongs to; `nil`: all.
  package let kinds: [String]?
  /// The key to write instead, where this one is on its way out.
  package private(set) var replacement: String?
  /// Whether nothing may stand twice in its list.
  package private(set) var isDistinct = false
  /// How many entries its list or map has at least; `nil` where it may be empty.
  package private(set) var fewest: Int?
  /// Whether its number is above zero.
  package private(set) var isPositive = false
  /// Another key that must stand beside it, and what that one must say if not just anything.
  package private(set) var companion: (key: String, value: String?)?

  init(
    _ name: String, _ type: FieldType, required: Bool = false, default defaultText: String? = nil,
    _ summary: String, kinds: [String]? = nil
  ) {
    self.name = name
    self.type = type
    self.isRequired = required
    self.defaultText = defaultText
    self.summary = summary
    self.kinds = kinds
  }

  /// The key as one that still works and is told to go (K108).
  func deprecated(replacedBy replacement: String) -> KeySpec { with { $0.replacement = replacement } }

  /// The key as one in whose list nothing may stand twice.
  func distinct() -> KeySpec { with { $0.isDistinct = true } }

  /// The key as one whose list or map has entries; what is missing is told where it is compiled (K105, P612).
  func holding(atLeast count: Int = 1) -> KeySpec { with { $0.fewest = count } }

  /// The key as one whose number is above zero (C507).
  func positive() -> KeySpec { with { $0.isPositive = true } }

  /// The key as one that counts only beside another, which may have to have a certain value.
  func needing(_ name: String, _ value: String? = nil) -> KeySpec { with { $0.companion = (name, value) } }

  private func with(_ change: (inout KeySpec) -> Void) -> KeySpec {
    var key = self
    change(&key)
    return key
  }
}
