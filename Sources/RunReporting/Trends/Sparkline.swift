/// Numbers of runs as a line of blocks for terminals: `▁▂▂▃×▄`.
package struct Sparkline: Sendable {
  private static let blocks = Array("▁▂▃▄▅▆▇█")

  /// What stands for one run.
  package enum Cell: Hashable, Sendable {
    case number(Double)
    /// The run did not pass.
    case failed
    /// The run does not tell the number.
    case untold

    /// - Parameter number: `nil` where the run did not pass.
    package init(_ number: Double?) { self = number.map(Cell.number) ?? .failed }
  }

  /// One for each run, oldest first.
  package var cells: [Cell]
  /// What a full block stands for; `nil`: the greatest number.
  package var top: Double?

  package init(_ cells: [Cell], top: Double? = nil) { (self.cells, self.top) = (cells, top) }

  /// The newest runs, in at most `width` cells.
  package func text(width: Int) -> String {
    let shown = cells.suffix(max(1, width))
    let numbers = shown.compactMap { if case .number(let number) = $0 { number } else { nil } }
    let top = top ?? numbers.max() ?? 0
    return String(
      shown.map { cell in
        switch cell {
        case .untold: return " "
        case .failed: return "×"
        case .number(let number):
          guard number.isFinite else { return "×" }
          guard top > 0 else { return Self.blocks[0] }
          let place = (number / top * Double(Self.blocks.count)).rounded(.up) - 1
          return Self.blocks[Int(exactly: min(max(0, place), Double(Self.blocks.count - 1))) ?? 0]
        }
      })
  }
}
