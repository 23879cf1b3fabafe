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

  /// Over a list that is written down, `for_each` becomes a group.
  static let lateList = "- save: { t: active_tracks }\n- for_each: { item: \"${t}\", steps: [{ log: \"${item}\" }] }"

  @Test("What a verb that holds steps becomes shows them to whatever goes through a plan", arguments: holders)
  func shown(verb: Verb) throws {
    let example = verb == .forEach ? Self.lateList : verb.definition.spec.example
    let steps = try Compiling.plan(Fragment.document(example)).steps.filter { $0.action.unpacked.verb == verb }
    #expect(!steps.isEmpty)
    for step in steps {
      let action = step.action.unpacked.action
      #expect(action is any FlowAction && step.isFlow && !action.heldSteps.isEmpty)
      #expect(action.heldSteps.allSatisfy { !$0.steps.isEmpty })
      let emptied = action.changingNested { lists in for index in lists.indices { lists[index].steps = [] } }
      #expect(emptied?.unpacked.action.heldSteps.allSatisfy(\.steps.isEmpty) == true)
    }
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
