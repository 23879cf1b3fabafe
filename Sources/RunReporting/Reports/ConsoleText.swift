/// Text for columns of a terminal or a log; widths are cells.
package enum ConsoleText {
  package static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - cells(text)))
  }

  package static func rightAligned(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - cells(text))) + text
  }

  /// The cells for a step's name in a terminal of `width` columns, where so many others stand in its line.
  package static func nameWidth(in width: Int?, beside others: Int) -> Int {
    width.map { max(10, min(50, $0 - 1 - others)) } ?? 50
  }

  /// At most `width` cells, the last an ellipsis where something was cut.
  package static func cut(_ text: String, to width: Int) -> String { ScreenLine(text).text(width: width, color: false) }

  /// How many cells a terminal gives to `text`.
  package static func cells(_ text: String) -> Int { ScreenLine.width(of: text) }

  /// `0:03`, `10:00`, `1:02:03`; `-0:03` before the beginning, where live streams may be.
  package static func clock(_ seconds: Double) -> String {
    let whole = Int(exactly: seconds.rounded(.towardZero)) ?? 0
    if whole < 0 { return "-" + clock(-seconds) }
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
  }
}
