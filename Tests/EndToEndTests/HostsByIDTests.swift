import CastProtocol
import Foundation
import Testing

/// A device of the hosts file has no id there, but `discover` shows one: it can be named by it.
@Suite struct HostsByIDTests {
  @Test("The id that `discover` shows of a device of the hosts file finds it")
  func id() async throws {
    let lab = try await OneLineLab(name: "Hosts TV")
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("showcaller"), withIntermediateDirectories: true)
    _ = try folder.write("showcaller/hosts", "\(lab.address) Hosts TV\n")
    _ = try folder.write("showcaller/config.yaml", "timeout: { discover: 200ms }\n")
    let environment = ["XDG_CONFIG_HOME": folder.url.path, "XDG_CACHE_HOME": folder.path("cache")]
    let shown = try await Showcaller.start(["status", "--json", "--host", lab.address], environment: environment)
      .finish()
    let listed = try await Showcaller.start(
      ["discover", "--json", "--host", lab.address], environment: environment
    ).finish()
    let line = try #require(listed.output.split(separator: "\n").first)
    let id = try #require(try JSONValue(parsing: Array(line.utf8))["id"]?.string)
    #expect(shown.exitCode == 0 && !id.isEmpty)
    let found = try await Showcaller.start(["status", "--device", id], environment: environment).finish()
    #expect(found.exitCode == 0, "\(found.errors)")
    #expect(found.output.contains("Hosts TV"), "\(found.output)")
    let other = String(repeating: "0", count: 32)
    let missing = try await Showcaller.start(["status", "--device", other], environment: environment).finish()
    #expect(missing.exitCode == 4, "\(missing.errors)")
    try await lab.end()
  }
}
