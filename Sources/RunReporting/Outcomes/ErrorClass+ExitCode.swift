package import ScenarioLanguage

extension ErrorClass {
  /// How the process ends when a step on a connected device failed with it (docs/reference.md "Exit codes").
  package var exit: RunExit {
    switch self {
    case .busy: .busy
    case .notFound, .ambiguous, .unreachable, .tls, .auth: .noDevice
    case .timeout: .deadlinePassed
    case .expectation: .expectationFailed
    case .connectionLost, .protocol, .launchFailed, .launchCancelled, .appGone, .takenOver, .loadFailed, .loadCancelled,
      .mediaError, .invalidRequest, .invalidState, .refusedLocally, .probeFailed, .execFailed, .interrupted, .monitor,
      .cancelled:
      .stepFailed
    }
  }

  /// The number of ``exit``.
  package var exitCode: Int32 { exit.rawValue }
}
