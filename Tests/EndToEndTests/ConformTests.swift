import CastProtocol
import Foundation
import Testing

/// `showcaller conform` with the built program, over real TLS.
@Suite struct ConformTests {
  private static func start(_ arguments: String..., in folder: TemporaryFolder, limit: Double = 120) throws -> Running {
    try Showcaller.start(
      ["conform"] + arguments, environment: ["XDG_STATE_HOME": folder.path("state")], in: folder.url, limit: limit)
  }

  private static func conform(_ arguments: String..., in folder: TemporaryFolder) async throws -> Finished {
    let running = try Showcaller.start(
      ["conform"] + arguments, environment: ["XDG_STATE_HOME": folder.path("state")], in: folder.url, limit: 120)
    return try await running.finish()
  }

  /// The one device of a result.
  private static func device(_ text: String) throws -> JSONValue {
    try #require(try JSONValue(parsing: text)["devices"]?.array?.first)
  }

  private static func verdicts(_ device: JSONValue) -> [String: String] {
    let checks = device["checks"]?.array ?? []
    return Dictionary(
      checks.map { ($0["id"]?.string ?? "", $0["result"]?.string ?? "") }, uniquingKeysWith: { first, _ in first })
  }

  private static func changes(_ device: JSONValue) -> [String] {
    (device["changes"]?.array ?? []).map { "\($0["kind"]?.string ?? "") \($0["id"]?.string ?? "")" }
  }

  private static func receiver(_ arguments: String...) async throws -> (Running, String) {
    let receiver = try Showcaller.start(["receive", "--port", "0"] + arguments, limit: 180)
    let line = try await receiver.firstLine()
    return (receiver, try #require(line.split(separator: " ").last.map(String.init)))
  }

  @Test("A virtual receiver passes every check; the result is kept, and the same again is no change")
  func virtual() async throws {
    let folder = try TemporaryFolder()
    let first = try await Self.conform("--virtual", "--speed", "20x", "--json", in: folder)
    #expect(first.exitCode == 0, "\(first.errors)")
    let device = try Self.device(first.output)
    let verdicts = Self.verdicts(device)
    #expect(verdicts.count == 48 && verdicts.values.allSatisfy { $0 == "passed" }, "\(verdicts)")
    #expect(device["firmware"] == "1" && device["cast"] == "1.0" && device["model"]?.string?.isEmpty == false)
    #expect(device["before"] == nil && device["changes"] == nil)
    #expect(first.errors.contains("Virtual receiver 48/48 passed senders.app"))
    #expect(first.errors.contains("48 passed\n"))
    let again = try await Self.conform("--virtual", "--speed", "20x", "--format", "json", "-q", in: folder)
    #expect(again.exitCode == 0, "\(again.errors)")
    #expect(Self.changes(try Self.device(again.output)) == [], "\(again.output)")
    #expect(again.errors.hasSuffix(": nothing changed\n") && again.errors.split(separator: "\n").count == 1)
  }

  @Test(
    "A fault that makes a check fail is told as regressed against what was kept, with exit 1, also the next time: it is not kept"
  )
  func regressed() async throws {
    let folder = try TemporaryFolder()
    #expect(try await Self.conform("--virtual", "--speed", "20x", in: folder).exitCode == 0)
    let faults = try folder.write("lab.yaml", "library: Lab\nfaults:\n  - { at: rate, accept_but_ignore: true }\n")
    let worse = try await Self.conform("--virtual", "--speed", "20x", "--faults", faults, "--json", in: folder)
    #expect(worse.exitCode == 1, "\(worse.errors)")
    let device = try Self.device(worse.output)
    #expect(Self.changes(device) == ["regressed media.rate", "regressed media.rate-too-fast"], "\(worse.output)")
    #expect(worse.errors.contains("failed media.rate: s3 rate 1.5: "), "\(worse.errors)")
    #expect(worse.errors.contains("46 passed, 2 failed; since "), "\(worse.errors)")
    // As before is no success where nobody named it as known.
    let known = try folder.write("known.json", worse.output)
    let again = try await Self.conform("--virtual", "--speed", "20x", "--faults", faults, "-q", in: folder)
    #expect(again.exitCode == 1 && again.errors.contains(" UTC: 2 regressed\n"), "\(again.errors)")
    let excused = try await Self.conform(
      "--virtual", "--speed", "20x", "--faults", faults, "--baseline", known, "-q", in: folder)
    #expect(excused.exitCode == 0 && excused.errors.contains("nothing changed"), "\(excused.errors)")
    let old = worse.output.replacingOccurrences(of: #""firmware":"1""#, with: #""firmware":"0""#)
    try old.write(toFile: known, atomically: true, encoding: .utf8)
    let mended = try await Self.conform("--virtual", "--speed", "20x", "--baseline", known, in: folder)
    #expect(mended.exitCode == 0 && mended.output.contains("| fixed | media.rate | result | failed | passed |"))
    #expect(mended.output.contains("Firmware 1.0 (build 0) → 1.0 (build 1). Compared with"), "\(mended.output)")
    #expect(mended.errors.contains(", firmware 1.0 (build 0) → 1.0 (build 1)\n"), "\(mended.errors)")
  }

  @Test("Two receivers are checked at the same time, and left as they were")
  func several() async throws {
    let folder = try TemporaryFolder()
    let (left, leftAddress) = try await Self.receiver(
      "--name", "Left TV", "--model", "Chromecast", "--volume-step", "0.02")
    let (right, rightAddress) = try await Self.receiver("--name", "Right TV", "--volume", "fixed")
    let before = try await Showcaller.run("status", "--json", "--host", leftAddress)
    let finished = try await Self.conform(
      leftAddress, "--host", rightAddress, "--only", "volume,receiver,senders", "--format", "csv", in: folder)
    #expect(finished.exitCode == 0, "\(finished.errors) \(finished.output)")
    let rows = finished.output.components(separatedBy: "\r\n").map { $0.components(separatedBy: ",") }
    #expect(
      rows.contains { $0[0] == "Left TV" && $0[6] == "receiver.status" && $0[8] == "volume step" && $0[9] == "0.02" })
    #expect(
      rows.contains { $0[0] == "Left TV" && $0[2] == "Chromecast" && $0[6] == "volume.mute" && $0[9] == "passed" })
    #expect(rows.contains { $0[0] == "Right TV" && $0[6] == "volume.mute" && $0[9] == "skipped" })
    #expect(finished.output.contains("its volume is fixed"))
    let after = try await Showcaller.run("status", "--json", "--host", leftAddress)
    #expect(try JSONValue(parsing: before.output)["status"] == JSONValue(parsing: after.output)["status"])
    // A part is compared with nothing later.
    #expect(!FileManager.default.fileExists(atPath: folder.path("state/showcaller/conformance")))
    for receiver in [left, right] {
      receiver.signal(SIGTERM)
      _ = try await receiver.finish()
    }
  }

