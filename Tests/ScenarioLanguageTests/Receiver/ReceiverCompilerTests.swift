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
    #expect(plan?.faults.map(\.origin?.number) == [1, 2, 3, 4, 5])
    #expect(plan?.faults.map(\.origin?.span.line) == [5, 6, 7, 8, 9])
    #expect(plan?.withoutOrigins == expected)
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
      ("{ at: playing, takeover: YouTub }", "N406"), ("{ at: playing, takeover: a1b2c3d4 }", "N406"),
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

  @Test("An app that takes over is one of the library, also one that is like another, one that people know, or an id")
  func takeovers() throws {
    func id(_ name: String) -> String? {
      let apps = "apps: { game: A1B2C3D4, copy: { like: game } }"
      let fault = plan("library: L\n\(apps)\nfaults:\n  - { at: playing, takeover: \(name) }\n").plan?.faults.first
      if case .takeover(let id, _)? = fault?.action { return id } else { return nil }
    }
    #expect(id("game") == "A1B2C3D4" && id("copy") == "A1B2C3D4" && id("youtube") == "233637DE")
    #expect(id("B1B2C3D4") == "B1B2C3D4" && id("gaem") == nil)
    let problem = PlanCompiler.compile(SourceFile("library: L\nfaults:\n  - { at: playing, takeover: YouTub }\n"))
    #expect(problem.diagnostics.first?.primary.text == "did you mean `YouTube`?")
  }

  @Test("A library with lengths for receivers can be included: what a sender cannot load is not given away")
  func included() {
    func codes(loading media: String) -> [String] {
      var inputs = PlanCompiler.Inputs()
      inputs.includedFile = { _, _ in
        let text =
          "library: L\nmedia: { film: { duration: 10m }, clip: { url: \"https://x.example.com/c.mp4\" } }\n"
        return .success(SourceFile(name: "lab.yaml", bytes: Array(text.utf8)))
      }
      let text =
        "scenario: S\ninclude: [lab.yaml]\ndevice: TV\nsteps:\n  - load: \(media)\n  - expect: { player: playing }\n"
      return PlanCompiler.compile(SourceFile(text), inputs: inputs).diagnostics.map(\.code.rawValue)
    }
    #expect(codes(loading: "clip") == [])
    #expect(codes(loading: "film") == ["N406"])
  }

  @Test("What two libraries say together: the faults of both, and of the receiver what the first says")
  func together() throws {
    var first = try #require(plan("library: A\nreceiver: { name: A }\nfaults:\n  - { slow_reads: 5 }\n").plan)
    first.add(try #require(plan("library: B\nreceiver: { name: B, speed: 2x }\nfaults:\n  - { slow_reads: 6 }\n").plan))
    #expect(first.name == "A" && first.speed == 2)
    #expect(first.faults.map(\.action) == [.slowReads(5), .slowReads(6)])
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

extension ReceiverPlan {
  /// The same as if no document had its faults.
  fileprivate var withoutOrigins: ReceiverPlan {
    var plan = self
    for index in plan.faults.indices { plan.faults[index].origin = nil }
    return plan
  }
}
