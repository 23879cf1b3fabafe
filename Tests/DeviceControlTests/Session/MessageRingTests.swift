import CastProtocol
import Testing

@testable import DeviceControl

@Suite struct MessageRingTests {
  static func message(_ text: String, _ namespace: Namespace = .media) -> CastMessage {
    CastMessage(source: .sender, destination: .receiver, namespace: namespace, payload: .text(text))
  }

  static func texts(_ entries: [MessageRing.Entry]) -> [String] {
    entries.compactMap { entry in if case .text(let text) = entry.message.payload { text } else { nil } }
  }

  @Test("The last messages are kept, each is given once, and those that had to go are counted")
  func count() {
    var ring = MessageRing()
    for number in 1...30 { ring.add(Self.message("\(number)"), isSent: number == 30, at: .seconds(number)) }
    let first = ring.take()
    #expect(Self.texts(first.entries) == (7...30).map(String.init) && first.passedOver == 6)
    #expect(first.entries.last?.time == .seconds(30))
    #expect(first.entries.map(\.isSent) == Array(repeating: false, count: 23) + [true])
    #expect(ring.take().entries.isEmpty && ring.take().passedOver == 0)
    ring.add(Self.message("31"), isSent: false, at: .zero)
    #expect(Self.texts(ring.take().entries) == ["31"])
  }

  @Test("Large messages push out others before there are too many, but not themselves")
  func bytes() {
    var ring = MessageRing()
    let half = String(repeating: "x", count: MessageRing.byteLimit / 2)
    for _ in 1...2 { ring.add(Self.message(half), isSent: false, at: .zero) }
    #expect(ring.take().entries.count == 2)
    for _ in 1...3 { ring.add(Self.message(half), isSent: false, at: .zero) }
    let kept = ring.take()
    #expect(kept.entries.count == 2 && kept.passedOver == 1)
    ring.add(Self.message("small"), isSent: false, at: .zero)
    ring.add(Self.message(half + half + "x"), isSent: false, at: .zero)
    #expect(ring.take().entries.count == 1)
    ring.add(Self.message(half), isSent: false, at: .zero)
    ring.add(Self.message("a"), isSent: false, at: .zero)
    #expect(ring.take().entries.count == 2, "what was given counts no more")
  }

  @Test("Heartbeats are not kept")
  func heartbeat() {
    var ring = MessageRing()
    ring.add(Self.message("{}", .heartbeat), isSent: true, at: .zero)
    #expect(ring.take().entries.isEmpty)
  }
}
