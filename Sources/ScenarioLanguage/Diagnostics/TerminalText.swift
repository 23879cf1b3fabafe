/// Makes text from a document, a device or the network harmless on a terminal: controls and bidi marks are shown, never
/// obeyed.
package enum TerminalText {
  /// Whether a scalar could move the cursor, hide itself or turn text around.
  static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
    default: false
    }
  }

  /// The scalar itself, or its number in place of it: `\u{202E}`.
  static func escaped(_ scalar: Unicode.Scalar) -> String {
    if scalar.isASCII, scalar.value >= 0x20, scalar.value != 0x7F { return String(scalar) }
    if scalar == "\n" { return "\\n" }
    if scalar == "\t" { return "\\t" }
    return isUnsafe(scalar) ? "\\u{\(String(scalar.value, radix: 16, uppercase: true))}" : String(scalar)
  }

  /// The scalar, or one that stands for it in a line whose columns must not move.
  static func inPlace(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    if scalar.isASCII {
      if scalar == "\t" { return "→" }
      if scalar.value < 0x20 { return Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}" }
      return scalar.value == 0x7F ? "\u{2421}" : scalar
    }
    return isUnsafe(scalar) ? "\u{FFFD}" : scalar
  }

  /// Text for one line with every unsafe scalar escaped.
  package static func escaped(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
    return text.unicodeScalars.map { escaped($0) as String }.joined()
  }

  /// Text of several lines with every other unsafe scalar escaped.
  static func escapedLines(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 == 0x0A || ($0 >= 0x20 && $0 < 0x7F) }) { return text }
    var result = ""
    for scalar in text.unicodeScalars { result += scalar == "\n" ? "\n" : escaped(scalar) }
    return result
  }
}
