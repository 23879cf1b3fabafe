import CastProtocol
import Synchronization

/// What reaches a screen from outside while it waits: orders, and word that triggers changed.
final class ScreenSignals: Sendable {
  /// More orders than these in a row nobody gives who looks at the screen.
  private static let mostOrders = 16

  private let orders = Mutex<[ScreenOrder]>([])
  private let bell = Bell()

  /// - Returns: Whether there was room for it.
  @discardableResult
  func give(_ order: ScreenOrder) -> Bool {
    let hasRoom = orders.withLock { orders in
      if orders.count >= Self.mostOrders { return false }
      orders.append(order)
      return true
    }
    raise()
    return hasRoom
  }

  /// Wakes the screen.
  func raise() { bell.ring() }

  /// The orders in their order; from now on only what is new counts.
  func take() -> [ScreenOrder] {
    bell.reset()
    return orders.withLock { orders in
      defer { orders = [] }
      return orders
    }
  }

  /// Returns as soon as something came, or the task is cancelled.
  func wait() async { await bell.wait() }

  /// Runs `body`, and cancels it as soon as something comes.
  func interrupt<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value? {
    await bell.interrupt(body)
  }

  /// Sleeps on a clock, no longer than until something comes.
  func sleep(for time: Duration, on clock: TimeSource) async {
    _ = await interrupt { try? await clock.sleep(for: time) }
  }
}
