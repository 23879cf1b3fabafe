/// One definition that a library exports, under the name that its includer knows it by.
struct Definition {
  /// The top-level key it stands under: `media`, `vars`.
  var key: String
  var pair: YAMLNode.Pair

  var name: String { pair.key.text }
  /// Whether two definitions of one name come from one place, as when two includes lead to the same file.
  func isSame(as other: Definition) -> Bool { pair.key.span == other.pair.key.span }

  /// What libraries give away, in the order in which documents list it.
  static let keys = [
    "vars", "secrets", "inventory", "apps", "media", "text_styles", "blocks", "calendars",
  ]

  /// What scalars of these kinds name.
  static func key(for kind: FieldType.Reference) -> String? {
    switch kind {
    case .media, .mediaOrURL: "media"
    case .textStyle: "text_styles"
    case .app: "apps"
    case .block: "blocks"
    case .calendar: "calendars"
    case .inventory: "inventory"
    case .daypart, .trigger, .role, .tag, .track, .clip, .step: nil
    }
  }

  /// What messages call one.
  static func noun(_ key: String) -> String {
    switch key {
    case "vars": "variable"
    case "secrets": "secret"
    default: DefinedNames.keys.first { $0.key == key }?.noun ?? "name"
    }
  }
}
