import CastProtocol
import ScenarioLanguage
import Simulation
import TestSupport
import Testing

@testable import DeviceControl
@testable import RunReporting
@testable import ScenarioRunner

/// `--jobs`: rows that are run at the same time where they use different devices.
@Suite struct JobsTests {
  private static func rows(
    _ devices: String, steps: String = "[{ load: film }, { wait: 10s }]", more: String = ""
  ) throws -> RunnableDocument {
    let text = """
      scenario: Rows
      matrix: { where: [\(devices)]\(more) }
      device: { name: "${matrix.where}" }
      media: { film: { url: https://cdn.example.com/film.mp4, duration: 10m } }
      steps: \(steps)
      """
    let compiled = PlanCompiler.compile(SourceFile(name: "a.yaml", bytes: Array(text.utf8)))
    return try #require(RunnableDocument(compiled.plans), "\(compiled.diagnostics.map(\.message))")
  }

  private static func play(
    _ document: RunnableDocument, jobs: Int?, seed: UInt64 = 0, interruptions: AsyncStream<Runner.Interruption>? = nil,
    onEvent: (@Sendable (Event) -> Void)? = nil, configure more: (inout RunConfiguration) -> Void = { _ in }
  ) throws -> Play {
    try Play(
      document, seed: seed, interruptions: interruptions,
      configure: { configuration in
        configuration.rowTurns = jobs.map { RowTurns(limit: $0) }
        configuration.locking.turns = jobs.map { _ in Turns() }
        more(&configuration)
      }, onEvent: onEvent)
  }

  /// When the scenarios began and ended, by what they are called, in whole seconds.
  private static func times(_ play: Play) -> [String: [Double]] {
    play.events.reduce(into: [:]) { times, event in
      guard event.type == .scenarioStarted || event.type == .scenarioFinished else { return }
      times[event.device ?? "", default: []].append(event.elapsed.rounded())
    }
  }

  @Test(
    "Rows on different devices go on at the same time, rows on one device one after the other", arguments: [0, 3, 8])
  func devices(_ seed: UInt64) throws {
    let document = try Self.rows("A, B, A")
    let apart = try Self.play(document, jobs: nil, seed: seed)
    let together = try Self.play(document, jobs: 3, seed: seed)
    #expect(apart.outcome.exitCode == 0 && together.outcome.exitCode == 0)
    let times = Self.times(together)
    #expect(times["b"] == [0, 10] && times["a"] == [0, 10, 10, 20], "\(times)")
    #expect((apart.events.last?.elapsed ?? 0) >= 30 && (together.events.last?.elapsed ?? 99) < 21)
    // One stream, without a hole.
    #expect(together.events.map(\.number) == Array(1...together.events.count))
    #expect(together.events(.runFinished).first?.fields["scenarios"]?["passed"] == 3)
  }

  @Test("No more rows go on at a time than there are jobs")
  func limit() throws {
    let document = try Self.rows("A, B, C, D, E")
    let play = try Self.play(document, jobs: 2)
    var (going, most) = (0, 0)
    for event in play.events {
      if event.type == .scenarioStarted { going += 1 }
      if event.type == .scenarioFinished { going -= 1 }
      most = max(most, going)
    }
    #expect(most == 2 && play.events(.scenarioFinished).count == 5)
    let length = play.events.last?.elapsed ?? 0
    #expect(length >= 30 && length < 31, "\(length)")
  }

  @Test("The same seed gives the same events, jobs or not")
  func repeatable() throws {
    let document = try Self.rows("A, B, C, A, B")
    #expect(try Self.play(document, jobs: 3, seed: 7).lines == Self.play(document, jobs: 3, seed: 7).lines)
    #expect(try Self.play(document, jobs: nil, seed: 7).lines == Self.play(document, jobs: nil, seed: 7).lines)
  }

