import CastProtocol
import CastTransport
import Synchronization
import Testing

@testable import CastClient

/// Whoever is told what a connection sees may be slow.
@Suite struct SlowReaderTests {
  /// A channel whose peer speaks when the test says so, on the test's own thread.
  private final class PushedChannel: ByteChannel {
    private let handler = Mutex<(@Sendable (ByteChannelEvent) -> Void)?>(nil)

    func start(_ handler: @escaping @Sendable (ByteChannelEvent) -> Void) { self.handler.withLock { $0 = handler } }
    func send(_ messages: [[UInt8]]) {}
    func close() {}
    func abort() {}
    var peerCertificateDER: [UInt8]? { nil }
    var ownCertificateDER: [UInt8]? { nil }
    var securityProtocol: String? { nil }

    func push(_ messages: [CastMessage]) {
      guard let bytes = try? ChannelStateMachine.encode(messages), let handler = handler.withLock({ $0 }) else {
        return
      }
      handler(.received(bytes))
    }
  }

  private static func status(_ number: Int) -> CastMessage {
    let volume: JSONValue = ["level": JSONValue(Double(number) / 100_000), "muted": false]
    return CastMessage(
      source: .receiver, destination: .everyone, namespace: .receiver,
      json: ["type": "RECEIVER_STATUS", "requestId": 0, "status": ["volume": volume]])
  }

  @Test("While a reader hangs, messages beyond a thousand are not kept for it; the status is the newest all the same")
  func hangs() async {
    let channel = PushedChannel()
    let told = Mutex(0)
    var configuration = ClientConfiguration()
    configuration.messagesPerSecond = 1_000_000
    configuration.bytesPerSecond = 1 << 40
    configuration.wireTap = { _ in
      // The reader hangs in the first message, while ten thousand others come.
      guard
        told.withLock({ count in
          count += 1
          return count == 1
        })
      else { return }
      for number in 1...10_000 { channel.push([Self.status(number)]) }
    }
    let connection = CastConnection(
      channel: channel, times: TimeSources(show: TimeSource(ContinuousClock())), configuration: configuration)
    let opening = Task { try? await connection.open() }
    while told.withLock({ $0 }) == 0 { await Task.yield() }
    await opening.value
    #expect((1000...2000).contains(told.withLock { $0 }), "told \(told.withLock { $0 })")
    #expect(await connection.snapshot.receiver?.volume.level == 0.1)
    #expect(await connection.lastObservation > 10_000)
    await connection.disconnect(abruptly: true)
  }
}
