import CastProtocol
import CastReceiver
import DeviceControl
import RunReporting
import ScenarioLanguage
import ScenarioRunner
import Synchronization
import Testing

@testable import Simulation

/// Whole runs against a receiver that goes wrong as a library says: our client and runner end right, and in time.
@Suite struct FaultTests {
  struct Case: CustomTestStringConvertible, Sendable {
    /// The entries of `faults:`.
    var faults: [String]
    var steps: [String]
    /// The exit code of the run.
    var exit: Int
    /// A word of what the run tells of it.
    var tells: String?
    /// Beside `steps:`.
    var keys = ""

    init(_ faults: String..., steps: [String] = play, exit: Int = 0, tells: String? = nil, keys: String = "") {
      self.faults = faults
      self.steps = steps
      self.exit = exit
      self.tells = tells
      self.keys = keys
    }

    var testDescription: String { faults.joined(separator: ", ") }
  }

  static let play = ["load: film", "expect: { player: playing }"]
  static let playOn = play + ["wait: 20s", "expect: { player: playing }"]
  /// Whoever lost the device gets it back by a retried step.
  static let back = [
    "seek: 30s\n    retry: { attempts: 4, wait: 3s, before: reconnect }", "expect: { player: playing }",
  ]
  static let playAgain = ["load: film", "wait: 20s"] + back

  /// A film that begins with an ad of 9 s, which may be skipped from 2 s on.
  static let ads = """
    media:
      film:
        url: https://x.example.com/film.mp4
        duration: 10m
        clips: { car: { url: "https://x.example.com/car.mp4", duration: 9s, skippable_after: 2s } }
        breaks: [{ id: pre, at: start, clips: [car] }]
    """

  static let cases: [Case] = [
    // Fail: at once, after LOADING, and while it plays.
    Case("{ at: load, answer: load_failed, code: 311 }", exit: 5, tells: "311"),
    Case("{ at: load, answer: load_failed, code: 104, after: 3s }", exit: 5, tells: "104"),
    Case(
      "{ at: load, times: 1, answer: load_failed, code: 311 }",
      steps: [
        "load: film\n    retry: { attempts: 2, wait: 1s, errors: [load_failed] }", "expect: { player: playing }",
      ], exit: 0),
    Case("{ at: load, answer: load_cancelled }", exit: 5, tells: "load_cancelled"),
    Case("{ at: playing, after: 5s, player: error, code: 315 }", steps: playOn, exit: 1, tells: "idle"),
    Case("{ at: launch, answer: launch_error, reason: NOT_FOUND }", exit: 5, tells: "NOT_FOUND"),
    Case("{ at: pause, answer: invalid_request }", steps: play + ["pause"], exit: 5, tells: "invalid_request"),
    Case(
      "{ at: pause, answer: invalid_player_state }", steps: play + ["pause"], exit: 5, tells: "INVALID_PLAYER_STATE"),
    Case("{ at: launch, answer: without_id }"),
    // Delay, drop, duplicate, reorder.
    Case("{ at: load, delay: 2s }"),
    Case("{ at: media_status, delay: 300ms }"),
    Case("{ at: pause, drop: request }", steps: play + ["pause"], exit: 6, tells: "timeout"),
    Case("{ at: seek, drop: answer }", steps: play + ["seek: 30s", "expect: { player: playing }"]),
    Case("{ at: message, duplicate: true }"),
    Case("{ at: media_status, every: 2, reorder: true }"),
    Case("{ at: message, chance: 30%, duplicate: true }"),
    // Lie.
    Case(
      "{ at: rate, accept_but_ignore: true }", steps: play + ["rate: 1.5", "expect: { rate: 1.5 }"], exit: 6,
      tells: "timeout"),
    // The ad would be over by itself in time for what follows.
    Case(
      "{ at: skip_ad, accept_but_ignore: true }",
      steps: ["load: film", "expect: { break: { skippable: true } }", "skip_ad", "expect: { break: none }"], exit: 6,
      tells: "the clip to be over", keys: ads),
    Case(
      "{ at: pause, accept_but_ignore: true }", steps: play + ["pause", "expect: { player: paused }"], exit: 6,
      tells: "timeout"),
    // Mute and silence.
    Case("{ at: playing, mute: true }", steps: play + ["pause"], exit: 6, tells: "timeout"),
    Case("{ at: playing, mute: true, for: 1s }", steps: play + ["wait: 2s", "pause", "expect: { player: paused }"]),
    Case(
      "{ at: playing, after: 1s, silence: true }", steps: playOn, exit: 5,
      tells: "nothing came from the device for 10 s"),
    Case("{ at: playing, times: 1, after: 1s, silence: true }", steps: playAgain),
    Case("{ at: playing, after: 1s, silence: true, for: 12s, times: 1 }", steps: playAgain),
    // Cut with and without an end, and for a time.
    Case("{ at: playing, drop: connection }", exit: 5, tells: "connection_lost"),
    Case("{ at: playing, times: 1, after: 1s, drop: connection }", steps: playAgain),
    Case("{ at: playing, times: 1, after: 1s, close: connection }", steps: playAgain),
    Case("{ at: playing, times: 1, after: 19s, drop: connection, for: 4s }", steps: playAgain),
    Case("{ after: 12s, drop: connection, for: 4s }", steps: playAgain),
    // Start again.
    Case("{ at: playing, times: 1, after: 1s, restart: same, for: 2s }", steps: playAgain, exit: 5, tells: "app_gone"),
    Case("{ at: playing, times: 1, after: 1s, restart: certificate }", steps: playAgain, exit: 5, tells: "app_gone"),
    Case("{ at: playing, times: 1, after: 1s, restart: port }", steps: playAgain, exit: 5, tells: "app_gone"),
    // Others.
    Case("{ at: playing, takeover: YouTube, after: 5s }", steps: playOn, exit: 5, tells: "taken_over"),
    Case("{ at: playing, after: 5s, player: stall }", steps: playOn, exit: 1, tells: "buffering"),
    Case("{ at: playing, times: 1, after: 5s, player: stall, for: 3s }", steps: playOn),
    // In a break its clip stands, too.
    Case(
      "{ at: playing, times: 1, after: 1s, player: stall }",
      steps: ["load: film", "expect: { break: none }\n    within: 20s"], exit: 1, tells: "break", keys: ads),
    Case(
      "{ at: playing, times: 1, after: 1s, player: freeze }",
      steps: ["load: film", "expect: { break: none }\n    within: 20s"], exit: 1, tells: "break", keys: ads),
    Case(
      "{ at: playing, times: 1, after: 1s, player: stall, for: 5s }",
      steps: ["load: film", "expect: { break: none }\n    within: 20s"], keys: ads),
    Case(
      "{ at: playing, times: 1, after: 1s, player: freeze }",
      steps: play + ["wait: 20s", "refresh", "expect: { position: { min: 15s } }\n    within: 2s"], exit: 1),
    Case(
      "{ status: stale_when_polled }",
      steps: play + ["pause", "refresh", "expect: { player: paused }\n    within: 3s"], exit: 1, tells: "playing"),
    // What is no message.
    Case("{ at: playing, times: 1, frame: oversized }", exit: 5, tells: "a frame announces"),
    Case("{ at: playing, times: 1, frame: malformed }", exit: 5, tells: "a frame holds no Cast message"),
    Case(
      "{ at: playing, times: 1, frame: broken_text }",
      steps: ["load: film", "wait: 20s", "expect: { player: playing }"]),
    Case("{ status: without_namespaces, at: launch, for: 2s }"),
    Case("{ slow_reads: 2000 }"),
  ]