  @Test("A row that fails does not keep the others from going on, and reports say of each what is its own")
  func failures() throws {
    // Of B nobody expects the truth.
    let steps = "[{ load: film }, { wait: 1s }, { expect: { player: \"${matrix.state}\" }, within: 1s }, { mark: end }]"
    let others = "{ where: A, state: paused }, { where: B, state: playing }, { where: C, state: paused }"
    let states = ", state: [playing, paused], exclude: [\(others)]"
    let play = try Self.play(Self.rows("A, B, C", steps: steps, more: states), jobs: 3)
    #expect(play.outcome.exitCode == 1)
    let text = ReportText.console(play.events).split(separator: "\n").map {
      String($0).replacing(#/ in [0-9.]+s/#, with: "")
    }
    for line in [
      "PASSED a [A] where=A state=playing 4 passed", "FAILED a [B] where=B state=paused 2 passed, 1 failed, 1 not run",
      "PASSED a [C] where=C state=playing 4 passed", "FAILED all 3: 2 passed, 1 failed · exit 1",
    ] { #expect(text.contains(line), "\(text.suffix(6))") }
  }

  @Test("A row whose device is not there is told apart from those that go on")
  func missing() throws {
    let document = try Self.rows("A, B, C")
    let play = try Play(
      document,
      configure: { configuration in
        configuration.rowTurns = RowTurns(limit: 3)
        configuration.locking.turns = Turns()
      },
      simulate: { simulation in
        var away = DevicePresence()
        away.absences = [.zero..<(.seconds(86_400))]
        simulation.presences.own["B"] = away
      })
    let results = play.events(.scenarioFinished).map { "\($0.device ?? "") \($0.fields["result"]?.string ?? "")" }
    #expect(results.sorted() == ["a passed", "b error", "c passed"], "\(results)")
  }

  @Test("After an interruption rows that wait are not begun, and those that go on clean up")
  func interrupted() throws {
    let (interruptions, sent) = AsyncStream<Runner.Interruption>.makeStream()
    let document = try Self.rows("A, B, A, B, C, D")
    let play = try Self.play(
      document, jobs: 2, interruptions: interruptions,
      onEvent: { event in if event.type == .stepStarted, event.step == "s2" { sent.yield(.interrupt) } })
    #expect(play.outcome.exitCode == 130)
    #expect(play.events(.scenarioStarted).count == 2 && play.events(.scenarioFinished).count == 2)
  }

  @Test("Rows with several devices are run one at a time, since events of all of them say no row")
  func roles() throws {
    let text = """
      scenario: Rows
      matrix: { left: [A, C] }
      roles: { left: { name: "${matrix.left}" }, right: { name: "${matrix.left} two" } }
      steps: [{ wait: 10s }, { expect: { app: none }, role: all }]
      """
    let plans = PlanCompiler.compile(SourceFile(name: "a.yaml", bytes: Array(text.utf8))).plans
    let play = try Self.play(try #require(RunnableDocument(plans)), jobs: 4)
    #expect(play.outcome.exitCode == 0 && (play.events.last?.elapsed ?? 0) >= 20)
  }

  @Test("Each repeat of a row waits for the one before, and other rows do not")
  func repeats() throws {
    let play = try Self.play(Self.rows("A, B"), jobs: 4, configure: { $0.repeats = RowRepeats(count: 2) })
    #expect(Self.times(play) == ["a": [0, 10, 10, 20], "b": [0, 10, 10, 20]])
  }

  @Test("Who asks for a device by another name waits until the scenario that has it is over")
  func otherNames() async throws {
    var locking = DeviceLocking.none
    locking.turns = Turns()
    let (first, second) = (DeviceHold(locking), DeviceHold(locking))
    let clock = TimeSource(ContinuousClock())
    let device = FoundDevice(
      name: "TV", address: HostAndPort(host: "192.0.2.1", port: 8009), via: .host)
    #expect(await first.lock([device], called: ["tv"], on: clock) { _ in } == nil)
    // It is this one's already.
    try await first.lockAtOnce(device)
    await #expect(throws: StepFailure.self) { try await second.lockAtOnce(device) }
    let (told, telling) = AsyncStream<String>.makeStream()
    let locked = [second]
    let waiting = Task {
      await locked[0].lock([device], called: ["television"], on: clock) { telling.yield($0) } == nil
    }
    for await text in told {
      #expect(text == "waiting for TV: another scenario of this command line goes on there")
      break
    }
    first.end()
    #expect(await waiting.value)
    // Another device of that name in events waits, too.
    let other = FoundDevice(name: "Other", address: HostAndPort(host: "192.0.2.2", port: 8009), via: .host)
    let stopped = Task { await first.lock([other], called: ["television"], on: clock) { _ in }?.failure.errorClass }
    stopped.cancel()
    #expect(await stopped.value == .cancelled)
    second.end()
  }
}
