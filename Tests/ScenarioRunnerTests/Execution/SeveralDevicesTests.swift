import CastProtocol
import ScenarioLanguage
import Simulation
import Testing

@testable import ScenarioRunner

/// Several devices in one story, several runs of one story, and several lines of steps at once.
@Suite struct SeveralDevicesTests {
  private static let media = """
    media:
      film: { url: https://cdn.example.com/film.mp4, duration: 10m, metadata: { title: Film } }
      photo: { url: https://cdn.example.com/photo.mp4, duration: 1m, metadata: { title: Photo } }
    """

  static func story(_ steps: String, more: String = "") -> String {
    """
    scenario: Two screens
    roles: { left: Bar left, right: { name: Bar right } }
    \(media)
    \(more)
    steps:
    \(steps)
    """
  }

  private func passing(_ text: String) throws -> [Play] {
    try [(0, nil), (3, .zero ... .milliseconds(60)), (11, .milliseconds(5) ... .milliseconds(250))]
      .map { (seed: Int, latency: ClosedRange<Duration>?) in
        let play = try Play(text, seed: UInt64(seed), latency: latency)
        #expect(play.outcome.exitCode == 0, "\(play.results) \(play.lines.filter { $0.contains("fail") })")
        return play
      }
  }

  @Test("Each step acts on the device of its role, and events say which")
  func roles() throws {
    let text = Self.story(
      """
        - { load: film, role: left }
        - { load: photo, role: right }
        - { pause: {}, role: left }
        - { expect: { player: paused, title: Film }, role: left }
        - { expect: { player: playing, title: Photo }, role: right }
        - { log: "on ${device.name}", role: right }
        - wait: 1s
      """)
    for play in try passing(text) {
      #expect(play.events(.deviceConnected).compactMap(\.device) == ["bar-left", "bar-right"])
      let devices = play.events(.stepStarted).map { $0.device ?? "-" }
      #expect(devices == ["bar-left", "bar-right", "bar-left", "bar-left", "bar-right", "bar-right", "-"])
      #expect(play.events(.log).first?.fields["text"] == "on Bar right")
      let started = play.events(.scenarioStarted).first
      #expect(started?.device == nil && started?.fields["roles"] == ["left": "bar-left", "right": "bar-right"])
    }
  }

  @Test("A step of every role runs on all of them at once, and fails when one does")
  func everyRole() throws {
    let text = Self.story(
      """
        - { load: film, role: all }
        - { expect: { title: Film }, role: all }
        - { seek: 1m, role: left }
        - { group: { steps: [{ expect: { position: { min: 1m } }, within: 0s }] }, role: all }
      """)
    let play = try Play(text)
    #expect(play.outcome.exitCode == 1)
    #expect(play.results.contains("s2 passed") && play.results.contains("s4 failed"), "\(play.results)")
    #expect(play.results.contains("s4.1.left passed") && play.results.contains("s4.1.right failed"))
    let starts = play.events(.stepStarted).filter { $0.step?.hasPrefix("s1.") == true }
    #expect(starts.map(\.elapsed) == [starts[0].elapsed, starts[0].elapsed])
  }

  @Test("Branches run at once, each on its device, and what they do is told as they do it")
  func branches() throws {
    let text = Self.story(
      """
        - parallel:
            - { name: left, role: left, steps: [{ load: film }, { wait: 10s }, { log: a }] }
            - { name: right, role: right, steps: [{ load: photo }, { wait: 4s }, { log: b }, { seek: 30s }] }
        - { expect: { position: { about: 10s } }, role: left, within: 0s }
        - { expect_sequence: [{ position: { about: 30s } }], role: right }
      """)
    for play in try passing(text) {
      #expect(play.events(.log).compactMap { $0.fields["text"]?.string } == ["b", "a"])
      let parallel = play.events(.stepFinished, step: "s1").first?.fields["duration"]?.number ?? 99
      #expect(parallel < 12, "\(parallel)")
      let parents = play.events(.stepStarted).filter { $0.step?.hasPrefix("s1.") == true }.map { $0.fields["parent"] }
      #expect(parents.allSatisfy { $0 == "s1" } && parents.count == 7)
    }
  }

