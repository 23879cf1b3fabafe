import ScenarioLanguage

/// Text made safe for an XML 1.0 document.
enum XMLText {
  /// For element content; characters XML cannot hold become U+FFFD.
  static func content(_ text: String) -> String { escaped(text, quotes: false) }

  /// For an attribute's value between double quotes.
  static func attribute(_ text: String) -> String { escaped(text, quotes: true) }

  private static func escaped(_ text: String, quotes: Bool) -> String {
    var result = String.UnicodeScalarView()
    func append(_ replacement: String) { result.append(contentsOf: replacement.unicodeScalars) }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": append("&amp;")
      case "<": append("&lt;")
      case ">": append("&gt;")
      case "\"" where quotes: append("&quot;")
      case "\t", "\n": if quotes { append(scalar == "\t" ? "&#9;" : "&#10;") } else { result.append(scalar) }
      case "\r": append("&#13;")
      case _ where isForbidden(scalar) || scalar.isDisplayControl: result.append("\u{FFFD}")
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  /// Outside the `Char` production of XML 1.0.
  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF
  }
}
