import Testing

@testable import ScenarioLanguage

@Suite struct UncertainProblemTests {
  private func codes(_ text: String) -> [String] {
    PlanCompiler.compile(SourceFile(name: "lobby.yaml", bytes: Array(text.utf8))).diagnostics.map(\.code.rawValue)
  }

  @Test("A definition is called unused only in a document without errors")
  func unused() {
    let head = "scenario: x\ndevice: TV\nvars: { cdn: a }\nmedia:\n  film: { url: https://a.example/a.mp4 }\nsteps:\n"
    #expect(codes(head + "  - expect: { player: idle }\n") == ["N402", "N402"])
    #expect(codes(head + "  - laod: film\n  - expect: { player: idle }\n") == ["K101"])
  }
}
