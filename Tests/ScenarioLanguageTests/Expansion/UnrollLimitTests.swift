import Testing

@testable import ScenarioLanguage

/// Documents whose steps would fill all memory if they were unrolled.
@Suite struct UnrollLimitTests {
  static func numbers(_ count: Int) -> String { (0..<count).map { "\($0)" }.joined(separator: ",") }

  static let documents: [(name: String, yaml: String, code: String)] = [
    (
      "blocks that double",
      "blocks: { b0: { steps: [play] }, \((1...40).map { "b\($0): { steps: [{ use: b\($0 - 1) }, { use: b\($0 - 1) }] }" }.joined(separator: ", ")) }\nsteps: [{ use: b40 }]",
      "P617"
    ),
    (
      "a million passes",
      "steps: [{ for_each: { item: [\(numbers(1_000))], steps: [{ for_each: { item: [\(numbers(1_000))], steps: [play] } }] } }]",
      "P617"
    ),
    (
      "a list handed to loops within loops",
      "blocks: { b: { params: { l: }, steps: [{ for_each: { item: \"${l}\", steps: [{ for_each: { item: \"${l}\", steps: [{ for_each: { item: \"${l}\", steps: [play] } }] } }] } }] } }\nsteps: [{ use: { block: b, with: { l: [\(numbers(1_000))] } } }]",
      "P617"
    ),
    (
      "many loops that are each small enough",
      "steps: [\((0..<200).map { _ in "{ for_each: { item: [\(numbers(600))], steps: [play] } }" }.joined(separator: ", "))]",
      "P617"
    ),
    (
      "a large value put in many times",
      "vars: { big: [\(numbers(20_000))] }\nsteps: [{ for_each: { item: [\(numbers(1_000))], steps: [{ load: { media: https://e.com/a.mp4, custom: { a: [\(numbers(2_000))] } } }] } }]",
      "Y302"
    ),
    (
      "a long text put in many times",
      "blocks: { b: { params: { t: }, steps: [\((0..<3_000).map { _ in "{ log: \"${t}${t}${t}\" }" }.joined(separator: ", "))] } }\nsteps: [{ use: { block: b, with: { t: \(String(repeating: "x", count: 20_000)) } } }]",
      "Y311"
    ),
    (
      "a chain of a thousand blocks",
      "blocks: { b0: { steps: [play] }, \((1...1_000).map { "b\($0): { steps: [{ use: b\($0 - 1) }] }" }.joined(separator: ", ")) }\nsteps: [{ use: b1000 }]",
      "Y311"
    ),
    (
      "a ring of ten thousand blocks",
      "blocks: { \((0..<10_000).map { "b\($0): { steps: [{ use: b\(($0 + 1) % 10_000) }] }" }.joined(separator: ", ")) }\nsteps: [{ use: b0 }]",
      "N405"
    ),
    (
      "arguments that nest deeper at every step",
      "blocks: { b0: { params: { a: }, steps: [{ log: x }] }, \((1...40).map { "b\($0): { params: { a: }, steps: [{ use: { block: b\($0 - 1), with: { a: [[[\"${a}\"]]] } } }] }" }.joined(separator: ", ")) }\nsteps: [{ use: { block: b40, with: { a: 1 } } }]",
      "Y311"
    ),
  ]

  @Test("What unrolls to too much is refused before it is unrolled", arguments: documents)
  func refused(name: String, yaml: String, code: String) {
    var codes: [String] = []
    let cost = Cost.of { codes = Compiling.codes("scenario: A\ndevice: TV\n\(yaml)\n") }
    #expect(codes.contains(code), "\(name): \(codes.prefix(5))")
    #expect(cost < 2 * Cost.ofMostNodes, "\(name) took \(cost) s")
  }

  @Test("P617 names the number of steps and the place where they become too many")
  func message() throws {
    let outcome = Compiling.outcome(
      "scenario: A\ndevice: TV\nsteps:\n  - play\n  - for_each: { item: [\(Self.numbers(1_000))], steps: [{ for_each: { item: [\(Self.numbers(1_000))], steps: [play] } }] }\n"
    )
    let problem = try #require(outcome.diagnostics.first { $0.code == .p617 })
    #expect(problem.message == "unrolling comes to 1001000 steps, at most 100000 are allowed")
    #expect(problem.primary.span.line == 5)
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
