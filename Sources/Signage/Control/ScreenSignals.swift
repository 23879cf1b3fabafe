import CastProtocol
import Synchronization

/// What reaches a screen from outside while it waits: orders, and word that triggers changed.
final class ScreenSignals: Sendable {
  /// More orders than these in a row nobody gives who looks at the screen.
  private static let mostOrders = 16

  private struct State {
    var orders: [ScreenOrder] = []
    /// Something came since the screen looked last.
    var isRaised = false
    var waiter: CheckedContinuation<Void, Never>?
  }
  private let state = Mutex(State())

  /// - Returns: Whether there was room for it.
  @discardableResult
  func give(_ order: ScreenOrder) -> Bool {
    let hasRoom = state.withLock { state in
      if state.orders.count >= Self.mostOrders { return false }
      state.orders.append(order)
      return true
    }
    raise()
    return hasRoom
  }

  /// Wakes the screen.
  func raise() {
    let waiter = state.withLock { state in
      state.isRaised = true
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }

  /// The orders in their order; from now on only what is new counts.
  func take() -> [ScreenOrder] {
    state.withLock { state in
      state.isRaised = false
      defer { state.orders = [] }
      return state.orders
    }
  }

  /// Returns as soon as something came, or the task is cancelled.
  func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.isRaised || Task.isCancelled { return true }
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

  /// Runs `body`, and cancels it as soon as something comes.
  func interrupt<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value? {
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

  /// Sleeps on a clock, no longer than until something comes.
  func sleep(for time: Duration, on clock: TimeSource) async {
    _ = await interrupt { try? await clock.sleep(for: time) }
  }
}
