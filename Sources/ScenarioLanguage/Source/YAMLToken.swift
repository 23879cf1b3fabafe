/// One token of libyaml's scanner: what it is and which characters it covers.
struct YAMLToken {
  enum Kind {
    case blockSequenceStart, blockMappingStart, blockEnd, blockEntry
    case flowSequenceStart, flowSequenceEnd, flowMappingStart, flowMappingEnd, flowEntry
    case key, value, anchor, alias, tag, documentStart, documentEnd, streamStart, streamEnd
    case scalar(YAMLNode.Scalar.Style)
    case other
  }

  var kind: Kind
  /// In Unicode scalars from the beginning of the text.
  var start: Int
  var end: Int
  /// From 0.
  var column: Int

  /// Whether it only marks structure and covers no characters.
  var isEmpty: Bool { start == end }

  /// All tokens of a text, whose lines end in LF; `nil` when it cannot be scanned.
  static func scan(_ bytes: [UInt8]) -> [YAMLToken]? {
    let parser = LibYAML(bytes)
    var tokens: [YAMLToken] = []
    while let token = parser.token() {
      if case .streamStart = token.kind { continue }
      tokens.append(token)
      if case .streamEnd = token.kind { return tokens }
    }
    return nil
  }
}