  @Test("A device on the network plays what this computer serves")
  func served() async throws {
    let folder = try TemporaryFolder()
    let (receiver, address) = try await Self.receiver("--name", "Fetching TV", "--fetch", "127.0.0.1")
    let finished = try await Self.conform(
      address, "--only", "media.load,media.seek,tracks.on", "-o", "matrix.md", in: folder)
    #expect(finished.exitCode == 0 && finished.output.isEmpty, "\(finished.errors)")
    let page = try String(contentsOfFile: folder.path("matrix.md"), encoding: .utf8)
    #expect(page.contains("| media.load | LOAD plays, and the position moves | passed |"))
    receiver.signal(SIGTERM)
    _ = try await receiver.finish()
  }

  @Test("Ctrl-C ends the check that runs, puts the device back, prints what there is, and keeps nothing")
  func interrupted() async throws {
    let folder = try TemporaryFolder()
    let (receiver, address) = try await Self.receiver("--name", "Lobby TV")
    _ = try await Showcaller.run("volume", "70%", "--host", address)
    let running = try Self.start("--host", address, in: folder)
    try await running.waitFor("passed volume.set")
    running.signal(SIGINT)
    let finished = try await running.finish()
    #expect(finished.exitCode == 130, "\(finished.errors)")
    #expect(finished.output.contains("| volume.set | SET_VOLUME sets the level | passed |"))
    #expect(finished.output.contains(" more | not run | interrupted |"), "\(finished.output)")
    let status = try JSONValue(parsing: try await Showcaller.run("status", "--json", "--host", address).output)[
      "status"]
    #expect(status?["volume"]?["level"] == 70 && status?["app"]?.object == nil, "\(status?.serialized() ?? "")")
    #expect(!FileManager.default.fileExists(atPath: folder.path("state/showcaller/conformance")))
    receiver.signal(SIGTERM)
    _ = try await receiver.finish()
  }

