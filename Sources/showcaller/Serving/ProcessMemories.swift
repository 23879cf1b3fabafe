import CastProtocol
import Signage
import Synchronization

/// What virtual screens go on with when their playlist begins anew in the same process.
final class ProcessMemories: Sendable {
  private struct Key: Hashable {
    var playlist: String
    var screen: String
  }
  private let memories = Mutex<[Key: JSONValue]>([:])

  func give(to world: inout ScreenWorld, of playlist: String) {
    world.recall = { [self] screen in memories.withLock { $0[Key(playlist: playlist, screen: screen)] } }
    world.remember = { [self] screen, memory in
      memories.withLock { $0[Key(playlist: playlist, screen: screen)] = memory }
    }
  }
}
