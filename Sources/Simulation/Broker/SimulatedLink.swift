package import FleetMessages

/// A connection to a ``SimulatedBroker``.
package struct SimulatedLink: BrokerLink {
  package let events: AsyncStream<BrokerEvent>
  private let broker: SimulatedBroker
  private let client: Int

  init(to broker: SimulatedBroker, client: Int) {
    self.broker = broker
    self.client = client
    // Nothing is read ahead: what nobody takes fills the link, and then the broker.
    events = AsyncStream { await broker.next(for: client) }
  }

  @discardableResult
  package func send(_ command: BrokerCommand) -> Bool { broker.send(command, from: client) }

  package func close() async { await broker.close(client) }
}
