import Synchronization

/// Tasks that somebody started and has to see the end of.
final class TaskBag: Sendable {
  private struct State {
    var lastNumber = 0
    /// A task that ended before it was entered leaves its number here.
    var ended: Set<Int> = []
    var tasks: [Int: Task<Void, Never>] = [:]
  }

  private let state = Mutex(State())

  func add(_ body: @escaping @Sendable () async -> Void) {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    let task = Task {
      await body()
      self.state.withLock { state in
        if state.tasks.removeValue(forKey: number) == nil { state.ended.insert(number) }
      }
    }
    state.withLock { state in
      if state.ended.remove(number) == nil { state.tasks[number] = task }
    }
  }

  /// Cancels all and waits for their ends.
  func end() async {
    let tasks = state.withLock { Array($0.tasks.values) }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }
}
