import CastProtocol
import Testing

@testable import ScenarioLanguage

/// Receivers that are browsers of this computer (docs/reference.md "The virtual receiver").
@Suite struct ReceiversHereTests {
  @Test("Media at this computer's own address are refused, unless receivers run on it", arguments: [true, false])
  func loopback(areHere: Bool) {
    var inputs = PlanCompiler.Inputs()
    inputs.receiversAreHere = areHere
    let text = """
      scenario: S
      device: TV
      media: { film: { url: "http://127.0.0.1:8000/film.mp4" } }
      steps:
        - load: film
        - load: http://localhost:8000/a.mp4
        - expect: { player: playing }

      """
    let outcome = PlanCompiler.compile(SourceFile(text), inputs: inputs)
    #expect(outcome.diagnostics.map { "\($0.code)" } == (areHere ? [] : ["C502", "C502"]))
  }
}
