import Testing

@testable import ScenarioLanguage

/// How many steps a document may unroll to; what would fill all memory is in `BudgetTests`.
@Suite struct UnrollLimitTests {
  static func numbers(_ count: Int) -> String { (0..<count).map { "\($0)" }.joined(separator: ",") }

  @Test("P617 names the number of steps and the place where they become too many")
  func message() throws {
    let outcome = Compiling.outcome(
      "scenario: A\ndevice: TV\nsteps:\n  - play\n  - for_each: { item: [\(Self.numbers(1_000))], steps: [{ for_each: { item: [\(Self.numbers(1_000))], steps: [play] } }] }\n"
    )
    let problem = try #require(outcome.diagnostics.first { $0.code == .p617 })
    #expect(problem.message == "unrolling comes to 1001000 steps, at most 100000 are allowed")
    #expect(problem.primary.span.line == 5)
  }

  @Test("A step counts with all that it unrolls to, as often as it does")
  func cost() throws {
    let step = "for_each: { item: [1, 2, 3], steps: [{ use: b }] }"
    let node = try #require(YAMLParser.parse(SourceFile(step), reportingTo: DiagnosticCollector())?.root)
    #expect(UnrollCost.unrolled(node, blocks: ["b": UnrollCost(steps: 2, nodes: 2)]) == 10)
    #expect(UnrollCost.unrolled(node, blocks: [:]) == 4)
  }

  @Test("Copies are counted with the steps that hold them")
  func count() {
    let loop = "{ for_each: { item: [\(Self.numbers(100))], steps: [play] } }"
    let block = "blocks: { b: { steps: [\(Array(repeating: "play", count: 100).joined(separator: ", "))] } }\n"
    for (top, step) in [("", loop), (block, "{ use: b }")] {
      let outcome = Compiling.outcome(
        "scenario: A\ndevice: TV\n\(top)steps: [{ for_each: { item: [\(Self.numbers(1_000))], steps: [\(step)] } }]\n")
      #expect(
        outcome.diagnostics.map(\.message) == ["unrolling comes to 101000 steps, at most 100000 are allowed"])
    }
  }

  @Test("A hundred thousand steps may be unrolled")
  func allowed() throws {
    let plan = try Compiling.plan(
      "scenario: A\ndevice: TV\nsteps: [{ for_each: { item: [\(Self.numbers(99))], steps: [{ for_each: { item: [\(Self.numbers(1_000))], steps: [play] } }] } }]\n"
    )
    #expect(plan.steps[0].action.steps.reduce(0) { $0 + $1.action.steps.count } == 99_000)
  }
}
