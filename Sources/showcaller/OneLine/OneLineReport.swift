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
      switch event.type {
      case .attemptFailed: state.error = event.fields["error"]?.object
      case .diagnostic where event.fields["severity"] == "warning":
        if let message = event.fields["message"]?.string { state.warnings.append(message) }
      // Somebody has to do something now.
      case .log: event.fields["text"]?.string.map { Terminal.say(TerminalText.escaped($0)) }
      case .scenarioFinished:
        // Why it ended before any step.
        if state.error == nil { state.error = event.fields["error"]?.object }
      default: break
      }
    }
  }

  /// The last failure: `class`, `message`, `help`, `wire`.
  var error: JSONObject? { state.withLock { $0.error } }
  var warnings: [String] { state.withLock { $0.warnings } }
}
