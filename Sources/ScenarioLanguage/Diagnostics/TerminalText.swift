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
  package static func inPlace(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    if scalar.isASCII {
      if scalar == "\t" { return "→" }
      if scalar.value < 0x20 { return Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}" }
      return scalar.value == 0x7F ? "\u{2421}" : scalar
    }
    return isUnsafe(scalar) ? "\u{FFFD}" : scalar
  }

  /// Text for one line: controls and bidi marks are shown as `\u{1B}`; joiners, which emoji in names need, stay.
  package static func escaped(_ text: String) -> String {
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

  /// Text for one line of a format that has lines: a line break is a space, every other control is shown.
  static func oneLine(_ text: String) -> String { escaped(joined(text)) }

  /// The text with something else in place of its line breaks, those of other systems among them.
  static func joined(_ text: String, by mark: String = " ") -> String {
    // To Swift `\r\n` is a character of its own.
    text.replacing("\r\n", with: mark).replacing("\n", with: mark)
  }

  /// Text of several lines with every other unsafe scalar escaped.
  package static func escapedLines(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 == 0x0A || ($0 >= 0x20 && $0 < 0x7F) }) { return text }
    var result = ""
    for scalar in text.unicodeScalars { result += scalar == "\n" ? "\n" : escaped(scalar) }
    return result
  }
}

extension Unicode.Scalar {
  /// Controls that change how a terminal or a page shows what follows: C0, DEL, C1, line separators, bidi.
  package var isDisplayControl: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }
}
