import ScenarioLanguage
import Testing

@testable import Simulation

/// The examples on the pages of the codes that only a simulation can give.
@Suite struct CodePageProofTests {
  static let codes: [String] = CodePages.all.compactMap { page in
    if case .simulation = page.source { page.code.rawValue } else { nil }
  }

  /// All that `check` says about a document, the proofs included.
  private func problems(_ text: String) throws -> [String] {
    let outcome = PlanCompiler.compile(SourceFile(name: "lobby.yaml", bytes: Array(text.utf8)))
    guard case .scenario(let plan)? = outcome.document else { return outcome.diagnostics.map(\.code.rawValue) }
    return (outcome.diagnostics + PlanProof.diagnostics(for: plan)).map(\.code.rawValue)
  }

  @Test("A wrong example has the problem of its page, once, and no other", arguments: codes)
  func wrong(code: String) throws {
    let page = try #require(CodePages.page(code))
    let wrong = try #require(page.wrong)
    #expect(try problems(wrong.text + "\n") == [code], "\(wrong.text)")
  }

  @Test("A right example has none", arguments: codes)
  func right(code: String) throws {
    let page = try #require(CodePages.page(code))
    #expect(try problems(page.right.text + "\n") == [], "\(page.right.text)")
  }

  @Test("The codes are those that the simulation gives")
  func complete() { #expect(Set(Self.codes) == ["P602", "P609", "P616"]) }

  /// What a condition asks of variables and of the device is no claim about the film, whatever it is called.
  @Test(
    "Variables and facts about the device are never the reason of a claim",
    arguments: [
      "- set: { position: 5 }\n  - expect: { vars: { position: { min: 700 } } }",
      "- set: { rate: 2 }\n  - expect: { vars: { rate: 3 } }",
      "- expect: { device: { model: Chromecast }, player: playing }",
      "- expect: { any: [{ vars: { position: { min: 700 } } }, { position: { min: 11m } }] }",
      "- never: { vars: { rate: 9 } }\n    during: 5s",
    ])
  func variables(steps: String) throws {
    let text = """
      scenario: Variables
      device: Living Room TV
      vars: { position: { type: int, default: 0 }, rate: { type: int, default: 1 } }
      media: { film: { url: https://media.example.com/film.mp4, duration: 10m } }
      steps:
        - load: film
        - rate: 1.5
        - log: ${position} ${rate}
        \(steps)

      """
    #expect(try problems(text) == [], "\(text)")
  }
}
