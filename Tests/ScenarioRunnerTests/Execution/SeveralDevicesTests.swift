import CastClient
import CastProtocol
import ScenarioLanguage
import Simulation
import TestSupport
import Testing

@testable import DeviceControl
@testable import RunReporting
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
    // Each tells how many there will be: a run may end before the next begins.
    #expect(play.events(.scenarioStarted).allSatisfy { $0.fields["devices"]?.int == (run == "first" ? nil : 3) })
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
    let suites = ReportText.junit(play.events)
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
    let peer = FaultyDevice(.launchError("NOT_FOUND", times: 1))
    let text = Self.retried("{ attempts: 2, errors: [launch_failed] }").replacing("above: 1s", with: "min: 0s")
    let play = try Play(text, accept: { peer.serve($0, $1) })
    #expect(play.outcome.result == .flaky && play.outcome.exitCode == 0, "\(play.lines)")
    #expect(play.events(.scenarioFinished).map { $0.fields["result"] } == ["error", "flaky"])
    let strict = try Play(
      text, accept: { FaultyDevice(.launchError("NOT_FOUND", times: 1)).serve($0, $1) },
      configure: { $0.failOnFlaky = true })
    // Each connection meets a new device here, so that every try fails.
    #expect(strict.outcome.exitCode == 5)
  }

  @Test("Who wants out while a scenario waits for its next try gets out")
  func interrupted() throws {
    for seed in 0..<4 as Range<UInt64> {
      let (stream, continuation) = AsyncStream<Runner.Interruption>.makeStream()
      let play = try Play(
        Self.retried("{ attempts: 5, wait: 1h, errors: [expectation, transient] }"), seed: seed, interruptions: stream,
        onEvent: { if $0.type == .scenarioFinished { continuation.yield(.interrupt) } })
      #expect(play.outcome.exitCode == 130)
      #expect(
        play.events(.scenarioStarted).count == 1 && play.events(.scenarioFinished).first?.fields["result"] == "failed")
      #expect((play.events.last?.elapsed ?? 9999) < 60)
    }
  }

  @Test("What passed is not run again because its cleanup failed, whatever the cleanup failed with")
  func cleanupFails() throws {
    let text =
      Self.retried("{ attempts: 3, wait: 1s, errors: [expectation, transient] }").replacing(
        "above: 1s", with: "min: 0s")
      + "\nfinally: [{ fail: broken }]\n"
    let play = try Play(text)
    #expect(play.events(.scenarioStarted).count == 1)
    #expect(play.outcome == Runner.Outcome(result: .error, exitCode: 5))
    let lenient = try Play(
      text,
      configure: {
        $0.cleanupWarns = true
        $0.failOnFlaky = true
      })
    #expect(lenient.events(.scenarioStarted).count == 1)
    #expect(lenient.outcome == Runner.Outcome(result: .passed, exitCode: 0))
  }

  @Test("What failed is run again for what its steps failed with, whatever its cleanup failed with")
  func bodyAndCleanupFail() throws {
    let text =
      Self.retried("{ attempts: 3, wait: 1s, errors: [timeout] }")
      + "\nfinally: [{ wait_until: { player: paused }, timeout: 1s }]\n"
    #expect(try Play(text).events(.scenarioStarted).count == 1)
  }

  @Test("Devices that fail together wait differently long for their next try")
  func jitterOfDevices() throws {
    let media = "{ media: { url: \"https://a.example/a.pdf\", type: application/pdf } }"
    let steps = "[{ load: \(media), retry: { attempts: 2, wait: 10s, jitter: 50%, errors: [load_failed] } }]"
    let play = try Play(Self.everyDevice("together", steps: steps), seed: 5)
    let waits = play.events(.attemptFailed).compactMap { $0.fields["nextTryIn"]?.number }
    #expect(waits.count == 3 && Set(waits).count == 3, "\(waits)")
    let again = try Play(Self.everyDevice("together", steps: steps), seed: 5)
    #expect(again.events(.attemptFailed).compactMap { $0.fields["nextTryIn"]?.number }.sorted() == waits.sorted())
    let whole = "retry: { attempts: 2, wait: 10s, jitter: 50%, errors: [expectation] }\n"
    let tries = try Play(Self.everyDevice("together", steps: "[{ fail: no }]") + "\n" + whole, seed: 5)
    let starts = tries.events(.scenarioStarted).filter { $0.fields["attempt"] == 2 }.map(\.elapsed)
    #expect(starts.count == 3 && Set(starts).count == 3, "\(starts)")
  }

  @Test("Devices that are lost together come back at different times, and a seed repeats these")
  func reconnectJitter() throws {
    func back() throws -> [Double] {
      let steps = "[{ load: film }, { wait: 15s }, { refresh: {}, retry: 2, timeout: 90s }]"
      let play = try Play(
        Self.everyDevice("together", steps: steps), seed: 5,
        simulate: {
          $0.link = .cut(at: .seconds(1))
          $0.presence.absences = [.seconds(1)..<(.seconds(50))]
        })
      return play.events(.deviceBack).map(\.elapsed).sorted()
    }
    let times = try back()
    #expect(times.count == 3 && Set(times).count == 3, "\(times)")
    #expect(try back() == times)
  }

  @Test("A branch that connects again is seen by the one that waits for the connection")
  func reconnectsBeside() throws {
    let play = try Play(
      """
      scenario: Beside
      device: TV
      \(Self.media)
      steps:
        - load: film
        - parallel:
            - { name: a, steps: [{ disconnect: { abrupt: false } }, { wait: 2s }, connect] }
            - { name: b, steps: [{ wait: 100ms }, { expect: { connection: open }, within: 30s }] }
      """)
    #expect(play.outcome.exitCode == 0, "\(play.lines.suffix(8))")
    let judged = play.events(.expectPassed).first?.elapsed ?? 99
    #expect(judged >= 2 && judged < 3, "\(judged)")
  }

  @Test("Each branch has the reply of its own program")
  func replies() throws {
    let text = """
      scenario: Replies
      device: TV
      steps:
        - exec: { command: [echo, zero], output: text }
        - parallel:
            - { name: a, steps: [{ log: "a first ${reply}" }, { exec: { command: [echo, A], output: text } }, { wait: 2s }, { log: "a ${reply}" }] }
            - { name: b, steps: [{ wait: 1s }, { exec: { command: [echo, B], output: text } }, { log: "b ${reply}" }] }
            - { name: c, steps: [{ wait: 3s }, { log: "c ${reply}" }] }
        - log: "then ${reply}"
      """
    let play = try Play(
      text,
      configure: { $0.startProgram = { .exited(0, output: Array(($0.command.last ?? "").utf8), standardError: []) } })
    let logs = play.events(.log).compactMap { $0.fields["text"]?.string }
    #expect(logs == ["a first zero", "b B", "a A", "c zero", "then B"], "\(logs) \(play.results)")
  }

  // MARK: looking for devices

  /// Runs a plan of `devices:` on devices that only a search could find.
  private static func search(
    _ match: String, interruptAfter delay: Duration? = nil,
    _ find: @escaping @Sendable (Plan.DeviceSelector, Duration, TimeSource) async throws(RunError) -> [FoundDevice]
  ) throws -> (outcome: Runner.Outcome, elapsed: Duration) {
    let plan = try Play.plan("scenario: S\ndevices: \(match)\nsteps: [{ log: a }]\n")
    let executor = SimulationExecutor(seed: 0)
    let network = SimulatedNetwork(executor: executor, seed: 0, latency: nil)
    return try executor.run { _ in
      let show = network.times.show
      let (stream, continuation) = AsyncStream<Runner.Interruption>.makeStream()
      let interrupting = show.spawn {
        guard let delay, (try? await show.sleep(for: delay)) != nil else { return }
        continuation.yield(.interrupt)
      }
      let access = DeviceAccess(
        find: { selector, limit throws(RunError) in try await find(selector, limit, show) },
        connect: { _, _ throws(ClientError) in throw ClientError(.unreachable, "nobody there") })
      let outcome = await Runner.run(
        plan, on: access, times: network.times,
        configuration: RunConfiguration(runID: "T", toolVersion: "0", wallClock: { 0 }), interruptions: stream,
        reportingTo: RecordingSink())
      interrupting.cancel()
      await interrupting.value
      return (outcome, show.now)
    }
  }

  @Test("Ctrl-C while devices are looked for ends the search")
  func searchInterrupted() throws {
    let (outcome, elapsed) = try Self.search(
      "{ match: { name_like: \"*\" }, at_least: 2 }", interruptAfter: .seconds(1)
    ) {
      _, limit, show in
      try? await show.sleep(for: limit)
      return []
    }
    #expect(outcome.exitCode == 130 && elapsed < .seconds(2), "\(elapsed)")
  }

  @Test("Several devices are looked for at once, and who cannot look at all is not asked again")
  func searchTogether() throws {
    let (_, elapsed) = try Self.search("[A, B, C, D, E, F]") { selector, limit, show in
      try? await show.sleep(for: min(limit, .seconds(2)))
      let name = selector.name ?? ""
      return [
        FoundDevice(name: name, id: name, address: HostAndPort(host: "192.0.2.\(name.utf8.first ?? 0)"), via: .mdns)
      ]
    }
    #expect(elapsed < .seconds(5), "\(elapsed)")
    let (outcome, hopeless) = try Self.search("{ match: { name_like: \"*\" }, at_least: 2 }") {
      _, _, _ throws(RunError) in
      throw RunError(errorClass: .notFound, message: "no daemon", isFinal: true)
    }
    #expect(outcome.exitCode == 4 && hopeless < .seconds(1), "\(hopeless)")
  }
}
