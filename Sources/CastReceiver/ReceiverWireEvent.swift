package import CastProtocol

/// What passes between a virtual receiver and its senders, for who wants to look on.
package enum ReceiverWireEvent: Hashable, Sendable {
  case opened(ConnectionID)
  case received(CastMessage, on: ConnectionID)
  case sent(CastMessage, on: ConnectionID)
  case closed(ConnectionID)
}
