import FleetMessages
import Synchronization

/// What happened on a link and was not read yet. Whoever fills it stops when it is full, and is told when there is room
/// again.
final class EventQueue: Sendable {
  /// It is full from so many events, or bytes of messages, on.
  static let eventLimit = 256
  static let byteLimit = 1 << 20

  private struct State {
    var events: [BrokerEvent] = []
    /// Of the first event.
    var head = 0
    var bytes = 0
    var isFull = false
    var isOver = false
    var reader: CheckedContinuation<BrokerEvent?, Never>?

    var count: Int { events.count - head }
  }

  private let state = Mutex(State())
  private let hasRoom: @Sendable () -> Void

  /// - Parameter hasRoom: Called from any thread when half of it is free again, after it was full.
  init(hasRoom: @escaping @Sendable () -> Void) { self.hasRoom = hasRoom }

  var isFull: Bool { state.withLock { $0.isFull } }

  func append(_ event: BrokerEvent) {
    let reader = state.withLock { state -> CheckedContinuation<BrokerEvent?, Never>? in
      if state.isOver { return nil }
      if let reader = state.reader {
        state.reader = nil
        return reader
      }
      state.events.append(event)
      state.bytes += event.size
      state.isFull = state.isFull || state.count >= Self.eventLimit || state.bytes >= Self.byteLimit
      return nil
    }
    reader?.resume(returning: event)
  }

  /// Ends after what is still to be read.
  func finish() {
    let reader = state.withLock { state in
      state.isOver = true
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume(returning: nil)
  }

  /// - Returns: `nil` at the end.
  func next() async -> BrokerEvent? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (isNow, event, frees) = state.withLock { state in Self.take(&state, continuation) }
        if isNow { continuation.resume(returning: event) }
        if frees { hasRoom() }
      }
    } onCancel: {
      let reader = state.withLock { state in
        defer { state.reader = nil }
        return state.reader
      }
      reader?.resume(returning: nil)
    }
  }

  private static func take(
    _ state: inout State, _ continuation: CheckedContinuation<BrokerEvent?, Never>
  ) -> (isNow: Bool, event: BrokerEvent?, frees: Bool) {
    guard state.count > 0 else {
      // A second reader is nobody's; a task that is over does not wait.
      if state.isOver || state.reader != nil || Task.isCancelled { return (true, nil, false) }
      state.reader = continuation
      return (false, nil, false)
    }
    let event = state.events[state.head]
    state.head += 1
    state.bytes -= event.size
    if state.head == state.events.count {
      state.events.removeAll(keepingCapacity: state.head <= eventLimit)
      state.head = 0
    } else if state.head >= eventLimit {
      state.events.removeFirst(state.head)
      state.head = 0
    }
    let frees = state.isFull && state.count <= eventLimit / 2 && state.bytes <= byteLimit / 2
    if frees { state.isFull = false }
    return (true, event, frees)
  }
}

extension BrokerEvent {
  /// In bytes, of what it holds.
  fileprivate var size: Int {
    if case .message(let message) = self { message.size } else { 0 }
  }
}

extension BrokerMessage {
  /// In bytes, of topic and payload.
  var size: Int { topic.utf8.count + payload.count }
}
