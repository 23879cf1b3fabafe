import CastProtocol
import Conformance
import Foundation
import Testing

/// Which checks fail where a receiver goes wrong: no check passes whatever a device does.
@Suite struct ConformTruthTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var fault: String
    /// Those that must fail; all others must pass.
    var failing: Set<String>
    /// Why these.
    var reason: String
    var testDescription: String { fault }

    init(_ fault: String, _ failing: some Sequence<String>, _ reason: String) {
      (self.fault, self.failing, self.reason) = (fault, Set(failing), reason)
    }
  }

  private static func checks(_ words: String...) -> Set<String> {
    Set(ConformanceCheck.all.filter { check in words.contains { check.text.contains($0) } }.map(\.id))
  }

  static let rows: [Row] = [
    Row("{ at: media_status, duplicate: true }", [], "a status that comes twice says nothing new"),
    Row("{ at: message, every: 7, delay: 1s }", [], "a second late is within every limit"),
    Row("{ at: message, every: 5, reorder: true }", [], "the state decides, not the order of messages"),
    Row(
      "{ at: launch, answer: invalid_request, reason: NOT_SUPPORTED }",
      checks("- launch:").union(["receiver.launch-unknown"]),
      "whoever launches, and the check that wants LAUNCH_ERROR; receiver.launch-nothing takes either refusal"),
    Row("{ at: load, answer: load_failed, code: 311 }", checks("- load:", "- queue:"), "whoever loads"),
    Row("{ at: playing, player: freeze }", ["media.load"], "only this one looks at whether the position moves"),
    Row(
      "{ at: pause, accept_but_ignore: true }", ["media.pause", "media.seek-paused", "media.wrong-session"],
      "a PAUSE that is ignored is not refused where the number of the session is wrong, either"),
    Row("{ at: stop, accept_but_ignore: true }", ["media.stop", "media.after-stop"], "whoever stops"),
    Row("{ at: rate, accept_but_ignore: true }", ["media.rate", "media.rate-too-fast"], "whoever changes the rate"),
    Row(
      "{ at: seek, drop: request }",
      ["media.seek", "media.seek-paused", "media.seek-resume", "media.seek-past-end", "media.seek-nowhere"],
      "whoever seeks"),
    Row(
      "{ at: tracks, accept_but_ignore: true }", ["tracks.on", "tracks.off", "tracks.style", "tracks.unknown"],
      "whoever changes tracks"),
    Row(
      "{ at: volume, accept_but_ignore: true }",
      ["volume.set", "volume.mute", "volume.zero", "volume.while-muted", "senders.volume"],
      "whoever changes the volume of the device"),
    Row(
      "{ at: queue, answer: invalid_request, reason: NOT_SUPPORTED }",
      checks("- queue:").subtracting(["queue.load"]), "whoever changes a queue"),
    Row(
      "{ at: refresh, drop: request }",
      ["connection.app-stays", "media.status", "media.load", "media.load-failed", "media.stop", "tracks.style"],
      "whoever asks for the media status"),
    Row("{ at: stop_app, drop: answer }", ["receiver.stop-unknown"], "only this one wants an answer and not a state"),
  ]
  @Test("A fault fails the checks that it is about, and no others", arguments: rows)
  func truth(row: Row) async throws {
    let folder = try TemporaryFolder()
    let faults = try folder.write("lab.yaml", "library: Lab\nfaults:\n  - \(row.fault)\n")
    let finished = try await Showcaller.start(
      ["conform", "--virtual", "--speed", "20x", "--faults", faults, "--json", "-q"],
      environment: ["XDG_STATE_HOME": folder.path("state")], in: folder.url, limit: 180
    ).finish()
    let device = try #require(try JSONValue(parsing: finished.output)["devices"]?.array?.first)
    let checks = device["checks"]?.array ?? []
    let failed = Set(checks.filter { $0["result"] == "failed" }.compactMap { $0["id"]?.string })
    #expect(failed == row.failing, "\(row.reason)\n\(finished.output)")
    #expect(checks.count { $0["result"] == "passed" } == ConformanceCheck.all.count - row.failing.count)
    #expect(finished.exitCode == (row.failing.isEmpty ? 0 : 1))
  }

  static let taken = [
    "{ at: load, answer: load_cancelled }", "{ at: launch, answer: launch_error, reason: CANCELLED }",
  ]
  @Test("What another sender may have cancelled is an error and no failure of the device", arguments: taken)
  func cancelled(fault: String) async throws {
    let folder = try TemporaryFolder()
    let faults = try folder.write("lab.yaml", "library: Lab\nfaults:\n  - \(fault)\n")
    let finished = try await Showcaller.start(
      [
        "conform", "--virtual", "--speed", "20x", "--faults", faults, "--json", "-q", "--only",
        "receiver.status,media.load",
      ], environment: ["XDG_STATE_HOME": folder.path("state")], in: folder.url, limit: 60
    ).finish()
    let device = try #require(try JSONValue(parsing: finished.output)["devices"]?.array?.first)
    #expect(device["checks"]?.array?.map { $0["result"]?.string } == ["passed", "error"], "\(finished.output)")
    #expect(finished.exitCode == 5, "\(finished.errors)")
  }

  @Test("Every check fails in some row, but for those that no fault of the virtual receiver is about")
  func complete() {
    let failing = Self.rows.reduce(into: Set<String>()) { $0.formUnion($1.failing) }
    let never = Set(ConformanceCheck.all.map(\.id)).subtracting(failing)
    #expect(
      never == [
        // A lost connection is an error and no verdict.
        "connection.reconnect",
        // Nothing makes these answers wrong alone.
        "receiver.status", "receiver.availability", "receiver.unknown-request", "receiver.launch-nothing",
      ])
  }
}
