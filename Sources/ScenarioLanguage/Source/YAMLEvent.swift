import CYAML

/// What the composer keeps of one libyaml event.
struct YAMLEvent {
  enum Kind { case scalar, alias, sequenceStart, mappingStart, end, documentStart, streamEnd, other }
  var kind = Kind.other
  var start: yaml_mark_t
  var end: yaml_mark_t
  var anchor: String?
  var tag: String?
  /// The document begins with `%YAML` or `%TAG`.
  var hasDirectives = false
  var scalar = YAMLNode.Scalar(text: "", style: .plain)

  /// Takes the next event of a parser.
  init(next parser: UnsafeMutablePointer<yaml_parser_t>) throws(YAMLFailure) {
    var raw = yaml_event_t()
    guard yaml_parser_parse(parser, &raw) == 1 else { throw YAMLFailure(parser) }
    defer { yaml_event_delete(&raw) }
    start = raw.start_mark
    end = raw.end_mark
    switch raw.type {
    case YAML_SCALAR_EVENT:
      let scalar = raw.data.scalar
      kind = .scalar
      anchor = Self.string(scalar.anchor)
      tag = Self.string(scalar.tag)
      let value = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      self.scalar = YAMLNode.Scalar(text: String(decoding: value, as: UTF8.self), style: Self.style(scalar.style))
    case YAML_ALIAS_EVENT:
      kind = .alias
      anchor = Self.string(raw.data.alias.anchor)
    case YAML_SEQUENCE_START_EVENT:
      kind = .sequenceStart
      anchor = Self.string(raw.data.sequence_start.anchor)
      tag = Self.string(raw.data.sequence_start.tag)
    case YAML_MAPPING_START_EVENT:
      kind = .mappingStart
      anchor = Self.string(raw.data.mapping_start.anchor)
      tag = Self.string(raw.data.mapping_start.tag)
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: kind = .end
    case YAML_DOCUMENT_START_EVENT:
      kind = .documentStart
      let start = raw.data.document_start
      hasDirectives = start.version_directive != nil || start.tag_directives.start != start.tag_directives.end
    case YAML_STREAM_END_EVENT, YAML_NO_EVENT: kind = .streamEnd
    default: break
    }
  }

  private static func string(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    pointer.map { String(cString: $0) }
  }

  static func style(_ style: yaml_scalar_style_t) -> YAMLNode.Scalar.Style {
    switch style {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
    case YAML_LITERAL_SCALAR_STYLE: .literal
    case YAML_FOLDED_SCALAR_STYLE: .folded
    default: .plain
    }
  }
}

extension YAMLDocument.Place {
  /// A mark of libyaml counts from 0, in code points.
  init(_ mark: yaml_mark_t) {
    self.init(line: Int(clamping: mark.line) &+ 1, column: Int(clamping: mark.column) &+ 1)
  }
}

extension YAMLFailure {
  /// What a parser that stopped has to say.
  fileprivate init(_ parser: UnsafeMutablePointer<yaml_parser_t>) {
    problem = parser.pointee.problem.map { String(cString: $0) } ?? "this is not YAML"
    context = parser.pointee.context.map { String(cString: $0) } ?? ""
    place = YAMLDocument.Place(parser.pointee.problem_mark)
    contextPlace = context.isEmpty ? nil : YAMLDocument.Place(parser.pointee.context_mark)
  }
}
