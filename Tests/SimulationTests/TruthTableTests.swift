import CastProtocol
import Foundation
import RunReporting
import ScenarioLanguage
import ScenarioRunner
import Testing

@testable import Simulation

/// What every kind of fault does to every example: verdict, class and exit code, and why that is right.
@Suite struct TruthTableTests {
  /// What a run of an example comes to.
  enum Cell: Hashable, Sendable {
    /// The fault came, and the run passed all the same.
    case passes
    /// It passed on a later try.
    case isFlaky
    /// The example does nothing that the fault is about.
    case untouched
    /// The first failed step, why it failed, and the exit code; no step where the device was never reached.
    case fails(step: String?, cause: String, exit: Int)
  }

  struct Row: CustomTestStringConvertible, Sendable {
    var fault: String
    var hello: Cell
    var ads: Cell
    var screens: Cell
    /// Why that is right.
    var because: String

    init(_ fault: String, hello: Cell, ads: Cell, screens: Cell, because: String) {
      (self.fault, self.hello, self.ads, self.screens, self.because) = (fault, hello, ads, screens, because)
    }

    var testDescription: String { "\(fault): \(because)" }
  }

  private static func error(_ step: String, _ cause: String) -> Cell { .fails(step: step, cause: cause, exit: 5) }
  private static func late(_ step: String) -> Cell { .fails(step: step, cause: "timeout", exit: 6) }
  private static func failure(_ step: String, _ cause: String = "expectation", exit: Int = 1) -> Cell {
    .fails(step: step, cause: cause, exit: exit)
  }

