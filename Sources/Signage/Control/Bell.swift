import Synchronization

/// Wakes one task that waits for something to come from outside; rung before anybody waits, it is not missed.
package final class Bell: Sendable {
  private struct State {
    var isRung = false
    var waiter: CheckedContinuation<Void, Never>?
  }
  private let state = Mutex(State())

  package init() {}

  /// Wakes the waiter; until ``reset()`` nobody has to wait.
  package func ring() {
    let waiter = state.withLock { state in
      state.isRung = true
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }

  /// What rang it was looked at: from now on only what is new counts.
  package func reset() { state.withLock { $0.isRung = false } }

  /// Returns as soon as it rings, or the task is cancelled. One task at a time may wait.
  package func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.isRung || Task.isCancelled { return true }
          state.waiter = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        defer { state.waiter = nil }
        return state.waiter
      }
      waiter?.resume()
    }
  }

  /// Runs `body`, and cancels it as soon as it rings.
  /// - Returns: `nil` where it rang first.
  package func interrupt<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value? {
    await withTaskGroup(of: Value?.self) { group in
      group.addTask { await body() }
      group.addTask {
        await self.wait()
        return nil
      }
      var result: Value?
      for await value in group {
        group.cancelAll()
        result = result ?? value
      }
      return result
    }
  }
}
