import CastProtocol
import ScenarioLanguage
import Signage
import Synchronization
import Workspace

/// Stores which webhook triggers are fired, at each change, and fires them again after a restart.
final class KeptTriggers: Sendable {
  private struct State {
    var memory: TriggerMemory
    var hasComplained = false
  }

  private let store: TriggerMemoryStore
  private let state: Mutex<State>

  /// Fires what was fired when the playlist was served last, and keeps what changes from now on.
  /// - Parameter plan: The playlist as it is served at that time.
  init(
    _ store: TriggerMemoryStore, of board: TriggerBoard, at time: Double, plan: @escaping @Sendable () -> PlaylistPlan
  ) {
    self.store = store
    let memory = TriggerMemory(store.recall(), of: plan(), at: time)
    state = Mutex(State(memory: memory))
    for (name, since) in memory.fired {
      board.fire(name, at: since)
      Terminal.say("the trigger \(TerminalText.escaped(name)) is fired still, as it was when this ended last")
    }
    board.observe { [weak board] in
      if let board { self.keep(board, plan) }
    }
  }

  private func keep(_ board: TriggerBoard, _ plan: () -> PlaylistPlan) {
    state.withLock { state in
      let memory = TriggerMemory(board.fired, of: plan())
      guard memory != state.memory else { return }
      state.memory = memory
      do throws(WorkspaceError) {
        try store.remember(memory.json)
        state.hasComplained = false
      } catch {
        if !state.hasComplained {
          Terminal.say("warning: triggers do not outlast a restart: \(TerminalText.escaped(error.message))")
        }
        state.hasComplained = true
      }
    }
  }
}
