import Synchronization

/// What was seen of screens whose turn did not come.
final class LateScreens: Sendable {
  private let state = Mutex<(all: Set<String>, looks: Int)>(([], 0))

  var all: Set<String> { state.withLock { $0.all } }
  var looks: Int { state.withLock { $0.looks } }

  func note(_ names: [String]) {
    state.withLock { state in
      state.all.formUnion(names)
      state.looks += 1
    }
  }
}
