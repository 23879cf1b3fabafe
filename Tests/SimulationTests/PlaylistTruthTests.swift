import CastProtocol
import FaultSearching
import Foundation
import RunReporting
import ScenarioLanguage
import ScenarioRunner
import Signage
import Synchronization
import Testing

@testable import Simulation

/// What every kind of fault does to every playlist of `playlists/`, and why that is right. Each is served for two minutes
/// from one o'clock on a working day in Paris, when all have something on. The exit code is 0 in every cell: a screen that
/// shows nothing is no reason to end (EndToEndTests/PlaylistsTests has it of the program).
@Suite struct PlaylistTruthTests {
  /// What is on the screens of a playlist, and what they tell:
  ///
  /// - `untouched`: nothing in it is what the fault is about, and nothing goes wrong.
  /// - `on`: the receivers prove an item for at least 100 of the 120 s; `partly on`: for at least 12 s.
  /// - `dark` with the reason for most of the time, as the ledger has it; `unseen`: something was to be on, and nothing
  ///   proves it.
  ///
  /// Behind a colon stands what screens tell of problems and of their ends, with the error class or the remedy.
  struct Row: CustomTestStringConvertible, Sendable {
    var fault: String
    var cells: [String: String]
    /// Why that is right.
    var because: String

    /// - Parameter all: Of the playlists that are not named.
    init(
      _ fault: String, _ all: String, cafe: String? = nil, bar: String? = nil, figures: String? = nil,
      lobby: String? = nil, because: String
    ) {
      self.fault = fault
      cells = ["cafe": cafe ?? all, "bar": bar ?? all, "figures": figures ?? all, "lobby": lobby ?? all]
      self.because = because
    }

    var testDescription: String { "\(fault): \(because)" }
  }

