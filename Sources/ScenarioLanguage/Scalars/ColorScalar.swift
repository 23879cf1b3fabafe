/// Colors as documents write them: `"#RRGGBB"`, `"#RRGGBBAA"`, a name, a name with `/75%`
/// (docs/language/values.md "Spellings").
package enum ColorScalar {
  static let names: [(name: String, rgb: UInt32)] = [
    ("white", 0xFFFFFF), ("black", 0x000000), ("red", 0xFF0000), ("green", 0x00FF00), ("blue", 0x0000FF),
    ("yellow", 0xFFFF00), ("cyan", 0x00FFFF), ("magenta", 0xFF00FF), ("gray", 0x808080),
  ]
  private static let usage =
    "`\"#RRGGBB\"` or `\"#RRGGBBAA\"` (alpha last, not first as on Android), or a name such as `magenta`"

  /// The color as the wire wants it: `#RRGGBBAA`.
  package static func read(_ text: String) throws(ScalarProblem) -> String {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let base = parts.first else { throw unknown(text) }
    let opaque = try base.hasPrefix("#") ? hexadecimal(String(base), in: text) : named(String(base), in: text)
    guard parts.count == 2 else { return opaque }
    guard let alpha = alpha(parts[1]), !base.hasPrefix("#") || base.utf8.count == 7 else {
      let bare = base.hasPrefix("#") ? nil : ScalarText.int(parts[1], upTo: 3)
      throw ScalarProblem(
        .t209, "\(ScalarText.quoted(text)) is not a color",
        label: Suggestions.label(bare.flatMap { $0 <= 100 ? "\(base)/\($0)%" : nil }),
        help: "an alpha is a percentage: `black/75%`")
    }
    return String(opaque.prefix(7)) + hex(alpha)
  }

  private static func alpha(_ text: Substring) -> Int? {
    guard text.hasSuffix("%"), let percent = ScalarText.decimal(text.dropLast(), signed: false), percent <= 100 else {
      return nil
    }
    return Int(exactly: (percent * 255 / 100).rounded())
  }

  private static func hexadecimal(_ base: String, in text: String) throws(ScalarProblem) -> String {
    let digits = Array(base.unicodeScalars.dropFirst())
    let isHex = { (scalar: Unicode.Scalar) in scalar.properties.isASCIIHexDigit }
    if let first = digits.firstIndex(where: { !isHex($0) }) {
      let end = digits[first...].firstIndex(where: isHex) ?? digits.count
      throw ScalarProblem(
        .t209, "\(ScalarText.quoted(text)) is not a color", label: "not hexadecimal", at: first + 1..<end + 1,
        help: usage)
    }
    switch digits.count {
    case 6: return base.uppercased() + "FF"
    case 8: return base.uppercased()
    case 3:
      throw ScalarProblem(
        .t209, "\(ScalarText.quoted(text)) is not a color", label: Suggestions.label("\"\(long(base) ?? "")\""),
        help: usage)
    default:
      throw ScalarProblem(
        .t209, "\(ScalarText.quoted(text)) is not a color", label: "\(digits.count) digits instead of 6 or 8",
        help: usage)
    }
  }

  private static func named(_ base: String, in text: String) throws(ScalarProblem) -> String {
    if base == "transparent" { return "#00000000" }
    guard let color = names.first(where: { $0.name == base }) else { throw unknown(text) }
    return "#" + hex(Int(color.rgb >> 16 & 255)) + hex(Int(color.rgb >> 8 & 255)) + hex(Int(color.rgb & 255)) + "FF"
  }

  private static func unknown(_ text: String) -> ScalarProblem {
    let digits = text.hasPrefix("0x") ? text.dropFirst(2) : text[...]
    let isHex = [6, 8].contains(digits.utf8.count) && digits.unicodeScalars.allSatisfy(\.properties.isASCIIHexDigit)
    let suggestion =
      isHex ? "\"#\(digits)\"" : Suggestions.nearest(to: text, among: names.map(\.name) + ["transparent"])
    return ScalarProblem(
      .t209, "\(ScalarText.quoted(text)) is not a color", label: Suggestions.label(suggestion),
      help: suggestion == nil
        ? "`\"#RRGGBB\"` or `\"#RRGGBBAA\"` (alpha last, not first as on Android), or one of \(names.map(\.name).joined(separator: ", ")), transparent"
        : usage)
  }

  /// `rgb(1,2,3)`, as style sheets have it, in six digits; `nil` for everything else.
  static func ofFunction(_ text: String) -> String? {
    guard text.lowercased().hasPrefix("rgb("), text.hasSuffix(")") else { return nil }
    let numbers = text.dropFirst(4).dropLast().split(separator: ",", omittingEmptySubsequences: false)
      .map { $0.filter { $0 != " " } }.compactMap { ScalarText.int($0, upTo: 3) }
    guard numbers.count == 3, numbers.allSatisfy({ $0 <= 255 }) else { return nil }
    return "#" + numbers.map(hex).joined()
  }

  private static func hex(_ byte: Int) -> String { ScalarText.hex(byte).uppercased() }

  /// `#RGB`, as the web writes it, in six digits; `nil` for everything else.
  static func long(_ text: String) -> String? {
    let digits = text.unicodeScalars.dropFirst()
    guard text.hasPrefix("#"), digits.count == 3, digits.allSatisfy(\.properties.isASCIIHexDigit) else { return nil }
    return "#" + digits.map { "\($0)\($0)" }.joined().uppercased()
  }

  /// The name whose color is nearest to `#RRGGBB...` or `#RGB`, for a hint.
  static func nearestName(to text: String) -> String {
    guard let rgb = UInt32((long(text) ?? text).dropFirst().prefix(6), radix: 16) else { return "yellow" }
    func distance(_ other: UInt32) -> Int {
      [16, 8, 0].map { (shift: UInt32) in
        let difference = Int(rgb >> shift & 255) - Int(other >> shift & 255)
        return difference * difference
      }.reduce(0, +)
    }
    return names.min { distance($0.rgb) < distance($1.rgb) }?.name ?? "yellow"
  }
}

extension ScalarSpec {
  static let color = ScalarSpec(
    "color", "a color",
    "`\"#RRGGBB\"`, `\"#RRGGBBAA\"`, or a name (white black red green blue yellow cyan magenta gray "
      + "transparent), which may have an alpha: `black/75%`", refused: "`#FFF`, and `#…` without quotes",
    pattern:
      "(#[0-9A-Fa-f]{8}|(#[0-9A-Fa-f]{6}|\((ColorScalar.names.map(\.name) + ["transparent"]).joined(separator: "|")))"
      + "(/0*(100(\\.0+)?|[0-9]{1,2}(\\.[0-9]+)?)%)?)",
    examples: ["#FFFF00FF", "yellow", "black/75%"], variable: .init("color", .color, .color)
  ) { text, _ throws(ScalarProblem) in .color(try ColorScalar.read(text)) }
}
