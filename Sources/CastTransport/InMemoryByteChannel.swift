import Synchronization

/// One end of a connection inside the process: the twin of a TLS connection, without sockets or threads.
///
/// Delivery runs in one task per direction on the link's executor, so a simulation sees and orders every byte.
package final class InMemoryByteChannel: ByteChannel {
  private let incoming: InMemoryPipe
  private let outgoing: InMemoryPipe
  private let link: InMemoryLink
  private let isClosed = Mutex(false)

  private init(incoming: InMemoryPipe, outgoing: InMemoryPipe, link: InMemoryLink) {
    self.incoming = incoming
    self.outgoing = outgoing
    self.link = link
  }

  /// Makes the two ends of a connection over `link`.
  package static func pair(over link: InMemoryLink) -> (sender: InMemoryByteChannel, receiver: InMemoryByteChannel) {
    let (there, back) = (InMemoryPipe(.toReceiver), InMemoryPipe(.toSender))
    return (
      InMemoryByteChannel(incoming: back, outgoing: there, link: link),
      InMemoryByteChannel(incoming: there, outgoing: back, link: link)
    )
  }

  package var peerCertificateDER: [UInt8]? { nil }
  package var securityProtocol: String? { nil }

  package func start(_ receive: @escaping @Sendable (ByteChannelEvent) -> Void) {
    // Unstructured because delivery outlives the caller; it ends with the connection.
    _ = Task(executorPreference: link.executor) { [self] in
      for await item in incoming.items {
        if case .bytes(let bytes, let arrival) = item {
          try? await link.sleepUntil(arrival)
          incoming.delivered(bytes.count)
          if !isClosed.withLock({ $0 }) { receive(.received(bytes)) }
        } else if case .end(let error, let arrival) = item {
          try? await link.sleepUntil(arrival)
          isClosed.withLock { $0 = true }
          receive(.closed(error))
          return
        }
      }
    }
  }

  package func send(_ messages: [[UInt8]]) {
    let bytes = Array(messages.joined())
    guard !bytes.isEmpty, !isClosed.withLock({ $0 }), !link.isSevered else { return }
    if !outgoing.push(bytes, link: link) {
      let reason = "the peer does not read: more than 1 MiB waits to be sent"
      end(peer: nil, ours: TransportError(.backlogExceeded, reason))
    }
  }

  package func close() { end(peer: nil, ours: nil) }
  package func abort() { end(peer: nil, ours: nil) }

  private func end(peer: TransportError?, ours: TransportError?) {
    guard
      !isClosed.withLock({ wasClosed in
        defer { wasClosed = true }; return wasClosed
      })
    else { return }
    // A severed link tells the other end nothing: it has to find out by itself.
    if !link.isSevered { outgoing.end(peer, link: link) }
    incoming.end(ours, link: nil)
  }
}

/// What can happen to a write on an in-memory link.
package enum InMemoryDelivery: Hashable, Sendable {
  /// These bytes arrive, together.
  case bytes([UInt8])
  /// What follows, and what is written later, arrives no sooner than so long from now.
  case stall(Duration)
  /// The reader sees the connection closed; the writer is not told.
  case end
}

/// Decides what becomes of the bytes of one in-memory connection.
package protocol InMemoryCarrier: Sendable {
  /// What arrives of a write, in this order.
  func carry(_ bytes: [UInt8], _ direction: InMemoryLink.Direction) -> [InMemoryDelivery]
  /// Whether nothing arrives any more, and no end is announced, as when a cable is pulled.
  var isCut: Bool { get }
}

/// How bytes travel between two in-memory ends: when they arrive, on what executor, and whether at all.
package final class InMemoryLink: Sendable {
  /// Which way bytes go.
  package enum Direction: Hashable, Sendable { case toReceiver, toSender }

  let executor: (any TaskExecutor)?
  private let carrier: (any InMemoryCarrier)?
  private let readNow: @Sendable () -> Duration
  private let waitUntil: (@Sendable (Duration) async throws -> Void)?
  private let latency: @Sendable () -> Duration
  private let severed = Mutex(false)

  /// Bytes arrive at once.
  package init(executor: (any TaskExecutor)? = nil, carrier: (any InMemoryCarrier)? = nil) {
    self.executor = executor
    self.carrier = carrier
    readNow = { .zero }
    waitUntil = nil
    latency = { .zero }
  }

  /// Each write arrives `latency()` later on `clock`, never before an earlier one.
  package init<C: Clock>(
    clock: C, executor: (any TaskExecutor)?, carrier: (any InMemoryCarrier)? = nil,
    latency: @escaping @Sendable () -> Duration
  ) where C.Duration == Duration {
    let start = clock.now
    self.executor = executor
    self.carrier = carrier
    self.latency = latency
    readNow = { start.duration(to: clock.now) }
    waitUntil = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
  }

  /// From now on every byte is lost and no end is announced, as when a cable is pulled.
  package func sever() { severed.withLock { $0 = true } }

  var isSevered: Bool { severed.withLock { $0 } || carrier?.isCut == true }
  func carry(_ bytes: [UInt8], _ direction: Direction) -> [InMemoryDelivery] {
    carrier?.carry(bytes, direction) ?? [.bytes(bytes)]
  }
  var now: Duration { readNow() }
  func arrival() -> Duration { waitUntil == nil ? .zero : readNow() + max(.zero, latency()) }
  func sleepUntil(_ time: Duration) async throws {
    guard let waitUntil, time > readNow() else { return }
    try await waitUntil(time)
  }
}

/// One direction of an in-memory connection.
final class InMemoryPipe: Sendable {
  enum Item: Sendable {
    case bytes([UInt8], arrival: Duration)
    case end(TransportError?, arrival: Duration)
  }
  private struct State {
    var waiting = 0
    var lastArrival = Duration.zero
    var hasEnded = false
  }

  /// What a channel may hold for a peer that does not read, in bytes.
  static let backlogLimit = 1 << 20

  let items: AsyncStream<Item>
  private let continuation: AsyncStream<Item>.Continuation
  private let direction: InMemoryLink.Direction
  private let state = Mutex(State())

  init(_ direction: InMemoryLink.Direction) {
    self.direction = direction
    (items, continuation) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
  }

  /// Returns false when the peer's backlog is full.
  func push(_ bytes: [UInt8], link: InMemoryLink) -> Bool {
    state.withLock { state in
      guard !state.hasEnded else { return true }
      guard state.waiting + bytes.count <= Self.backlogLimit else { return false }
      for delivery in link.carry(bytes, direction) {
        if case .stall(let time) = delivery {
          state.lastArrival = max(state.lastArrival, link.now + time)
          continue
        }
        state.lastArrival = max(state.lastArrival, link.arrival())
        switch delivery {
        case .stall: break
        case .bytes(let bytes):
          state.waiting += bytes.count
          continuation.yield(.bytes(bytes, arrival: state.lastArrival))
        case .end:
          state.hasEnded = true
          continuation.yield(.end(nil, arrival: state.lastArrival))
          continuation.finish()
          return true
        }
      }
      return true
    }
  }

  func delivered(_ count: Int) { state.withLock { $0.waiting -= count } }

  /// Ends the direction once; without a link at once.
  func end(_ error: TransportError?, link: InMemoryLink?) {
    state.withLock { state in
      guard !state.hasEnded else { return }
      state.hasEnded = true
      if let link { state.lastArrival = max(state.lastArrival, link.arrival()) }
      continuation.yield(.end(error, arrival: link == nil ? .zero : state.lastArrival))
      continuation.finish()
    }
  }
}
