import BrokerClient
import FleetMessages
import Glibc
import TestSupport
import Testing

/// A link and one reader of its events.
final class LabLink {
  let link: any BrokerLink
  private var iterator: AsyncStream<BrokerEvent>.Iterator
  /// Came while an acknowledgement was waited for.
  private var early: [BrokerMessage] = []

  init(_ configuration: BrokerConfiguration) throws {
    link = try BrokerClient.connect(configuration)
    iterator = link.events.makeAsyncIterator()
  }

  func next() async -> BrokerEvent? { await iterator.next(isolation: #isolation) }

  /// The first event from now on that `pick` knows.
  func first<T>(_ pick: (BrokerEvent) -> T?) async throws -> T {
    if let picked = await firstLeft(pick) { return picked }
    throw Ended()
  }

  /// - Returns: `nil`: there is none until the end.
  func firstLeft<T>(_ pick: (BrokerEvent) -> T?) async -> T? {
    while let event = await next() {
      if let picked = pick(event) { return picked }
    }
    return nil
  }

  struct Ended: Error {}

  func connected() async throws { try await first { $0 == .connected ? () : nil } }

  func failure() async throws -> BrokerFailure {
    try await first { if case .disconnected(let failure) = $0 { failure } else { nil } }
  }

  func message() async throws -> BrokerMessage {
    if !early.isEmpty { return early.removeFirst() }
    return try await first { if case .message(let message) = $0 { message } else { nil } }
  }

  func acknowledged(_ id: Int) async throws {
    var messages: [BrokerMessage] = []
    try await first { event -> Void? in
      if case .message(let message) = event { messages.append(message) }
      return event == .acknowledged(id) ? () : nil
    }
    early += messages
  }

  /// Subscribes, and returns when the broker has done it: what it is sent afterwards comes back.
  func subscribe(_ filter: String, _ subscription: BrokerCommand.Subscription = .init()) async throws {
    #expect(link.send(.subscribe(filter, subscription)))
    try await settle()
  }

  /// A broker does what one connection asks in its order.
  func settle() async throws {
    #expect(link.send(.publish(BrokerMessage("lab/settle", [1]), id: -1)))
    try await acknowledged(-1)
  }
}

extension BrokerConfiguration {
  init(_ broker: MosquittoBroker, as name: String, user: String? = nil, host: String = "localhost") throws {
    self.init(try BrokerAddress("mqtts://\(user.map { "\($0)@" } ?? "")\(host):\(broker.port)"), clientID: name)
    authorities = broker.authority.certificate
  }
}
