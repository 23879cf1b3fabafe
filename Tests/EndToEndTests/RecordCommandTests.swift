import CastProtocol
import Foundation
import Testing

/// `record` beside senders that use a `receive` process.
@Suite(.serialized) struct RecordCommandTests {
  private static let film = "https://cdn.example.com/film.mp4"

  /// What was written is valid, and passes on a fresh virtual receiver.
  private func tryOut(_ file: String, in folder: TemporaryFolder) async throws {
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let checked = try await Showcaller.run("check", "--strict", file, in: folder.url)
    #expect(checked.exitCode == 0, "\(checked.errors)\(checked.output)\n\(text)")
    #expect(try await Showcaller.run("fmt", "--check", file, in: folder.url).exitCode == 0, "\(text)")
    let run = try await Showcaller.run("run", "--virtual", "--speed", "5x", file, in: folder.url, limit: 120)
    #expect(run.exitCode == 0, "\(run.errors)\n\(text)")
  }

  @Test("A sender's session becomes a file that is checked and passes; who recorded said nothing that changes a device")
  func session() async throws {
    let folder = try TemporaryFolder()
    let wire = folder.path("wire.jsonl")
    let lab = try await WatchTests.Lab("--record", wire)
    let file = folder.path("film.yaml")
    let record = try Showcaller.start(
      ["record", lab.address, "-o", file, "--auth", "none"], in: folder.url, limit: 120)
    try await record.waitFor("no app is running")
    let sender = try folder.write(
      "sender.yaml",
      """
      scenario: Sender
      device: x
      media: { film: { url: "\(Self.film)", duration: 10m, metadata: { title: Sintel } } }
      steps:
        - launch: default
        - load: film
        - wait: 3s
        - pause
        - wait: 1s
        - play
        - seek: 1m
        - volume: 40%
        - wait: 2s
        - stop

      """)
    try await lab.other("run", "-q", "--runs", folder.path("runs"), sender)
    // The sender's run ends its app, and with it the recording.
    let finished = try await record.finish()
    #expect(finished.exitCode == 0, "\(finished.errors)")
    #expect(finished.output.isEmpty)
    for told in [
      "recording ", "Default Media Receiver was launched", "Sintel was loaded", "paused at 0:0", "sought to 1:00",
      "volume 40%", "the app was stopped", "film.yaml: ", "which pass on a virtual receiver\n",
      "; Ctrl-C ends it\n", "try it: showcaller run --virtual \(file)\n",
    ] {
      #expect(finished.errors.contains(told), "no \(told) in \(finished.errors)")
    }
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    try await tryOut(file, in: folder)
    try await lab.end()

    // Its connection was the first.
    let messages = try String(contentsOfFile: wire, encoding: .utf8).split(separator: "\n").map {
      try JSONValue(parsing: String($0))
    }
    let connection = try #require(messages.first { $0["event"] == "opened" }?["connection"])
    let said = messages.filter { $0["connection"] == connection && $0["direction"] == "out" }
      .compactMap { $0["payload"]?["type"]?.string }
    #expect(said.contains("GET_STATUS"))
    #expect(Set(said).isSubset(of: ["CONNECT", "CLOSE", "GET_STATUS", "PING", "PONG"]), "\(Set(said))")
  }

