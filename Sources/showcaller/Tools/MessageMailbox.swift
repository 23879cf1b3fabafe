import Dispatch
import Synchronization

/// What comes in from several sides, in order, for one who takes it: a thread that reads waits while there is no room.
final class MessageMailbox<Item: Sendable>: Sendable {
  private struct State {
    var items: [Item] = []
    var waiter: CheckedContinuation<Item?, Never>?
    var isClosed = false
  }

  private let state = Mutex(State())
  /// libdispatch traps where a semaphore is freed below its first value: it starts at 0 and is signalled up to the limit.
  private let room = DispatchSemaphore(value: 0)

  /// - Parameter limit: How many may wait of those that ``send(_:)`` brings.
  init(limit: Int) { for _ in 0..<limit { room.signal() } }

  /// Waits for room, and puts something in; for threads that may wait.
  func send(_ item: Item) {
    room.wait()
    put(item)
  }

  /// Puts in what must not wait, such as the result of something that was begun here: there are few.
  func offer(_ item: Item) { put(item) }

  /// To be called after taking an item of ``send(_:)``: makes room for the next.
  func makeRoom() { room.signal() }

  private func put(_ item: Item) {
    state.withLock { state in
      if let waiter = state.waiter {
        state.waiter = nil
        waiter.resume(returning: item)
      } else {
        state.items.append(item)
      }
    }
  }

  /// What is there already.
  func takeWaiting() -> Item? { state.withLock { $0.items.isEmpty ? nil : $0.items.removeFirst() } }

  /// The next, as soon as it comes; `nil` once the task is cancelled. One waits at a time.
  func next() async -> Item? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        state.withLock { state in
          if !state.items.isEmpty {
            continuation.resume(returning: state.items.removeFirst())
          } else if state.isClosed || state.waiter != nil {
            continuation.resume(returning: nil)
          } else {
            state.waiter = continuation
          }
        }
      }
    } onCancel: {
      state.withLock { state in
        state.isClosed = true
        state.waiter?.resume(returning: nil)
        state.waiter = nil
      }
    }
  }
}
