import CastClient
import CastProtocol

/// Why a try of a step did not do what it should.
struct StepFailure: Error, Sendable {
  /// A class of language.md 2.7, or ``cancelled``.
  var errorClass: String
  /// A lowercase fragment.
  var message: String
  var wire: JSONValue?
  var help: String?
  /// The step that failed, where a step inside another did.
  var step: String?
  /// A step with `if_fails: continue` failed inside a group: the group failed, and the run goes on.
  var isSoft = false

  /// The class of a try that was stopped from outside; the run knows by what.
  static let cancelled = StepFailure("cancelled", "stopped")

  init(_ errorClass: String, _ message: String, wire: JSONValue? = nil, help: String? = nil) {
    self.errorClass = errorClass
    self.message = message
    self.wire = wire
    self.help = help
  }

  init(_ error: ClientError) {
    self.init(error.class.rawValue, error.message, wire: error.wire, help: error.help)
  }

  init(_ error: RunError) { self.init(error.errorClass, error.message, help: error.help) }

  var isExpectation: Bool { errorClass == "expectation" }

  /// `error` of `attempt.failed`.
  var json: JSONObject {
    var object: JSONObject = ["class": .string(errorClass), "message": .string(message)]
    object["wire"] = wire
    object["help"] = help.map(JSONValue.string)
    return object
  }

  /// The diagnostic code of a class (language.md 4, code index): 711 and up in the order of 2.7.
  var code: String {
    switch errorClass {
    case "not_found": return "R701"
    case "ambiguous": return "R702"
    case "busy": return "R703"
    case "auth": return "R704"
    default:
      let classes = [
        "unreachable", "connection_lost", "tls", "protocol", "timeout", "launch_failed", "launch_cancelled", "app_gone",
        "taken_over", "load_failed", "load_cancelled", "media_error", "invalid_request", "invalid_state",
        "refused_locally", "probe_failed", "exec_failed", "expectation",
      ]
      return "R\(711 + (classes.firstIndex(of: errorClass) ?? classes.count))"
    }
  }
}
