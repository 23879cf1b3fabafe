import CastProtocol
import Foundation
import Testing

/// `showcaller doctor`, where something is really wrong.
@Suite struct DoctorTests {
  /// Each check by its name.
  private static func checks(_ finished: Finished) throws -> [String: JSONValue] {
    let objects = try finished.output.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
    #expect(objects.allSatisfy { $0["text"]?.string?.isEmpty == false }, "\(finished.output)\(finished.errors)")
    return Dictionary(
      uniqueKeysWithValues: objects.compactMap { object in object["check"]?.string.map { ($0, object) } })
  }

  @Test("Each check is an object; a port that is taken is a warning that names it")
  func ports() async throws {
    let (descriptor, port) = try PlainServer.listen()
    defer { close(descriptor) }
    let folder = try TemporaryFolder()
    let all = try await Showcaller.start(
      ["doctor", "--json", "--timeout", "100ms", "--control", "\(port)"],
      environment: ["XDG_STATE_HOME": folder.path("state")]
    ).finish()
    let checks = try Self.checks(all)
    #expect(
      Set(checks.keys) == ["daemon", "multicast", "ports", "firewall", "clock", "zone", "state"], "\(all.output)")
    #expect(checks["ports"]?["verdict"] == "warning", "\(all.output)")
    #expect(checks["ports"]?["text"]?.string?.contains("\(port)") == true, "\(all.output)")
    #expect(checks["state"]?["verdict"] == "ok", "\(all.output)")
    let hasFailed = checks.values.contains { $0["verdict"] == "failed" }
    #expect(all.exitCode == (hasFailed ? 1 : 0))
  }

  @Test(
    "Without a network, multicast and the daemon have failed, and it ends with 1",
    .enabled(if: getuid() == 0, "SKIPPED: only root makes network namespaces"))
  func noNetwork() async throws {
    let finished = try await Running(
      URL(filePath: "/usr/bin/unshare"),
      ["--net", Showcaller.binary.path, "doctor", "--json", "--timeout", "100ms"], in: Showcaller.root, limit: 30
    ).finish()
    let checks = try Self.checks(finished)
    #expect(checks["multicast"]?["verdict"] == "failed" && finished.exitCode == 1, "\(finished.output)")
    #expect(checks["multicast"]?["cure"] == "ip -brief address", "\(finished.output)")
  }

  @Test(
    "A state folder of somebody else has failed, and its cure, pasted, puts it right",
    .enabled(if: getuid() == 0, "SKIPPED: only root becomes another user"))
  func state() async throws {
    let folder = try TemporaryFolder()
    let state = folder.path("it's a state")
    try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: false)
    func doctor() async throws -> JSONValue? {
      // The folder of the test and the program's libraries are root's.
      let finished = try await Running(
        URL(filePath: "/usr/bin/setpriv"),
        [
          "--reuid=65534", "--regid=65534", "--clear-groups", Showcaller.binary.path, "doctor", "--json", "--timeout",
          "100ms",
        ], environment: ["XDG_STATE_HOME": state], in: Showcaller.root, limit: 30
      ).finish()
      return try Self.checks(finished)["state"]
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.url.path)
    let wrong = try await doctor()
    #expect(wrong?["verdict"] == "failed", "\(String(describing: wrong))")
    let cure = try #require(wrong?["cure"]?.string)
    #expect(cure.hasPrefix("sudo install -d -o \"$(id -un)\" "))
    // As the user's shell does: its name is put in before `sudo` makes root of it.
    let pasted = cure.replacing("sudo ", with: "").replacing("$(id -un)", with: "nobody")
    let cured = try await Running(URL(filePath: "/bin/sh"), ["-c", pasted], in: folder.url, limit: 30).finish()
    #expect(cured.exitCode == 0, "\(cured.errors)")
    #expect(try await doctor()?["verdict"] == "ok")
  }
}
