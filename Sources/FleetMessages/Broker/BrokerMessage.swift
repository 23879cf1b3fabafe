/// A message as it goes to a broker or comes from one.
package struct BrokerMessage: Hashable, Sendable {
  /// How surely it arrives (MQTT 5.0, 4.3); 2 is not used: every effect is safe to see twice.
  package enum Quality: Int, Hashable, Sendable {
    case atMostOnce = 0
    case atLeastOnce = 1
  }

  package var topic: String
  package var payload: [UInt8]
  package var quality: Quality
  /// Sent: the broker keeps it for whoever subscribes later. Received: it was kept, and is not news.
  package var isRetained: Bool
  /// The broker forgets it after this; `nil`: never. Counted in whole seconds.
  package var expiry: Duration?

  package init(
    _ topic: String, _ payload: [UInt8], quality: Quality = .atLeastOnce, isRetained: Bool = false,
    expiry: Duration? = nil
  ) {
    self.topic = topic
    self.payload = payload
    self.quality = quality
    self.isRetained = isRetained
    self.expiry = expiry
  }

  /// What removes a retained message.
  package static func removal(of topic: String) -> BrokerMessage { BrokerMessage(topic, [], isRetained: true) }
}
