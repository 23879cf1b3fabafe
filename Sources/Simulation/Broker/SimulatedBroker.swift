package import CastProtocol
package import FleetMessages
import Synchronization

/// A broker that is not there: ``BrokerModel`` and the ways to it on a clock, with links as those to a real one.
///
/// The same seed, faults and clients give the same messages at the same times.
package final class SimulatedBroker: Sendable {
  private struct State {
    var world: BrokerWorld
    var readers: [Int: CheckedContinuation<BrokerEvent?, Never>] = [:]
    var tasks: [Int: Task<Void, Never>] = [:]
    var lastTask = 0
    var isStopped = false
  }

  private let time: TimeSource
  private let state: Mutex<State>

  /// - Parameter seed: Drives delays, waits, and what looks random.
  package init(_ time: TimeSource, seed: UInt64 = 0, habits: BrokerModel.Habits = .init()) {
    self.time = time
    state = Mutex(State(world: BrokerWorld(habits, seed: seed)))
  }

  /// A link that begins to connect at once, and connects again by itself.
  /// - Parameter will: What the broker publishes when the connection is lost.
  package func link(_ clientID: String, will: BrokerMessage? = nil) -> SimulatedLink {
    SimulatedLink(to: self, client: act { $0.add(clientID, will) })
  }

  /// Has faults happen at their times, which are of the broker's clock; those without one begin now.
  package func play(_ faults: [BrokerFault]) {
    act { world in
      for fault in faults {
        switch fault {
        case .latency, .duplicates, .lostAcknowledgements: world.ring(.fault(fault))
        case .cut(_, let at, _), .crash(let at, _, _), .save(let at), .takeover(_, let at):
          world.alarm(.fault(fault), at: .milliseconds(at))
        case .partition(_, let range), .hostile(let range, _):
          world.alarm(.fault(fault), at: .milliseconds(range.lowerBound))
        }
      }
    }
  }

  /// Ends all that goes wrong by itself: delays, duplicates, lost acknowledgements.
  package func calm() { play([.latency(0...0), .duplicates(oneIn: 0), .lostAcknowledgements(oneIn: 0)]) }

  /// Somebody publishes who is no client of it.
  package func plant(_ message: BrokerMessage) { act { $0.feed(.plant(message)) } }

  package var retained: [BrokerMessage] { state.withLock { $0.world.model.retained(at: time.now) } }
  package var load: BrokerModel.Load { state.withLock { $0.world.model.load } }

  /// Ends all links, and what was still to come.
  package func stop() async {
    let (tasks, readers) = state.withLock { state in
      state.isStopped = true
      defer { state.readers = [:] }
      let numbers = state.tasks.keys.sorted()
      return (numbers.compactMap { state.tasks[$0] }, state.readers.sorted { $0.key < $1.key }.map(\.value))
    }
    for reader in readers { reader.resume(returning: nil) }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }

  // MARK: for links

  func send(_ command: BrokerCommand, from client: Int) -> Bool { act { $0.ask(client, command) } }

  func next(for client: Int) async -> BrokerEvent? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.isStopped || Task.isCancelled || state.world.clients[client] == nil { return true }
          state.readers[client] = continuation
          return false
        }
        if isOver { return continuation.resume(returning: nil) }
        // Where there is room again, more is read.
        act { $0.move(client) }
      }
    } onCancel: {
      state.withLock { $0.readers.removeValue(forKey: client) }?.resume(returning: nil)
    }
  }

  func close(_ client: Int) async {
    let heard = act { $0.close(client) }
    try? await time.sleep(until: heard)
    act {
      $0.move(client)
      $0.remove(client)
    }
    state.withLock { $0.readers.removeValue(forKey: client) }?.resume(returning: nil)
  }

  // MARK: what is due

  /// Changes the world, then sets its alarms and hands out what its clients wait for.
  @discardableResult private func act<T: Sendable>(_ change: (inout BrokerWorld) -> T) -> T {
    let (result, handed) = state.withLock { state -> (T, [(CheckedContinuation<BrokerEvent?, Never>, BrokerEvent)]) in
      state.world.now = time.now
      let result = change(&state.world)
      for (at, alarm) in state.world.takeAlarms() where !state.isStopped { set(alarm, at: at, &state) }
      var handed: [(CheckedContinuation<BrokerEvent?, Never>, BrokerEvent)] = []
      for client in state.readers.keys.sorted() {
        guard state.world.clients[client]?.events.isEmpty == false, let reader = state.readers[client],
          let event = state.world.clients[client]?.events.removeFirst()
        else { continue }
        state.readers[client] = nil
        handed.append((reader, event))
      }
      return (result, handed)
    }
    for (reader, event) in handed { reader.resume(returning: event) }
    return result
  }

  private func set(_ alarm: BrokerWorld.Alarm, at due: Duration, _ state: inout State) {
    state.lastTask += 1
    let number = state.lastTask
    state.tasks[number] = time.spawn { [weak self, time] in
      do { try await time.sleep(until: due) } catch { return }
      self?.ring(alarm, number)
    }
  }

  private func ring(_ alarm: BrokerWorld.Alarm, _ number: Int) {
    act { $0.ring(alarm) }
    state.withLock { $0.tasks[number] = nil }
  }
}
