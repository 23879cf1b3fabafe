/// The names that a document defines, by what they name.
struct DefinedNames {
  /// Where a name is defined, and the names in the document's order for suggestions.
  struct Names {
    var places: [String: SourceSpan] = [:]
    var ordered: [String] = []
    /// They could not all be read, so that any name may be one.
    var isIncomplete = false
  }

  private var names: [FieldType.Reference: Names] = [:]
  /// An include that could not be read may bring any name.
  let isIncomplete: Bool

  static let keys: [(FieldType.Reference, key: String, noun: String)] = [
    (.media, "media", "media"), (.textStyle, "text_styles", "text style"), (.app, "apps", "app"),
    (.daypart, "dayparts", "daypart"), (.calendar, "calendars", "calendar"),
    (.trigger, "triggers", "trigger"), (.block, "blocks", "block"),
    (.role, "roles", "role"), (.inventory, "inventory", "device"), (.tag, "inventory", "tag"),
  ]

  init(_ root: YAMLNode, isIncomplete: Bool = false) {
    let pairs = root.pairs ?? []
    self.isIncomplete = isIncomplete
    for (kind, key, _) in Self.keys {
      var found = Names()
      let value = pairs.first { $0.key.text == key }?.value
      found.isIncomplete = isIncomplete || value?.items?.isEmpty == false || value?.text?.isEmpty == false
      for entry in value?.pairs ?? [] {
        found.places[entry.key.text] = entry.key.span
        found.ordered.append(entry.key.text)
      }
      names[kind] = found
    }
    names[.tag] = Self.tags(pairs)
  }

  /// The tags that devices of the inventory have.
  private static func tags(_ pairs: [YAMLNode.Pair]) -> Names {
    var found = Names()
    for device in pairs.first(where: { $0.key.text == "inventory" })?.value.pairs ?? [] {
      for tag in device.value.pairs?.first(where: { $0.key.text == "tags" })?.value.items ?? [] {
        guard let text = tag.text, found.places[text] == nil else { continue }
        found.places[text] = tag.span
        found.ordered.append(text)
      }
    }
    return found
  }

  init() { isIncomplete = false }

  subscript(kind: FieldType.Reference) -> Names { names[kind] ?? Names() }
}
