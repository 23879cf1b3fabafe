import CastProtocol
import Foundation
import Testing

/// Each playlist in `playlists/` does what its description says.
@Suite struct PlaylistsTests {
  /// A copy of the folder, so that ledgers and alarms are the test's own.
  private static func copy() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      at: Showcaller.root.appending(path: "playlists"), to: URL(filePath: folder.path("playlists")))
    return folder
  }

  private static func serve(_ name: String, _ options: String..., in folder: TemporaryFolder) throws -> Running {
    try Showcaller.start(
      ["serve", folder.path("playlists/\(name)"), "--virtual", "--ledger", folder.path("plays.jsonl")] + options,
      environment: ["XDG_STATE_HOME": folder.path("state"), "XDG_CACHE_HOME": folder.path("cache")], limit: 90)
  }

  @Test("The lobby shows the pictures of its folder by their numbers, and a new one when its turn comes")
  func lobby() async throws {
    let folder = try Self.copy()
    let serving = try Self.serve(
      "lobby.yaml", "--speed", "20x", "--from", "2026-11-23 08:00", "--for", "4m", "--json", in: folder)
    try await serving.waitFor("slides/10-thanks.png")
    try FileManager.default.copyItem(
      atPath: folder.path("playlists/slides/2-team.png"), toPath: folder.path("playlists/slides/3-more.png"))
    let finished = try await serving.finish()
    let shown = try finished.output.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
      .filter { $0["event"] == "showing" }.compactMap { $0["content"]?.string?.split(separator: "/").last }
    #expect(shown.starts(with: ["1-welcome.png", "2-team.png", "10-thanks.png"]), "\(shown)")
    let more = try #require(shown.firstIndex(of: "3-more.png"), "\(shown)")
    #expect(shown[more - 1] == "2-team.png", "\(shown)")
  }

  @Test("The figures give way to the alarm while its file is there, and to a drill until it is cleared")
  func figures() async throws {
    let folder = try Self.copy()
    let file = folder.path("playlists/figures.yaml")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    // The alarm of the plant is another computer's; so are the alerts.
    let own = text.replacing("/run/plant/alarm", with: "alarm")
      .replacing(#/.*cap: .*\n/#, with: "").replacing(#/.*on: weather.*\n/#, with: "")
    #expect(own != text)
    _ = try folder.write("playlists/figures.yaml", own)
    let serving = try Self.serve("figures.yaml", in: folder)
    try await serving.waitFor("shows figures")
    let alarm = try folder.write("playlists/alarm", "")
    try await serving.waitFor("shows leave, interrupts[0]")
    try FileManager.default.removeItem(atPath: alarm)
    try await serving.waitFor("shows figures", times: 2)
    serving.signal(SIGTERM)
    #expect(try await serving.finish().exitCode == 0)
  }

  @Test(
    "Whatever goes wrong with its screens, a playlist is served to its end, tells what, and exits with 0",
    arguments: [
      ("{ at: load, answer: load_failed, code: 311 }", "not_shown"),
      ("{ after: 3s, drop: connection, for: 2s }", "lost"),
      ("{ at: playing, takeover: YouTube, after: 1s }", "yielded"),
    ])
  func faults(_ fault: String, told: String) async throws {
    let folder = try Self.copy()
    let lab = try folder.write("lab.yaml", "library: Lab\nfaults:\n  - \(fault)\n")
    let serving = try Self.serve(
      "cafe.yaml", "--speed", "20x", "--from", "2026-11-23 13:00", "--for", "1m", "--json", "--faults", lab, in: folder)
    let finished = try await serving.finish()
    #expect(finished.exitCode == 0, "\(finished.errors)")
    for word in ["fault", told] {
      #expect(finished.output.contains("\"event\":\"\(word)\""), "\(finished.output)")
    }
  }

  static let barTimes: [(moment: String, words: String)] = [
    ("2026-12-24 20:00", "open: menu"), ("2026-12-25 13:00", "closed_day: closed"),
    ("2026-12-26 01:00", "closed_day: closed"), ("2026-12-26 21:00", "match_day: match"),
    ("2027-03-29 20:00", "closed_day: closed"), ("2027-02-20 20:00", "renovation: closed"),
    ("2026-11-26 04:00", "quiet"),
  ]

  @Test(
    "The bar is closed on the holidays of its calendar, through the night that belongs to them", arguments: barTimes)
  func bar(moment: String, words: String) async throws {
    let at = try await Showcaller.run("at", moment, "playlists/bar.yaml")
    #expect(at.exitCode == 0 && at.output.contains(words), "\(at.output)\(at.errors)")
  }
}
