import CastProtocol
import Dispatch
import ScenarioLanguage
import Signage
import Synchronization
import Workspace

/// Keeps the webhook triggers of a playlist on the disk, where neither screens nor their board wait for it.
final class KeptTriggers: Sendable {
  private struct State {
    /// What the disk has.
    var memory: TriggerMemory
    var hasComplained = false
  }

  private let store: TriggerMemoryStore
  /// One writes after the other, and whoever comes later finds what is written already.
  private let thread = DispatchQueue(label: "showcaller.triggers")
  private let state: Mutex<State>

  /// Fires what was fired when the playlist was served last.
  /// - Parameter plan: The playlist as it is served first.
  init(_ store: TriggerMemoryStore, of board: TriggerBoard, at time: Double, plan: PlaylistPlan) {
    self.store = store
    let memory = TriggerMemory(store.recall(), of: plan, at: time)
    state = Mutex(State(memory: memory))
    for (name, since) in memory.fired {
      board.fire(name, at: since)
      Terminal.say("the trigger \(TerminalText.escaped(name)) is fired still, as it was when this ended last")
    }
  }

  /// Returns when what is fired now is on the disk, or cannot be.
  /// - Parameter now: What is fired; it is asked when the disk is free.
  func keep(_ now: @escaping @Sendable () -> TriggerMemory) async {
    await withCheckedContinuation { continuation in
      thread.async {
        self.write(now())
        continuation.resume()
      }
    }
  }

  private func write(_ memory: TriggerMemory) {
    guard state.withLock({ $0.memory != memory }) else { return }
    do throws(WorkspaceError) {
      try store.remember(memory.json)
      state.withLock { $0 = State(memory: memory) }
    } catch {
      let isNews = state.withLock { state in
        defer { state.hasComplained = true }
        return !state.hasComplained
      }
      guard isNews else { return }
      Terminal.say("warning: triggers do not outlast a restart: \(TerminalText.escaped(error.message))")
    }
  }
}
