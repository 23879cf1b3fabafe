import CastProtocol
import Testing

@testable import ScenarioLanguage

/// `receivers:` of a library (docs/language/library.md "Several receivers").
@Suite struct FleetCompilerTests {
  private func plan(_ text: String) -> (plan: ReceiverPlan?, problems: [String]) {
    let outcome = PlanCompiler.compile(SourceFile(text))
    let problems = outcome.diagnostics.map { "\($0.code) \($0.message)" }
    guard case .library(_, _, let plan)? = outcome.document else { return (nil, problems) }
    return (plan, problems)
  }

  @Test("Each receiver is what it says, and else what they share")
  func golden() throws {
    let (plan, problems) = plan(
      """
      library: Lab
      receiver: { model: Chromecast, speed: 2x, apps: [player] }
      apps:
        base: { id: A1B2C3D4, namespaces: [urn:x-cast:com.example.acme] }
        player: { like: base, title: Acme Player, types: [video, audio/mp4] }
        board: { id: B1B2C3D4, types: [] }
      receivers:
        lobby: { name: Lobby TV, port: 8100, seed: 7 }
        bar: { id: 8E2D1C0A-7b1f-4c39-9a55-0c1d2e3f4a5b, model: Bar, apps: [board, 12345678] }
        downstairs: { members: [lobby, bar], apps: [] }

      """)
    #expect(problems == [])
    var player = ReceiverPlan.App(id: "A1B2C3D4")
    player.title = "Acme Player"
    player.namespaces = ["urn:x-cast:com.example.acme"]
    player.types = ["video", "audio/mp4"]
    var board = ReceiverPlan.App(id: "B1B2C3D4")
    board.types = []
    var lobby = ReceiverPlan.Receiver(name: "Lobby TV")
    (lobby.model, lobby.port, lobby.seed, lobby.apps) = ("Chromecast", 8100, 7, [player])
    var bar = ReceiverPlan.Receiver(name: "bar")
    (bar.model, bar.id, bar.apps) = ("Bar", "8e2d1c0a7b1f4c399a550c1d2e3f4a5b", [board, .init(id: "12345678")])
    var group = ReceiverPlan.Receiver(name: "downstairs")
    (group.model, group.members) = ("Chromecast", ["Lobby TV", "bar"])
    #expect(plan?.receivers == [lobby, bar, group])
    #expect(plan?.apps == [player] && plan?.speed == 2)
  }

  @Test("A library without them has one receiver")
  func one() {
    let (plan, problems) = plan("library: L\nreceiver: { name: Lab TV, apps: [12345678] }\n")
    #expect(problems == [] && plan?.receivers == [] && plan?.apps == [.init(id: "12345678")])
  }

  static let mistakes: [(text: String, code: String)] = [
    ("receivers:\n  a: { port: 0 }", "T213"), ("receivers:\n  a: { id: abc }", "T222"),
    ("receivers:\n  a: { prot: 8009 }", "K101"), ("receivers:\n  a: { latency: none }", "K101"),
    ("receivers:\n  a: { name: TV }\n  b: { name: TV }", "K104"),
    ("receivers:\n  a: { port: 1 }\n  b: { port: 1 }", "K104"),
    (
      "receivers:\n  a: { id: 8e2d1c0a7b1f4c399a550c1d2e3f4a5b }\n  b: { id: 8E2D1C0A7B1F4C399A550C1D2E3F4A5B }",
      "K104"
    ),
    ("receiver: { name: TV }\nreceivers:\n  a: {}", "K107"), ("receivers:\n  a: { members: [b] }", "N406"),
    ("receivers:\n  a: { members: [a] }", "K107"),
    ("receivers:\n  a: {}\n  b: { members: [a] }\n  c: { members: [b] }", "K107"),
    ("receivers:\n  a: { apps: [nothing] }", "N406"),
    ("apps: { p: { id: A1B2C3D4, types: [film] } }\nreceivers:\n  a: { apps: [p] }", "T205"),
  ]
  @Test("What cannot be is told at its place", arguments: mistakes)
  func wrong(text: String, code: String) {
    let (plan, problems) = plan("library: L\n\(text)\n")
    #expect(plan == nil && problems.map { String($0.prefix(4)) } == [code], "\(problems)")
  }
}
