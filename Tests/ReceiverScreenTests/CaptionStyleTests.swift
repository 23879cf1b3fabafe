import CastProtocol
import ReceiverScreen
import Testing

/// What a style of captions is in a style sheet (docs/protocol.md 5.6).
@Suite struct CaptionStyleTests {
  private static func style(_ json: JSONValue) -> CaptionStyle { CaptionStyle(TextTrackStyle(json)) }

  @Test("Colours, window, scale and fonts come as they were asked for")
  func asked() {
    let style = Self.style([
      "foregroundColor": "#FFEE00FF", "backgroundColor": "#00000080", "windowType": "ROUNDED_CORNERS",
      "windowColor": "#112233CC", "windowRoundedCornerRadius": 12, "fontScale": 1.5, "fontFamily": "Droid Sans",
      "fontGenericFamily": "MONOSPACED_SERIF", "fontStyle": "BOLD_ITALIC",
    ])
    #expect(style.color == "#ffee00ff" && style.background == "#00000080" && style.window == "#112233cc")
    #expect(style.radius == 12 && style.scale == 1.5 && style.family == "\"Droid Sans\", monospace")
    #expect(style.weight == "bold" && style.slant == "italic" && style.shadow == "none")
  }

  @Test(
    "Each edge is a shadow of its colour",
    arguments: [("OUTLINE", 8), ("DROP_SHADOW", 1), ("RAISED", 2), ("DEPRESSED", 2), ("NONE", 0), ("WAVY", 0)])
  func edges(type: String, shadows: Int) {
    let style = Self.style(["edgeType": .string(type), "edgeColor": "#FF0000FF"])
    #expect(style.shadow.split(separator: ",").count { $0.contains("#ff0000ff") } == shadows)
    #expect(shadows > 0 || style.shadow == "none")
  }

  @Test("Small capitals are a kind of letters, and a window without rounded corners has none")
  func variants() {
    let style = Self.style([
      "fontGenericFamily": "SMALL_CAPITALS", "windowType": "NORMAL", "windowRoundedCornerRadius": 9,
    ])
    #expect(style.variant == "small-caps" && style.radius == 0 && style.window != "#00000000")
  }

  @Test(
    "What is no colour, no name and no number of that kind is as without it",
    arguments: [
      ["foregroundColor": "red;background:url(x)"], ["foregroundColor": "#12345"], ["foregroundColor": "#gggggg"],
      ["fontFamily": "a\"; } body { display: none"], ["fontFamily": ""],
      ["fontFamily": .string(String(repeating: "a", count: 65))],
    ] as [JSONValue])
  func hostile(json: JSONValue) {
    var plain = CaptionStyle(TextTrackStyle([:]))
    plain.background = "#00000000"
    #expect(Self.style(json) == plain)
  }

  @Test("A scale has bounds", arguments: [(1e9, 4), (-3, 0.25), (0.8, 0.8)] as [(Double, Double)])
  func scale(given: Double, used: Double) {
    #expect(Self.style(["fontScale": JSONValue(given)]).scale == used)
  }
}
