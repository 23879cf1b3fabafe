import Testing

@testable import ScenarioLanguage

/// `[${x}]` ends a parse: each of them is told for what it is.
@Suite struct RepairTests {
  private static func document(_ count: Int, filler: Int = 0) -> SourceFile {
    scenario(
      "vars: { x: a }\n" + String(repeating: "# filler\n", count: filler) + "steps:\n"
        + String(repeating: "  - tracks: [${x}]\n", count: count))
  }

  @Test("Braces that nobody quoted are told as such, also where there are more than are looked past")
  func many() {
    let problems = PlanCompiler.compile(Self.document(25)).diagnostics
    #expect(Set(problems.map(\.code.rawValue)) == ["Y304"])
    #expect(problems.count == 21)
    #expect(problems.last?.footers.contains(.note("what follows it was not looked at")) == true)
    #expect(problems.dropLast().allSatisfy { !$0.footers.contains(.note("what follows it was not looked at")) })
  }

  @Test("In a large document fewer are looked past, and none is taken for something else")
  func large() {
    let problems = PlanCompiler.compile(Self.document(5, filler: 100_000)).diagnostics
    #expect(Set(problems.map(\.code.rawValue)) == ["Y304"])
    #expect(problems.count >= 3)
  }

  @Test("What a refused tag stands before is no second mistake")
  func tag() {
    #expect(Compiling.codes("scenario: S\ndevice: TV\nsteps: [{ load: !include a.yaml }]\n") == ["Y306"])
    #expect(
      Compiling.codes("scenario: S\ndevice: TV\nvars: { _x: !!int 5 }\nsteps: [{ wait: !s 5 }]\n") == ["Y306", "Y306"])
  }

  @Test(
    "A value behind a refused tag has no second problem in an expectation, either",
    arguments: [
      "rate: !float 1.5", "rate: \"${speed}\"", "rate: { min: !float 1 }", "title: !x a",
      "active_tracks: { has: !x 1 }",
      "active_tracks: { has: [!x 1] }", "rate: { about: 1, tolerance: !x 1 }", "position: { advances: !x 4s }",
    ])
  func tags(field: String) {
    let speed = field.contains("${") ? "!float 1.5" : "1.5"
    #expect(
      Set(
        Compiling.codes(
          "scenario: S\ndevice: TV\nvars: { speed: \(speed), _a: \"${speed}\" }\nsteps: [{ expect: { \(field) } }]\n"))
        == ["Y306"])
  }
}
