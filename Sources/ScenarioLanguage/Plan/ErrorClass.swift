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
  package var code: String {
    switch self {
    case .notFound: "R701"
    case .ambiguous: "R702"
    case .busy: "R703"
    case .auth: "R704"
    case .unreachable: "R711"
    case .connectionLost: "R712"
    case .tls: "R713"
    case .protocol: "R714"
    case .timeout: "R715"
    case .launchFailed: "R716"
    case .launchCancelled: "R717"
    case .appGone: "R718"
    case .takenOver: "R719"
    case .loadFailed: "R720"
    case .loadCancelled: "R721"
    case .mediaError: "R722"
    case .invalidRequest: "R723"
    // A step that was ended from outside has no diagnostic of its own; the run tells by what it was ended.
    case .invalidState, .interrupted, .monitor, .cancelled: "R724"
    case .refusedLocally: "R725"
    case .probeFailed: "R726"
    case .execFailed: "R727"
    case .expectation: "R728"
    }
  }
}
