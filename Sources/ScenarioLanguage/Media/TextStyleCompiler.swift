package import CastProtocol

/// Compiles text styles to what the wire wants (docs/language/media.md "Text styles", docs/protocol.md 5.6).
enum TextStyleCompiler {
  static func style(_ map: FieldMap, reportingTo problems: DiagnosticCollector) -> TextTrackStyle {
    var style = TextTrackStyle()
    style.fontScale = map.number("size").map { $0 / 100 }
    style.foregroundColor = color("color", of: map, reportingTo: problems)
    style.backgroundColor = color("background", of: map, reportingTo: problems)
    style.edgeColor = color("edge_color", of: map, reportingTo: problems)
    style.windowColor = color("window_color", of: map, reportingTo: problems)
    style.edgeType = map.text("edge")?.uppercased()
    style.windowType = map.text("window").map { $0 == "rounded" ? "ROUNDED_CORNERS" : $0.uppercased() }
    style.windowRoundedCornerRadius = map.int("window_radius").map(Double.init)
    style.fontFamily = map.text("font")
    style.fontGenericFamily = map.text("family")?.uppercased()
    style.fontStyle = map.text("style")?.uppercased()
    if let key = map.keySpan("window_radius"), map.text("window") != "rounded" {
      let related = map.span("window").map { [Diagnostic.Label($0, "has no round corners")] } ?? []
      problems.report(
        Diagnostic(
          .error, .c513, "`window_radius` without a rounded window", at: .init(key), related: related,
          footers: [.help("add `window: rounded`")]
        ).onCommandLine(nil))
    }
    return style
  }

  /// Reads a color; warns where its digits make sense only with alpha first (C515).
  private static func color(_ key: String, of map: FieldMap, reportingTo problems: DiagnosticCollector) -> String? {
    guard let color = map.color(key) else { return nil }
    if let node = map.node(key), let text = node.text, text.utf8.count == 9, text.hasPrefix("#"),
      color.hasSuffix("00"), color.dropFirst().hasPrefix("FF")
    {
      let turned = "#" + color.dropFirst(3) + "FF"
      problems.report(
        .warning, .c515, "\(ScalarText.quoted(text)) looks like alpha first, as on Android", at: node,
        "cannot be seen: the last two digits are alpha", footers: [.help("write `\"\(turned)\"`")])
    }
    return color
  }
}

extension TextTrackStyle {
  /// This style with every part that `other` sets replaced.
  func overridden(by other: TextTrackStyle) -> TextTrackStyle {
    var style = self
    style.fontScale = other.fontScale ?? fontScale
    style.foregroundColor = other.foregroundColor ?? foregroundColor
    style.backgroundColor = other.backgroundColor ?? backgroundColor
    style.edgeType = other.edgeType ?? edgeType
    style.edgeColor = other.edgeColor ?? edgeColor
    style.windowType = other.windowType ?? windowType
    style.windowColor = other.windowColor ?? windowColor
    style.windowRoundedCornerRadius = other.windowRoundedCornerRadius ?? windowRoundedCornerRadius
    style.fontFamily = other.fontFamily ?? fontFamily
    style.fontGenericFamily = other.fontGenericFamily ?? fontGenericFamily
    style.fontStyle = other.fontStyle ?? fontStyle
    return style
  }

  /// The style under the language's names, as status fields spell it: `size` in percent points, words in small letters.
  package var fields: JSONObject {
    var object = JSONObject()
    func set(_ name: String, _ value: JSONValue?) { if let value { object[name] = value } }
    set("color", foregroundColor.map { .string($0.uppercased()) })
    set("background", backgroundColor.map { .string($0.uppercased()) })
    set("edge_color", edgeColor.map { .string($0.uppercased()) })
    set("window_color", windowColor.map { .string($0.uppercased()) })
    set("size", fontScale.map { JSONValue(($0 * 1_000_000).rounded() / 10_000) })
    set("font", fontFamily.map { .string($0) })
    set("family", fontGenericFamily.map { .string($0.lowercased()) })
    set("style", fontStyle.map { .string($0.lowercased()) })
    set("edge", edgeType.map { .string($0.lowercased()) })
    set("window", windowType.map { .string($0 == "ROUNDED_CORNERS" ? "rounded" : $0.lowercased()) })
    set("window_radius", windowRoundedCornerRadius.map { JSONValue($0) })
    return object
  }
}