  @Test("Ctrl-C ends it; a file that is there is replaced with --force only, and told before anything is recorded")
  func interrupted() async throws {
    let folder = try TemporaryFolder()
    let lab = try await WatchTests.Lab()
    let file = try folder.write("film.yaml", "mine\n")
    let refused = try await Showcaller.run("record", lab.address, "-o", file)
    #expect(refused.exitCode == 2 && refused.errors.contains("is there already"), "\(refused.errors)")
    #expect(refused.errors.contains("--force"))
    let record = try Showcaller.start(["record", "--host", lab.address, "-o", file, "--force"], in: folder.url)
    try await record.waitFor("no app is running")
    try await lab.other("load", Self.film, "--title", "Sintel \u{1B}[31m", "--duration", "10m")
    try await lab.other("pause")
    try await record.waitFor("paused at")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine\n")
    record.signal(SIGINT)
    let finished = try await record.finish()
    #expect(finished.exitCode == 0, "\(finished.errors)")
    #expect(!finished.errors.contains("\u{1B}"))
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains("title: \"Sintel [31m\""))
    try await tryOut(file, in: folder)
    try await lab.end()
  }

  @Test("Without -o the scenario is standard output; --json tells each step as an object; --for ends it")
  func streams() async throws {
    let folder = try TemporaryFolder()
    let lab = try await WatchTests.Lab()
    let record = try Showcaller.start(["record", lab.address, "--for", "4s"])
    let file = folder.path("a.yaml")
    let objects = try Showcaller.start(["record", lab.address, "--for", "4s", "--json", "-o", file])
    try await record.waitFor("no app is running")
    try await objects.waitFor("connected")
    try await lab.other("load", Self.film + "?token=hunter2hunter2", "--title", "Sintel")
    let finished = try await record.finish()
    #expect(finished.exitCode == 0 && finished.output.contains("\nsteps:\n"), "\(finished.errors)")
    #expect(!(finished.output + finished.errors).contains("hunter2"))
    #expect(finished.errors.contains("needed by a run: sintel_token"), "\(finished.errors)")
    let told = try await objects.finish()
    let lines = try told.output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
    #expect(lines.map { $0["event"]?.string } == ["connected", "step", "step", "written"], "\(told.output)")
    #expect(lines.last?["passes"] == true)
    #expect(lines.last?["secrets"] == ["sintel_token"] && lines.last?["file"] == .string(file))
    #expect(lines.allSatisfy { $0["v"] == 1 && $0["t"] != nil })
    #expect(lines.last?["notes"]?.array?.isEmpty == true && told.errors.isEmpty, "\(told.errors)")
    #expect(finished.errors.contains("note: export SINTEL_TOKEN=…\n"), "\(finished.errors)")
    let checked = try await Showcaller.run("check", file)
    #expect(checked.exitCode == 3 && checked.output.contains("SINTEL_TOKEN"), "\(checked.output)\(checked.errors)")
    let given = try await Showcaller.start(
      ["run", "--virtual", "--speed", "5x", file], environment: ["SINTEL_TOKEN": "hunter2hunter2"], in: folder.url
    ).finish()
    #expect(given.exitCode == 0, "\(given.errors)")
    try await lab.end()
  }

  @Test("What plays already is not told by an address with a token; the end says what a run needs, and how to try it")
  func secrets() async throws {
    let folder = try TemporaryFolder()
    let lab = try await WatchTests.Lab()
    try await lab.other("load", "https://me:hunter2@cdn.example.com/film.mp4?token=hunter2")
    let file = folder.path("my film.yaml")
    let record = try Showcaller.start(["record", lab.address, "-o", file])
    try await record.waitFor("film.mp4")
    try await lab.other("pause")
    try await record.waitFor("paused at")
    record.signal(SIGINT)
    let finished = try await record.finish()
    #expect(finished.exitCode == 0 && !finished.errors.contains("hunter2"), "\(finished.errors)")
    #expect(try !String(contentsOfFile: file, encoding: .utf8).contains("hunter2"))
    #expect(
      finished.errors.contains("which pass on a virtual receiver once its secrets are given\n"), "\(finished.errors)")
    let lines = finished.errors.split(separator: "\n")
    #expect(lines.last == "try it: showcaller run --virtual '\(file)'")
    let exports = lines.filter { $0.hasPrefix("note: export ") }.map {
      String($0.dropFirst(6)).replacing("…", with: "hunter2")
    }
    #expect(!exports.isEmpty)
    let command = (exports + [lines.last?.dropFirst(8).description ?? ""]).joined(separator: "; ")
    let run = try await Running(
      URL(filePath: "/bin/bash"),
      ["-c", "showcaller() { '\(Showcaller.binary.path)' \"$@\"; }; \(command) --speed 5x"],
      in: folder.url
    ).finish()
    #expect(run.exitCode == 0, "\(command): \(run.errors)")
    try await lab.end()
  }

  @Test(
    "A file that cannot be written is told before the device is asked for",
    arguments: [
      ("none/x.yaml", 8, "cannot write none/x.yaml: none is not there", "mkdir -p none"),
      (".", 2, "cannot write .: it is a folder", "-o ./recorded.yaml"),
      ("file/x.yaml", 8, "file is no folder", "choose another name"),
      ("/proc/x.yaml/y", 8, "/proc/x.yaml is not there", "mkdir -p /proc/x.yaml"),
    ] as [(String, Int32, String, String)])
  func unwritable(file: String, exitCode: Int32, message: String, help: String) async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("file", "")
    for force in [[], ["--force"]] {
      // Nobody is there: whoever connects exits with 4.
      let port = try await FreePort.closed()
      let finished = try await Showcaller.start(["record", "127.0.0.1:\(port)", "-o", file] + force, in: folder.url)
        .finish()
      #expect(finished.exitCode == exitCode, "\(finished.errors)")
      #expect(finished.errors.contains(message) && finished.errors.contains(help), "\(finished.errors)")
    }
  }

  @Test("The first line has the day and the time of the same zone", arguments: ["FAR-14", "FAR12"])
  func dayOfTheZone(zone: String) async throws {
    let lab = try await WatchTests.Lab()
    let shift = zone == "FAR-14" ? 14 * 3_600.0 : -12 * 3_600
    let before = Date.now
    let record = try Showcaller.start(["record", lab.address, "--for", "3s"], environment: ["TZ": zone])
    try await record.waitFor("no app is running")
    let after = Date.now
    try await lab.other("load", Self.film)
    let finished = try await record.finish()
    // One of the two zones has another day than UTC at any time.
    let possible = [before, after].map { String($0.addingTimeInterval(shift).ISO8601Format().prefix(16)) }
      .map { $0.replacing("T", with: " ") }
    #expect(possible.contains { finished.output.contains("`showcaller record`, \($0), ") }, "\(finished.output)")
    try await lab.end()
  }

  @Test("With --json a warning is an object, too")
  func warnings() async throws {
    let folder = try TemporaryFolder()
    let root = folder.path("root.pem")
    let lab = try await WatchTests.Lab("--write-auth-root", root)
    // No key can be kept there.
    let finished = try await Showcaller.start(
      [
        "record", lab.address, "--for", "1s", "--json", "-o", folder.path("a.yaml"), "--auth", "pin", "--auth-root",
        root,
      ], environment: ["XDG_STATE_HOME": "/dev/null"]
    ).finish()
    let told = try finished.output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
    let warning = told.first { $0["event"] == "warning" }
    #expect(warning?["message"]?.string?.hasPrefix("the key of ") == true, "\(finished.output)\(finished.errors)")
    #expect(!finished.errors.contains("warning:"), "\(finished.errors)")
    try await lab.end()
  }

  @Test("Nothing that happened is 5, no device is 4, a wrong command line 2, and no file is made")
  func nothing() async throws {
    let folder = try TemporaryFolder()
    let lab = try await WatchTests.Lab()
    let file = folder.path("a.yaml")
    let idle = try await Showcaller.run("record", lab.address, "--for", "1s", "-o", file)
    #expect(idle.exitCode == 5 && idle.errors.contains("nothing happened"), "\(idle.errors)")
    let port = try await FreePort.closed()
    let nobody = try await Showcaller.run("record", "127.0.0.1:\(port)", "-o", file, "--json")
    #expect(nobody.exitCode == 4 && nobody.output.contains("\"event\":\"error\""), "\(nobody.errors)")
    for wrong in [
      ["record", "TV", "--host", "127.0.0.1"], ["record", "TV", "--for", "0s"], ["record", "TV", "--json"],
      ["record", ""],
      ["record", "TV", "--force"], ["record", "TV", "-o", ""],
    ] {
      #expect(try await Showcaller.start(wrong).finish().exitCode == 2, "\(wrong)")
    }
    #expect(!FileManager.default.fileExists(atPath: file))
    try await lab.end()
  }

  @Test("What pychromecast does is recorded, and passes", .enabled(if: PeerTests.python != nil))
  func pychromecast() async throws {
    let python = try #require(PeerTests.python)
    let folder = try TemporaryFolder()
    for (script, wanted) in [
      ("session.py", ["title: Sintel", "- pause", "- seek: ", "volume: 30%", "- stop"]),
      ("queue_session.py", ["queue", "queue_jump: next", "queue_jump: previous"]),
    ] {
      let receiver = try Showcaller.start(["receive", "--port", "0", "--name", "Peer Test", "--latency", "device"])
      let address = try #require(try await receiver.firstLine().split(separator: " ").last.map(String.init))
      let port = try #require(address.split(separator: ":").last.map(String.init))
      let file = folder.path("\(script).yaml")
      let record = try Showcaller.start(["record", address, "-o", file])
      try await record.waitFor("no app is running")
      let peer = try Running(
        python, [Showcaller.root.appending(path: "Tests/EndToEndTests/Peers/\(script)").path, port, "Peer Test"],
        in: Showcaller.root)
      let session = try await peer.finish()
      #expect(session.exitCode == 0, "\(session.output)\(session.errors)")
      record.signal(SIGINT)
      let finished = try await record.finish()
      #expect(finished.exitCode == 0, "\(finished.errors)")
      let text = try String(contentsOfFile: file, encoding: .utf8)
      for step in wanted { #expect(text.contains(step), "no \(step) in\n\(text)\n\(finished.errors)") }
      try await tryOut(file, in: folder)
      receiver.signal(SIGINT)
      _ = try await receiver.finish()
    }
  }
}
