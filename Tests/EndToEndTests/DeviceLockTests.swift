import CastProtocol
import Foundation
import Testing

/// One run at a time on a device (docs/reference.md "One run at a time").
@Suite struct DeviceLockTests {
  /// A virtual receiver, a folder for the state of those who use it, and a document that keeps it.
  private struct Lab {
    let folder: TemporaryFolder
    let receiver: Running
    let address: String
    let document: String

    init() async throws {
      folder = try TemporaryFolder()
      try FileManager.default.createDirectory(atPath: folder.path("showcaller"), withIntermediateDirectories: true)
      _ = try folder.write("showcaller/config.yaml", "auth: none\n")
      document = try folder.write(
        "night.yaml",
        """
        scenario: Night
        device: TV
        session: { leave: stop }
        steps:
          - launch: default
          - log: made it
          - wait: 50s

        """)
      receiver = try Showcaller.start(["receive", "--port", "0", "--name", "Lobby TV"], limit: 240)
      address = try #require(try await receiver.firstLine().split(separator: " ").last.map(String.init))
    }

    func start(_ arguments: [String], state: String = "state", host: String? = nil) throws -> Running {
      let running = try Showcaller.start(
        arguments + ["--host", host ?? address],
        environment: ["XDG_STATE_HOME": folder.path(state), "XDG_CONFIG_HOME": folder.url.path])
      running.closeInput()
      return running
    }

    func run(_ arguments: String..., state: String = "state") async throws -> Finished {
      try await start(arguments, state: state).finish()
    }

    /// A run that has the device, and keeps it for 50 s.
    func holder() async throws -> Running {
      let running = try start(["run", document, "--runs", folder.path("runs")])
      try await running.waitFor("made it")
      return running
    }

    func end() async throws {
      receiver.signal(SIGTERM)
      _ = try await receiver.finish()
    }
  }

  @Test("A second run exits with 75 and says who has the device; what only looks is let in")
  func second() async throws {
    let lab = try await Lab()
    let holder = try await lab.holder()
    let report = lab.folder.path("j.xml")
    let second = try await lab.run(
      "run", lab.document, "--runs", lab.folder.path("runs"), "--report", "junit=\(report)")
    #expect(second.exitCode == 75, "\(second.errors)")
    let name = "in use by showcaller run \(lab.document) (process \(holder.processID), for "
    #expect(second.errors.contains("error[R703]") && second.errors.contains("--wait-lock 1m"), "\(second.errors)")
    #expect(second.errors.replacing(/\s+/, with: " ").contains(name), "\(second.errors)")
    let xml = try String(contentsOfFile: report, encoding: .utf8)
    #expect(xml.contains("type=\"busy\""), "\(xml)")
    #expect(try await JUnitRules.problems(of: report).isEmpty)

    let quiet = try await lab.run("run", "-q", lab.document, "--runs", lab.folder.path("runs"))
    #expect(quiet.exitCode == 75, "\(quiet.errors)")
    #expect(quiet.errors.contains("\nhelp: wait for it, such as with `--wait-lock 1m`"), "\(quiet.errors)")

    let paused = try await lab.run("pause", "--json")
    let json = try JSONValue(parsing: Array(paused.output.utf8))
    #expect(paused.exitCode == 75 && json["exit"] == 75 && json["ok"] == false, "\(paused.errors)")
    #expect(json["error"]?["class"] == "busy")
    #expect(json["error"]?["message"]?.string?.contains(name) == true && json["error"]?["help"] != nil)
    #expect(paused.errors.contains("\(lab.address) is \(name)"), "\(paused.errors)")

    let port = try #require(lab.address.split(separator: ":").last)
    for host in ["localhost", "127.1", "[::ffff:127.0.0.1]", "LOCALHOST"] {
      let other = try await lab.start(["volume", "20%"], host: "\(host):\(port)").finish()
      #expect(other.exitCode == 75, "\(host): \(other.errors)")
    }

    for looking in [["status"], ["queue"], ["queue", "list"], ["watch", "--json", "--timeout", "200ms"]] {
      #expect(try await lab.start(looking).finish().exitCode == 0, "\(looking)")
    }
    // The receiver's proof is worth nothing, and that is told.
    #expect(try await lab.run("auth").exitCode == 4)
    holder.signal(SIGINT)
    #expect(try await holder.finish().exitCode == 130)
    #expect(try await lab.run("volume", "40%").exitCode == 0)
    try await lab.end()
  }

  static let changing: [[String]] = [
    ["load", OneLineLab.film], ["play"], ["pause"], ["toggle"], ["stop"], ["seek", "10s"], ["rate", "1.5"],
    ["volume", "40%"], ["mute"], ["tracks", "none"], ["style", "size=150%"], ["skip-ad"], ["next"], ["previous"],
    ["queue", "load", OneLineLab.film], ["queue", "insert", OneLineLab.film], ["queue", "jump", "1"],
    ["queue", "remove", "1"], ["queue", "repeat", "all"], ["queue", "shuffle"],
    ["transfer", "--to-host", "127.0.0.1:1"], ["launch"], ["stop-app"], ["send", "urn:x-cast:com.example.x", "{}"],
  ]

