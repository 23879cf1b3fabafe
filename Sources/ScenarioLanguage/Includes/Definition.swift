/// One definition that a library exports, under the name that its includer knows it by.
struct Definition {
  /// The top-level key it stands under.
  var key: Key
  var pair: YAMLNode.Pair

  var name: String { pair.key.text }
  /// Whether two definitions of one name come from one place, as when two includes lead to the same file.
  func isSame(as other: Definition) -> Bool { pair.key.span == other.pair.key.span }

  /// What libraries give away, in the order in which documents list it.
  enum Key: String, CaseIterable {
    case vars, secrets, inventory, apps, media
    case textStyles = "text_styles"
    case blocks, calendars

    /// What scalars of this kind name.
    init?(namedBy kind: FieldType.Reference) {
      switch kind {
      case .media, .mediaOrURL: self = .media
      case .textStyle: self = .textStyles
      case .app: self = .apps
      case .block: self = .blocks
      case .calendar: self = .calendars
      case .inventory: self = .inventory
      case .daypart, .trigger, .role, .tag, .track, .clip, .step: return nil
      }
    }

    /// What messages call one.
    var noun: String {
      switch self {
      case .vars: "variable"
      case .secrets: "secret"
      case .inventory, .apps, .media, .textStyles, .blocks, .calendars:
        DefinedNames.keys.first { $0.key == rawValue }?.noun ?? "name"
      }
    }
  }

  /// What one goes by: no two of a document have the same.
  struct Target: Hashable {
    var key: Key
    var name: String
  }

  var target: Target { Target(key: key, name: name) }

  /// Whether it only tells virtual receivers how long content lasts: nothing that a sender could load.
  var isForReceiversAlone: Bool {
    key == .media && pair.value.index(of: "duration") != nil
      && ["url", "content_id", "like"].allSatisfy { pair.value.index(of: $0) == nil }
  }
}