  static let rows: [Row] = [
    // A request is refused.
    Row(
      "{ at: load, answer: load_failed, code: 311 }", hello: error("s1", "load_failed"),
      ads: error("s2", "load_failed"),
      screens: error("s1.2.1", "load_failed"),
      because: "a load that the device refuses fails its step, and nothing asks for another try"),
    Row(
      "{ at: load, answer: load_failed, after: 2s }", hello: error("s1", "load_failed"), ads: failure("s2", "monitor"),
      screens: error("s1.2.1", "load_failed"),
      because: "it fails while it is being loaded; the rule of ads.yaml forbids the idle reason ERROR, and is sooner"),
    Row(
      "{ at: load, answer: load_cancelled }", hello: error("s1", "load_cancelled"), ads: error("s2", "load_cancelled"),
      screens: error("s1.2.1", "load_cancelled"), because: "somebody else's load came between"),
    Row(
      "{ at: load, answer: invalid_request }", hello: error("s1", "invalid_request"),
      ads: error("s2", "invalid_request"), screens: error("s1.2.1", "invalid_request"),
      because: "what a device calls invalid is not sent again"),
    Row(
      "{ at: load, answer: invalid_player_state }", hello: error("s1", "invalid_state"),
      ads: error("s2", "invalid_state"), screens: error("s1.2.1", "invalid_state"),
      because: "the class tells it from a request that is wrong in itself"),
    Row(
      "{ at: launch, answer: launch_error, reason: NOT_FOUND }", hello: error("s1", "launch_failed"),
      ads: error("s1", "launch_failed"), screens: error("s1.1.1", "launch_failed"),
      because: "no try helps where the device does not know the app"),
    Row(
      "{ at: launch, times: 1, answer: launch_error, reason: CANCELLED }", hello: error("s1", "launch_cancelled"),
      ads: .isFlaky, screens: error("s1.1.1", "launch_cancelled"),
      because: "ads.yaml launches with `retry: 3`, the others with none"),
    Row(
      "{ at: launch, answer: without_id }", hello: .passes, ads: .passes,
      screens: .passes, because: "the app's own status shows that it was launched"),
    Row(
      "{ at: tracks, answer: invalid_request }", hello: .untouched, ads: error("s10", "invalid_request"),
      screens: .untouched, because: "the step goes on after it (`if_fails: continue`), but counts"),
    Row(
      "{ at: skip_ad, answer: invalid_request }", hello: .untouched, ads: error("s7", "invalid_request"),
      screens: .untouched, because: "the clip says that it can be skipped"),
    // A request is taken, and nothing happens.
    Row(
      "{ at: load, accept_but_ignore: true }", hello: late("s1"), ads: late("s2"),
      screens: late("s1.1.1"), because: "only a status with the content ends a load"),
    Row(
      "{ at: rate, accept_but_ignore: true }", hello: .untouched, ads: late("s11"),
      screens: .untouched, because: "only a status with the rate ends it"),
    Row(
      "{ at: tracks, accept_but_ignore: true }", hello: .untouched, ads: late("s10"),
      screens: .untouched, because: "only a status with the tracks ends it"),
    Row(
      "{ at: skip_ad, accept_but_ignore: true }", hello: .untouched, ads: late("s7"),
      screens: .untouched, because: "a clip that plays to its own end was not skipped"),
    // Messages are lost, late, twice, out of order.
    Row(
      "{ at: load, drop: request }", hello: late("s1"), ads: late("s2"), screens: late("s1.1.1"),
      because: "a LOAD is never sent twice by itself"
    ),
    Row(
      "{ at: load, drop: answer }", hello: .passes, ads: .passes, screens: .passes,
      because: "the status shows what was asked for"),
    Row(
      "{ at: media_status, drop: message }", hello: late("s1"), ads: late("s2"),
      screens: late("s1.1.1"), because: "without a media status nothing is known of the load"),
    Row(
      "{ at: load, delay: 3s }", hello: .passes, ads: .passes, screens: failure("s4"),
      because:
        "only the answer is late, within the time; to screens.yaml, which goes on meanwhile, it tells the state before"),
    Row(
      "{ at: media_status, delay: 1s }", hello: .passes, ads: .passes,
      screens: .passes, because: "every limit of the examples has more than a second to spare"),
    Row(
      "{ at: media_status, duplicate: true }", hello: .passes, ads: .passes,
      screens: .passes, because: "a status that comes twice says nothing new"),
    Row(
      "{ at: media_status, reorder: true }", hello: .passes, ads: .passes,
      screens: .passes, because: "a status that is overtaken is a second late at most"),
    // The device is gone.
    Row(
      "{ after: 3s, drop: connection, for: 2s }", hello: .untouched, ads: error("s3", "connection_lost"),
      screens: .passes,
      because:
        "what happens while the device is away is not seen, so an order of statuses cannot be vouched for; screens.yaml is over with that moment"
    ),
    Row(
      "{ after: 3s, close: connection, for: 2s }", hello: .untouched, ads: error("s3", "connection_lost"),
      screens: .passes, because: "as above, also where the device takes its leave"),
    Row(
      "{ at: connect, silence: true }", hello: .fails(step: nil, cause: "timeout", exit: 4),
      ads: .fails(step: nil, cause: "timeout", exit: 4), screens: .fails(step: nil, cause: "timeout", exit: 4),
      because: "a device that says nothing was never reached"),
    Row(
      "{ at: playing, silence: true }", hello: .passes, ads: error("s3", "connection_lost"),
      screens: error("s1.1.3", "connection_lost"),
      because: "hello.yaml is over with the status that it waits for, screens.yaml asks for another title"),
    Row(
      "{ at: playing, restart: same, for: 2s }", hello: error("s2", "connection_lost"),
      ads: error("s3", "connection_lost"), screens: error("s1.1.1", "connection_lost"),
      because: "nothing plays on a device that starts anew"),
    Row(
      "{ at: playing, restart: port, for: 2s }", hello: error("s2", "connection_lost"),
      ads: error("s3", "connection_lost"), screens: error("s1.1.1", "connection_lost"), because: "as above"),
    Row(
      "{ at: playing, takeover: YouTube, after: 1s }", hello: .untouched, ads: error("s3", "taken_over"),
      screens: error("s4", "taken_over"), because: "another sender's app is none of ours; hello.yaml is over before"),
    Row(
      "{ at: playing, mute: true }", hello: .passes, ads: failure("s3", exit: 5),
      screens: error("s1.1.3", "timeout"),
      because:
        "hello.yaml is over with the status that it waits for; the cleanup of ads.yaml and the jump of screens.yaml are not answered"
    ),
    Row(
      "{ slow_reads: 100 }", hello: .passes, ads: error("s2", "connection_lost"),
      screens: .passes, because: "only the long LOAD of ads.yaml keeps the heartbeat waiting for more than 10 s"),
    // Playback goes wrong.
    Row(
      "{ at: playing, player: error, code: 104 }", hello: failure("s2"), ads: failure("s2", "monitor"),
      screens: error("s1.2.2", "invalid_request"),
      because:
        "it no longer plays; the rule of ads.yaml forbids the idle reason ERROR, and nothing is left that screens.yaml could pause"
    ),
    Row(
      "{ at: playing, player: stall }", hello: late("s1"), ads: failure("s2", "monitor", exit: 5),
      screens: late("s1.1.1"),
      because: "the rule of ads.yaml allows no stall of more than 5 s, also not in the ad, where its cleanup cannot end"
    ),
    Row(
      "{ at: playing, times: 1, player: stall, for: 2s }", hello: .passes, ads: .passes,
      screens: .passes, because: "every limit has more than 2 s to spare"),
    Row(
      "{ at: playing, player: freeze }", hello: .passes, ads: failure("s3", exit: 5),
      screens: .passes,
      because:
        "it says PLAYING, which is all that hello.yaml wants; the ad that stands is not over in 20 s, nor does it "
        + "let the cleanup end; the positions of screens.yaml are calculated, and told as such"),
    // Statuses and frames lie or break.
    Row(
      "{ status: stale_when_polled }", hello: .passes, ads: failure("s14"),
      screens: .passes, because: "the rate that a poll tells is that of the beginning; nothing else polls"),
    Row(
      "{ status: without_namespaces, after: 1s }", hello: .passes, ads: .passes,
      screens: .passes, because: "the app is spoken to once it says what it speaks"),
    Row(
      "{ at: media_status, frame: broken_text }", hello: late("s1"), ads: late("s2"),
      screens: late("s1.1.1"), because: "a message that is no JSON is left out, and nothing is known of the load"),
    Row(
      "{ at: media_status, frame: malformed }", hello: error("s1", "protocol"), ads: error("s2", "connection_lost"),
      screens: error("s1.2.1", "protocol"),
      because: "who sends what is no message is hung up on; ads.yaml and the left screen had been connected before"),
    Row(
      "{ at: media_status, frame: oversized }", hello: error("s1", "protocol"), ads: error("s2", "connection_lost"),
      screens: error("s1.2.1", "protocol"), because: "as above: what a frame announces is not waited for"),
  ]

