import Testing

@testable import ScenarioLanguage

/// Where steps stand in a step is told by the tables alone.
@Suite struct StepNodesTests {
  static func node(_ text: String) throws -> YAMLNode {
    try #require(YAMLParser.parse(SourceFile(text), reportingTo: DiagnosticCollector())?.root)
  }

  static let holders = LanguageSchema.verbs.filter { $0.holdsSteps && $0.verb != .use }.map(\.verb)

  @Test("A verb that holds steps has a table that says where, and its own example is found", arguments: holders)
  func example(verb: Verb) throws {
    let steps = try #require(try Self.node(verb.definition.spec.example).items)
    let own = steps.filter { $0.pairs?.contains { $0.key.text == verb.rawValue } == true }
    #expect(!own.isEmpty && own.allSatisfy { !StepNodes.lists(in: $0).isEmpty })
  }

  static let steps: [(step: String, lists: Int)] = [
    ("play", 0), ("group: { steps: [play], finally: [stop] }", 2),
    ("choose: [{ if: { player: idle }, steps: [play] }, { otherwise: [stop] }]", 2),
    ("parallel: [{ steps: [play] }, { steps: [stop] }]", 2), ("parallel: { branches: [{ steps: [play] }] }", 1),
    // Not of the shape that the table takes, free data, and a key that is none.
    ("group: { steps: play }", 0), ("send: { namespace: urn:x-cast:a, message: { steps: [play] } }", 0),
    ("group: { stesp: [play] }", 0), ("use: { block: b, with: { steps: [play] } }", 0),
  ]

  @Test("Only lists where steps may stand are lists of steps", arguments: steps)
  func lists(step: String, lists: Int) throws {
    #expect(StepNodes.lists(in: try Self.node(step)).count == lists)
  }
}
