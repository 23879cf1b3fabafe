package import CastProtocol
package import ScenarioLanguage

/// Why a try of a step did not do what it should.
package struct StepFailure: Error, Sendable {
  package var errorClass: ErrorClass
  /// A lowercase fragment.
  package var message: String
  package var wire: JSONValue?
  package var help: String?
  /// The step that failed, where a step inside another did.
  package var step: String?
  /// A step with `if_fails: continue` failed inside a group: the group failed, and the run goes on.
  package var failsWithoutStopping = false

  /// The class of a try that was stopped from outside; the run knows by what.
  package static let cancelled = StepFailure(.cancelled, "stopped")

  package init(_ errorClass: ErrorClass, _ message: String, wire: JSONValue? = nil, help: String? = nil) {
    self.errorClass = errorClass
    self.message = message
    self.wire = wire
    self.help = help
  }

  package var isExpectation: Bool { errorClass == .expectation }

  /// The diagnostic code of its class.
  package var code: Code { errorClass.code }
}
