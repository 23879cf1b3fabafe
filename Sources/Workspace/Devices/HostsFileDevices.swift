package import ScenarioLanguage
import Synchronization

/// The devices of the hosts file, read when the first one asks.
///
/// What is wrong with the file stops nobody, and is told only where it matters: where a device is not found, or where the
/// whole file is asked for. Else each command of a timetable would send the same mail.
package final class HostsFileDevices: Sendable {
  /// What is wrong with the file.
  package enum Problem: Sendable {
    /// Lines that are passed over, as warnings.
    case mistakes([Diagnostic], SourceFile)
    /// Why it cannot be read at all.
    case unreadable(String)
  }

  private struct State {
    var found: [HostsFile.Entry]?
    var untold: Problem?
  }

  private let folder: SettingsFolder
  private let state = Mutex(State())

  /// The hosts file of these surroundings.
  package init(_ surroundings: Surroundings) { folder = SettingsFolder(surroundings) }

  /// Those that the file names, in its order.
  package var entries: [HostsFile.Entry] {
    state.withLock { state in
      if let found = state.found { return found }
      let (found, problem) = read()
      state = State(found: found, untold: problem)
      return found
    }
  }

  /// What is wrong with the file, to the first who asks; `nil` where nothing is, and to all who ask later.
  package func takeProblem() -> Problem? {
    _ = entries
    return state.withLock { state in
      defer { state.untold = nil }
      return state.untold
    }
  }

  private func read() -> ([HostsFile.Entry], Problem?) {
    do throws(WorkspaceError) {
      guard let source = try SettingsFolder.file(folder.hostsPath) else { return ([], nil) }
      let (hosts, problems) = HostsFile.read(source)
      return (hosts.entries, problems.isEmpty ? nil : .mistakes(problems.map(\.asWarning), source))
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
