package import CastProtocol

/// What became of one request: told once, when it is over.
package struct RequestRecord: Hashable, Sendable {
  /// How a request ended.
  package enum Outcome: Hashable, Sendable {
    case completed
    case failed(ClientError)
    /// Nobody waited for its end any more.
    case aborted
    /// The device dropped it for a later one.
    case replaced

    /// `completed`, `failed`, `aborted`, `replaced`.
    package var name: String {
      switch self {
      case .completed: "completed"
      case .failed: "failed"
      case .aborted: "aborted"
      case .replaced: "replaced"
      }
    }
  }

  package var id: Int
  /// Its type on the wire: `LOAD`.
  package var name: String
  package var namespace: Namespace
  package var destination: EndpointID
  /// When it was sent, on the show clock.
  package var sentAt: Duration
  /// From sending to its end, on the show clock.
  package var duration: Duration
  package var outcome: Outcome
}

extension RequestRecord.Outcome {
  /// What the end of an operation means for a request of its that is still under way.
  init(_ result: Result<OperationEffect.Outcome, ClientError>, of role: RequestRole) {
    switch result {
    case _ where role.isPoll: self = .aborted
    case .success: self = .completed
    case .failure(let error):
      switch error.class {
      case .loadCancelled, .launchCancelled: self = .replaced
      default: self = .failed(error)
      }
    }
  }
}
