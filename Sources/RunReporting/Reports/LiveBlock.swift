/// The lines at the bottom of a terminal that are drawn again and again, with finished lines scrolling up above them.
struct LiveBlock: Sendable {
  private var width: Int
  private let hasColor: Bool
  /// What the terminal shows of the block, cut to the width it had then.
  private var shown: [String] = []

  init(width: Int, color: Bool) {
    self.width = Self.usable(width)
    hasColor = color
  }

  private static func usable(_ width: Int) -> Int { max(2, width) }

  /// What to write so that `scrolling` stays above and `block` stands below; `nil` when nothing changes.
  /// - Parameters:
  ///   - width: What the terminal has now; lines that no longer fit take several of its rows.
  ///   - height: The rows that it has now; `nil`: more than the block has lines.
  mutating func redraw(scrolling: [String], block: [String], width: Int? = nil, height: Int? = nil) -> String? {
    if let width { self.width = Self.usable(width) }
    let width = self.width
    let block = Self.fitted(block, height).map { ConsoleText.cut($0, to: width - 1) }
    if scrolling.isEmpty, block == shown { return nil }
    var text = ""
    // Up to the block's first line, then clear to the end of the screen.
    let rows = shown.reduce(0) { $0 + max(1, (ConsoleText.cells($1) + width - 1) / width) }
    if rows > 0 { text += "\u{1B}[\(rows)A\r\u{1B}[J" }
    text += (scrolling + block).map { colored($0) + "\n" }.joined()
    shown = block
    return text
  }

  /// What fits above the row that the cursor stands in; a block that is higher than the terminal could not be drawn over.
  private static func fitted(_ block: [String], _ height: Int?) -> [String] {
    guard let height, block.count > max(1, height - 1) else { return block }
    let shown = max(0, height - 2)
    return block.prefix(shown) + [" … and \(block.count - shown) more"]
  }

  private func colored(_ line: String) -> String {
    guard hasColor, let symbol = line.first(where: { $0 != " " }) else { return line }
    let code: String
    switch symbol {
    case "✓": code = "32"
    case "✗": code = "31"
    case "▶": code = "36"
    case "–": code = "2"
    default: return line
    }
    return line.replacing(String(symbol), with: "\u{1B}[\(code)m\(symbol)\u{1B}[0m", maxReplacements: 1)
  }
}