  static let rows: [Row] = [
    Row(
      "{ at: load, answer: load_failed, code: 311 }", "dark failed: not_shown load_failed",
      because: "each item is refused, and so is the fallback; it is tried again with longer and longer pauses"),
    Row(
      "{ at: load, answer: load_failed, after: 2s }", "dark failed: not_shown load_failed",
      because: "as above, with 2 s of loading each time"),
    Row(
      "{ at: load, answer: load_cancelled }", "dark failed: not_shown load_cancelled",
      because: "as above: whatever the reason is, nothing is on"),
    Row(
      "{ at: load, answer: invalid_request }", "dark failed: not_shown invalid_request",
      because: "as above"),
    Row(
      "{ at: load, answer: invalid_player_state }", "dark failed: not_shown invalid_state",
      because: "as above; the class tells it from a request that is wrong in itself"),
    Row(
      "{ at: launch, answer: launch_error, reason: NOT_FOUND }", "dark failed: not_shown launch_failed",
      because: "a device that does not know the app can show nothing"),
    Row(
      "{ at: launch, times: 1, answer: launch_error, reason: CANCELLED }", "on: not_shown launch_cancelled",
      because: "one item is passed over; without `on_error: skip` the fallback is on in its place, for 10 s"),
    Row(
      "{ at: launch, answer: without_id }", "on",
      because: "the app's own status shows that it was launched"),
    Row(
      "{ at: tracks, answer: invalid_request }", "untouched",
      because: "no playlist asks for tracks"),
    Row(
      "{ at: skip_ad, answer: invalid_request }", "untouched",
      because: "no playlist has ads"),
    Row(
      "{ at: load, accept_but_ignore: true }", "dark loading: not_shown timeout",
      because: "only a status with the item says that it is on; each load is waited for, as long as a load may take"),
    Row(
      "{ at: rate, accept_but_ignore: true }", "untouched",
      because: "no playlist asks for a rate"),
    Row(
      "{ at: tracks, accept_but_ignore: true }", "untouched",
      because: "no playlist asks for tracks"),
    Row(
      "{ at: skip_ad, accept_but_ignore: true }", "untouched",
      because: "no playlist has ads"),
    Row(
      "{ at: load, drop: request }", "dark loading: not_shown timeout",
      because: "a LOAD is never sent twice by itself; the next item is tried when its time is over"),
    Row(
      "{ at: load, drop: answer }", "on",
      because: "the status shows what was asked for"),
    Row(
      "{ at: media_status, drop: message }", "dark loading: not_shown timeout",
      because: "without a media status nothing is known of any item"),
    Row(
      "{ at: load, delay: 3s }", "on",
      because: "the status shows the item before the answer comes"),
    Row(
      "{ at: media_status, delay: 1s }", "on",
      because: "each item is proven a second later"),
    Row(
      "{ at: media_status, duplicate: true }", "on",
      because: "a status that comes twice says nothing new"),
    Row(
      "{ at: media_status, reorder: true }", "on",
      because: "a status that is overtaken is a second late at most"),
    Row(
      "{ after: 3s, drop: connection, for: 2s }", "on: adopted, lost",
      because: "the device comes back with the item on, which is not loaded again"),
    Row(
      "{ after: 3s, close: connection, for: 2s }", "on: adopted, lost",
      because: "as above, also where the device takes its leave"),
    Row(
      "{ at: connect, silence: true }", "dark device_off: unreachable timeout",
      because: "a device that says nothing cannot be reached; it is tried again for ever"),
    Row(
      "{ at: playing, silence: true }", "partly on: adopted, lost", figures: "on: adopted, lost",
      because:
        "each item costs a connection: 10 s until it is known to be lost, and nothing proves what is on meanwhile; items that are long cost least"
    ),
    Row(
      "{ at: playing, restart: same, for: 2s }", "dark device_off: lost",
      because: "nothing is left of an item when its device starts anew with it"),
    Row(
      "{ at: playing, restart: port, for: 2s }", "dark device_off: lost",
      because: "as above"),
    Row(
      "{ at: playing, takeover: YouTube, after: 1s }", "dark yielded: yielded",
      because: "whoever casts to a screen has it; the playlists wait until it is idle for minutes"),
    Row(
      "{ at: playing, mute: true }", "dark loading: not_shown timeout",
      cafe: "dark loading: not_shown timeout, stuck reload", figures: "dark unseen",
      because:
        "nothing that the device says proves the item, and no load after it is answered; the one of figures.yaml is not over yet"
    ),
    Row(
      "{ slow_reads: 100 }", "partly on", figures: "on",
      because: "a device that reads so slowly answers late, and each load takes seconds"),
    Row(
      "{ at: playing, player: error, code: 104 }", "dark loading",
      because: "each item ends as soon as it plays; the next one is loaded with longer and longer pauses"),
    Row(
      "{ at: playing, player: stall }", "dark unseen: stuck, stuck reconnect, stuck relaunch, stuck reload",
      cafe: "dark unseen: not_shown timeout, stuck, stuck reconnect, stuck relaunch, stuck reload",
      bar: "dark unseen: stuck relaunch, stuck reload",
      because:
        "nothing proves an item that does not play: it is loaded again, launched again, connected again, and then passed over"
    ),
    Row(
      "{ at: playing, times: 1, player: stall, for: 2s }", "on",
      because: "a pause of 2 s is no reason to load again"),
    Row(
      "{ at: playing, player: freeze }", "on", cafe: "partly on: stuck reconnect, stuck relaunch, stuck reload",
      bar: "partly on: stuck reload",
      because: "a film that says PLAYING and stands is stuck; of a picture nobody can tell"),
    Row(
      "{ status: stale_when_polled }", "on", bar: "partly on: stuck reload",
      because:
        "a film whose polled position is that of its beginning looks stuck to bar.yaml, whose films last longer than its watchdog waits; so the good film is loaded again"
    ),
    Row(
      "{ status: without_namespaces, after: 1s }", "on",
      because: "the app is spoken to once it says what it speaks"),
    Row(
      "{ at: media_status, frame: broken_text }", "dark loading: not_shown timeout",
      because: "a message that is no JSON is left out, and nothing is known of any item"),
    Row(
      "{ at: media_status, frame: malformed }", "dark device_off: lost, unreachable protocol",
      because: "who sends what is no message is hung up on, and connected to again with longer and longer pauses"),
    Row(
      "{ at: media_status, frame: oversized }", "dark device_off: lost, unreachable protocol",
      because: "as above: what a frame announces is not waited for"),
  ]

