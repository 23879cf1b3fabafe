import Testing

@testable import ScenarioLanguage

@Suite struct YAMLParserTests {
  @Test("The room of a node is small, as a document may have 200 000: what few have stands aside")
  func room() {
    #expect(MemoryLayout<SourceSpan>.stride == 20)
    #expect(MemoryLayout<YAMLNode>.stride <= 72)
    #expect(MemoryLayout<YAMLNode.Pair>.stride <= 112)
  }

  private func parse(_ text: String) -> (YAMLNode?, [Diagnostic]) {
    let problems = DiagnosticCollector()
    let document = YAMLParser.parse(SourceFile(text), reportingTo: problems)
    return (document?.root, problems.finished())
  }

  /// All scalars and keys with what the document says at their place.
  private func places(_ node: YAMLNode, in text: SourceText) -> [(String, String?)] {
    switch node.content {
    case .scalar(let scalar): [(scalar.text, text.text(at: node.span))]
    case .sequence(let items): items.flatMap { places($0, in: text) }
    case .mapping(let pairs):
      pairs.flatMap { [($0.key.text, text.text(at: $0.key.span))] + places($0.value, in: text) }
    }
  }

  @Test("The place of every scalar is exactly its characters, anchors, quotes, wide letters and emoji notwithstanding")
  func places() throws {
    let source = """
      scenario: Café 映画 🎬 end
      "quoted key": 'single' # comment
      list: [a, "b c", {d: e}]
      anchored: &x   value
      deep:
        - &y first
        -   second
      use: {k: *x}
      """
    let (root, problems) = parse(source)
    #expect(problems == [])
    let found = places(try #require(root), in: SourceText(SourceFile(source)))
    let quoted = ["quoted key": "\"quoted key\"", "single": "'single'", "b c": "\"b c\""]
    for (text, shown) in found where text != "value" || shown != "*x" { #expect(shown == quoted[text] ?? text) }
    #expect(found.contains { $0.0 == "value" && $0.1 == "*x" }, "an alias is where it is used")
    #expect(found.count == 17)
  }

  @Test("Scalars keep text and style, and nothing is typed")
  func styles() throws {
    let (root, _) = parse("[no, 1917, '0x1', \"~\", |\n  a\n  b\n]\n".replacing(", |\n  a\n  b\n]", with: "]"))
    let items = try #require(root?.items)
    #expect(items.compactMap(\.text) == ["no", "1917", "0x1", "~"])
    let styles = items.compactMap { if case .scalar(let scalar) = $0.content { scalar.style } else { nil } }
    #expect(styles == [.plain, .plain, .singleQuoted, .doubleQuoted])
    let (block, _) = parse("a: |\n  one\n  two\nb: >\n  one\n  two\n")
    #expect(block?.pairs?.compactMap(\.value.text) == ["one\ntwo\n", "one two\n"])
  }

  static let refusals: [Example] = [
    Example("a: [${x}]\nb: {c: ${y}/z}\n", ["Y304 ${x}", "Y304 ${y}/z"]),
    Example("a: !t 1\nb: !!int 2\n", ["Y306 !t", "Y306 !!int"]),
    Example("\tb: 1\n", ["T211 \t"]),
    Example("- a\n b: c\n", ["Y309 :"]),
    Example("a: \u{2028}\nb: \u{85}\n", ["Y308 \u{2028}", "Y308 \u{85}"]),
    Example("", ["K105 "]),
    Example("# nothing\n", ["K105 #"]),
  ]
  @Test("Everything that is no plain YAML is told, each at its place", arguments: refusals)
  func refusal(_ example: Example) {
    let (_, problems) = parse(example.text)
    let source = SourceText(SourceFile(example.text))
    let found = problems.map { "\($0.code) \(source.text(at: $0.primary.span) ?? "?")" }
    #expect(found == example.expected)
  }

  @Test(
    "A file that is no UTF-8 is Y308 at its line",
    arguments: [
      ([0x61, 0x3A, 0x20, 0x62, 0x0A, 0x63, 0x3A, 0xFF], 2, 3),
      ([0x61, 0x3A, 0xC3, 0xA9, 0xE2, 0x82], 1, 4),
      ([0x61, 0x3A, 0xED, 0xA0, 0x80], 1, 3),
      ([0xFF, 0xFE, 0x61, 0x00], 1, 1),
      ([0x61, 0x00, 0x3A, 0x00, 0x20, 0x00], 1, 1),
      ([0xEF, 0xBB, 0xBF, 0x61, 0x3A, 0x20, 0x62], 1, 1),
    ] as [([UInt8], Int, Int)])
  func encoding(bytes: [UInt8], line: Int, column: Int) {
    let problems = DiagnosticCollector()
    _ = YAMLParser.parse(SourceFile(name: "x", bytes: bytes), reportingTo: problems)
    let first = problems.finished().first
    #expect(first?.code == .y308)
    #expect(first?.primary.span.line == line)
    #expect(first?.primary.span.column == column)
  }

  @Test("What follows a repaired `[${x}]` is still read, and the repaired word gets one message only")
  func repaired() {
    #expect(
      findings(scenario("tags: [${x}]\ntimeout: 5\nsteps: [play]\n")) == ["Y304 ${x}", "T201 5"])
  }

  @Test(
    "A scalar begins behind its anchor, whatever white space stands between",
    arguments: [("a: &x v", 7), ("a: &x  v", 8), ("a: &x\tv", 7), ("a: &x \t v", 9)])
  func behindAnchor(text: String, column: Int) throws {
    let root = try #require(YAMLParser.parse(SourceFile(text), reportingTo: DiagnosticCollector())?.root)
    #expect(root.pairs?.first?.value.span.column == column)
  }
}
