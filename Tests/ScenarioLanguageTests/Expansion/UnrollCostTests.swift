import Testing

@testable import ScenarioLanguage

/// What blocks and loops come to is counted before anything is put in.
@Suite struct UnrollCostTests {
  static func node(_ text: String) throws -> YAMLNode {
    try #require(YAMLParser.parse(SourceFile(text), reportingTo: DiagnosticCollector())?.root)
  }

  static let blocks = ["three": UnrollCost(steps: 3, nodes: 30)]

  static let written: [(step: String, steps: Int, nodes: Int)] = [
    ("play", 1, 1),
    ("wait: 3s", 1, 2),
    ("group: { steps: [play, pause] }", 3, 5),
    ("use: three", 4, 32),
    ("use: unknown", 1, 2),
    ("use: { block: three, with: { a: 1 } }", 4, 35),
    // Two passes of one step, besides the loop itself.
    ("for_each: { item: [1, 2], steps: [play] }", 3, 9),
    ("for_each: { item: [], steps: [play] }", 1, 5),
    // How long a list is that the run knows nobody can count: its steps stand once.
    ("for_each: { item: \"${list}\", steps: [play] }", 2, 5),
    ("for_each: { item: [1, 2], steps: [{ use: three }] }", 9, 72),
    ("for_each: { item: [1, 2], steps: [{ for_each: { item: [1, 2, 3], steps: [play] } }] }", 9, 36),
    ("group: { steps: [{ use: three }] }", 5, 35),
  ]

  @Test("A step comes to itself, and to all that its blocks and loops put in", arguments: written)
  func count(text: String, steps: Int, nodes: Int) throws {
    var cost = UnrollCost()
    cost.add(try Self.node(text), blocks: Self.blocks)
    #expect(cost == UnrollCost(steps: steps, nodes: nodes), "\(text)")
    #expect(UnrollCost.unrolled(try Self.node(text), blocks: Self.blocks) == steps)
  }

  @Test("Loops within loops are counted without overflow")
  func overflow() throws {
    let list = "[\((1...1_000).map(String.init).joined(separator: ", "))]"
    var text = "play"
    for _ in 0..<8 { text = "{ for_each: { item: \(list), steps: [\(text)] } }" }
    var cost = UnrollCost()
    cost.add(try Self.node(text), blocks: [:])
    #expect(cost.steps == 1_000_000_000_000)
    #expect(!UnrollCost().isTooMuch(times: 1) && cost.isTooMuch(times: 1) && cost.isLarge)
  }

  @Test("As many steps as are allowed are allowed, and the step with which they are more is told")
  func limit() throws {
    let problems = DiagnosticCollector()
    let full = ["many": UnrollCost(steps: UnrollCost.Limit.steps, nodes: 1)]
    let list = try Self.node("[{ use: many }, { use: three }]")
    #expect(UnrollCost.check([list], blocks: full, reportingTo: problems) != nil)
    #expect(!problems.hasErrors)
    let over = full.merging(Self.blocks) { $1 }
    #expect(UnrollCost.check([list], blocks: over, reportingTo: problems) == nil)
    #expect(problems.diagnostics.map(\.code) == [.p617])
    #expect(problems.diagnostics.first?.primary.span.column == 19, "at the second `use`")
  }

  @Test("Rows are too many where all of them together are")
  func rows() {
    let row = UnrollCost(steps: UnrollCost.Limit.steps / 4, nodes: 1)
    #expect(!row.isTooMuch(times: 4) && row.isTooMuch(times: 5))
    var all = row
    let fits = (0..<4).map { _ in all.addAll(of: row) }
    #expect(fits == [true, true, true, false])
  }
}
