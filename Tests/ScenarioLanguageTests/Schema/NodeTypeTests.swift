import Testing

@testable import ScenarioLanguage

/// What each node of a document is by the schema.
@Suite struct NodeTypeTests {
  /// All scalars with what they are, by their path.
  private static func scalars(_ node: YAMLNode, _ type: NodeType, _ path: String = "") -> [String] {
    var found: [String] = []
    if case .scalar(let scalar) = node.content { found.append("\(path)=\(scalar.text): \(word(type))") }
    _ = node.mapped(as: type) { key, child, type in
      found += scalars(child, type, "\(path)/\(key?.text ?? "-")")
      return nil
    }
    return found
  }

  private static func word(_ type: NodeType) -> String {
    switch type {
    case .scalar(let field): TypeText.words(field)
    case .list: "list"
    case .steps: "steps"
    case .step: "step"
    case .map: "map"
    case .entries: "entries"
    case .free: "free"
    case .unfit: "unfit"
    }
  }

  @Test("A field's type follows the form that is written, through steps, verbs and modifiers") func document() throws {
    let text = """
      media: { film: { url: u, tracks: t } }
      matrix: { a: [1] }
      steps:
        - load: film
          within: 5s
        - load: { media: film, custom: { k: v } }
        - play
        - choose: [{ if: { player: idle }, steps: [{ wait: 1s }] }]
        - nothing: x
      """
    let root = try #require(YAMLParser.parse(SourceFile(text), reportingTo: DiagnosticCollector())?.root)
    let found = Self.scalars(root, .map(LanguageSchema.scenario))
    let reference = TypeText.words(.reference(.mediaOrURL))
    #expect(found.contains("/media/film/tracks=t: unfit"))
    #expect(found.contains("/steps/-/load=film: \(reference)"))
    #expect(found.contains("/steps/-/load/media=film: \(reference)"))
    #expect(found.contains("/steps/-/within=5s: \(TypeText.words(FieldType.duration))"))
    #expect(found.contains("/steps/-/load/custom/k=v: free"))
    #expect(found.contains("/steps/-=play: step"))
    #expect(found.contains("/steps/-/choose/-/if/player=idle: free"))
    #expect(found.contains("/steps/-/choose/-/steps/-/wait=1s: \(TypeText.words(FieldType.duration))"))
    #expect(found.contains("/steps/-/nothing=x: free"))
  }

  @Test("A change of one node copies the way to it and keeps every place") func mapped() throws {
    let root = try #require(
      YAMLParser.parse(SourceFile("a: { b: [1, 2] }\nc: 3\n"), reportingTo: DiagnosticCollector())?.root)
    func renamed(_ node: YAMLNode) -> YAMLNode? {
      if node.text == "2" { return node.with(.scalar(.init(text: "two", style: .plain))) }
      return node.mapped { renamed($1) }
    }
    let changed = try #require(renamed(root))
    #expect(changed.flow() == #"{"a": {"b": [1, two]}, "c": 3}"#)
    #expect(changed.span == root.span)
    #expect(changed.pairs?[0].value.span == root.pairs?[0].value.span)
    #expect(root.mapped { _, _ in nil } == nil)
  }
}
