import CYAML

/// libyaml's parser over one text: the only place that calls it.
///
/// The parser keeps pointers into itself and into the text, so both stay where they are until it is deleted.
final class LibYAML {
  private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
  private let text: UnsafeMutableBufferPointer<UInt8>
  private let isReady: Bool

  init(_ bytes: [UInt8]) {
    // An empty text has no address; libyaml wants one.
    text = .allocate(capacity: max(bytes.count, 1))
    _ = text.initialize(from: bytes.isEmpty ? [0x0A] : bytes)
    isReady = yaml_parser_initialize(parser) == 1
    if isReady { yaml_parser_set_input_string(parser, text.baseAddress, text.count) }
  }

  deinit {
    if isReady { yaml_parser_delete(parser) }
    parser.deallocate()
    text.deallocate()
  }

  /// The next event; the last one is that of the stream's end.
  func event() throws(YAMLFailure) -> YAMLEvent {
    guard isReady else { throw .outOfMemory }
    var raw = yaml_event_t()
    guard yaml_parser_parse(parser, &raw) == 1 else { throw YAMLFailure(parser.pointee) }
    defer { yaml_event_delete(&raw) }
    return YAMLEvent(raw)
  }

  /// The next token of the scanner, which libyaml's events are made of; `nil` when it cannot go on.
  func token() -> YAMLToken? {
    var raw = yaml_token_t()
    guard isReady, yaml_parser_scan(parser, &raw) == 1 else { return nil }
    defer { yaml_token_delete(&raw) }
    return YAMLToken(
      kind: YAMLToken.Kind(raw), start: Int(clamping: raw.start_mark.index), end: Int(clamping: raw.end_mark.index),
      column: Int(clamping: raw.start_mark.column))
  }
}

extension YAMLEvent {
  fileprivate init(_ raw: yaml_event_t) {
    start = YAMLDocument.Place(raw.start_mark)
    end = YAMLDocument.Place(raw.end_mark)
    isEmpty = raw.start_mark.index == raw.end_mark.index
    switch raw.type {
    case YAML_STREAM_START_EVENT: content = Content(kind: .streamStart)
    case YAML_DOCUMENT_START_EVENT:
      content = Content(kind: .documentStart)
      let start = raw.data.document_start
      hasDirectives = start.version_directive != nil || start.tag_directives.start != start.tag_directives.end
    case YAML_DOCUMENT_END_EVENT: content = Content(kind: .documentEnd)
    case YAML_ALIAS_EVENT: content = Content(kind: .alias, anchor: Self.string(raw.data.alias.anchor))
    case YAML_SCALAR_EVENT:
      let scalar = raw.data.scalar
      let value = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      content = Content(
        kind: .scalar, anchor: Self.string(scalar.anchor), tag: Self.string(scalar.tag),
        text: String(decoding: value, as: UTF8.self), style: YAMLNode.Scalar.Style(scalar.style))
    case YAML_SEQUENCE_START_EVENT:
      let start = raw.data.sequence_start
      content = Content(
        kind: .sequenceStart, anchor: Self.string(start.anchor), tag: Self.string(start.tag),
        isFlow: start.style == YAML_FLOW_SEQUENCE_STYLE)
    case YAML_MAPPING_START_EVENT:
      let start = raw.data.mapping_start
      content = Content(
        kind: .mappingStart, anchor: Self.string(start.anchor), tag: Self.string(start.tag),
        isFlow: start.style == YAML_FLOW_MAPPING_STYLE)
    case YAML_SEQUENCE_END_EVENT: content = Content(kind: .sequenceEnd)
    case YAML_MAPPING_END_EVENT: content = Content(kind: .mappingEnd)
    default: content = Content(kind: .streamEnd)
    }
  }

  private static func string(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    pointer.map { String(cString: $0) }
  }
}

extension YAMLToken.Kind {
  fileprivate init(_ raw: yaml_token_t) {
    switch raw.type {
    case YAML_BLOCK_SEQUENCE_START_TOKEN: self = .blockSequenceStart
    case YAML_BLOCK_MAPPING_START_TOKEN: self = .blockMappingStart
    case YAML_BLOCK_END_TOKEN: self = .blockEnd
    case YAML_BLOCK_ENTRY_TOKEN: self = .blockEntry
    case YAML_FLOW_SEQUENCE_START_TOKEN: self = .flowSequenceStart
    case YAML_FLOW_SEQUENCE_END_TOKEN: self = .flowSequenceEnd
    case YAML_FLOW_MAPPING_START_TOKEN: self = .flowMappingStart
    case YAML_FLOW_MAPPING_END_TOKEN: self = .flowMappingEnd
    case YAML_FLOW_ENTRY_TOKEN: self = .flowEntry
    case YAML_KEY_TOKEN: self = .key
    case YAML_VALUE_TOKEN: self = .value
    case YAML_ANCHOR_TOKEN: self = .anchor
    case YAML_ALIAS_TOKEN: self = .alias
    case YAML_TAG_TOKEN: self = .tag
    case YAML_DOCUMENT_START_TOKEN: self = .documentStart
    case YAML_DOCUMENT_END_TOKEN: self = .documentEnd
    case YAML_STREAM_START_TOKEN: self = .streamStart
    case YAML_STREAM_END_TOKEN, YAML_NO_TOKEN: self = .streamEnd
    case YAML_SCALAR_TOKEN: self = .scalar(YAMLNode.Scalar.Style(raw.data.scalar.style))
    default: self = .other
    }
  }
}

extension YAMLNode.Scalar.Style {
  fileprivate init(_ raw: yaml_scalar_style_t) {
    switch raw {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE: self = .singleQuoted
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE: self = .doubleQuoted
    case YAML_LITERAL_SCALAR_STYLE: self = .literal
    case YAML_FOLDED_SCALAR_STYLE: self = .folded
    default: self = .plain
    }
  }
}

extension YAMLDocument.Place {
  /// A mark of libyaml counts from 0, in code points.
  fileprivate init(_ mark: yaml_mark_t) {
    self.init(line: Int(clamping: mark.line) &+ 1, column: Int(clamping: mark.column) &+ 1)
  }
}

extension YAMLFailure {
  /// What a parser that stopped has to say.
  fileprivate init(_ parser: yaml_parser_t) {
    problem = parser.problem.map { String(cString: $0) } ?? "this is not YAML"
    context = parser.context.map { String(cString: $0) } ?? ""
    place = YAMLDocument.Place(parser.problem_mark)
    contextPlace = context.isEmpty ? nil : YAMLDocument.Place(parser.context_mark)
  }
}
