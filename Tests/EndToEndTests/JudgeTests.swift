import Foundation
import Testing

/// Our receiver judged by players and browsers that people use; only where `make judges` has installed them.
@Suite(.serialized) struct JudgeTests {
  /// The Python environment of the judges.
  static let folder = ProcessInfo.processInfo.environment["SHOWCALLER_JUDGES"]

  static let judges: [(script: String, tool: String?, steps: [String])] = [
    ("vlc_session.py", nil, ["launched", "loaded", "ready", "playing", "paused", "resumed", "left"]),
    ("chromium_session.py", nil, ["found", "connected", "playing", "paused", "sought", "stopped"]),
    (
      "catt_session.py", "catt",
      ["loaded", "playing", "status told", "paused", "volume set", "stopped", "left"]
    ),
  ]
  @Test(
    "VLC, Chromium's media router and catt connect, load and control it", .enabled(if: folder != nil), arguments: judges
  )
  func judge(script: String, tool: String?, steps: [String]) async throws {
    let python = try #require(PeerTests.python)
    let folder = try TemporaryFolder()
    let peers = Showcaller.root.appending(path: "Tests/EndToEndTests/Peers")
    let toolPath = try tool.map { try #require(Self.folder) + "/bin/" + $0 }
    let running = try Running(
      URL(filePath: "/usr/bin/unshare"),
      [
        "--net", "--mount", peers.appending(path: "judge_network.sh").path, folder.url.path, python.path,
        peers.appending(path: script).path, Showcaller.binary.path, folder.url.path,
      ] + [toolPath].compactMap { $0 }, in: Showcaller.root, limit: 180)
    let finished = try await running.finish()
    #expect(finished.exitCode == 0, "\(finished.output)\(finished.errors)")
    #expect(finished.output.split(separator: "\n").map(String.init) == steps, "\(finished.errors.suffix(4000))")
  }
}
