/// Text for a terminal or a log.
enum TerminalText {
  /// Makes text from devices and documents harmless: controls and bidi marks are shown as `\u{1B}`, never obeyed.
  static func safe(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: \.isDisplayControl) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar.isDisplayControl {
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  static func rightAligned(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  /// At most `width` characters, the last an ellipsis where something was cut.
  static func cut(_ text: String, to width: Int) -> String {
    text.count <= width ? text : String(text.prefix(max(0, width - 1))) + "…"
  }

  /// `0:03`, `10:00`, `1:02:03`.
  static func clock(_ seconds: Double) -> String {
    let whole = Int(exactly: seconds.rounded(.down)) ?? 0
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
  }
}
