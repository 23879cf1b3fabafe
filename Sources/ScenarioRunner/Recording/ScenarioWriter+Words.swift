import CastProtocol
import ScenarioLanguage

/// Words of the wire as the language has them.
extension ScenarioWriter {
  static let repeatModes = [
    "REPEAT_OFF": "none", "REPEAT_ALL": "all", "REPEAT_SINGLE": "one", "REPEAT_ALL_AND_SHUFFLE": "shuffle",
  ]

  /// `{ size: 150%, color: "#FFFF00FF" }`; `nil` for one that says nothing we know.
  static func style(_ style: TextTrackStyle) -> String? {
    var keys: [String] = []
    func color(_ key: String, _ text: String?) {
      guard let text, text.hasPrefix("#"), (try? ColorScalar.read(text)) != nil else { return }
      keys.append("\(key): \"\(text.uppercased())\"")
    }
    func word(_ key: String, _ text: String?, _ known: [String]) {
      guard let text = text?.lowercased() else { return }
      let word = text == "rounded_corners" ? "rounded" : text
      if known.contains(word) { keys.append("\(key): \(word)") }
    }
    color("color", style.foregroundColor)
    color("background", style.backgroundColor)
    color("edge_color", style.edgeColor)
    color("window_color", style.windowColor)
    if let scale = style.fontScale, scale >= 0.25, scale <= 4 { keys.append("size: \((scale * 100).decimals(0))%") }
    if let font = style.fontFamily.map({ RecordedText.clean($0, limit: 60) }), !font.isEmpty {
      keys.append("font: \(RecordedText.value(font))")
    }
    word(
      "family", style.fontGenericFamily,
      ["sans_serif", "monospaced_sans_serif", "serif", "monospaced_serif", "casual", "cursive", "small_capitals"])
    word("style", style.fontStyle, ["normal", "bold", "italic", "bold_italic"])
    word("edge", style.edgeType, ["none", "outline", "drop_shadow", "raised", "depressed"])
    word("window", style.windowType, ["none", "normal", "rounded"])
    if style.windowType == "ROUNDED_CORNERS", let radius = style.windowRoundedCornerRadius, radius >= 0, radius <= 1000
    {
      keys.append("window_radius: \(radius.decimals(0))")
    }
    return keys.isEmpty ? nil : "{ \(keys.joined(separator: ", ")) }"
  }
}
