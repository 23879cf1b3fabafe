import ScenarioLanguage

/// A piece of a page. Its literals are markup; every text that is put in is escaped, so that none can be markup.
struct HTML: ExpressibleByStringInterpolation, Sendable {
  private(set) var text: String

  init(stringLiteral value: String) { text = value }
  init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

  struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + interpolationCount * 12)
    }

    mutating func appendLiteral(_ literal: String) { text += literal }
    mutating func appendInterpolation(_ value: String) { text += HTML.escaped(value) }
    mutating func appendInterpolation(_ value: Int) { text += String(value) }
    mutating func appendInterpolation(_ value: HTML) { text += value.text }
    mutating func appendInterpolation(_ value: HTML?) { text += value?.text ?? "" }
    mutating func appendInterpolation(_ values: [HTML]) { for value in values { text += value.text } }
    /// Markup that is there only sometimes.
    mutating func appendInterpolation(_ value: HTML, if isThere: Bool) { if isThere { text += value.text } }
    /// A share of the whole width, with three decimals.
    mutating func appendInterpolation(percent value: Double) { text += value.decimals(3) + "%" }
    /// A length in pixels, with one decimal.
    mutating func appendInterpolation(pixels value: Double) { text += value.decimals(1) }
    /// Our own markup, such as a script.
    mutating func appendInterpolation(raw value: String) { text += value }
  }

  static func + (left: HTML, right: HTML) -> HTML {
    var sum = left
    sum += right
    return sum
  }
  static func += (left: inout HTML, right: HTML) { left.text += right.text }

  /// How much of the page it is.
  var bytes: Int { text.utf8.count }

  /// Text of one line, for content and for attributes in double quotes. Controls and bidi marks are shown, not obeyed.
  static func escaped(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case 0x20..<0x7F:
        byte != 0x26 && byte != 0x3C && byte != 0x3E && byte != 0x22 && byte != 0x27
      default: false
      }
    }
    if isPlain { return text }
    var result = ""
    result.reserveCapacity(text.utf8.count + 16)
    for scalar in TerminalText.escaped(text).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      // No characters of HTML.
      case _ where scalar.value & 0xFFFE == 0xFFFE: result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Text of several lines, for `<pre>` and the like.
  static func lines(_ text: String) -> HTML {
    let parts = text.split(separator: "\n", omittingEmptySubsequences: false).map { HTML("\(String($0))").text }
    var lines: HTML = ""
    lines.text = parts.joined(separator: "\n")
    return lines
  }

  /// A text of which only the beginning is shown where it is long.
  static func cut(_ text: String, to limit: Int) -> String {
    // Scalars, for a character may be endless.
    let scalars = text.unicodeScalars
    guard text.utf8.count > limit,
      let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
      end < scalars.endIndex
    else { return text }
    return "\(String(scalars[..<end]))… (\(scalars.count - limit) more characters)"
  }
}
