package import CastProtocol
package import CastTransport

/// The virtual receiver: a device in software that serves any number of senders.
///
/// Everything it does is decided by ``ReceiverStateMachine``; this class performs the effects.
package final class VirtualReceiver: Sendable {
  package init(configuration: ReceiverConfiguration, times: TimeSources) { preconditionFailure() }
  /// Serves `channel` until it closes.
  package func accept(_ channel: any ByteChannel) { preconditionFailure() }
  /// Closes every connection and ends every task.
  package func stop() { preconditionFailure() }
}

/// What a virtual receiver claims to be.
package struct ReceiverConfiguration: Sendable {
  package var name = "Showcaller (virtual)"
  package var model = "Showcaller Virtual Receiver"
  /// Lower-case UUID with hyphens.
  package var id: String
  /// App ids that launch; all are media apps that behave alike.
  package var appIDs: Set<String> = ["CC1AD845"]
  /// Seeds session ids and everything else that looks random.
  package var seed: UInt64 = 0

  package init(id: String) { self.id = id }
}
