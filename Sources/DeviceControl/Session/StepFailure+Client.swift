package import CastClient
import CastProtocol
package import RunReporting
package import ScenarioLanguage

extension StepFailure {
  /// What the client could not do, in the words of a step.
  package init(_ error: ClientError) {
    let errorClass = ErrorClass(error.class)
    // What else cures a class depends on what was done; nobody who answers is nobody who answers.
    let cure = error.help ?? (errorClass == .unreachable ? errorClass.usualCure : nil)
    self.init(errorClass, error.message, wire: error.wire, help: cure)
  }

  /// Why a device could not be found or reached, in the words of a step.
  package init(_ error: RunError) { self.init(error.errorClass, error.message, help: error.help) }
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
