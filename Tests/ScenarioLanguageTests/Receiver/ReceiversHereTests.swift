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

  @Test("A document with a page in its inventory may name media of this computer: its browser runs here")
  func pageOfInventory() {
    let text = """
      scenario: S
      device: ours
      inventory: { ours: { receiver: "http://localhost:3000/" } }
      media: { film: { url: "http://127.0.0.1:8000/film.mp4" } }
      steps: [{ load: film }, { expect: { player: playing } }]

      """
    #expect(PlanCompiler.compile(SourceFile(text)).diagnostics.map { "\($0.code)" } == [])
  }

  @Test("A command to a receiver of this computer may name an address of it", arguments: [true, false])
  func command(isHere: Bool) {
    let url = "http://localhost:8000/a.mp4"
    var reader = CommandReader(CommandLineText(["load", url]), receiverIsHere: isHere)
    #expect((reader.load(LoadWords(url: url)) != nil) == isHere)
    #expect(reader.findings.problems.map { "\($0.code)" } == (isHere ? [] : ["C502"]))
  }

  @Test(
    "A page of the inventory has no address: one that is written beside it is told, one of an entry it is like is not")
  func pageWithHost() {
    func problems(_ inventory: String) -> [String] {
      let text = "scenario: S\ndevice: ours\ninventory: { \(inventory) }\nsteps: [{ expect: { app: none } }]\n"
      return PlanCompiler.compile(SourceFile(text)).diagnostics.map { "\($0.code) \($0.message)" }
    }
    let page = #"receiver: "http://localhost:3000/""#
    #expect(problems("ours: { \(page), host: 192.0.2.4 }") == ["K107 `host` has no effect beside `receiver`"])
    #expect(problems("ours: { \(page) }") == [])
    #expect(problems("tv: { host: 192.0.2.4 }, ours: { like: tv, \(page) }") == [])
  }
}
