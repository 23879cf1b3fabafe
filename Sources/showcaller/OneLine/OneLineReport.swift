import DeviceControl
import RunReporting
import ScenarioLanguage
import Synchronization

/// Keeps what a device's session tells that the command's user should know.
final class OneLineReport: EventSink {
  private let kept = Mutex<[String]>([])

  func record(_ event: Event) {
    switch event.kind {
    case .diagnostic(let problem) where problem.severity == .warning: kept.withLock { $0.append(problem.message) }
    // Somebody has to do something now.
    case .log(let note): Terminal.say(TerminalText.escaped(note.text))
    default: break
    }
  }

  var warnings: [String] { kept.withLock { $0 } }
}
