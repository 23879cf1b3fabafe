import Foundation
import Testing

/// Our receiver judged by players and browsers that people use; only where `make judges` has installed them.
@Suite(.serialized) struct JudgeTests {
  /// The Python environment of the judges.
  static let folder = ProcessInfo.processInfo.environment["SHOWCALLER_JUDGES"]

  static let judges: [(script: String, tool: String?, steps: [String])] = [
    ("vlc_session.py", nil, ["launched", "loaded", "ready", "playing", "paused", "resumed", "left"]),
    (
      "chromium_session.py", nil,
      [
        "found", "connected", "playing", "paused", "sought", "volume set", "queue loaded", "subtitles on", "stopped",
      ]
    ),
    (
      "pychromecast_session.py", nil,
      [
        "found", "playing", "subtitles on", "subtitles off", "back after a restart", "playing again",
      ]
    ),
    (
      "catt_session.py", "catt",
      [
        "found", "loaded", "subtitles on", "playing", "status told", "paused", "volume set", "stopped", "left",
        "back after a restart",
      ]
    ),
  ]
  @Test(
    "VLC, Chromium's media router, catt and pychromecast find or connect to it, load and control it",
    .enabled(if: folder != nil), arguments: judges
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

  @Test("The table of senders in the reference says what these steps are, each once, and no more")
  func table() throws {
    let text = try String(contentsOf: Showcaller.root.appending(path: "docs/reference.md"), encoding: .utf8)
    let section = try #require(text.components(separatedBy: "### Senders that were tried\n").last)
    let rows = section.components(separatedBy: "\n### ")[0].split(separator: "\n").filter { $0.hasPrefix("| ") }
      .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
    func steps(_ script: String) -> [String] { Self.judges.filter { $0.script == script }.flatMap(\.steps) }
    let seen = [
      PeerTests.sessionSteps + PeerTests.queueSteps + steps("pychromecast_session.py"), steps("catt_session.py"),
      steps("vlc_session.py"), steps("chromium_session.py"),
    ]
    // Below its head and the line under it.
    #expect(rows.count == 12)
    for row in rows.dropFirst(2) {
      for (cell, steps) in zip(row.suffix(4), seen) where cell != "–" {
        let unseen = cell.components(separatedBy: ", ").filter { !steps.contains($0) }
        #expect(unseen.isEmpty, "\(row)")
      }
    }
    // What the steps show and the table leaves out.
    let unmentioned = ["connected", "went on by itself", "status told"]
    for (column, steps) in seen.enumerated() {
      let told = rows.dropFirst(2).flatMap { $0.suffix(4)[$0.count - 4 + column].components(separatedBy: ", ") }
      #expect(steps.allSatisfy { told.contains($0) || unmentioned.contains($0) }, "\(column): \(steps)")
    }
  }

  @Test("The schemas of Kubernetes accept exported CronJobs", .enabled(if: folder != nil))
  func cronJobs() async throws {
    let folder = try TemporaryFolder()
    let schedules =
      "[{ at: \"02:30\", timezone: Europe/Paris, jitter: 9s, overlap: replace }, { every: 20m, missed: run_once }]"
    let file = try folder.write(
      "a.yaml", "scenario: Night\nid: nightly\ndevice: TV\nschedule: \(schedules)\nsteps: [{ log: a }]\n")
    let export = try await Showcaller.run("schedule", "export", "--kubernetes", file)
    let reader = """
      import kubernetes_validate, sys, yaml
      for job in yaml.safe_load_all(open(sys.argv[1])):
          kubernetes_validate.validate(job, "1.31", strict=True)
          print(job["metadata"]["name"])
      """
    let python = URL(filePath: try #require(Self.folder) + "/bin/python3")
    let finished = try await Running(
      python, ["-c", reader, try folder.write("jobs.yaml", export.output)], in: folder.url, limit: 60
    ).finish()
    #expect(finished.output == "showcaller-nightly-1\nshowcaller-nightly-2\n", "\(finished.output)\(finished.errors)")
  }
}
