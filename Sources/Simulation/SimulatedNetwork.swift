package import CastProtocol
package import CastTransport
import Synchronization

/// The clocks and links of one simulation: what joins a sender and a receiver without a socket.
package struct SimulatedNetwork: Sendable {
  package let executor: SimulationExecutor
  package let times: TimeSources
  private let generator: SharedGenerator
  private let latency: ClosedRange<Duration>?

  /// - Parameter latency: Each write takes a seeded time in this range; `nil`: none at all.
  package init(executor: SimulationExecutor, seed: UInt64, latency: ClosedRange<Duration>? = nil) {
    self.executor = executor
    self.latency = latency
    times = TimeSources(show: TimeSource(executor.clock, executor: executor))
    generator = SharedGenerator(SeededGenerator(seed: seed))
  }

  /// A connection; its link can be severed.
  package func connect() -> (sender: any ByteChannel, receiver: any ByteChannel, link: InMemoryLink) {
    let link: InMemoryLink
    if let latency {
      link = InMemoryLink(clock: executor.clock, executor: executor) { [generator] in
        let span = (latency.upperBound - latency.lowerBound) / 1000
        return latency.lowerBound + span * generator.next(below: 1001)
      }
    } else {
      link = InMemoryLink(executor: executor)
    }
    let (sender, receiver) = InMemoryByteChannel.pair(over: link)
    return (sender, receiver, link)
  }
}

/// A generator that the links of one simulation share.
private final class SharedGenerator: Sendable {
  private let generator: Mutex<SeededGenerator>
  init(_ generator: SeededGenerator) { self.generator = Mutex(generator) }
  func next(below bound: Int) -> Int { generator.withLock { $0.next(below: bound) } }
}
