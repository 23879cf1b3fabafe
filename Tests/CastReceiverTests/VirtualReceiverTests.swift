import CastProtocol
import CastTransport
import Simulation
import Synchronization
import Testing

@testable import CastReceiver

/// The receiver over in-memory channels on the virtual clock, spoken to in raw messages.
@Suite struct VirtualReceiverTests {
  /// A sender that writes down what comes, and when.
  private final class RawSender: Sendable {
    private struct State {
      var machine: ChannelStateMachine
      var heard: [(message: CastMessage, at: Duration)] = []
      var writes = 0
      var closedAt: Duration?
    }
    private let channel: any ByteChannel
    private let time: TimeSource
    private let state: Mutex<State>
    /// Whether it answers pings.
    private let isAlive: Bool

    init(_ channel: any ByteChannel, _ time: TimeSource, isAlive: Bool = true) {
      self.channel = channel
      self.time = time
      self.isAlive = isAlive
      var limits = ChannelStateMachine.Limits()
      limits.deadAfter = .seconds(86400)
      state = Mutex(State(machine: ChannelStateMachine(role: .sender, limits: limits, now: time.now)))
      channel.start { [weak self] in self?.take($0) }
    }

    private func take(_ event: ByteChannelEvent) {
      let now = time.now
      switch event {
      case .closed: state.withLock { $0.closedAt = now }
      case .received(let bytes):
        let effects = state.withLock { state in
          state.writes += 1
          return state.machine.receive(bytes, at: now)
        }
        for effect in effects {
          switch effect {
          case .deliver(let message): state.withLock { $0.heard.append((message, now)) }
          case .send(let bytes): if isAlive { channel.send(bytes) }
          case .close: channel.close()
          case .heartbeat, .oddity: break
          }
        }
      }
    }

    func send(_ bytes: [UInt8]) { channel.send(bytes) }

    func send(_ messages: (json: JSONValue, namespace: Namespace, to: EndpointID)...) throws {
      try channel.send(
        ChannelStateMachine.encode(
          messages.map { CastMessage(source: .sender, destination: $0.to, namespace: $0.namespace, json: $0.json) }))
    }

    func close() { channel.close() }

    var closedAt: Duration? { state.withLock { $0.closedAt } }
    var writes: Int { state.withLock { $0.writes } }
    /// Type or player state of each message, and when it came.
    var log: [String] {
      state.withLock { state in
        state.heard.map { message, at in
          guard case .text(let text) = message.payload, let json = try? JSONValue(parsing: text) else { return "?" }
          let status = json["status"]?.array?.first?["playerState"]?.string
          return "\(status ?? json["type"]?.string ?? "?") @\(at.seconds)"
        }
      }
    }
    /// The transport id of the app last heard of.
    var transport: EndpointID? {
      state.withLock { state in
        state.heard.reversed().lazy.compactMap { message, _ -> EndpointID? in
          guard case .text(let text) = message.payload, let json = try? JSONValue(parsing: text) else { return nil }
          return (json["status"]?["applications"]?.array?.first?["transportId"]?.string).map { EndpointID($0) }
        }.first
      }
    }

    static let connect: JSONValue = ["type": "CONNECT"]
    static let launch: JSONValue = ["type": "LAUNCH", "appId": "CC1AD845", "requestId": 1]
  }

  private static func simulate(
    seed: UInt64 = 1, latency: ClosedRange<Duration>? = nil,
    change: @escaping @Sendable (inout ReceiverConfiguration) -> Void = { _ in },
    script: @escaping @Sendable (VirtualReceiver, SimulatedNetwork) async throws -> Void
  ) throws {
    let executor = SimulationExecutor(seed: seed)
    let network = SimulatedNetwork(executor: executor, seed: seed, latency: latency)
    try executor.run { _ in
      var configuration = ReceiverConfiguration(id: "5a1c0000-0000-4000-8000-000000000001")
      change(&configuration)
      let receiver = VirtualReceiver(configuration: configuration, times: network.times)
      try await script(receiver, network)
      receiver.stop()
    }
  }

  private static func join(
    _ receiver: VirtualReceiver, _ network: SimulatedNetwork, isAlive: Bool = true
  ) -> RawSender {
    let ends = network.connect()
    receiver.accept(ends.receiver)
    return RawSender(ends.sender, network.times.network, isAlive: isAlive)
  }

