package import CastProtocol
package import CastTransport
import Synchronization

/// The clocks and links of one simulation: what joins a sender and a receiver without a socket.
package struct SimulatedNetwork: Sendable {
  package let executor: SimulationExecutor
  package let times: TimeSources
  private let seed: UInt64
  private let script: LinkScript
  private let state = SharedState()

  /// - Parameters:
  ///   - seed: Drives delays, pieces and changed bytes, for each device in its own way.
  ///   - script: What happens on every link.
  package init(executor: SimulationExecutor, seed: UInt64, script: LinkScript = LinkScript()) {
    self.executor = executor
    self.seed = seed
    self.script = script
    times = TimeSources(show: TimeSource(executor.clock, executor: executor))
  }

  /// - Parameter latency: Each write takes a seeded time in this range; `nil`: none at all.
  package init(executor: SimulationExecutor, seed: UInt64, latency: ClosedRange<Duration>?) {
    self.init(executor: executor, seed: seed, script: LinkScript(delay: latency))
  }

  /// A connection; its link can be severed.
  /// - Parameters:
  ///   - device: Whose it is, where there are several: delays of one are not those of another.
  ///   - cut: When its cable is pulled, besides what the script says.
  package func connect(
    to device: String = "", cutAt cut: Duration? = nil
  ) -> (sender: any ByteChannel, receiver: any ByteChannel, link: InMemoryLink) {
    let seed = seed.mixed(with: device)
    var script = script
    if let cut { script.faults.append(.init(.cut, at: .time(cut))) }
    let carrier = ScriptedCarrier(
      LinkScriptMachine(script, seed: ~seed &+ state.nextConnection(), start: executor.now), executor)
    let link: InMemoryLink
    if script.takesTime {
      link = InMemoryLink(clock: executor.clock, executor: executor, carrier: carrier) { [state, script] in
        guard let delay = script.delay else { return .zero }
        let span = (delay.upperBound - delay.lowerBound) / 1000
        return delay.lowerBound + span * state.next(below: 1001, for: device, seed: seed)
      }
    } else {
      link = InMemoryLink(executor: executor, carrier: carrier)
    }
    let (sender, receiver) = InMemoryByteChannel.pair(over: link)
    return (sender, receiver, link)
  }
}

/// What the links of one simulation share.
private final class SharedState: Sendable {
  private struct State {
    var connections: UInt64 = 0
    /// For the delays of each device.
    var generators: [String: SeededGenerator] = [:]
  }
  private let state = Mutex(State())

  func nextConnection() -> UInt64 {
    state.withLock { state in
      state.connections += 1
      return state.connections
    }
  }

  func next(below bound: Int, for device: String, seed: UInt64) -> Int {
    state.withLock { $0.generators[device, default: SeededGenerator(seed: seed)].next(below: bound) }
  }
}

/// The script of one connection on the simulation's clock.
private final class ScriptedCarrier: InMemoryCarrier {
  private let machine: Mutex<LinkScriptMachine>
  private let executor: SimulationExecutor

  init(_ machine: LinkScriptMachine, _ executor: SimulationExecutor) {
    self.machine = Mutex(machine)
    self.executor = executor
  }

  func carry(_ bytes: [UInt8], _ direction: InMemoryLink.Direction) -> [InMemoryDelivery] {
    machine.withLock { $0.carry(bytes, direction, at: executor.now) }
  }

  var isCut: Bool { machine.withLock { $0.isCut(at: executor.now) } }
}