  @Test("Every command that changes a device needs it for itself")
  func commands() async throws {
    let lab = try await Lab()
    let holder = try await lab.holder()
    for command in Self.changing {
      let finished = try await lab.start(command).finish()
      #expect(finished.exitCode == 75, "\(command) \(finished.errors)")
      #expect(finished.errors.contains("night.yaml (process \(holder.processID)"), "\(command) \(finished.errors)")
    }
    holder.signal(SIGKILL)
    _ = try await holder.finish()
    try await lab.end()
  }

  @Test("--wait-lock waits until the device is free, or its time is over; whoever has it is told once")
  func waits() async throws {
    let lab = try await Lab()
    let holder = try await lab.holder()
    let late = try await lab.run("volume", "30%", "--wait-lock", "300ms")
    #expect(
      late.exitCode == 75 && late.errors.contains("still in use after 300ms, by showcaller run"), "\(late.errors)")
    let waiting = [
      try lab.start(["volume", "40%", "--wait-lock", "50s"]),
      try lab.start(["run", lab.document, "--runs", lab.folder.path("runs"), "--wait-lock", "50"]),
    ]
    for running in waiting { try await running.waitFor("waiting for ") }
    holder.signal(SIGINT)
    #expect(try await holder.finish().exitCode == 130)
    // The run keeps it, so the command may have to wait for that one, too.
    try await waiting[1].waitFor("made it")
    waiting[1].signal(SIGINT)
    #expect(try await waiting[1].finish().exitCode == 130)
    let changed = try await waiting[0].finish()
    #expect(changed.exitCode == 0 && changed.output.contains("volume 40%"), "\(changed.errors)")
    for running in waiting {
      let lines = running.errors.split(separator: "\n").filter { $0.contains("waiting for ") }
      #expect(lines.count == 1 && lines.first?.contains("showcaller run") == true, "\(running.errors)")
    }
    try await lab.end()
  }

  @Test("Ctrl-C ends the wait at once", arguments: ["run", "volume"])
  func interrupted(command: String) async throws {
    let lab = try await Lab()
    let holder = try await lab.holder()
    let words = command == "run" ? ["run", lab.document, "--runs", lab.folder.path("runs")] : ["volume", "40%"]
    let waiting = try lab.start(words + ["--wait-lock", "1h"])
    try await waiting.waitFor("waiting for ")
    waiting.signal(SIGINT)
    #expect(try await waiting.finish().exitCode == 130)
    holder.signal(SIGKILL)
    _ = try await holder.finish()
    try await lab.end()
  }

  @Test("The end of a process ends its locks, also by kill -9; those of another state folder are others")
  func killed() async throws {
    let lab = try await Lab()
    let holder = try await lab.holder()
    #expect(try await lab.run("volume", "20%").exitCode == 75)
    #expect(try await lab.run("volume", "20%", state: "elsewhere").exitCode == 0)
    holder.signal(SIGKILL)
    _ = try await holder.finish()
    #expect(try await lab.run("volume", "20%").exitCode == 0)
    try await lab.end()
  }

  @Test("Two commands at the same moment follow one another")
  func together() async throws {
    let lab = try await Lab()
    let running = try (1...4).map { try lab.start(["volume", "\($0)0%"]) }
    for command in running {
      let finished = try await command.finish()
      #expect(finished.exitCode == 0 && finished.errors.isEmpty, "\(finished.errors)")
    }
    try await lab.end()
  }

  @Test("A film that is only watched to its end locks nobody out")
  func untilFinished() async throws {
    let lab = try await Lab()
    let watching = try lab.start(["load", OneLineLab.film, "--until", "finished"])
    let watch = try Showcaller.start(["watch", "--json", "--host", lab.address])
    try await watch.waitFor("\"player\":\"playing\"")
    #expect(try await lab.run("stop").exitCode == 0)
    #expect(try await watching.finish().exitCode == 1)
    watch.signal(SIGINT)
    _ = try await watch.finish()
    try await lab.end()
  }

  @Test("Where no lock can be written a warning says so, and the command is done")
  func unwritable() async throws {
    let lab = try await Lab()
    _ = try lab.folder.write("file", "")
    let finished = try await lab.run("volume", "40%", state: "file")
    #expect(finished.exitCode == 0, "\(finished.errors)")
    #expect(finished.errors.split(separator: "\n").count { $0.hasPrefix("warning: devices are not locked: ") } == 1)
    try await lab.end()
  }

  @Test("What the file of a lock says is no secret of the command line")
  func secrets() async throws {
    let lab = try await Lab()
    let address = OneLineLab.film + "?token=s3cret"
    #expect(try await lab.run("load", address, "--title", "s3cret").exitCode == 0)
    let locks = lab.folder.path("state/showcaller/locks")
    let names = try FileManager.default.contentsOfDirectory(atPath: locks)
    let text = try String(contentsOfFile: "\(locks)/\(try #require(names.first))", encoding: .utf8)
    #expect(names.count == 1 && text.contains("\"showcaller load\"") && !text.contains("s3cret"), "\(names) \(text)")
    try await lab.end()
  }

  @Test("A wait that is no time is a wrong command line", arguments: ["soon", "-1s", "31d"])
  func wrong(wait: String) async throws {
    let finished = try await Showcaller.run("pause", "--host", "127.0.0.1:1", "--wait-lock=\(wait)")
    #expect(finished.exitCode == 2 && finished.errors.contains("--wait-lock"), "\(finished.errors)")
  }
}
