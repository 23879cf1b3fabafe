import CastTransport
import Synchronization

/// Receives a channel's events on its thread and lets a test await them; nothing is lost in between.
final class EventCollector: Sendable {
  private let state = Mutex(State())

  private struct State {
    var bytes: [UInt8] = []
    var closings: [TransportError?] = []
    var waiters: [Waiter] = []
  }

  private struct Waiter {
    var isSatisfied: @Sendable (State) -> Bool
    var continuation: CheckedContinuation<Void, Never>
  }

  /// Starts `channel` and collects what it delivers.
  init(_ channel: any ByteChannel) {
    channel.start { [self] event in
      update { state in
        switch event {
        case .received(let bytes): state.bytes += bytes
        case .closed(let error): state.closings.append(error)
        }
      }
    }
  }

  var bytes: [UInt8] { state.withLock { $0.bytes } }
  /// Each `closed` that came; more than one is a bug.
  var closings: [TransportError?] { state.withLock { $0.closings } }

  /// Waits until `count` bytes have come in all, or the end; returns all of them.
  func bytes(atLeast count: Int) async -> [UInt8] {
    await wait { $0.bytes.count >= count || !$0.closings.isEmpty }
    return bytes
  }

  /// Waits for the end and returns its reason.
  func closed() async -> TransportError? {
    await wait { !$0.closings.isEmpty }
    return closings.first ?? nil
  }

  private func wait(until isSatisfied: @escaping @Sendable (State) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        if isSatisfied(state) { return true }
        state.waiters.append(Waiter(isSatisfied: isSatisfied, continuation: continuation))
        return false
      }
      if isReady { continuation.resume() }
    }
  }

  private func update(_ change: (inout State) -> Void) {
    let ready = state.withLock { state in
      change(&state)
      var ready: [CheckedContinuation<Void, Never>] = []
      for waiter in state.waiters where waiter.isSatisfied(state) { ready.append(waiter.continuation) }
      let snapshot = state
      state.waiters.removeAll { $0.isSatisfied(snapshot) }
      return ready
    }
    for continuation in ready { continuation.resume() }
  }
}

/// A value that one thread sets and a test awaits.
final class Arrival<Value: Sendable>: Sendable {
  private let stream: AsyncStream<Value>
  private let continuation: AsyncStream<Value>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }
  func callAsFunction(_ value: Value) { continuation.yield(value) }
  /// The next value.
  func next() async -> Value? {
    var iterator = stream.makeAsyncIterator()
    return await iterator.next()
  }
}
