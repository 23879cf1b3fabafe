import CastProtocol
import Testing

@testable import ScenarioLanguage

/// `receiver:` and `faults:` of a library (docs/language/library.md "Faults").
@Suite struct ReceiverCompilerTests {
  private func plan(_ text: String) -> (plan: ReceiverPlan?, problems: [String]) {
    let outcome = PlanCompiler.compile(SourceFile(text))
    let problems = outcome.diagnostics.map { "\($0.code) \($0.message)" }
    guard case .library(_, _, let plan)? = outcome.document else { return (nil, problems) }
    return (plan, problems)
  }

  @Test("The receiver of the specification's example is what it says")
  func golden() throws {
    let (plan, problems) = plan(
      """
      library: Lab faults
      receiver: { name: Lab TV, speed: 10x }            # ten minutes of film in one
      media: { film: { duration: 10m } }
      faults:
        - { at: load, times: 1, answer: load_failed, code: 311 }
        - { after: 12s, drop: connection, for: 4s }
        - { at: playing, takeover: YouTube, after: 30s }
        - { at: rate, accept_but_ignore: true }         # the receiver that lies
        - { status: stale_when_polled }                 # HA core #14027, reproducible

      """)
    #expect(problems == [])
    var expected = ReceiverPlan()
    (expected.name, expected.speed) = ("Lab TV", 10)
    expected.media = [.init(id: "film", url: nil, duration: .seconds(600))]
    typealias Fault = ReceiverPlan.Fault
    expected.faults = [
      Fault(event: .load, times: 1, action: .answer(.loadFailed, code: 311, reason: nil)),
      Fault(event: nil, after: .seconds(12), action: .lose(.connection, for: .seconds(4))),
      Fault(event: .playing, after: .seconds(30), action: .takeover(appID: "233637DE", name: "YouTube")),
      Fault(event: .rate, action: .ignore),
      Fault(event: nil, action: .stalePolls),
    ]
    #expect(plan == expected)
  }

  @Test(
    "A fault that cannot be is told",
    arguments: [
      ("{ at: load }", "K105"), ("{ answer: load_failed }", "K105"), ("{ at: playing, answer: load_failed }", "K107"),
      ("{ at: pause, answer: load_failed }", "K107"), ("{ at: pause, answer: launch_error }", "K107"),
      ("{ at: load, drop: message }", "K107"), ("{ at: playing, drop: request }", "K107"),
      ("{ at: connect, duplicate: true }", "K107"), ("{ at: load, auth: error }", "K107"),
      ("{ at: load, delay: 1s, after: 1s }", "K107"), ("{ at: load, delay: 1s, for: 1s }", "K107"),
      ("{ at: playing, mute: true, code: 4 }", "K107"), ("{ at: playing, mute: false }", "P612"),
      ("{ at: playing, mute: true, silence: true }", "K107"), ("{ at: laod, delay: 1s }", "T205"),
      ("{ at: load, delay: 1s, times: 0 }", "T213"), ("{ at: load, delay: 1s, chance: 120% }", "T213"),
    ])
  func wrong(fault: String, code: String) {
    let (plan, problems) = plan("library: L\nfaults:\n  - \(fault)\n")
    #expect(plan == nil)
    #expect(problems.map { String($0.prefix(4)) } == [code], "\(problems)")
  }

  @Test("The speed of a receiver is within what a run takes", arguments: ["0.05x", "101x"])
  func speed(text: String) {
    #expect(plan("library: L\nreceiver: { speed: \(text) }\n").problems == ["T213 `speed` is 0.1x to 100x"])
  }

  @Test("Media without an address are for virtual receivers alone: a document that loads them is told")
  func media() {
    #expect(plan("library: L\nmedia: { film: { duration: 10m } }\n").problems == [])
    #expect(plan("library: L\nmedia: { film: { type: video/mp4 } }\n").problems.count == 1)
    let codes = Compiling.codes(
      "scenario: S\ndevice: TV\nmedia: { film: { duration: 10m } }\nsteps:\n  - load: film\n  - expect: { player: playing }\n"
    )
    #expect(codes == ["K105"])
  }

  @Test("Faults are for libraries: elsewhere the key is told with where it belongs")
  func kinds() {
    #expect(
      Compiling.codes(
        "scenario: S\ndevice: TV\nfaults: []\nsteps:\n  - load: https://x.example.com/a.mp4\n  - expect: { player: playing }\n"
      )
        == ["K103"])
  }
}
