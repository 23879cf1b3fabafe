/// The lines at the bottom of a terminal that are drawn again and again, with finished lines scrolling up above them.
struct LiveBlock: Sendable {
  private let width: Int
  private let hasColor: Bool
  private var shown: [String] = []

  init(width: Int, color: Bool) {
    self.width = max(20, width)
    hasColor = color
  }

  /// What to write so that `scrolling` stays above and `block` stands below; `nil` when nothing changes.
  mutating func redraw(scrolling: [String], block: [String]) -> String? {
    let block = block.map { ConsoleText.cut($0, to: width - 1) }
    if scrolling.isEmpty, block == shown { return nil }
    var text = ""
    // Up to the block's first line, then clear to the end of the screen.
    if !shown.isEmpty { text += "\u{1B}[\(shown.count)A\r\u{1B}[J" }
    text += (scrolling + block).map { colored($0) + "\n" }.joined()
    shown = block
    return text
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
