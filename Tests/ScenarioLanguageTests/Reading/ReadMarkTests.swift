import Testing

@testable import ScenarioLanguage

/// Which nodes are marked as read, so that they are passed over when a block, a loop or a row is put in.
@Suite struct ReadMarkTests {
  private static func rows(_ lines: String) throws -> [YAMLNode] {
    try #require(DocumentReader.read(scenario(lines), inputs: .init()).document).rows.map(\.root)
  }

  /// The node at a path of keys and positions: `steps/0/wait`.
  private static func node(_ path: String, in root: YAMLNode) throws -> YAMLNode {
    try path.split(separator: "/").reduce(root) { node, part in
      if let items = node.items { return items[try #require(Int(part))] }
      return try #require(node.pairs?.first { $0.key.text == part }?.value, "\(path)")
    }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var lines: String
    var read: [String]
    var unread: [String]
    var testDescription: String { lines }

    init(_ lines: String, read: [String], unread: [String] = []) {
      self.lines = lines
      self.read = read
      self.unread = unread
    }
  }

  static let cases: [Case] = [
    Case("steps: [{ wait: 3s }, play]", read: ["steps", "steps/0", "steps/0/wait", "steps/1"]),
    Case("steps: [{ wait: 3 }, play]", read: ["steps/1"], unread: ["steps", "steps/0", "steps/0/wait"]),
    // A warning is told again where the text stands once more.
    Case("steps: [{ log: “hi” }, play]", read: ["steps/1"], unread: ["steps", "steps/0", "steps/0/log"]),
    // What waits for the run is as sound as it will ever be.
    Case("steps: [{ play: {}, save: { p: position } }, { log: \"${p}\" }]", read: ["steps/1", "steps/1/log"]),
    Case(
      "blocks: { b: { params: { p: { type: duration } }, steps: [play, { wait: \"${p}\" }] } }\nsteps: [{ use: { block: b, with: { p: 1s } } }]",
      read: ["blocks/b/steps/0", "steps/0"],
      unread: ["blocks", "blocks/b", "blocks/b/steps", "blocks/b/steps/1", "blocks/b/steps/1/wait"]),
    Case(
      "steps: [{ for_each: { item: [1s], steps: [play, { wait: \"${item}\" }, { log: \"${index}\" }] } }]",
      read: ["steps/0/for_each/steps/0"],
      unread: ["steps/0", "steps/0/for_each", "steps/0/for_each/steps/1", "steps/0/for_each/steps/2"]),
    // An argument is read as a value of its parameter's type later; data may have been put in anywhere.
    Case(
      "blocks: { b: { params: { p: }, steps: [{ wait: \"${p}\" }] } }\nsteps: [{ use: { block: b, with: { p: 1s } } }]",
      read: ["steps/0", "steps/0/use/with"], unread: ["steps/0/use/with/p"]),
    Case(
      "steps: [{ load: { media: https://e.com/a.mp4, custom: { a: 1 } } }]", read: ["steps/0", "steps/0/load/media"],
      unread: ["steps/0/load/custom"]),
  ]

  @Test(
    "A node is marked when nothing in it is wrong, is warned of or waits for unrolling, but not free data",
    arguments: cases)
  func marks(_ example: Case) throws {
    let root = try #require(try Self.rows(example.lines + "\n").first)
    for path in example.read { #expect(try Self.node(path, in: root).isRead, "\(path)") }
    for path in example.unread { #expect(try !Self.node(path, in: root).isRead, "\(path)") }
  }

  @Test("What is marked is passed over with all that is in it")
  func passedOver() throws {
    let text = "- group: { steps: [{ wait: soon }] }\n- wait: later\n"
    var steps = try #require(YAMLParser.parse(SourceFile(text), reportingTo: DiagnosticCollector())?.root)
    steps[item: 0].isRead = true
    var reader = FieldReader(diagnostics: DiagnosticCollector())
    #expect(!reader.read(&steps, as: .steps, field: .init(name: "steps")))
    #expect(reader.diagnostics.diagnostics.map(\.message) == ["`later` is not a duration"])
    #expect(steps[item: 1].isRead == false && steps.isRead == false)
  }

  @Test("Where an argument is put in, only what it changes is read again")
  func filled() throws {
    let block = """
      media: { film: { url: https://e.com/a.mp4 } }
      blocks: { b: { params: { p: }, steps: [{ group: { steps: [{ load: film }, { wait: "${p}" }] } }] } }
      steps: [{ use: { block: b, with: { p: 2s } } }]

      """
    let written = try Self.node("blocks/b/steps/0", in: try #require(try Self.rows(block).first))
    var bindings = PlaceholderFilling.Bindings()
    let argument = YAMLNode(.scalar(.init(text: "2s", style: .plain)), span: written.span)
    _ = bindings.bind("p", to: argument)
    var filling = PlaceholderFilling(reportingTo: DiagnosticCollector())
    let filled = filling.filled(written, with: bindings)
    var step = try #require(filled)
    func marks() throws -> [Bool] {
      try ["", "group/steps", "group/steps/0", "group/steps/1"].map { try Self.node($0, in: step).isRead }
    }
    #expect(try marks() == [false, false, true, false])

    // This reader knows no media: it would report `film` if it read that step.
    var reader = FieldReader(diagnostics: DiagnosticCollector())
    let isSound = reader.readStep(&step)
    #expect(isSound && reader.diagnostics.diagnostics == [])
    #expect(try marks() == [true, true, true, true])
    #expect(try Self.node("group/steps/1/wait", in: step).value == .duration(.seconds(2)))
  }

  @Test("Rows share what the matrix does not change, and read the rest for themselves")
  func rows() throws {
    let rows = try Self.rows(
      """
      matrix: { pause: [1s, 2s] }
      media: { film: { url: https://e.com/a.mp4 } }
      steps: [{ group: { steps: [play, { wait: 3s }] } }, { wait: "${matrix.pause}" }]

      """)
    #expect(rows.count == 2)
    /// Whether both rows have one copy of the entries at a path: reading in place would have made a second.
    func isShared(_ path: String) throws -> Bool {
      let nodes = try rows.map { try Self.node(path, in: $0) }
      let places = nodes.map { node in
        node.items.map { $0.withUnsafeBytes(\.baseAddress) } ?? node.pairs?.withUnsafeBytes(\.baseAddress)
      }
      return places[0] == places[1]
    }
    #expect(try isShared("media"))
    #expect(try isShared("steps/0/group/steps"))
    #expect(try !isShared("steps"))
    #expect(try rows.map { try Self.node("steps/1/wait", in: $0).value } == [1, 2].map { .duration(.seconds($0)) })
    #expect(try rows.map { try Self.node("steps/1", in: $0).isRead } == [true, true])
  }

  @Test("A row tells what its own values make wrong; what is wrong or warned of in all rows is told once")
  func rowMistakes() {
    let lines = """
      matrix: { pause: [1s, 2, soon] }
      steps: [{ wait: "${matrix.pause}" }, { wait: 7 }, { log: “hi” }, { wait: "${matrix.pause}", name: “a” }]

      """
    #expect(findings(scenario(lines)) == ["T201 2", "T203 soon", "T201 7", "Y308 “hi”", "Y308 “a”"])
  }
}
