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
    if let map {
      if let base = map.text("like") { _ = definitions.media.use(base) }
      return withMedia { $0.media(map, id: nil) }
    }
    guard let name = node.text, !node.isEmpty else { return nil }
    if let media = definitions.media.use(name) { return media }
    if URLScalar.looksLikeURL(name) { return withMedia { $0.media(at: node, after: key) } }
    // A media that is there but wrong was reported where it is defined.
    if !definitions.brokenMedia.contains(name) {
      definitions.media.report(unknown: name, kind: "media", at: node, reportingTo: problems)
    }
    return nil
  }

  /// What a message must be: `nil` after a report.
  mutating func messagePattern(_ node: YAMLNode) -> Plan.MessagePattern? {
    var compiler = MessagePatternCompiler(saved: saved, problems: problems)
    return compiler.pattern(node)
  }
}
