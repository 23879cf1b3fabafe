import DeviceControl
import RunReporting
import ScenarioLanguage
import Synchronization

/// Keeps what a device's session tells that the command's user should know.
final class OneLineReport: EventSink {
  private let kept = Mutex<[String]>([])

  func record(_ event: Event) {
    switch event.kind {
    case .diagnostic(let problem) where problem.severity == .warning:
      kept.withLock { kept in
        kept.append("warning: \(problem.message)")
        if problem.isUnpinned == true { kept += (problem.help ?? []).map { "help: \($0)" } }
      }
    // Somebody has to do something now.
    case .log(let note): Terminal.say(TerminalText.escaped(note.text))
    default: break
    }
  }

  /// Lines for people.
  var warnings: [String] { kept.withLock { $0 } }
}
