import CYAML

/// One token of libyaml's scanner: what it is and which characters it covers.
struct FormatToken {
  enum Kind {
    case blockSequenceStart, blockMappingStart, blockEnd, blockEntry
    case flowSequenceStart, flowSequenceEnd, flowMappingStart, flowMappingEnd, flowEntry
    case key, value, anchor, alias, tag, documentStart, documentEnd, streamEnd
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
  static func scan(_ bytes: [UInt8]) -> [FormatToken]? {
    let pointer = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    defer { pointer.deallocate() }
    guard !bytes.isEmpty, yaml_parser_initialize(pointer) == 1 else { return nil }
    defer { yaml_parser_delete(pointer) }
    return bytes.withUnsafeBufferPointer { buffer -> [FormatToken]? in
      yaml_parser_set_input_string(pointer, buffer.baseAddress, buffer.count)
      var tokens: [FormatToken] = []
      while true {
        var raw = yaml_token_t()
        guard yaml_parser_scan(pointer, &raw) == 1 else { return nil }
        defer { yaml_token_delete(&raw) }
        guard raw.type != YAML_NO_TOKEN else { return tokens }
        guard raw.type != YAML_STREAM_START_TOKEN else { continue }
        let token = FormatToken(
          kind: kind(of: raw), start: Int(clamping: raw.start_mark.index), end: Int(clamping: raw.end_mark.index),
          column: Int(clamping: raw.start_mark.column))
        tokens.append(token)
        if case .streamEnd = token.kind { return tokens }
      }
    }
  }

  private static func kind(of raw: yaml_token_t) -> Kind {
    switch raw.type {
    case YAML_BLOCK_SEQUENCE_START_TOKEN: .blockSequenceStart
    case YAML_BLOCK_MAPPING_START_TOKEN: .blockMappingStart
    case YAML_BLOCK_END_TOKEN: .blockEnd
    case YAML_BLOCK_ENTRY_TOKEN: .blockEntry
    case YAML_FLOW_SEQUENCE_START_TOKEN: .flowSequenceStart
    case YAML_FLOW_SEQUENCE_END_TOKEN: .flowSequenceEnd
    case YAML_FLOW_MAPPING_START_TOKEN: .flowMappingStart
    case YAML_FLOW_MAPPING_END_TOKEN: .flowMappingEnd
    case YAML_FLOW_ENTRY_TOKEN: .flowEntry
    case YAML_KEY_TOKEN: .key
    case YAML_VALUE_TOKEN: .value
    case YAML_ANCHOR_TOKEN: .anchor
    case YAML_ALIAS_TOKEN: .alias
    case YAML_TAG_TOKEN: .tag
    case YAML_DOCUMENT_START_TOKEN: .documentStart
    case YAML_DOCUMENT_END_TOKEN: .documentEnd
    case YAML_STREAM_END_TOKEN: .streamEnd
    case YAML_SCALAR_TOKEN: .scalar(YAMLEvent.style(raw.data.scalar.style))
    default: .other
    }
  }
}
