import Synchronization

/// Work that ends with the task that waits for it, or sooner where somebody else ends it.
final class EndableWork: Sendable {
  private enum State {
    case waiting
    case running(Task<Void, Never>)
    case ended
  }
  private let state = Mutex(State.waiting)

  /// Does it; at once done where it was ended before it began.
  func perform(_ body: @escaping @Sendable () async -> Void) async {
    let task = state.withLock { state -> Task<Void, Never>? in
      guard case .waiting = state else { return nil }
      let task = Task { await body() }
      state = .running(task)
      return task
    }
    guard let task else { return }
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    state.withLock { $0 = .ended }
  }

  /// Ends it, and returns when it has ended.
  func end() async {
    let task = state.withLock { state -> Task<Void, Never>? in
      defer { if case .waiting = state { state = .ended } }
      if case .running(let task) = state { return task }
      return nil
    }
    task?.cancel()
    await task?.value
  }
}
