/// Where in a document a cursor is, by the tables.
struct CursorPlace {
  enum Part {
    /// A key of a map of this type, beside these others.
    case key(CursorType, taken: [String])
    case value(CursorType)
  }

  var part: Part
  /// The keys on the way, the outermost first.
  var path: [String]
  /// The scalar's or the key's own text and place.
  var text: String
  var span: SourceSpan

  /// Looks a place up in a document.
  /// - Parameter isIt: Whether a scalar or a key is the one that is meant.
  static func find(
    in root: YAMLNode, of kind: DocumentKind?, where isIt: (_ text: String, _ span: SourceSpan) -> Bool
  ) -> CursorPlace? {
    let type = kind.map { CursorType.map(LanguageSchema.document($0)) } ?? .unknown
    return find(root, type, [], isIt)
  }

  private static func find(
    _ node: YAMLNode, _ type: CursorType, _ path: [String], _ isIt: (String, SourceSpan) -> Bool
  ) -> CursorPlace? {
    switch node.content {
    case .scalar(let scalar):
      guard isIt(scalar.text, node.span) else { return nil }
      return CursorPlace(part: .value(type), path: path, text: scalar.text, span: node.span)
    case .sequence(let items):
      for item in items {
        if let found = find(item, type.item(item), path, isIt) { return found }
      }
      return nil
    case .mapping(let pairs):
      for pair in pairs {
        if isIt(pair.key.text, pair.key.span) {
          let others = pairs.map(\.key.text).filter { $0 != pair.key.text }
          // `- word` of a list of words was read as `- word:`.
          let isWord = others.isEmpty && pair.value.isEmpty && type.takesWord && !type.takesMap
          return CursorPlace(
            part: isWord ? .value(type) : .key(type, taken: others), path: path, text: pair.key.text,
            span: pair.key.span)
        }
        if let found = find(pair.value, type.child(pair.value, under: pair.key.text), path + [pair.key.text], isIt) {
          return found
        }
      }
      return nil
    }
  }
}
