import CastProtocol
import Foundation
import Testing

/// Which software a device has, as a run tells it (docs/runs.md "Which software a device has").
@Suite struct FirmwareTests {
  /// A network of its own: a receiver at the usual port answers at the port for setting up, too.
  private static let script = """
    set -eu
    ip link set lo up
    "$S" receive --name "Lobby TV" > receiver &
    receiver=$!
    trap 'kill $receiver 2>/dev/null || true' EXIT
    for _ in $(seq 100); do if grep -q 8009 receiver; then break; fi; sleep 0.1; done
    "$S" run --host 127.0.0.1 a.yaml --report junit=out.xml
    "$S" history a --json > history.json
    kill $receiver
    wait $receiver || true
    "$S" receive --port 8011 --name "Lobby TV" > other &
    receiver=$!
    for _ in $(seq 100); do if grep -q 8011 other; then break; fi; sleep 0.1; done
    "$S" run --host 127.0.0.1:8011 a.yaml --runs elsewhere
    """

  @Test(
    "A run tells the firmware of a device at the usual port beside all else; elsewhere nobody is asked",
    .enabled(if: DiscoveryTests.canMakeNetworks))
  func live() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("a.yaml", "scenario: A\ndevice: TV\nsteps:\n  - launch: default\n  - wait: 500ms\n")
    let running = try Running(
      URL(filePath: "/usr/bin/unshare"), ["--net", "bash", "-c", Self.script],
      environment: ["S": Showcaller.binary.path, "XDG_STATE_HOME": folder.path("state")], in: folder.url, limit: 60)
    running.closeInput()
    let finished = try await running.finish()
    #expect(finished.exitCode == 0, "\(finished.output)\(finished.errors)")
    let events = try Self.events(in: folder.path(".showcaller/runs"))
    let told = events.filter { $0["type"] == "device.software" }
    #expect(told.count == 1 && told.first?["firmware"] == "1.0" && told.first?["build"] == "1", "\(told)")
    let connected = try #require(events.firstIndex { $0["type"] == "device.connected" })
    #expect(events.firstIndex { $0["type"] == "device.software" }.map { $0 > connected } == true)
    let junit = try String(contentsOfFile: folder.path("out.xml"), encoding: .utf8)
    #expect(junit.contains(#"<property name="device.firmware" value="1.0, build 1"/>"#))
    let history = try JSONValue(parsing: Array(Data(contentsOf: URL(filePath: folder.path("history.json")))))
    #expect(history.array?.first?["runs"]?.array?.first?["firmware"] == "1.0, build 1")
    #expect(try Self.events(in: folder.path("elsewhere")).allSatisfy { $0["type"] != "device.software" })
  }

  private static func events(in runs: String) throws -> [JSONValue] {
    let id = try #require(try RunFolder.ids(in: runs).last)
    return try String(contentsOfFile: "\(runs)/\(id)/events.jsonl", encoding: .utf8).split(separator: "\n")
      .map { try JSONValue(parsing: Array($0.utf8)) }
  }
}
