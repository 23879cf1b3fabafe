import CastProtocol
package import FleetMessages

/// What a broker sends that is not its to send: remembers what it saw, within bounds, and draws from it.
package struct HostileBroker: Sendable {
  package enum Effect: Hashable, Sendable {
    /// To one client, whatever it subscribed to.
    case send(BrokerMessage, toClient: Int)
    /// As if somebody had published it.
    case plant(BrokerMessage)
  }

  private static let mostSeen = 300
  private static let floodLength = 400
  private var seen: [BrokerMessage] = []
  private var dice: SeededGenerator

  package init(seed: UInt64) { dice = SeededGenerator(seed: seed) }

  /// Keeps what comes by.
  package mutating func see(_ message: BrokerMessage) {
    guard !message.payload.isEmpty, message.payload.count <= 64 << 10 else { return }
    if seen.count < Self.mostSeen { seen.append(message) } else { seen[dice.next(below: seen.count)] = message }
  }

  /// What it does now.
  /// - Parameters:
  ///   - retained: The topics of what is retained.
  ///   - clients: How many there are.
  package mutating func act(_ acts: [HostileAct], retained: [String], clients: Int) -> [Effect] {
    guard clients > 0, !acts.isEmpty else { return [] }
    let client = dice.next(below: clients)
    let old = seen.isEmpty ? nil : seen[dice.next(below: seen.count)]
    let topic = old?.topic ?? "showcaller/nobody/health"
    switch acts[dice.next(below: acts.count)] {
    case .replay:
      guard let old else { return [] }
      return [dice.next(below: 2) == 0 ? .plant(old) : .send(old, toClient: client)]
    case .garbage:
      let bytes = (0..<dice.next(below: 200)).map { _ in UInt8(truncatingIfNeeded: dice.next()) }
      return [.send(BrokerMessage(topic, bytes, isRetained: dice.next(below: 2) == 0), toClient: client)]
    case .twist:
      guard var old, !old.payload.isEmpty else { return [] }
      let place = dice.next(below: old.payload.count)
      old.payload[place] ^= UInt8(1 << dice.next(below: 8))
      return [.plant(old)]
    case .remove:
      guard !retained.isEmpty else { return [] }
      return [.plant(.removal(of: retained[dice.next(below: retained.count)]))]
    case .flood:
      let message = old ?? BrokerMessage(topic, [0x7B])
      return Array(repeating: .send(message, toClient: client), count: Self.floodLength)
    case .foreign:
      guard var old else { return [] }
      // The same bytes where another's are read.
      let other = seen[dice.next(below: seen.count)].topic
      old.topic = dice.next(below: 3) == 0 ? "foreign/\(old.topic)" : other
      return [.send(old, toClient: client)]
    }
  }
}
