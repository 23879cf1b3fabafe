import Testing

@testable import ScenarioLanguage

/// Each cause is told once: what follows from it is not.
@Suite struct CascadeTests {
  static let causes: [Example] = [
    Example("mdia: { film: { url: https://e.com/a.mp4 } }\nsteps: [{ load: film }, { load: film }]\n", ["K101 mdia"]),
    Example("vras: { cdn: e.com }\nsteps: [{ log: \"${cdn}\" }, { log: \"${cdn}\" }]\n", ["K101 vras"]),
    Example("stepts: [play, stop]\n", ["K101 stepts"]),
    Example("steps: [{ load: film }, { load: film }, { load: film }]\n", ["N406 film"]),
    Example("steps: [{ load: film }, { load: flim }]\n", ["N406 film", "N406 flim"]),
    Example("steps: [{ log: \"${a}\" }, { log: \"${a} ${b}\" }]\n", ["N401 a", "N401 b"]),
    Example(
      "apps:\n  film: { url: https://e.com/a.mp4, type: video/mp4, duration: 5m, stream: live }\nsteps: [play]\n",
      ["K101 url"]),
    Example(
      "watch:\n  - connect: {}\n  - load: film\n  - play: {}\n  - seek: 5s\nsteps: [play]\n",
      ["K101 connect", "K101 load"]),
  ]

  @Test("One mistake is one message", arguments: causes)
  func once(_ example: Example) {
    let outcome = PlanCompiler.compile(scenario(example.text))
    let text = SourceText(outcome.sources[0])
    let found = outcome.diagnostics.filter { $0.severity == .error }.map { problem in
      "\(problem.code) \(text.text(at: problem.primary.span) ?? "?")"
    }
    #expect(found == example.expected)
  }

  @Test("The first use of an unknown name tells where the others are")
  func otherUses() {
    let outcome = PlanCompiler.compile(scenario("steps:\n  - load: film\n  - load: film\n  - play\n  - load: film\n"))
    #expect(outcome.diagnostics.filter { $0.code == .n406 }.map(\.footers.last) == [.note("also in lines 5, 7")])
  }
}
