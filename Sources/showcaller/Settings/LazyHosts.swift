import ScenarioLanguage
import ScenarioRunner
import Synchronization

/// The devices of the hosts file, read when the first one asks. What is wrong with it is told once, on standard error, and
/// stops nobody.
final class LazyHosts: Sendable {
  private let found = Mutex<[FoundDevice]?>(nil)

  var devices: [FoundDevice] {
    found.withLock { found in
      if let found { return found }
      let read = Self.read()
      found = read
      return read
    }
  }

  private static func read() -> [FoundDevice] {
    do throws(CommandFailure) {
      guard let source = try SettingsFolder.file(SettingsFolder.hostsPath) else { return [] }
      let (hosts, problems) = HostsFile.read(source)
      DiagnosticPrinter.standardError.print(problems.map(\.asWarning), of: [source])
      return hosts.entries.map { FoundDevice(name: $0.name, address: $0.address, via: .hosts) }
    } catch {
      Terminal.say("warning: \(error.message)")
      return []
    }
  }
}

extension Diagnostic {
  fileprivate var asWarning: Diagnostic {
    var warning = self
    warning.severity = .warning
    return warning
  }
}
