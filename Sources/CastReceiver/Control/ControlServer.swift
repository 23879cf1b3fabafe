package import CastProtocol
package import CastTransport
import Synchronization

/// Answers whoever may write to the control socket: one request a connection.
package final class ControlServer: Sendable {
  /// How long a request may take to come, and to be carried out.
  private static let limit = Duration.seconds(10)

  private let time: TimeSource
  private let answer: @Sendable (ControlRequest) async -> ControlAnswer

  package init(time: TimeSource, answer: @escaping @Sendable (ControlRequest) async -> ControlAnswer) {
    self.time = time
    self.answer = answer
  }

  /// Serves one request, then closes.
  package func accept(_ channel: any ByteChannel) {
    let exchange = Mutex(ControlExchange())
    let timer = time.spawn { [time] in
      if (try? await time.sleep(for: Self.limit)) != nil { channel.abort() }
    }
    channel.start { [time, answer] event in
      switch event {
      case .received(let bytes):
        switch exchange.withLock({ $0.receive(bytes) }) {
        case .wait: break
        case .refuse(let refusal):
          channel.send(refusal.line)
          channel.close()
        case .carryOut(let request):
          time.spawn {
            channel.send(await answer(request).line)
            channel.close()
          }
        }
      case .closed: timer.cancel()
      }
    }
  }
}
