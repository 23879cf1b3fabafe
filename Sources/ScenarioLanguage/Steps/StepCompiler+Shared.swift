import CastProtocol

/// What several verbs read.
extension StepCompiler {
  /// The media by id, by URL, or written in place.
  mutating func media(_ node: YAMLNode, map: FieldMap?, after key: String) -> CompiledMedia? {
    let media = compiledMedia(node, map: map, after: key)
    // A block that nothing uses sends nobody anywhere.
    if let media, !isUnusedBlock { addresses.add(media) }
    return media
  }

  private mutating func compiledMedia(_ node: YAMLNode, map: FieldMap?, after key: String) -> CompiledMedia? {
    guard let map else { return definitions.media(at: node, after: key, reportingTo: problems) }
    if let base = map.text("like") { _ = definitions.media.use(base) }
    return withMedia { $0.media(map, id: nil) }
  }

  /// What a message must be: `nil` after a report.
  mutating func messagePattern(_ node: YAMLNode) -> Plan.MessagePattern? {
    var compiler = MessagePatternCompiler(saved: saved, problems: problems)
    return compiler.pattern(node)
  }
}
