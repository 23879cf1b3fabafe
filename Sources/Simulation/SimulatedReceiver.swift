import CastReceiver
import CastTransport
import CastProtocol
import Synchronization

/// The virtual receiver of a device in a simulation: after each power cut another one, which knows nothing of the last.
final class SimulatedReceiver: Sendable {
  private let configuration: ReceiverConfiguration
  private let times: TimeSources
  private let made: (@Sendable (any AnyObject & Sendable) -> Void)?
  /// How often it has started again at another port.
  private let moves: SharedCount
  private let current: Mutex<(life: Int, receiver: VirtualReceiver)>

  /// - Parameter made: Sees each receiver that is made.
  init(
    _ configuration: ReceiverConfiguration, times: TimeSources,
    made: (@Sendable (any AnyObject & Sendable) -> Void)? = nil
  ) {
    let moves = SharedCount()
    var configuration = configuration
    configuration.restarted = { if $0.change == .port { moves.increment() } }
    self.moves = moves
    self.configuration = configuration
    self.times = times
    self.made = made
    let first = VirtualReceiver(configuration: configuration, times: times)
    made?(first)
    current = Mutex((0, first))
  }

  /// The receiver that runs after so many power cuts.
  func receiver(afterCuts count: Int) -> VirtualReceiver {
    let (receiver, last) = current.withLock { current -> (VirtualReceiver, VirtualReceiver?) in
      guard count > current.life else { return (current.receiver, nil) }
      let last = current.receiver
      current = (count, VirtualReceiver(configuration: configuration.afterPowerCuts(count), times: times))
      made?(current.receiver)
      return (current.receiver, last)
    }
    last?.stop()
    return receiver
  }

  /// Where it listens, which was `address` first.
  func address(from address: HostAndPort) -> HostAndPort {
    let count = moves.value
    if count == 0 { return address }
    return HostAndPort(host: address.host, port: 1024 + (address.port + count) % 64_000)
  }

  func stop() { current.withLock { $0.receiver }.stop() }
}

extension ReceiverConfiguration {
  /// That of the same device when it has started again so often: the ids of its sessions are not those of before.
  func afterPowerCuts(_ count: Int) -> ReceiverConfiguration {
    var configuration = self
    if count > 0 { configuration.seed = seed.mixed(with: "after power cut \(count)") }
    return configuration
  }
}

/// A number that several look at.
private final class SharedCount: Sendable {
  private let count = Mutex(0)

  var value: Int { count.withLock { $0 } }

  func increment() { count.withLock { $0 += 1 } }
}
