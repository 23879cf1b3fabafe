import CastProtocol
import CastTransport
import Glibc
import Synchronization
import Testing

@testable import CastClient

/// Whoever is told what a connection sees may be slow.
@Suite(.timeLimit(.minutes(1))) struct SlowReaderTests {
  /// A channel whose peer speaks when the test says so, on the test's own thread.
  private final class PushedChannel: ByteChannel {
    /// A `Mutex` wraps a function that it holds by itself once more each time that it is taken out: ten thousand deep here.
    private struct State {
      var handler: (@Sendable (ByteChannelEvent) -> Void)?
    }

    private let state = Mutex(State())

    func start(_ handler: @escaping @Sendable (ByteChannelEvent) -> Void) { state.withLock { $0.handler = handler } }
    let sent = Mutex<[[UInt8]]>([])

    func send(_ messages: [[UInt8]]) { sent.withLock { $0 += messages } }
    func close() {}
    func abort() {}
    var peerCertificateDER: [UInt8]? { nil }
    var ownCertificateDER: [UInt8]? { nil }
    var securityProtocol: String? { nil }

    func push(_ messages: [CastMessage]) {
      guard let bytes = try? ChannelStateMachine.encode(messages), let handler = state.withLock({ $0.handler }) else {
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

  @Test("A reader that hangs keeps no PING waiting: it is told on another thread than the one that reads")
  func answersMeanwhile() async throws {
    let channel = PushedChannel()
    let isHanging = Mutex(false)
    let goesOn = Mutex(false)
    var configuration = ClientConfiguration()
    configuration.wireTap = .told { _ in
      isHanging.withLock { $0 = true }
      while !goesOn.withLock({ $0 }) { sched_yield() }
    }
    let connection = CastConnection(
      channel: channel, times: TimeSources(show: TimeSource(ContinuousClock())), configuration: configuration)
    let opening = Task { try? await connection.open() }
    while !isHanging.withLock({ $0 }) { await Task.yield() }
    let before = channel.sent.withLock { $0.count }
    channel.push([
      CastMessage(source: .receiver, destination: .sender, namespace: .heartbeat, payload: .text(#"{"type":"PING"}"#))
    ])
    let answers = channel.sent.withLock { $0.dropFirst(before) }
    #expect(answers.contains { String(decoding: $0, as: UTF8.self).contains("PONG") })
    goesOn.withLock { $0 = true }
    channel.push([Self.status(1)])
    await opening.value
    await connection.disconnect(abruptly: true)
  }

  @Test("While a reader hangs, messages beyond a thousand are not kept for it; the status is the newest all the same")
  func hangs() async {
    let channel = PushedChannel()
    let told = Mutex(0)
    var configuration = ClientConfiguration()
    configuration.messagesPerSecond = 1_000_000
    configuration.bytesPerSecond = 1 << 40
    configuration.wireTap = .told { _ in
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
    // Readers are told by a task of their own, which may still be at it.
    while told.withLock({ $0 }) < 1_000 { await Task.yield() }
    #expect(await connection.snapshot.receiver?.volume.level == 0.1)
    #expect(await connection.lastObservation > 10_000)
    await connection.disconnect(abruptly: true)
    #expect((1000...2000).contains(told.withLock { $0 }), "told \(told.withLock { $0 })")
  }
}
