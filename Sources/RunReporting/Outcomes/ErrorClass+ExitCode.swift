package import ScenarioLanguage

extension ErrorClass {
  /// How the process ends when a step on a connected device failed with it (docs/reference.md "Exit codes").
  package var exitCode: Int32 {
    switch self {
    case .busy: 75
    case .notFound, .ambiguous, .unreachable, .tls, .auth: 4
    case .timeout: 6
    case .expectation: 1
    case .connectionLost, .protocol, .launchFailed, .launchCancelled, .appGone, .takenOver, .loadFailed, .loadCancelled,
      .mediaError, .invalidRequest, .invalidState, .refusedLocally, .probeFailed, .execFailed, .interrupted, .monitor,
      .cancelled:
      5
    }
  }
}
