import CastProtocol
import RunReporting

/// A line for how far something is, with marks where breaks are.
struct WatchBar {
  enum Cell: Hashable { case filled, empty, mark, watchedMark }

  let cells: [Cell]

  /// - Parameters:
  ///   - fraction: How much is filled, 0 to 1.
  ///   - marks: Where marks are, 0 to 1, and whether they were watched.
  init(width: Int, fraction: Double, marks: [(at: Double, isWatched: Bool)] = []) {
    let width = max(1, min(width, 1_000))
    func cell(_ fraction: Double) -> Int {
      guard fraction.isFinite else { return 0 }
      return Int(exactly: (max(0, min(1, fraction)) * Double(width)).rounded(.down)) ?? 0
    }
    let filled = cell(fraction)
    var cells = Array(repeating: Cell.filled, count: filled) + Array(repeating: .empty, count: width - filled)
    for mark in marks { cells[min(width - 1, cell(mark.at))] = mark.isWatched ? .watchedMark : .mark }
    self.cells = cells
  }

  func add(to line: inout ScreenLine) {
    var run: (cell: Cell, text: String)?
    for cell in cells {
      let (symbol, _) = Self.look(cell)
      if run?.cell == cell {
        run?.text += symbol
      } else {
        if let run { line.add(run.text, Self.look(run.cell).style) }
        run = (cell, symbol)
      }
    }
    if let run { line.add(run.text, Self.look(run.cell).style) }
  }

  private static func look(_ cell: Cell) -> (symbol: String, style: ScreenLine.Style) {
    switch cell {
    case .filled: ("━", .accent)
    case .empty: ("─", .dim)
    case .mark: ("┃", .warning)
    case .watchedMark: ("│", .dim)
    }
  }
}
