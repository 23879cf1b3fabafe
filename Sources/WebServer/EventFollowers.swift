package import CastProtocol
import Synchronization

/// Sends every open event stream the same events, each made once; of quick changes only the newest state.
package final class EventFollowers: Sendable {
  /// The most clients that follow at the same time (docs/security.md W6).
  package static let most = 16
  /// Making an event takes no more than this part of the time, however many screens there are.
  private static let load = 5

  private struct State {
    var streams: [Int: AsyncStream<[UInt8]>.Continuation] = [:]
    var last = 0
    var feeding: Task<Void, Never>?
  }

  private let clock: TimeSource
  private let heartbeat: Duration
  private let leastPause: Duration
  private let changes: @Sendable () -> AsyncStream<Void>
  private let event: @Sendable () async -> [UInt8]
  private let state = Mutex(State())

  /// - Parameters:
  ///   - heartbeat: How often something is sent when nothing changes; whoever went away is noticed by it.
  ///   - leastPause: From one event to the next; what changes meanwhile comes with the next one.
  package init(
    clock: TimeSource, heartbeat: Duration = .seconds(15), leastPause: Duration = .milliseconds(250),
    changes: @escaping @Sendable () -> AsyncStream<Void>, event: @escaping @Sendable () async -> [UInt8]
  ) {
    (self.clock, self.changes, self.event) = (clock, changes, event)
    (self.heartbeat, self.leastPause) = (heartbeat, leastPause)
  }

  /// What one more gets, first of all how it is now; `nil`: there are too many.
  /// - Parameter ended: Called once when nobody reads it any more.
  package func follow(ended: @escaping @Sendable () -> Void = {}) -> AsyncStream<[UInt8]>? {
    // A slow reader gets only the newest event.
    let (stream, continuation) = AsyncStream<[UInt8]>.makeStream(bufferingPolicy: .bufferingNewest(2))
    let number = state.withLock { state -> Int? in
      guard state.streams.count < Self.most else { return nil }
      state.last += 1
      state.streams[state.last] = continuation
      // It begins with how it is now, which those who follow already get once more.
      state.feeding?.cancel()
      state.feeding = clock.spawn { await self.feed() }
      return state.last
    }
    guard let number else { return nil }
    continuation.onTermination = { [weak self] _ in
      self?.end(number)
      ended()
    }
    return stream
  }

  private func end(_ number: Int) {
    state.withLock { state in
      state.streams[number] = nil
      guard state.streams.isEmpty else { return }
      state.feeding?.cancel()
      state.feeding = nil
    }
  }

  private func send(_ bytes: [UInt8]) {
    if Task.isCancelled { return }
    for stream in state.withLock({ Array($0.streams.values) }) { stream.yield(bytes) }
  }

  private func feed() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        // Before the first event, so that no change is missed.
        let changes = self.changes()
        await self.tell()
        for await _ in changes { await self.tell() }
      }
      group.addTask {
        while (try? await self.clock.sleep(for: self.heartbeat)) != nil { self.send(Array(": alive\n\n".utf8)) }
      }
    }
  }

  private func tell() async {
    let begin = clock.now
    send(await event())
    let pause = max(leastPause, (clock.now - begin) * Self.load)
    try? await clock.sleep(for: pause)
  }
}
