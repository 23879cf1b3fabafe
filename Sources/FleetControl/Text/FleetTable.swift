import ScenarioLanguage

/// Lines of columns that fit into a width, whatever the names are.
package struct FleetTable: Sendable {
  package struct Column: Sendable {
    package enum Cut: Sendable {
      /// Never: a number or a word of ours.
      case none
      /// In the middle, so that names that begin or end alike stay apart.
      case middle
      case end
    }

    package var head: String
    package var cut: Cut
    package var isNumber: Bool

    package init(_ head: String, cut: Cut = .none, isNumber: Bool = false) {
      (self.head, self.cut, self.isNumber) = (head, cut, isNumber)
    }
  }

  /// A column that may be cut is never narrower.
  private static let narrowest = 8
  private static let gap = 2

  private let columns: [Column]

  package init(_ columns: [Column]) { self.columns = columns }

  /// The head and a line for each row; nothing in them can move a cursor, and each fits into `width` cells.
  package func lines(_ rows: [[String]], width: Int) -> [String] {
    let cells = rows.map { $0.map { TerminalText.escaped($0.isEmpty ? "-" : $0) } }
    let all = [columns.map(\.head)] + cells
    var widths = columns.indices.map { column in all.map { DisplayWidth.of($0[column].unicodeScalars) }.max() ?? 0 }
    shrink(&widths, to: width)
    return all.map { row in
      var line = ""
      for (index, column) in columns.enumerated() {
        let text = Self.fitted(row[index], to: widths[index], column.cut)
        let space = String(repeating: " ", count: max(0, widths[index] - DisplayWidth.of(text.unicodeScalars)))
        line += column.isNumber ? space + text : text + space
        if index < columns.count - 1 { line += String(repeating: " ", count: Self.gap) }
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  /// Takes from the widest of the columns that may be cut until all fit.
  private func shrink(_ widths: inout [Int], to width: Int) {
    var excess = widths.reduce(0, +) + Self.gap * (columns.count - 1) - width
    while excess > 0 {
      let candidates = columns.indices.filter { columns[$0].cut != .none && widths[$0] > Self.narrowest }
      guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { return }
      // Down to the next one at once, so that long texts take no time.
      let next = candidates.filter { widths[$0] < widths[widest] }.map { widths[$0] }.max() ?? Self.narrowest
      // Of several that are as wide each gives the same.
      let isAlone = candidates.count { widths[$0] == widths[widest] } == 1
      let step = isAlone ? min(excess, max(1, widths[widest] - max(next, Self.narrowest))) : 1
      widths[widest] -= step
      excess -= step
    }
  }

  /// A text that takes `width` cells at most.
  static func fitted(_ text: String, to width: Int, _ cut: Column.Cut) -> String {
    guard cut != .none, DisplayWidth.of(text.unicodeScalars) > width else { return text }
    let room = max(0, width - 1)
    let back = cut == .middle ? room / 2 : 0
    return prefix(of: text, room - back) + "…" + String(prefix(of: String(text.reversed()), back).reversed())
  }

  private static func prefix(of text: String, _ width: Int) -> String {
    var (result, used) = ("", 0)
    for character in text {
      let cells = DisplayWidth.of(character.unicodeScalars)
      if used + cells > width { break }
      result.append(character)
      used += cells
    }
    return result
  }
}

/// How long ago something was, in as few cells as say it: `12s`, `5min`, `3h`, `2d`.
enum Age {
  static func text(since then: Int?, at now: Int) -> String {
    guard let then, then > 0 else { return "" }
    let seconds = now > then ? now - then : 0
    switch seconds {
    case ..<100: return "\(seconds)s"
    case ..<6_000: return "\(seconds / 60)min"
    case ..<172_800: return "\(seconds / 3_600)h"
    default: return "\(seconds / 86_400)d"
    }
  }
}
