import CastProtocol
import Foundation
import Testing

/// `discover`, `receive --advertise` and `run` by name: against a real Avahi daemon, and without any.
@Suite struct DiscoveryTests {
  /// Whether this machine lets us make a network of our own.
  static let canMakeNetworks: Bool = {
    let probe = Process()
    probe.executableURL = URL(filePath: "/usr/bin/unshare")
    probe.arguments = ["--net", "--mount", "sh", "-c", "command -v avahi-daemon dbus-daemon ip"]
    probe.standardOutput = FileHandle.nullDevice
    probe.standardError = FileHandle.nullDevice
    if (try? probe.run()) != nil {
      probe.waitUntilExit()
      if probe.terminationStatus == 0 { return true }
    }
    print("SKIPPED: no network namespaces or no Avahi here; discovery is not tested")
    return false
  }()

  @Test("Receivers that advertise are listed, found by name and run on", .enabled(if: canMakeNetworks))
  func network() async throws {
    let folder = try TemporaryFolder()
    let script = Showcaller.root.appending(path: "Tests/EndToEndTests/Peers/discovery.sh").path
    let running = try Running(
      URL(filePath: "/usr/bin/unshare"), ["--net", "--mount", script, Showcaller.binary.path, folder.url.path],
      in: Showcaller.root)
    let finished = try await running.finish()
    #expect(finished.exitCode == 0, "\(finished.output)\(finished.errors)")
    let parts = finished.output.components(separatedBy: "== ").map { $0.split(separator: "\n").map(String.init) }
    let sections = Dictionary(parts.filter { !$0.isEmpty }.map { ($0[0], Array($0.dropFirst())) }) { $1 }

    #expect(sections["discover"]?.count == 2)
    #expect(sections["discover"]?.first?.hasPrefix("Kitchen  Showcaller Virtual Receiver  127.0.0.1:") == true)
    #expect(sections["discover"]?.last?.hasPrefix("Living Room TV  ") == true)
    let devices = try (sections["json"] ?? []).map { try JSONValue(parsing: Array($0.utf8)) }
    #expect(devices.map { $0["name"] } == ["Kitchen", "Living Room TV"])
    #expect(devices.allSatisfy { $0["addresses"]?.array?.contains("127.0.0.1") == true })

    // What was found is known to completions, and to its owner only.
    let known = try #require(sections["known"])
    #expect(known.prefix(2).map { $0.prefix { $0 != "\t" } } == ["Kitchen", "Living Room TV"])
    #expect(known.dropFirst(2) == ["700", "600", "devices.json"])

    let events = try EventStream.read(folder.path("events.jsonl"))
    try EventStream.check(events, exitCode: 0)
    let found = events.first { $0["type"] == "device.found" }
    #expect(found?["via"] == "mdns" && found?["name"] == "Living Room TV")
    #expect(found?["id"] == devices.last?["id"])
    #expect(events.contains { $0["code"] == "R706" })

    #expect(sections["missing"]?.last == "exit 4")
    #expect(finished.errors.contains("error[R701]: no device called `Living Rom TV`"))
    #expect(finished.errors.contains("did you mean `Living Room TV`?"))
  }

  static let nowhere = ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent/bus"]

  @Test(
    "Without an mDNS daemon every command that needs one says so in a sentence, with the cure and the way round",
    arguments: [
      ["discover"], ["discover", "--json"], ["run", "examples/hello.yaml"], ["receive", "--advertise", "--port", "0"],
    ])
  func noDaemon(arguments: [String]) async throws {
    let folder = try TemporaryFolder()
    let runs = arguments[0] == "run" ? ["--runs", folder.path("runs")] : []
    let finished = try await Showcaller.start(arguments + runs, environment: Self.nowhere).finish()
    #expect(finished.exitCode == 4, "\(finished.errors)")
    #expect(finished.output.isEmpty)
    #expect(finished.errors.contains("no mDNS daemon answers (Avahi)"))
    #expect(finished.errors.contains("install and start avahi-daemon, or"))
    if arguments[0] != "receive" { #expect(finished.errors.contains("--host")) }
  }
}
