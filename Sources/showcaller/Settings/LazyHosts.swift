import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner
import Synchronization
import Workspace

/// The devices of the hosts file, read when the first one asks.
///
/// What is wrong with the file stops nobody, and is told only where it matters: where a device is not found, or where the
/// whole file is asked for. Else each command of a timetable would send the same mail.
final class LazyHosts: Sendable {
  static let shared = LazyHosts()

  private enum Problem {
    case mistakes([Diagnostic], SourceFile)
    case unreadable(String)
  }

  private struct State {
    var found: [FoundDevice]?
    var untold: Problem?
  }

  private let state = Mutex(State())

  var devices: [FoundDevice] {
    state.withLock { state in
      if let found = state.found { return found }
      let (found, problem) = Self.read()
      state = State(found: found, untold: problem)
      return found
    }
  }

  /// Says on standard error what is wrong with the file, once in a process.
  func tell() {
    _ = devices
    let problem = state.withLock { state in
      defer { state.untold = nil }
      return state.untold
    }
    switch problem {
    case .mistakes(let problems, let source): DiagnosticPrinter.standardError.print(problems, of: [source])
    case .unreadable(let message): Terminal.say("warning: \(message)")
    case nil: break
    }
  }

  private static func read() -> ([FoundDevice], Problem?) {
    do throws(WorkspaceError) {
      guard let source = try SettingsFolder.file(SettingsFolder.hostsPath) else { return ([], nil) }
      let (hosts, problems) = HostsFile.read(source)
      let devices = hosts.entries.map { FoundDevice(name: $0.name, address: $0.address, via: .hosts) }
      return (devices, problems.isEmpty ? nil : .mistakes(problems.map(\.asWarning), source))
    } catch {
      return ([], .unreadable(error.message))
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
