import ScenarioLanguage

extension ErrorClass {
  /// Whether a failure says nothing of what the device would have done: it was not reached, somebody else had it, or
  /// this computer failed.
  var leavesUnjudged: Bool {
    switch self {
    case .notFound, .ambiguous, .unreachable, .connectionLost, .tls, .auth: true
    // Another sender may be the cause.
    case .busy, .takenOver, .launchCancelled, .loadCancelled: true
    case .interrupted, .cancelled, .probeFailed, .execFailed: true
    case .protocol, .timeout, .launchFailed, .appGone, .loadFailed, .mediaError, .invalidRequest, .invalidState,
      .refusedLocally, .expectation, .monitor:
      false
    }
  }
}
