package import CastProtocol
package import CastTransport
import Synchronization

/// Answers senders that ask a device over HTTP who it is, as devices do on ports 8008 and 8443.
package final class SetupServer: Sendable {
  /// How long a request may take.
  private static let limit = Duration.seconds(5)

  private let configuration: ReceiverConfiguration
  private let time: TimeSource

  package init(configuration: ReceiverConfiguration, time: TimeSource) {
    self.configuration = configuration
    self.time = time
  }

  /// Serves one request, then closes.
  package func accept(_ channel: any ByteChannel) {
    let exchange = Mutex(SetupExchange(configuration))
    let timer = time.spawn { [time] in
      if (try? await time.sleep(for: Self.limit)) != nil { channel.abort() }
    }
    channel.start { event in
      switch event {
      case .received(let bytes):
        guard let answer = exchange.withLock({ $0.receive(bytes) }) else { return }
        channel.send(answer)
        channel.close()
      case .closed: timer.cancel()
      }
    }
  }
}