  @Test("A branch that fails ends the others, unless fail_fast is false", arguments: [true, false])
  func failFast(_ isFast: Bool) throws {
    let play = try Play(
      Self.story(
        """
          - parallel:
              fail_fast: \(isFast)
              branches:
                - { name: left, role: left, steps: [{ wait: 2s }, { fail: broken }, { log: never }] }
                - name: right
                  role: right
                  steps:
                    - group: { steps: [{ wait: 30s }, { log: late }], finally: [{ log: tidy }] }
          - log: never
        """))
    #expect(play.outcome.exitCode == 1)
    let logs = play.events(.log).compactMap { $0.fields["text"]?.string }
    #expect(logs == (isFast ? ["tidy"] : ["late", "tidy"]), "\(logs)")
    #expect(play.events(.scenarioFinished).first?.fields["firstFailure"] == "s1.1.2", "\(play.results)")
    #expect(play.results.last { $0.hasPrefix("s2") } == "s2 not_run")
    let length = play.events(.stepFinished, step: "s1").first?.fields["duration"]?.number ?? 0
    #expect(isFast ? length < 3 : length > 29)
  }

  @Test("A rule of watch holds for every device")
  func monitors() throws {
    let play = try Play(
      Self.story(
        "  - { load: film, role: all }\n  - { pause: {}, role: right }\n  - wait: 1s",
        more: "watch: [{ name: Nobody pauses, never: { player: paused } }]"))
    #expect(play.events(.monitorFailed).map(\.device) == ["bar-right"])
    #expect(play.outcome.exitCode == 1)
  }

  @Test("Roles of one and the same device are ambiguous before anything is connected")
  func sameDevice() throws {
    let text = Self.story("  - { load: film, role: all }")
      .replacing("left: Bar left, right: { name: Bar right }", with: "left: Bar, right: Bar")
    let play = try Play(text)
    #expect(play.outcome.exitCode == 4)
    let message = play.events(.diagnostic).first?.fields["message"]?.string
    #expect(message == "roles `left` and `right` are the same device, Bar")
    #expect(play.events(.deviceConnected).isEmpty)
  }

  // MARK: devices

  static func everyDevice(_ run: String, steps: String = "[{ load: film }, { wait: 5s }]") -> String {
    """
    scenario: All of them
    devices: { match: { model_like: "Chromecast*" }, at_least: 3, run: \(run) }
    \(media)
    steps: \(steps)
    """
  }

  @Test(
    "devices is one run on each: together, one by one, or on the first", arguments: ["together", "one_by_one", "first"])
  func devices(_ run: String) throws {
    let play = try Play(Self.everyDevice(run))
    let count = run == "first" ? 1 : 3
    #expect(play.outcome.exitCode == 0)
    #expect(Set(play.events(.scenarioStarted).compactMap(\.device)).count == count)
    #expect(play.events(.scenarioFinished).count == count)
    let length = play.events.last?.elapsed ?? 0
    #expect(run == "one_by_one" ? length > 14 : length < 8, "\(length)")
    #expect(play.events(.runFinished).first?.fields["scenarios"]?["passed"]?.int == count)
  }