  @Test("Connect, launch, load and the end of the film arrive when they should, one write for each input")
  func session() throws {
    try Self.simulate { receiver, network in
      let time = network.times.show
      let sender = Self.join(receiver, network)
      try sender.send(
        (RawSender.connect, .connection, .receiver), (RawSender.launch, .receiver, .receiver))
      try await time.sleep(for: .seconds(1))
      #expect(sender.log == ["LAUNCH_STATUS @0.0", "RECEIVER_STATUS @0.0"])
      #expect(sender.writes == 1)
      let transport = try #require(sender.transport)
      try sender.send(
        (RawSender.connect, .connection, transport),
        (["type": "LOAD", "requestId": 2, "media": ["contentId": "a.mp4", "duration": 90]], .media, transport))
      try await time.sleep(for: .seconds(1))
      #expect(
        sender.log.dropFirst(2) == [
          "MEDIA_STATUS @1.0", "RECEIVER_STATUS @1.0", "IDLE @1.0", "BUFFERING @1.0", "PLAYING @1.0",
        ])
      #expect(sender.writes == 2)
      try await time.sleep(for: .seconds(100))
      #expect(sender.log.dropFirst(7) == ["PLAYING @2.0", "IDLE @91.0"])
    }
  }

  @Test("A receiver with the times of a device answers after them, in the order of what happened, and pings at once")
  func deviceTimes() throws {
    try Self.simulate(change: { configuration in
      configuration.latency.answer = .milliseconds(10) ... .milliseconds(10)
      configuration.latency.launch = .seconds(1) ... .seconds(1)
      configuration.latency.load = .milliseconds(500) ... .milliseconds(500)
    }) { receiver, network in
      let time = network.times.show
      let sender = Self.join(receiver, network)
      try sender.send((RawSender.connect, .connection, .receiver), (RawSender.launch, .receiver, .receiver))
      try await time.sleep(for: .milliseconds(500))
      try sender.send((["type": "GET_STATUS", "requestId": 9], .receiver, .receiver))
      try await time.sleep(for: .milliseconds(1500))
      #expect(sender.log == ["LAUNCH_STATUS @0.01", "RECEIVER_STATUS @0.51", "RECEIVER_STATUS @1.01"])
      let transport = try #require(sender.transport)
      try sender.send(
        (RawSender.connect, .connection, transport),
        (["type": "LOAD", "requestId": 2, "media": ["contentId": "a.mp4", "duration": 90]], .media, transport))
      try await time.sleep(for: .seconds(100))
      #expect(
        sender.log.dropFirst(3) == [
          "MEDIA_STATUS @2.01", "RECEIVER_STATUS @2.01", "IDLE @2.01", "BUFFERING @2.51", "PLAYING @2.51",
          "PLAYING @3.51", "IDLE @92.51",
        ])
      #expect(sender.closedAt == nil)
    }
  }

  @Test("What is said on the wire is told to who looks on, in its order, both ways")
  func wireTap() throws {
    let told = Mutex<[String]>([])
    try Self.simulate(change: { configuration in
      configuration.wireTap = { event in
        let line =
          switch event {
          case .opened(let id): "opened \(id.rawValue)"
          case .closed(let id): "closed \(id.rawValue)"
          case .received(let message, let id): "received \(id.rawValue) \(message.namespace == .connection)"
          case .sent(_, let id): "sent \(id.rawValue)"
          }
        told.withLock { $0.append(line) }
      }
    }) { receiver, network in
      let sender = Self.join(receiver, network)
      try sender.send(
        (RawSender.connect, .connection, .receiver), (["type": "GET_STATUS", "requestId": 9], .receiver, .receiver))
      try await network.times.show.sleep(for: .seconds(1))
      sender.close()
      try await network.times.show.sleep(for: .seconds(1))
      #expect(
        told.withLock { $0 } == ["opened 1", "received 1 true", "received 1 false", "sent 1", "closed 1"])
    }
  }

  static let journeys: [(pause: Bool, log: [String])] = [
    (false, ["PLAYING @10.0", "IDLE @20.0"]),
    (true, ["PLAYING @10.0", "PAUSED @15.0", "PLAYING @20.0", "IDLE @25.0"]),
  ]
  @Test("An end that a seek brings nearer and a pause puts off is told on time", arguments: journeys)
  func rearmed(pause: Bool, log: [String]) throws {
    try Self.simulate { receiver, network in
      let time = network.times.show
      let sender = Self.join(receiver, network)
      try sender.send((RawSender.connect, .connection, .receiver), (RawSender.launch, .receiver, .receiver))
      try await time.sleep(for: .seconds(1))
      let transport = try #require(sender.transport)
      try sender.send(
        (RawSender.connect, .connection, transport),
        (["type": "LOAD", "requestId": 2, "media": ["contentId": "a.mp4", "duration": 90]], .media, transport))
      try await time.sleep(for: .seconds(9))
      try sender.send(
        (["type": "SEEK", "requestId": 3, "mediaSessionId": 1, "currentTime": 80], .media, transport))
      try await time.sleep(for: .seconds(5))
      if pause {
        try sender.send((["type": "PAUSE", "requestId": 4, "mediaSessionId": 1], .media, transport))
        try await time.sleep(for: .seconds(5))
        try sender.send((["type": "PLAY", "requestId": 5, "mediaSessionId": 1], .media, transport))
      }
      try await time.sleep(for: .seconds(60))
      #expect(sender.log.suffix(log.count) == log[...])
    }
  }

  @Test("A sender that answers pings is kept; one that is silent is dropped after 10 s, whatever the others do")
  func heartbeat() throws {
    try Self.simulate { receiver, network in
      let alive = Self.join(receiver, network)
      let silent = Self.join(receiver, network, isAlive: false)
      try await network.times.show.sleep(for: .seconds(3))
      let late = Self.join(receiver, network, isAlive: false)
      try await network.times.show.sleep(for: .seconds(120))
      #expect(alive.closedAt == nil && alive.writes >= 20)
      #expect(silent.closedAt == .seconds(10))
      #expect(late.closedAt == .seconds(13))
    }
  }

  @Test("A sender that breaks the protocol is dropped at once; the others hear nothing of it")
  func broken() throws {
    try Self.simulate { receiver, network in
      let good = Self.join(receiver, network)
      let bad = Self.join(receiver, network)
      try good.send((RawSender.connect, .connection, .receiver))
      bad.send([0x00, 0x01, 0x11, 0x70, 0x08])
      try await network.times.show.sleep(for: .seconds(1))
      #expect(bad.closedAt == .zero && good.closedAt == nil)
      try good.send((["type": "GET_STATUS", "requestId": 1], .receiver, .receiver))
      try await network.times.show.sleep(for: .seconds(1))
      #expect(good.log == ["RECEIVER_STATUS @1.0"])
    }
  }

  @Test("The 65th connection is closed, and there is room again when one leaves")
  func connections() throws {
    try Self.simulate { receiver, network in
      let senders = (0..<64).map { _ in Self.join(receiver, network) }
      let refused = Self.join(receiver, network)
      try await network.times.show.sleep(for: .seconds(1))
      #expect(refused.closedAt == .zero && senders.allSatisfy { $0.closedAt == nil })
      senders[5].close()
      try await network.times.show.sleep(for: .seconds(1))
      let next = Self.join(receiver, network)
      try await network.times.show.sleep(for: .seconds(1))
      #expect(next.closedAt == nil)
    }
  }

  @Test("stop() closes every connection, ends every task, and refuses what comes after")
  func stop() throws {
    try Self.simulate { receiver, network in
      let sender = Self.join(receiver, network)
      try sender.send((RawSender.connect, .connection, .receiver), (RawSender.launch, .receiver, .receiver))
      try await network.times.show.sleep(for: .seconds(1))
      let transport = try #require(sender.transport)
      try sender.send(
        (RawSender.connect, .connection, transport),
        (["type": "LOAD", "requestId": 2, "media": ["contentId": "a.mp4"]], .media, transport))
      try await network.times.show.sleep(for: .seconds(1))
      receiver.stop()
      receiver.stop()
      let late = Self.join(receiver, network)
      try await network.times.show.sleep(for: .seconds(1))
      #expect(sender.closedAt == .seconds(2) && late.closedAt == .seconds(2))
      // The simulation itself fails when a task still waits after this.
    }
  }

  @Test("With delays on the link the same seed gives the same log", arguments: 1..<6 as Range<UInt64>)
  func seeds(seed: UInt64) throws {
    func log() throws -> [String] {
      let result = Mutex<[String]>([])
      try Self.simulate(seed: seed, latency: .zero ... .milliseconds(80)) { receiver, network in
        let senders = (0..<3).map { _ in Self.join(receiver, network) }
        for sender in senders {
          try sender.send((RawSender.connect, .connection, .receiver), (RawSender.launch, .receiver, .receiver))
        }
        try await network.times.show.sleep(for: .seconds(30))
        result.withLock { $0 = senders.flatMap(\.log) }
      }
      return result.withLock { $0 }
    }
    let first = try log()
    #expect(try first == log() && first.count > 6)
  }

  // MARK: without a simulation

  /// A channel that hands everything to a closure, on the thread that sends.
  private final class DirectChannel: ByteChannel {
    /// Boxed: a closure that is itself the value of a `Mutex` is wrapped once more at each access.
    private struct Receiver { var take: (@Sendable (ByteChannelEvent) -> Void)? }
    private let receive = Mutex(Receiver())
    private let onSend: @Sendable (DirectChannel, [UInt8]) -> Void
    let peerCertificateDER: [UInt8]? = nil
    let securityProtocol: String? = nil

    init(onSend: @escaping @Sendable (DirectChannel, [UInt8]) -> Void) { self.onSend = onSend }

    func start(_ receive: @escaping @Sendable (ByteChannelEvent) -> Void) {
      self.receive.withLock { $0.take = receive }
    }
    func deliver(_ event: ByteChannelEvent) { receive.withLock { $0.take }?(event) }
    func send(_ messages: [[UInt8]]) { onSend(self, Array(messages.joined())) }
    func close() { deliver(.closed(nil)) }
    func abort() { close() }
  }

  private static func receiver() -> VirtualReceiver {
    VirtualReceiver(
      configuration: ReceiverConfiguration(id: "5a1c0000-0000-4000-8000-000000000001"),
      times: TimeSources(show: TimeSource(ContinuousClock())))
  }

  private static func bytes(_ json: JSONValue, on namespace: Namespace) throws -> [UInt8] {
    try ChannelStateMachine.encode([
      CastMessage(source: .sender, destination: .receiver, namespace: namespace, json: json)
    ])
  }

  @Test("A channel may report its end, and deliver more, from within send")
  func reentrant() throws {
    let receiver = Self.receiver()
    defer { receiver.stop() }
    let again = try Self.bytes(["type": "GET_STATUS", "requestId": 2], on: .receiver)
    let sent = Atomic<Int>(0)
    let channel = DirectChannel { channel, _ in
      if sent.add(1, ordering: .relaxed).newValue < 3 {
        channel.deliver(.received(again))
      } else {
        channel.deliver(.closed(TransportError(.backlogExceeded, "too much waits")))
      }
    }
    receiver.accept(channel)
    channel.deliver(.received(try Self.bytes(["type": "CONNECT"], on: .connection)))
    channel.deliver(.received(again))
    #expect(sent.load(ordering: .relaxed) == 3)
    channel.deliver(.received(again))
    #expect(sent.load(ordering: .relaxed) == 3, "nothing is sent to a channel that has ended")
  }

  @Test("What one sender causes while it is told something reaches the others after that")
  func order() throws {
    let receiver = Self.receiver()
    defer { receiver.stop() }
    func mute(_ id: Int) throws -> [UInt8] {
      try Self.bytes(["type": "SET_VOLUME", "requestId": .int(id), "volume": ["muted": true]], on: .receiver)
    }
    let second = try mute(2)
    let inbox = Inbox()
    let hasReacted = Atomic<Bool>(false)
    let eager = DirectChannel { channel, _ in
      if !hasReacted.exchange(true, ordering: .relaxed) { channel.deliver(.received(second)) }
    }
    let patient = DirectChannel { _, bytes in inbox.add(bytes) }
    for channel in [eager, patient] {
      receiver.accept(channel)
      channel.deliver(.received(try Self.bytes(["type": "CONNECT"], on: .connection)))
    }
    patient.deliver(.received(try mute(1)))
    #expect(inbox.ids == [1, 2])
  }

  @Test("Senders on many threads all hear the same volumes in the same order")
  func threads() async throws {
    let receiver = Self.receiver()
    defer { receiver.stop() }
    let inboxes = (0..<4).map { _ in Inbox() }
    let channels = inboxes.map { inbox in DirectChannel { _, bytes in inbox.add(bytes) } }
    for channel in channels {
      receiver.accept(channel)
      channel.deliver(.received(try Self.bytes(["type": "CONNECT"], on: .connection)))
    }
    await withTaskGroup(of: Void.self) { group in
      for (index, channel) in channels.enumerated() {
        group.addTask {
          for round in 0..<100 {
            let request: JSONValue = [
              "type": "SET_VOLUME", "requestId": .int(1 + index * 1000 + round),
              "volume": ["muted": .bool(round % 2 == 0)],
            ]
            if let bytes = try? Self.bytes(request, on: .receiver) { channel.deliver(.received(bytes)) }
          }
        }
      }
    }
    let ids = inboxes.map(\.ids)
    #expect(ids[0].count == 400 && ids.allSatisfy { $0 == ids[0] })
  }

  /// The request ids of all messages that were sent to one channel.
  private final class Inbox: Sendable {
    private let bytes = Mutex<[UInt8]>([])
    func add(_ more: [UInt8]) { bytes.withLock { $0 += more } }
    var ids: [Int] {
      var limits = ChannelStateMachine.Limits()
      limits.messagesPerSecond = 1_000_000
      limits.bytesPerSecond = 1 << 40
      var machine = ChannelStateMachine(role: .sender, limits: limits, now: .zero)
      return machine.receive(bytes.withLock { $0 }, at: .zero).compactMap { effect in
        guard case .deliver(let message) = effect, case .text(let text) = message.payload else { return nil }
        return (try? JSONValue(parsing: text))?["requestId"]?.int
      }
    }
  }
}