  private static func cell(of example: String, with fault: String) throws -> Cell {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let name = "examples/\(example).yaml"
    let source = SourceFile(name: name, bytes: Array(try Data(contentsOf: root.appending(path: name))))
    guard case .scenario(let plan)? = PlanCompiler.compile(source).document else {
      throw ScenarioSimulationTests.CompileFailure(problems: [name])
    }
    var simulation = ScenarioSimulation()
    simulation.faults = try FaultTests.plan([fault])
    let kept = KeptEvents()
    var configuration = RunConfiguration(runID: "TEST", toolVersion: "test", wallClock: { 1_767_225_600 })
    configuration.seed = 1
    let outcome = try simulation.run(plan, configuration: configuration, reportingTo: kept)
    return cell(of: kept.all, exit: Int(outcome.exitCode))
  }

  private static func cell(of events: [Event], exit: Int) -> Cell {
    let finished = events.compactMap { if case .scenarioFinished(let finished) = $0.kind { finished } else { nil } }
      .last
    guard let finished else { return .fails(step: nil, cause: "no end", exit: exit) }
    if finished.result.isGood {
      if finished.result == .flaky { return .isFlaky }
      return events.contains { $0.type == .fault } ? .passes : .untouched
    }
    let own = events.filter { $0.step == finished.firstFailure }
    let attempt = own.compactMap {
      if case .attemptFailed(let failed) = $0.kind { failed.error.className } else { nil }
    }
    let cause =
      if let error = finished.error { error.className } else if let last = attempt.last {
        last
      } else if own.contains(where: { $0.type == .expectFailed }) {
        "expectation"
      } else if events.contains(where: {
        $0.type == .monitorFailed
      }) {
        "monitor"
      } else { "unknown" }
    return .fails(step: finished.firstFailure, cause: cause, exit: exit)
  }

  @Test("Every fault does to every example what the table says", arguments: rows)
  func table(row: Row) throws {
    #expect(try Self.cell(of: "hello", with: row.fault) == row.hello, "hello.yaml: \(row.because)")
    #expect(try Self.cell(of: "ads", with: row.fault) == row.ads, "ads.yaml: \(row.because)")
    let screens = try Self.cell(of: "screens", with: row.fault)
    #expect(screens == row.screens, "screens.yaml: \(row.because)")
  }

  @Test(
    "The table has every kind of fault that a simulation can have")
  func complete() {
    // A simulation asks for no proof.
    let actions = ReceiverPlan.Fault.Key.allCases.filter { $0 != .auth }.map(\.rawValue)
    for action in actions {
      #expect(Self.rows.contains { $0.fault.contains(" \(action):") }, "\(action)")
    }
  }
}