  @Test("A device that is not there is told, exits 4, and keeps no other from being checked")
  func unreachable() async throws {
    let folder = try TemporaryFolder()
    let (receiver, address) = try await Self.receiver("--name", "Lobby TV")
    let finished = try await Self.conform(
      "--host", "127.0.0.1:1", "--host", address, "--only", "receiver.status", in: folder)
    #expect(finished.exitCode == 4 && finished.errors.contains("127.0.0.1:1"), "\(finished.errors)")
    #expect(finished.output.contains("| receiver.status | GET_STATUS is answered with the volume | passed |"))
    let twice = try await Self.conform(address, "--host", address, "--only", "receiver.status", in: folder)
    #expect(twice.exitCode == 2 && twice.errors.contains(" is named twice\n"), "\(twice.errors)")
    #expect(twice.output.contains("| receiver.status | GET_STATUS is answered with the volume | passed |"))
    let nobody = try await Self.conform("--host", "127.0.0.1:1", in: folder)
    #expect(nobody.exitCode == 4 && nobody.output.isEmpty, "\(nobody.output)")
    receiver.signal(SIGTERM)
    _ = try await receiver.finish()
  }

  @Test("When the time is over the rest is not run, and the exit code is 6")
  func overdue() async throws {
    let folder = try TemporaryFolder()
    let finished = try await Self.conform("--virtual", "--only", "media", "--timeout", "1s", in: folder)
    #expect(finished.exitCode == 6, "\(finished.errors)")
    #expect(finished.output.contains("| not run | the time of 1s is over |"), "\(finished.output)")
  }