  static func scenario(_ test: Case) -> String {
    """
    scenario: Fault
    device: TV
    \(test.keys.contains("media:") ? "" : #"media: { film: { url: "https://x.example.com/film.mp4", duration: 10m } }"#)
    \(test.keys)
    steps:
    \(test.steps.map { "  - \($0)" }.joined(separator: "\n"))

    """
  }

  static func plan(_ faults: [String]) throws -> ReceiverPlan {
    let text = "library: Lab\nfaults:\n" + faults.map { "  - \($0)\n" }.joined()
    let outcome = PlanCompiler.compile(SourceFile(name: "lab.yaml", bytes: Array(text.utf8)))
    guard case .library(_, _, let receiver)? = outcome.document else {
      throw ScenarioSimulationTests.CompileFailure(problems: outcome.diagnostics.map { "\($0.code) \($0.message)" })
    }
    return receiver
  }

  /// - Parameter goesWrong: Whether the receiver has the faults.
  static func run(
    _ test: Case, seed: UInt64 = 1, goesWrong: Bool = true
  ) throws -> (exit: Int, text: String) {
    var simulation = ScenarioSimulation()
    simulation.seed = seed
    if goesWrong { simulation.faults = try plan(test.faults) }
    let lines = Lines()
    var configuration = RunConfiguration(runID: "TEST", toolVersion: "test", wallClock: { 1_767_225_600 })
    configuration.seed = seed
    configuration.includesWire = true
    let outcome = try simulation.run(
      ScenarioSimulationTests.compile(scenario(test)), configuration: configuration, reportingTo: lines)
    return (Int(outcome.exitCode), lines.text)
  }

  private final class Lines: EventSink {
    private let events = Mutex<[Event]>([])
    func record(_ event: Event) { events.withLock { $0.append(event) } }
    var text: String { events.withLock { $0.map { EventRecord($0).jsonLine }.joined(separator: "\n") } }
  }

  @Test("A run against a receiver that goes wrong ends with the right exit code, and says why", arguments: cases)
  func ends(test: Case) throws {
    let (exit, text) = try Self.run(test)
    #expect(exit == test.exit, "\(text)")
    if let word = test.tells { #expect(text.contains(word), "\(text)") }
    #expect(text != (try Self.run(test, goesWrong: false)).text, "the fault left no trace")
  }

  @Test("The same seed brings the same faults; another one others")
  func seeds() throws {
    let test = Case("{ at: message, chance: 50%, delay: 100ms }", steps: Self.playOn)
    #expect(try Self.run(test, seed: 3).text == Self.run(test, seed: 3).text)
    #expect(try Self.run(test, seed: 3).text != Self.run(test, seed: 4).text)
  }
}
