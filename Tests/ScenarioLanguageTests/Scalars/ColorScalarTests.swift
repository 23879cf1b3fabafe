import Testing

@testable import ScenarioLanguage

/// Colors, their alpha and what is meant by other spellings (docs/language/values.md "Spellings").
@Suite struct ColorScalarTests {
  static let usage =
    "help: `\"#RRGGBB\"` or `\"#RRGGBBAA\"` (alpha last, not first as on Android), or a name such as `magenta`"
  static let alpha = "help: an alpha is a percentage: `black/75%`"

  @Test(
    "Every name is the color of CSS, opaque",
    arguments: [
      ("white", "#FFFFFFFF"), ("black", "#000000FF"), ("red", "#FF0000FF"), ("green", "#00FF00FF"),
      ("blue", "#0000FFFF"), ("yellow", "#FFFF00FF"), ("cyan", "#00FFFFFF"), ("magenta", "#FF00FFFF"),
      ("gray", "#808080FF"), ("transparent", "#00000000"),
    ])
  func names(name: String, wire: String) throws { #expect(try ColorScalar.read(name) == wire) }

  @Test(
    "An alpha is rounded to the nearest of 256 steps",
    arguments: [
      ("0%", "00"), ("0.1%", "00"), ("0.2%", "01"), ("12.5%", "20"), ("50%", "80"), ("75%", "BF"), ("99.9%", "FF"),
      ("100%", "FF"),
    ])
  func checksAlpha(percent: String, byte: String) throws {
    #expect(try ColorScalar.read("red/\(percent)") == "#FF0000" + byte)
    #expect(try ColorScalar.read("#ab12EF/\(percent)") == "#AB12EF" + byte)
  }

  static let words: [(text: String, words: String)] = [
    ("#ffFF00", "#FFFF00FF"), ("#FFFF0080", "#FFFF0080"),
    ("#FFF", "T209: `#FFF` is not a color | did you mean `\"#FFFFFF\"`? | \(usage)"),
    ("#1aC", "T209: `#1aC` is not a color | did you mean `\"#11AACC\"`? | \(usage)"),
    ("#12345", "T209: `#12345` is not a color | 5 digits instead of 6 or 8 | \(usage)"),
    ("#", "T209: `#` is not a color | 0 digits instead of 6 or 8 | \(usage)"),
    ("#GG00FF", "T209: `#GG00FF` is not a color | not hexadecimal | at 1..<3 | \(usage)"),
    ("#12G456", "T209: `#12G456` is not a color | not hexadecimal | at 3..<4 | \(usage)"),
    ("#１２３４５６", "T209: `#１２３４５６` is not a color | not hexadecimal | at 1..<7 | \(usage)"),
    ("FF0000", "T209: `FF0000` is not a color | did you mean `\"#FF0000\"`? | \(usage)"),
    ("0xFF000080", "T209: `0xFF000080` is not a color | did you mean `\"#FF000080\"`? | \(usage)"),
    ("grey", "T209: `grey` is not a color | did you mean `gray`? | \(usage)"),
    ("yelow", "T209: `yelow` is not a color | did you mean `yellow`? | \(usage)"),
    ("Black", "T209: `Black` is not a color | did you mean `black`? | \(usage)"),
    (
      "pink",
      "T209: `pink` is not a color | help: `\"#RRGGBB\"` or `\"#RRGGBBAA\"` (alpha last, not first as on Android), or one of white, black, red, green, blue, yellow, cyan, magenta, gray, transparent"
    ),
    ("black/75", "T209: `black/75` is not a color | did you mean `black/75%`? | \(alpha)"),
    ("black/101", "T209: `black/101` is not a color | \(alpha)"),
    ("black/0.75", "T209: `black/0.75` is not a color | \(alpha)"),
    ("black/", "T209: `black/` is not a color | \(alpha)"),
    ("black/100.1%", "T209: `black/100.1%` is not a color | \(alpha)"),
    ("black/-1%", "T209: `black/-1%` is not a color | \(alpha)"),
    ("#FFFF00FF/50%", "T209: `#FFFF00FF/50%` is not a color | \(alpha)"),
    ("#FFFF00/75", "T209: `#FFFF00/75` is not a color | \(alpha)"),
  ]

  @Test("A color is RGB or RGBA in any case; what is none says which one is meant", arguments: words)
  func checksWords(text: String, words: String) { #expect(ScalarWords.of { try ColorScalar.read(text) } == words) }

  @Test(
    "The nearest name to a comment that should have been a color is offered",
    arguments: [
      ("#FFFF00", "yellow"), ("#F0F010", "yellow"), ("#7A7A90", "gray"), ("#101820", "black"), ("#FA9", "white"),
      ("#FFF", "white"), ("#00f", "blue"),
      ("#EEEEEE80", "white"), ("# no color", "yellow"),
    ])
  func nearest(text: String, name: String) { #expect(ColorScalar.nearestName(to: text) == name) }
}
