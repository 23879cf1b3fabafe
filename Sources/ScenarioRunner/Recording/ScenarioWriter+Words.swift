import CastProtocol
import DeviceControl
import ScenarioLanguage

/// Words of the wire as the language has them.
extension ScenarioWriter {
  /// `{ size: 150%, color: "#FFFF00FF" }`; `nil` for one that says nothing we know.
  static func style(_ style: TextTrackStyle) -> String? {
    let form = style.documentForm
    var keys: [String] = []
    for key in ["color", "background", "edge_color", "window_color"] {
      guard let text = form[key]?.string, text.hasPrefix("#"), (try? ColorScalar.read(text)) != nil else { continue }
      keys.append("\(key): \"\(text)\"")
    }
    if let scale = style.fontScale, scale >= 0.25, scale <= 4 { keys.append("size: \((scale * 100).decimals(0))%") }
    if let font = style.fontFamily.map({ RecordedText.clean($0, limit: 60) }), !font.isEmpty {
      keys.append("font: \(RecordedText.value(font))")
    }
    let choices = [
      ("family", StatusField.fontFamily), ("style", StatusField.fontStyle), ("edge", StatusField.edge),
      ("window", StatusField.window),
    ]
    for (key, choice) in choices {
      guard let word = form[key]?.string, choice.values.contains(word) else { continue }
      keys.append("\(key): \(word)")
    }
    if form["window"]?.string == "rounded", let radius = style.windowRoundedCornerRadius, radius >= 0, radius <= 1000 {
      keys.append("window_radius: \(radius.decimals(0))")
    }
    return keys.isEmpty ? nil : "{ \(keys.joined(separator: ", ")) }"
  }
}

extension QueueRepeatMode {
  /// As the language has it.
  var word: String { MediaWords.repeatMode(rawValue) }
}
