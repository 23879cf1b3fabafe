import CYAML

/// What libyaml says of a text, event by event, without places: two texts with equal lists mean the same.
package enum YAMLEventList {
  package struct Event: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      case streamStart, streamEnd, documentStart, documentEnd, alias, scalar, sequenceStart, sequenceEnd, mappingStart
      case mappingEnd
    }
    package var kind: Kind
    package var anchor: String?
    package var tag: String?
    package var text = ""
    package var style: YAMLNode.Scalar.Style?
    package var isFlow = false
  }

  /// The events of a text; `nil` when it is no YAML.
  package static func read(_ bytes: [UInt8]) -> [Event]? {
    let pointer = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    defer { pointer.deallocate() }
    guard yaml_parser_initialize(pointer) == 1 else { return nil }
    defer { yaml_parser_delete(pointer) }
    let input = bytes.isEmpty ? [0x0A] : bytes
    return input.withUnsafeBufferPointer { buffer -> [Event]? in
      yaml_parser_set_input_string(pointer, buffer.baseAddress, buffer.count)
      var events: [Event] = []
      while true {
        var raw = yaml_event_t()
        guard yaml_parser_parse(pointer, &raw) == 1 else { return nil }
        defer { yaml_event_delete(&raw) }
        guard let event = Event(raw) else { return events }
        events.append(event)
        if event.kind == .streamEnd { return events }
      }
    }
  }
}

extension YAMLEventList.Event {
  fileprivate init?(_ raw: yaml_event_t) {
    func string(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? { pointer.map { String(cString: $0) } }
    switch raw.type {
    case YAML_STREAM_START_EVENT: self.init(kind: .streamStart)
    case YAML_STREAM_END_EVENT: self.init(kind: .streamEnd)
    case YAML_DOCUMENT_START_EVENT: self.init(kind: .documentStart)
    case YAML_DOCUMENT_END_EVENT: self.init(kind: .documentEnd)
    case YAML_ALIAS_EVENT: self.init(kind: .alias, anchor: string(raw.data.alias.anchor))
    case YAML_SCALAR_EVENT:
      let scalar = raw.data.scalar
      let value = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      self.init(
        kind: .scalar, anchor: string(scalar.anchor), tag: string(scalar.tag),
        text: String(decoding: value, as: UTF8.self), style: YAMLEvent.style(scalar.style))
    case YAML_SEQUENCE_START_EVENT:
      let start = raw.data.sequence_start
      self.init(
        kind: .sequenceStart, anchor: string(start.anchor), tag: string(start.tag),
        isFlow: start.style == YAML_FLOW_SEQUENCE_STYLE)
    case YAML_MAPPING_START_EVENT:
      let start = raw.data.mapping_start
      self.init(
        kind: .mappingStart, anchor: string(start.anchor), tag: string(start.tag),
        isFlow: start.style == YAML_FLOW_MAPPING_STYLE)
    case YAML_SEQUENCE_END_EVENT: self.init(kind: .sequenceEnd)
    case YAML_MAPPING_END_EVENT: self.init(kind: .mappingEnd)
    default: return nil
    }
  }
}