  @Test("What fails on one device fails the run, and reports tell the devices apart")
  func oneFails() throws {
    let steps = "[{ load: film }, { expect: { device: { name: { not: { ends_with: \"2\" } } } } }]"
    let play = try Play(Self.everyDevice("together", steps: steps))
    #expect(play.outcome.exitCode == 1)
    #expect(
      play.events(.scenarioFinished).map { $0.fields["result"]?.string ?? "" }.sorted() == [
        "failed", "passed", "passed",
      ])
    var transcript = RunTranscript()
    for event in play.events { transcript.record(event) }
    let suites = JUnitDocument(transcript).text
    #expect(suites.contains(#"tests="6" failures="1" errors="0""#), "\(suites)")
    for scenario in transcript.scenarios {
      #expect(scenario.steps.map(\.id) == ["s1", "s2"] && scenario.steps.allSatisfy { $0.result != nil })
    }
  }

  // MARK: rows and tries

  @Test("The rows of a matrix are runs one after the other, in an order that the seed decides")
  func rows() throws {
    let text = """
      scenario: Rows
      device: Living Room TV
      matrix: { lang: [en, no, de, fr], speed: [1, 2] }
      \(Self.media)
      steps: [{ load: film }, { rate: "${matrix.speed}" }, { log: "${matrix.lang} ${matrix.speed}" }]
      """
    let rows = try #require(
      RunnableDocument(
        PlanCompiler.compile(SourceFile(name: "a.yaml", bytes: Array(text.utf8))).plans))
    func logs(_ seed: UInt64) throws -> [String] {
      let sink = RecordingSink()
      var configuration = RunConfiguration(runID: "01TEST", toolVersion: "0", wallClock: { 1_795_251_600 })
      configuration.seed = seed
      let outcome = try ScenarioSimulation().run(rows, configuration: configuration, reportingTo: sink)
      #expect(outcome.exitCode == 0)
      #expect(sink.events.filter { $0.type == .runStarted || $0.type == .runFinished }.count == 2)
      #expect(sink.events.map(\.number) == Array(1...sink.events.count))
      return sink.events.filter { $0.type == .log }.compactMap { $0.fields["text"]?.string }
    }
    let inOrder = try logs(0)
    #expect(inOrder.prefix(3) == ["en 1", "en 2", "no 1"] && inOrder.count == 8)
    #expect(try logs(7) != inOrder && logs(7) == logs(7) && logs(7).sorted() == inOrder.sorted())
  }

  static func retried(_ policy: String) -> String {
    """
    scenario: Again
    device: Living Room TV
    retry: \(policy)
    vars: { n: { type: int, default: 0 } }
    \(media)
    steps:
      - load: film
      - expect: { position: { above: 1s } }
        within: 0s
    """
  }

  @Test("A scenario that fails is tried again from a clean session as often as its policy says")
  func retry() throws {
    let play = try Play(Self.retried("{ attempts: 3, wait: 10s, errors: [expectation] }"))
    #expect(play.events(.scenarioStarted).map { $0.fields["attempt"] } == [1, 2, 3])
    #expect(play.events(.deviceConnected).count == 3)
    #expect(play.outcome.exitCode == 1 && play.outcome.result == .failed)
    let ends = play.events(.scenarioFinished).map(\.elapsed), starts = play.events(.scenarioStarted).map(\.elapsed)
    #expect(starts[1] - ends[0] >= 10 && starts[2] - ends[1] >= 20)
    #expect(play.events(.runFinished).first?.fields["scenarios"]?["failed"] == 1)
    let once = try Play(Self.retried("{ attempts: 3, wait: 10s, errors: [transient] }"))
    #expect(once.events(.scenarioStarted).count == 1)
  }

  @Test("A scenario that passes on a later try is flaky")
  func flaky() throws {
    let peer = ScriptedPeer(.launchError("NOT_FOUND", times: 1))
    let text = Self.retried("{ attempts: 2, errors: [launch_failed] }").replacing("above: 1s", with: "min: 0s")
    let play = try Play(text, accept: { peer.serve($0, $1) })
    #expect(play.outcome.result == .flaky && play.outcome.exitCode == 0, "\(play.lines)")
    #expect(play.events(.scenarioFinished).map { $0.fields["result"] } == ["error", "flaky"])
    let strict = try Play(
      text, accept: { ScriptedPeer(.launchError("NOT_FOUND", times: 1)).serve($0, $1) },
      configure: { $0.failOnFlaky = true })
    // Each connection meets a new device here, so that every try fails.
    #expect(strict.outcome.exitCode == 5)
  }

  @Test("Who wants out while a scenario waits for its next try gets out")
  func interrupted() throws {
    let (stream, continuation) = AsyncStream<Runner.Interruption>.makeStream()
    continuation.yield(.interrupt)
    continuation.finish()
    let play = try Play(
      Self.retried("{ attempts: 5, wait: 1h, errors: [expectation, transient] }"), interruptions: stream)
    #expect(play.outcome.exitCode == 130)
    #expect(play.events(.scenarioStarted).count <= 1)
  }
}
