import Foundation
import Testing

/// No command loads a library that it does not need.
@Suite struct LoadedLibrariesTests {
  /// Whether it comes with the mDNS library, and the bus that it asks.
  static let table: [(arguments: [String], isLoaded: Bool)] = [
    (["--version"], false), (["check", "examples/hello.yaml"], false), (["status", "--host", "127.0.0.1:1"], false),
    (["discover", "--timeout", "1s"], true),
  ]

  @Test("The mDNS library and its bus are loaded by what looks for devices, and by nothing else", arguments: table)
  func mDNS(arguments: [String], isLoaded: Bool) async throws {
    // The dynamic linker tells each library that it looks for.
    let started = try Showcaller.start(
      arguments, environment: ["LD_DEBUG": "libs", "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/proc/nonexistent/bus"])
    started.closeInput()
    let finished = try await started.finish()
    #expect(finished.errors.contains("find library=libssl"), "\(finished.errors.prefix(500))")
    for library in ["libdns_sd.so", "libdbus-1.so"] {
      #expect(finished.errors.contains("find library=\(library)") == isLoaded, "\(library)")
    }
  }
}