  private static let root = URL(filePath: #filePath).appending(path: "../../..").standardized.path
  /// 2026-11-23 12:00 UTC, a Monday.
  private static let start = 1_795_435_200.0
  private static let length = Duration.seconds(120)

  private struct NoPlaylist: Error {}

  private static func cell(of playlist: String, with fault: String?) throws -> String {
    let subject = try Subject(reading: "playlists/\(playlist).yaml", in: root)
    guard case .playlist(let program) = subject.content else { throw NoPlaylist() }
    var simulation = PlaylistSimulation(from: start, for: length)
    simulation.faults = try fault.map { try FaultTests.plan([$0]) }
    let hasCome = Mutex(false)
    let watch = FaultWatch()
    watch.listen { _ in hasCome.withLock { $0 = true } }
    simulation.watch.faults = watch
    let outcome = try simulation.run(program)
    // All screens of a playlist have the same fault.
    let screens = Set(outcome.records.map(\.screen))
    let cells = Set(screens.map { cell(of: $0, outcome) }).sorted().joined(separator: " | ")
    return cells == "on" && !hasCome.withLock { $0 } ? "untouched" : cells
  }

  private static func cell(of screen: String, _ outcome: PlaylistSimulation.Outcome) -> String {
    var shown = 0.0
    var gaps: [LedgerRecord.GapReason: Double] = [:]
    for record in outcome.records where record.screen == screen {
      switch record.kind {
      case .play(let play): shown += play.shown
      case .gap(let gap): gaps[gap.reason, default: 0] += gap.end - gap.start
      case .skip: break
      }
    }
    let reason = gaps.first { $0.value > length.seconds / 2 }?.key.rawValue
    let share = shown / length.seconds
    let state = share > 0.83 ? "on" : share >= 0.1 ? "partly on" : "dark \(reason ?? "unseen")"
    let problems = Set(outcome.moments.filter { $0.screen == screen }.compactMap { problem($0.event) }).sorted()
    return problems.isEmpty ? state : "\(state): \(problems.joined(separator: ", "))"
  }

  /// What a screen tells where not all is well; `nil` for what it tells anyway.
  private static func problem(_ event: ScreenEvent) -> String? {
    switch event {
    case .unreachable(let failure): "unreachable \(failure.errorClass.rawValue)"
    case .notShown(_, let failure, _): "not_shown \(failure.errorClass.rawValue)"
    case .stuck(_, let remedy): remedy.map { "stuck \($0.rawValue)" } ?? "stuck"
    case .lost: "lost"
    case .adopted: "adopted"
    case .yielded: "yielded"
    case .lent: "lent"
    case .endedByTakeover: "ended_by_takeover"
    case .nothing: "nothing"
    case .note(let text): "note \(text)"
    case .found, .connected, .back, .showing, .returned, .resting, .reloaded, .ordered, .refused: nil
    }
  }

  @Test("Every fault does to every playlist what the table says", arguments: rows)
  func table(row: Row) throws {
    for (playlist, cell) in row.cells.sorted(by: { $0.key < $1.key }) {
      #expect(try Self.cell(of: playlist, with: row.fault) == cell, "\(playlist).yaml: \(row.because)")
    }
  }

  @Test("Where nothing goes wrong each playlist is on, and tells nothing")
  func sound() throws {
    for playlist in ["cafe", "bar", "figures", "lobby"] {
      #expect(try Self.cell(of: playlist, with: nil) == "untouched", "\(playlist)")
    }
  }

  @Test("The table has every playlist, and every fault of the table of the examples")
  func complete() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: "\(Self.root)/playlists")
    let playlists = files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }
    #expect(Self.rows.allSatisfy { Set($0.cells.keys) == Set(playlists) }, "\(playlists)")
    #expect(Self.rows.map(\.fault) == TruthTableTests.rows.map(\.fault))
  }
}
