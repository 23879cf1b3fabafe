package import FleetMessages

/// When all that a broker keeps has come.
///
/// MQTT says that retained messages follow a subscription (MQTT 5.0, 3.8.4), not when the last one was sent, and an echo
/// of our own could overtake them in a cluster, or not be allowed: what was kept has come when nothing more of it came
/// for a moment.
package struct FleetReading: Sendable {
  package enum State: Hashable, Sendable {
    case waiting
    case complete
    /// There was no connection in time; why, as far as it was told.
    case unreachable(BrokerFailure?)
  }

  /// So long nothing came.
  package static let quiet = Duration.milliseconds(500)
  /// A broker that sends without end is read no longer.
  package static let longest = Duration.seconds(120)

  /// For the connection, and then for the first message that was kept.
  private let limit: Duration
  private let began: Duration
  private var connected: Duration?
  private var last: Duration?
  private var failure: BrokerFailure?

  package init(limit: Duration, at now: Duration) {
    self.limit = limit
    began = now
  }

  package mutating func receive(_ event: BrokerEvent, at now: Duration) {
    switch event {
    case .connected:
      connected = now
      last = nil
    case .disconnected(let reason):
      failure = reason
      connected = nil
    case .message(let message): if message.isRetained { last = now }
    case .acknowledged, .denied: break
    }
  }

  package func state(at now: Duration) -> State {
    guard let connected else {
      let isFinal =
        switch failure?.code {
        case .untrusted, .refused, .unavailable: true
        case .unreachable, .lost, .hostile, nil: false
        }
      return isFinal || now - began >= limit ? .unreachable(failure) : .waiting
    }
    if now - connected >= Self.longest { return .complete }
    guard let last else { return now - connected >= limit ? .complete : .waiting }
    return now - last >= Self.quiet ? .complete : .waiting
  }
}
