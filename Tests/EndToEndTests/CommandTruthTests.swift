import CastProtocol
import Foundation
import Testing

/// What help and docs say of commands is so.
@Suite(.serialized) struct CommandTruthTests {
  private static let toTell: [[String]] = [["status"], ["tracks"], ["queue"], ["queue", "list"]]

  @Test("Commands that only tell take --timeout, too, and find its mistakes where they stand", arguments: toTell)
  func timeout(words: [String]) async throws {
    let lab = try await OneLineLab()
    let right = try await lab.run(words + ["--timeout", "10s"])
    #expect(right.exitCode == 0 && right.errors.isEmpty, "\(right.errors)")
    let wrong = try await lab.run(words + ["--timeout", "10"])
    #expect(wrong.exitCode == 2 && wrong.errors.contains("error[T2"), "\(wrong.errors)")
    #expect(!wrong.errors.contains("mark") && wrong.errors.contains("--timeout 10"), "\(wrong.errors)")
    try await lab.end()
  }

  @Test("With --json there is an object also where no device is named, and where auth cannot connect")
  func objects() async throws {
    let unnamed = try await Showcaller.run("status", "--json")
    let object = try JSONValue(parsing: Array(unnamed.output.utf8))
    #expect(unnamed.exitCode == 2 && object["ok"] == false && object["exit"] == 2, "\(unnamed.output)")
    #expect(object["error"]?["message"] == "no device is named" && unnamed.errors.contains("no device is named"))

    let closed = try await FreePort.closed()
    let refused = try await Showcaller.run("auth", "--host", "127.0.0.1:\(closed)", "--json")
    let error = try JSONValue(parsing: Array(refused.output.utf8))
    #expect(
      refused.exitCode == 4 && error["exit"] == 4 && error["error"]?["class"] == "unreachable", "\(refused.output)")
  }

  @Test("A document that names no device runs on the one that the command line names, and only there")
  func withoutDevice() async throws {
    let folder = try TemporaryFolder()
    let lab = try await OneLineLab()
    let document = try folder.write("any.yaml", "scenario: Any\nsteps: [{ expect: { app: none } }]\n")
    let runs = ["--runs", folder.path("runs")]
    let byHost = try await lab.run(["run", document] + runs)
    #expect(byHost.exitCode == 0 && byHost.errors.contains("PASSED any [\(lab.address)]"), "\(byHost.errors)")
    let byName = try await Showcaller.start(["run", document, "-d", lab.address] + runs).finish()
    #expect(byName.exitCode == 0, "\(byName.errors)")
    let alone = try await Showcaller.start(["run", document] + runs).finish()
    #expect(alone.exitCode == 3 && alone.errors.contains("K105"), "\(alone.errors)")
    try await lab.end()
  }

  @Test("plan shows the rows that --row chooses")
  func planRow() async throws {
    let folder = try TemporaryFolder()
    let document = try folder.write(
      "rows.yaml", "scenario: Rows\ndevice: TV\nmatrix: { n: [1, 2] }\nsteps: [{ log: \"n is ${matrix.n}\" }]\n")
    let two = try await Showcaller.run("plan", document, "--row", "n=2")
    #expect(two.exitCode == 0 && two.output.contains("n is 2") && !two.output.contains("n is 1"), "\(two.output)")
    let none = try await Showcaller.run("plan", document, "--row", "n=3")
    #expect(none.exitCode == 2 && none.errors.contains("no row of the matrix"), "\(none.errors)")
  }

  @Test("simulate counts the warnings that it told before")
  func warnings() async throws {
    let folder = try TemporaryFolder()
    let document = try folder.write(
      "warned.yaml", "scenario: Warned\ndevice: TV\nvars: { unused: 1 }\nsteps: [{ log: hi }]\n")
    let finished = try await Showcaller.run("simulate", document)
    let told = finished.errors.matches(of: /warning\[/).count
    #expect(
      told > 0 && finished.output.hasSuffix("can all pass. \(told) warning\(told == 1 ? "" : "s").\n"), "\(finished)")
  }

  @Test("`tracks: off` is told to be the empty list")
  func noTracks() async throws {
    let folder = try TemporaryFolder()
    let text = "scenario: T\ndevice: TV\nsteps:\n  - load: https://cdn.example.com/a.mp4\n  - tracks: "
    let wrong = try await Showcaller.run("check", try folder.write("a.yaml", text + "off\n"))
    #expect(wrong.exitCode == 3 && wrong.output.contains("write `[]` for none"), "\(wrong.output)")
    let right = try await Showcaller.run("check", try folder.write("a.yaml", text + "[]\n"))
    #expect(right.exitCode == 0, "\(right.output)")
  }

  /// A cache of the last discovery that has a device at this address.
  private static func cache(_ name: String, id: String, at address: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let port = try #require(address.split(separator: ":").last.flatMap { Int($0) })
    try FileManager.default.createDirectory(atPath: folder.path("showcaller"), withIntermediateDirectories: true)
    let device: JSONValue = [
      "name": .string(name), "id": .string(id), "model": "Chromecast", "host": "127.0.0.1", "port": .int(port),
      "seen": .int(Int(Date().timeIntervalSince1970)),
    ]
    _ = try folder.write("showcaller/devices.json", (["v": 1, "devices": [device]] as JSONValue).serialized())
    return folder
  }

  @Test("A remembered address at which another device answers by now is not used; the device itself is")
  func otherDevice() async throws {
    let lab = try await OneLineLab(name: "Lobby TV")
    #expect(try await lab.run("load", OneLineLab.film).exitCode == 0)
    let (state, _) = try await lab.json("status")
    func stop(id: String) async throws -> Finished {
      let cache = try Self.cache("Kitchen", id: id, at: lab.address)
      let running = try Showcaller.start(
        ["stop-app", "-d", "Kitchen"],
        environment: [
          "XDG_CACHE_HOME": cache.url.path, "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/proc/nonexistent/bus",
        ])
      running.closeInput()
      return try await running.finish()
    }
    let wrong = try await stop(id: "00000000-0000-5000-8000-000000000001")
    #expect(wrong.exitCode == 4, "\(wrong.output)\(wrong.errors)")
    #expect(try await lab.json("status").0["status"]?["app"] == state["status"]?["app"])
    let id = try #require(
      try await Showcaller.run("discover", "--host", lab.address, "--json").output.firstMatch(
        of: /"id":\s*"([^"]+)"/
      ).map { String($0.1) })
    let right = try await stop(id: id)
    #expect(right.exitCode == 0, "\(right.output)\(right.errors)")
    try await lab.end()
  }
}
