package import CastClient
import CastProtocol
package import ScenarioLanguage

/// Why a try of a step did not do what it should.
struct StepFailure: Error, Sendable {
  var errorClass: ErrorClass
  /// A lowercase fragment.
  var message: String
  var wire: JSONValue?
  var help: String?
  /// The step that failed, where a step inside another did.
  var step: String?
  /// A step with `if_fails: continue` failed inside a group: the group failed, and the run goes on.
  var isSoft = false

  /// The class of a try that was stopped from outside; the run knows by what.
  static let cancelled = StepFailure(.cancelled, "stopped")

  init(_ errorClass: ErrorClass, _ message: String, wire: JSONValue? = nil, help: String? = nil) {
    self.errorClass = errorClass
    self.message = message
    self.wire = wire
    self.help = help
  }

  init(_ error: ClientError) {
    self.init(ErrorClass(error.class), error.message, wire: error.wire, help: error.help)
  }

  init(_ error: RunError) { self.init(error.errorClass, error.message, help: error.help) }

  var isExpectation: Bool { errorClass == .expectation }

  /// `error` of `attempt.failed`.
  var json: JSONObject {
    var object: JSONObject = ["class": .string(errorClass.rawValue), "message": .string(message)]
    object["wire"] = wire
    object["help"] = help.map(JSONValue.string)
    return object
  }

  /// The diagnostic code of its class.
  var code: String { errorClass.code }
}

extension ErrorClass {
  /// What the client calls it.
  package init(_ error: ClientError.Class) {
    self =
      switch error {
      case .unreachable: .unreachable
      case .connectionLost: .connectionLost
      case .tls: .tls
      case .protocol: .protocol
      case .auth: .auth
      case .timeout: .timeout
      case .launchFailed: .launchFailed
      case .launchCancelled: .launchCancelled
      case .appGone: .appGone
      case .takenOver: .takenOver
      case .loadFailed: .loadFailed
      case .loadCancelled: .loadCancelled
      case .mediaError: .mediaError
      case .invalidRequest: .invalidRequest
      case .invalidState: .invalidState
      case .refusedLocally: .refusedLocally
      }
  }
}
