import CastProtocol
import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner
import Synchronization

/// Keeps what a command's run tells that its user should know.
final class OneLineReport: EventSink {
  private struct State {
    var error: JSONObject?
    var warnings: [String] = []
  }

  private let state = Mutex(State())

  func record(_ event: Event) {
    state.withLock { state in
      switch event.kind {
      case .attemptFailed(let failed): state.error = failed.error.fields
      case .diagnostic(let problem) where problem.severity == .warning: state.warnings.append(problem.message)
      // Somebody has to do something now.
      case .log(let note): Terminal.say(TerminalText.escaped(note.text))
      case .scenarioFinished(let finished):
        // Why it ended before any step.
        if state.error == nil { state.error = finished.error?.fields }
      default: break
      }
    }
  }

  /// The last failure: `class`, `message`, `help`, `wire`.
  var error: JSONObject? { state.withLock { $0.error } }
  var warnings: [String] { state.withLock { $0.warnings } }
}
