import Synchronization

/// Tasks that go on one after the other where they need the same, by ``TurnOrder``.
package final class Turns: Sendable {
  /// The right to go on, until it is given back.
  package struct Turn: Hashable, Sendable {
    fileprivate let id: Int
  }

  private struct State {
    var order: TurnOrder
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
  }

  private let state: Mutex<State>

  /// - Parameter limit: How many may go at a time, at least 1.
  package init(limit: Int = .max) { state = Mutex(State(order: TurnOrder(limit: limit))) }

  /// Waits for a turn with these needs.
  /// - Parameter wait: Is called once where it does not go on at once.
  /// - Returns: `nil` where the task was cancelled first.
  package func take(_ needs: Set<String>, waiting wait: () -> Void = {}) async -> Turn? {
    let (id, isGoing) = state.withLock { state in
      let id = state.order.enter(needing: needs)
      // `begin` can only name this one: those who waited before still lack what has not been given back.
      return (id, state.order.begin().contains(id))
    }
    if isGoing { return Turn(id: id) }
    wait()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.order.isGoing(id) || Task.isCancelled { return true }
          state.waiters[id] = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
    }
    if state.withLock({ $0.order.isGoing(id) }) { return Turn(id: id) }
    end(id)
    return nil
  }

  /// Takes a turn with these needs, where that is possible without waiting.
  package func takeAtOnce(_ needs: Set<String>) -> Turn? {
    let (id, isGoing) = state.withLock { state in
      let id = state.order.enter(needing: needs)
      return (id, state.order.begin().contains(id))
    }
    if isGoing { return Turn(id: id) }
    end(id)
    return nil
  }

  /// Gives a turn back; once.
  package func end(_ turn: Turn) { end(turn.id) }

  private func end(_ id: Int) {
    let next = state.withLock { state in
      state.order.leave(id)
      return state.order.begin().compactMap { state.waiters.removeValue(forKey: $0) }
    }
    for continuation in next { continuation.resume() }
  }
}
