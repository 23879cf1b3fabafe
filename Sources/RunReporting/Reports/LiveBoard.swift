import Synchronization

/// A terminal or a pipe on which several runs are told at the same time: lines that are finished, and on a terminal one
/// block below them with a line for each scenario that goes on, in the order of the runs.
package final class LiveBoard: Sendable {
  private struct State {
    var live: LiveBlock?
    var blocks: [(place: Int, lines: [String])] = []
  }

  private let width: (@Sendable () -> Int)?
  private let height: (@Sendable () -> Int)?
  private let offer: @Sendable (String, _ isVerdict: Bool) -> Bool
  private let state: Mutex<State>

  /// - Parameters:
  ///   - width: The columns of a terminal as of now; `nil` for logs and pipes.
  ///   - height: Its rows as of now.
  ///   - offer: Takes whole lines, or what redraws them, or answers false: its reader is behind.
  package init(
    width: (@Sendable () -> Int)?, height: (@Sendable () -> Int)?, hasColor: Bool,
    offeringTo offer: @escaping @Sendable (String, _ isVerdict: Bool) -> Bool
  ) {
    self.width = width
    self.height = height
    self.offer = offer
    state = Mutex(State(live: width.map { LiveBlock(width: $0(), color: hasColor) }))
  }

  /// Tells lines of a run, and keeps its part of the block, which is drawn with the next line or ``refresh()``.
  /// - Returns: Whether they were taken.
  func show(_ told: [String], block: [String], of place: Int, isVerdict: Bool) -> Bool {
    state.withLock { state in
      let index = state.blocks.firstIndex { $0.place >= place } ?? state.blocks.endIndex
      if index < state.blocks.endIndex, state.blocks[index].place == place { state.blocks.remove(at: index) }
      if !block.isEmpty { state.blocks.insert((place, block), at: index) }
      return told.isEmpty || draw(told, isVerdict: isVerdict, &state)
    }
  }

  /// Draws the block as it is now; call it a few times a second on a terminal.
  package func refresh() { state.withLock { _ = draw([], isVerdict: false, &$0) } }

  /// Tells lines of no run above the block.
  package func tell(_ text: String) {
    state.withLock { state in
      _ = draw(text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init), isVerdict: true, &state)
    }
  }

  private func draw(_ told: [String], isVerdict: Bool, _ state: inout State) -> Bool {
    var live = state.live
    let text =
      live == nil
      ? told.map { $0 + "\n" }.joined()
      : live?.redraw(
        scrolling: told, block: state.blocks.flatMap(\.lines), width: width?(), height: height?()) ?? ""
    if text.isEmpty { return true }
    // What was not taken does not stand on the terminal: the next redraw begins where it was.
    guard offer(text, isVerdict) else { return false }
    state.live = live
    return true
  }
}
