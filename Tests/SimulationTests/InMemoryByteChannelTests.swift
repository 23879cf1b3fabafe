import CastTransport
import Synchronization
import Testing

@testable import Simulation

@Suite struct InMemoryByteChannelTests {
  /// Collects what a channel delivers.
  private final class Inbox: Sendable {
    private let events = Mutex<[String]>([])
    func add(_ event: ByteChannelEvent, at time: Duration) {
      let text =
        switch event {
        case .received(let bytes): "\(String(decoding: bytes, as: UTF8.self))@\(time)"
        case .closed(let error): "closed \(error?.code.rawValue ?? "cleanly")@\(time)"
        }
      events.withLock { $0.append(text) }
    }
    var all: [String] { events.withLock { $0 } }
  }

  private func play(
    latency: ClosedRange<Duration>? = nil, seed: UInt64 = 1,
    _ script: @escaping @Sendable (any ByteChannel, any ByteChannel, InMemoryLink, VirtualClock) async throws -> Void
  ) throws -> (sender: [String], receiver: [String]) {
    let executor = SimulationExecutor(seed: seed)
    let network = SimulatedNetwork(executor: executor, seed: seed, latency: latency)
    let (left, right) = (Inbox(), Inbox())
    try executor.run { clock in
      let (sender, receiver, link) = network.connect()
      sender.start { left.add($0, at: clock.now.offset) }
      receiver.start { right.add($0, at: clock.now.offset) }
      try await script(sender, receiver, link, clock)
    }
    return (left.all, right.all)
  }

  @Test("Bytes arrive in order after the link's latency, then the end")
  func latency() throws {
    let seen = try play(latency: .milliseconds(20) ... .milliseconds(20)) { sender, receiver, _, clock in
      sender.send(Array("one".utf8))
      receiver.send(Array("hello".utf8))
      try await clock.sleep(for: .milliseconds(5))
      sender.send(Array("two".utf8))
      try await clock.sleep(for: .milliseconds(100))
      sender.close()
    }
    #expect(seen.receiver == ["one@0.02 seconds", "two@0.025 seconds", "closed cleanly@0.125 seconds"])
    #expect(seen.sender == ["hello@0.02 seconds", "closed cleanly@0.105 seconds"])
  }

  @Test("A random latency never reorders a stream", arguments: 0..<20)
  func order(seed: UInt64) throws {
    let seen = try play(latency: .zero ... .milliseconds(300), seed: seed) { sender, _, _, clock in
      for index in 0..<50 { sender.send(Array("\(index)".utf8)) }
      try await clock.sleep(for: .seconds(1))
      sender.close()
    }
    #expect(seen.receiver.dropLast().map { $0.prefix { $0 != "@" } } == (0..<50).map { "\($0)" })
  }

  @Test("A severed link loses bytes and announces nothing")
  func sever() throws {
    let seen = try play { sender, receiver, link, clock in
      sender.send(Array("a".utf8))
      try await clock.sleep(for: .seconds(1))
      link.sever()
      sender.send(Array("b".utf8))
      sender.close()
      try await clock.sleep(for: .seconds(1))
      receiver.close()
    }
    #expect(seen.receiver == ["a@0.0 seconds", "closed cleanly@2.0 seconds"])
  }

  @Test("A peer that does not read ends the connection at 1 MiB")
  func backlog() throws {
    let executor = SimulationExecutor()
    let inbox = Inbox()
    try executor.run { clock in
      let (sender, receiver) = InMemoryByteChannel.pair(over: InMemoryLink(executor: executor))
      sender.start { inbox.add($0, at: clock.now.offset) }
      for _ in 0..<17 { sender.send([UInt8](repeating: 7, count: 1 << 16)) }
      try await clock.sleep(for: .seconds(1))
      receiver.start { _ in }
    }
    #expect(inbox.all == ["closed backlog_exceeded@0.0 seconds"])
  }
}
