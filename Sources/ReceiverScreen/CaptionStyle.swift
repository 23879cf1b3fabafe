package import CastProtocol

/// The style of captions as style sheets have it; what a style does not say is as on most televisions.
package struct CaptionStyle: Hashable, Sendable {
  package var color = "#ffffff"
  package var background = "#00000000"
  package var shadow = "none"
  package var window = "#00000000"
  /// Pixels of the window's corners.
  package var radius = 0.0
  package var scale = 1.0
  package var family = "sans-serif"
  package var weight = "normal"
  package var slant = "normal"
  package var variant = "normal"

  package init(_ style: TextTrackStyle?) {
    color = Self.color(style?.foregroundColor) ?? color
    background = Self.color(style?.backgroundColor) ?? (style == nil ? "#000000b0" : background)
    let edge = Self.color(style?.edgeColor) ?? "#000000ff"
    switch style?.edgeType {
    case "OUTLINE":
      let places = [(-1, -1), (1, -1), (-1, 1), (1, 1), (0, 1), (0, -1), (1, 0), (-1, 0)]
      shadow = places.map { "\(Self.em($0.0)) \(Self.em($0.1)) 0 \(edge)" }.joined(separator: ", ")
    case "DROP_SHADOW": shadow = "0.06em 0.06em 0.1em \(edge)"
    case "RAISED": shadow = "0.03em 0.03em 0 \(edge), 0.06em 0.06em 0 \(edge)"
    case "DEPRESSED": shadow = "-0.03em -0.03em 0 \(edge), -0.06em -0.06em 0 \(edge)"
    default: break
    }
    if let type = style?.windowType, type != "NONE" {
      window = Self.color(style?.windowColor) ?? "#000000b0"
      if type == "ROUNDED_CORNERS" { radius = Self.clamped(style?.windowRoundedCornerRadius ?? 8, 0...64) }
    }
    scale = Self.clamped(style?.fontScale ?? 1, 0.25...4)
    setFont(style)
  }

  private mutating func setFont(_ style: TextTrackStyle?) {
    switch style?.fontGenericFamily {
    case "SERIF": family = "serif"
    case "MONOSPACED_SANS_SERIF", "MONOSPACED_SERIF": family = "monospace"
    case "CASUAL", "CURSIVE": family = "cursive"
    case "SMALL_CAPITALS": variant = "small-caps"
    default: break
    }
    if let name = style?.fontFamily, Self.isName(name) { family = "\"\(name)\", \(family)" }
    if let kind = style?.fontStyle {
      if kind.contains("BOLD") { weight = "bold" }
      if kind.contains("ITALIC") { slant = "italic" }
    }
  }

  /// A name of a font, and nothing that could be more.
  private static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == " " || $0 == "-"
      }
  }

  /// `#RRGGBB` or `#RRGGBBAA`, which style sheets write the same; `nil` for anything else.
  private static func color(_ text: String?) -> String? {
    guard let text, text.utf8.first == 0x23, [7, 9].contains(text.utf8.count) else { return nil }
    let digits = text.utf8.dropFirst()
    let isHexadecimal = digits.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x46).contains($0) || (0x61...0x66).contains($0)
    }
    return isHexadecimal ? text.lowercased() : nil
  }

  private static func em(_ steps: Int) -> String { steps == 0 ? "0" : steps < 0 ? "-0.05em" : "0.05em" }

  private static func clamped(_ number: Double, _ range: ClosedRange<Double>) -> Double {
    number.isFinite ? min(max(number, range.lowerBound), range.upperBound) : 1
  }

  package var json: JSONValue {
    [
      "color": .string(color), "background": .string(background), "shadow": .string(shadow), "window": .string(window),
      "radius": JSONValue(radius), "scale": JSONValue(scale), "family": .string(family), "weight": .string(weight),
      "slant": .string(slant), "variant": .string(variant),
    ]
  }
}
