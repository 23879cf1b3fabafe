/// Why a try of a step failed: the closed list of docs/language/steps.md "Steps", and the classes that only a run
/// gives.
package enum ErrorClass: String, Codable, Hashable, Sendable, CaseIterable {
  case notFound = "not_found"
  case unreachable
  case connectionLost = "connection_lost"
  case tls
  case `protocol`
  case auth
  case timeout
  case busy
  case launchFailed = "launch_failed"
  case launchCancelled = "launch_cancelled"
  case appGone = "app_gone"
  case takenOver = "taken_over"
  case loadFailed = "load_failed"
  case loadCancelled = "load_cancelled"
  case mediaError = "media_error"
  case invalidRequest = "invalid_request"
  case invalidState = "invalid_state"
  case refusedLocally = "refused_locally"
  case probeFailed = "probe_failed"
  case execFailed = "exec_failed"
  case expectation
  /// Several devices fit; trying again finds them again.
  case ambiguous
  /// The user stopped the run, or another branch failed.
  case interrupted
  /// A rule of `watch` failed and stopped the run.
  case monitor
  /// The try was stopped from outside; whoever runs the step knows by what.
  case cancelled

  /// What `retry: { errors }` may name besides `transient`, in the order of the documentation.
  package static let retryable = allCases.filter { !notRetryable.contains($0) }

  private static let notRetryable: Set<ErrorClass> = [.ambiguous, .interrupted, .monitor, .cancelled]

  /// The diagnostic code of a failure of this class (docs/language/codes.md "How a problem is told").
  package var code: Code {
    switch self {
    case .notFound: .r701
    case .ambiguous: .r702
    case .busy: .r703
    case .auth: .r704
    case .unreachable: .r711
    case .connectionLost: .r712
    case .tls: .r713
    case .protocol: .r714
    case .timeout: .r715
    case .launchFailed: .r716
    case .launchCancelled: .r717
    case .appGone: .r718
    case .takenOver: .r719
    case .loadFailed: .r720
    case .loadCancelled: .r721
    case .mediaError: .r722
    case .invalidRequest: .r723
    // A step that was ended from outside has no diagnostic of its own; the run tells by what it was ended.
    case .invalidState, .interrupted, .monitor, .cancelled: .r724
    case .refusedLocally: .r725
    case .probeFailed: .r726
    case .execFailed: .r727
    case .expectation: .r728
    }
  }
}