  @Test("A damaged result that was kept is told with what to do, and stays as it is")
  func damaged() async throws {
    let folder = try TemporaryFolder()
    #expect(try await Self.conform("--virtual", "--speed", "20x", "-q", in: folder).exitCode == 0)
    let kept = folder.path("state/showcaller/conformance")
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: kept).first)
    try "{".write(toFile: "\(kept)/\(name)", atomically: true, encoding: .utf8)
    let finished = try await Self.conform("--virtual", "--speed", "20x", "-q", in: folder)
    #expect(finished.exitCode == 8, "\(finished.errors)")
    #expect(finished.errors.contains("help: remove it, and the next result is the first again: rm \(kept)/\(name)"))
    #expect(finished.output.contains("| media.load |"))
    #expect(try String(contentsOfFile: "\(kept)/\(name)", encoding: .utf8) == "{")
  }

  static let wrong: [(arguments: [String], exitCode: Int32, message: String)] = [
    ([], 2, "no device is named"), (["--virtual", "TV"], 2, "--virtual brings its own device"),
    (["TV", "--faults", "lab.yaml"], 2, "--faults needs --virtual"),
    (["TV", "--speed", "2x"], 2, "--speed needs --virtual"),
    (["--virtual", "--only", "media.sek"], 2, "did you mean `media.seek`?"),
    (["--virtual", "--only", ""], 2, "there is no check ``"),
    (["--print", "media"], 2, "`media` is an area of checks"),
    (["--list", "TV"], 2, "leave out the devices"), (["--list", "--print", "media.seek"], 2, "use one of --list"),
    (["--virtual", "--baseline", "none.json"], 2, "cannot read none.json"),
    (["--virtual", "--baseline", "empty.json"], 2, "cannot compare with empty.json: it is no result"),
    (["--virtual", "--baseline", "matrix.md"], 2, "cannot compare with matrix.md: it is no JSON: "),
    (["--virtual", "-o", "none/matrix.md"], 8, "cannot write none/matrix.md"),
    (["--virtual", "--timeout", "0"], 2, "--timeout is above 0"),
    (["--virtual", "--format", "xml"], 2, "markdown, csv and json"),
    (["--virtual", "--media", "film"], 2, "--media: "),
  ]
  @Test("What cannot be done is told before any device is asked", arguments: wrong)
  func refused(arguments: [String], exitCode: Int32, message: String) async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("empty.json", "{}")
    _ = try folder.write("matrix.md", "# Cast conformance\n")
    let finished = try await Showcaller.start(
      ["conform"] + arguments, environment: ["XDG_STATE_HOME": folder.path("state")], in: folder.url
    ).finish()
    #expect(
      finished.exitCode == exitCode && finished.errors.contains(message), "\(finished.exitCode) \(finished.errors)")
  }

  @Test("The scenarios can be listed, printed, and written into a folder where `check` and `run` take them")
  func suite() async throws {
    let folder = try TemporaryFolder()
    let list = try await Self.conform("--list", in: folder)
    #expect(list.exitCode == 0 && list.output.split(separator: "\n").count == 48)
    #expect(
      list.output.contains("media.seek                SEEK goes to a position and keeps playing\n"), "\(list.output)")
    let json = try await Self.conform("--list", "--json", "--only", " senders.volume, senders.app ", in: folder)
    #expect(
      json.output.split(separator: "\n").count == 2
        && json.output.hasPrefix(#"{"id":"senders.volume","area":"senders""#))
    let printed = try await Self.conform("--print", "media.seek", in: folder)
    #expect(printed.output.hasPrefix("scenario: SEEK goes to a position") && printed.output.hasSuffix("\n"))
    let written = try await Self.conform("--export", "checks", "--only", "queue", in: folder)
    #expect(written.exitCode == 0 && written.errors.contains("8 scenarios"), "\(written.errors)")
    #expect(
      try String(contentsOfFile: folder.path("checks/queue.next.yaml"), encoding: .utf8).contains("queue_jump: next"))
    #expect(try await Showcaller.run("check", "checks", in: folder.url).exitCode == 0)
    let run = try await Showcaller.run("run", "-q", "--virtual", "--speed", "20x", "checks", in: folder.url)
    #expect(run.exitCode == 0 && run.errors.contains("PASSED 8 of 8 documents"), "\(run.errors)")
    let twice = try await Self.conform("--export", "checks", in: folder)
    #expect(twice.exitCode == 2 && twice.errors.contains("is there already"), "\(twice.errors)")
  }

  @Test("Every command of docs/conformance.md does what a reader expects")
  func page() async throws {
    let folder = try TemporaryFolder()
    let (left, leftAddress) = try await Self.receiver("--name", "Living Room TV")
    let (right, rightAddress) = try await Self.receiver("--name", "Kitchen")
    try FileManager.default.createDirectory(atPath: folder.path("showcaller"), withIntermediateDirectories: true)
    _ = try folder.write("showcaller/hosts", "\(leftAddress) Living Room TV\n\(rightAddress) Kitchen\n")
    var count = 0
    for block in DocumentedBlock.all(of: "docs/conformance.md") where block.kind == "sh" {
      for line in block.text.split(separator: "\n") {
        var command = line.prefix { $0 != "#" }.replacingOccurrences(of: "192.0.2.14", with: leftAddress)
        // What a page shows takes a minute; one check of it will do.
        let isWhole = !command.contains("--list") && !command.contains("--export") && !command.contains("--virtual")
        if isWhole { command += " --only receiver.status" }
        let finished = try await Running(
          URL(filePath: "/bin/bash"), ["-c", "showcaller() { '\(Showcaller.binary.path)' \"$@\"; }; \(command)"],
          environment: ["XDG_CONFIG_HOME": folder.url.path, "XDG_STATE_HOME": folder.path("state")], in: folder.url,
          limit: 100
        ).finish()
        #expect(finished.exitCode == 0, "\(command): \(finished.errors)")
        count += 1
      }
    }
    #expect(count == 6)
    for receiver in [left, right] {
      receiver.signal(SIGTERM)
      _ = try await receiver.finish()
    }
  }

  @Test("On a terminal one line is redrawn, and what did not pass stays above it", .enabled(if: TmuxSession.isThere))
  func screen() async throws {
    let folder = try TemporaryFolder()
    let faults = try folder.write("lab.yaml", "library: Lab\nfaults:\n  - { at: stop, accept_but_ignore: true }\n")
    let terminal = try await TmuxSession(
      "$S conform --virtual --speed 20x --only media --faults \(faults) -o x.md; echo \"over with $?\"", columns: 200,
      rows: 12, environment: ["XDG_STATE_HOME": folder.path("state")])
    let screen = try await terminal.waitFor("over with 1")
    let lines = screen.split(separator: "\n")
    #expect(lines.filter { $0.contains("passed media.") }.isEmpty, "\(screen)")
    #expect(lines.filter { $0.contains("failed media.") }.count == 2, "\(screen)")
    #expect(screen.contains("Virtual receiver 15/18 failed media.stop: "), "\(screen)")
    #expect(screen.contains(": 16 passed, 2 failed"), "\(screen)")
    let plain = try await terminal.screen(colored: true)
    #expect(plain.contains("\u{1B}[31mVirtual receiver 15/18 failed"), "\(plain)")
  }
}
