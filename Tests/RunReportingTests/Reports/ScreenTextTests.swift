import CastProtocol
import ScenarioLanguage
import Testing

@testable import RunReporting

/// Pieces of text in cells of a terminal.
@Suite struct ScreenTextTests {
  static let cuts: [(text: String, width: Int, shown: String)] = [
    ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("abcd", 1, "…"), ("abcd", 0, ""), ("", 0, ""), ("", 5, ""),
    ("字幕字幕", 8, "字幕字幕"), ("字幕字幕", 7, "字幕字…"), ("字幕字幕", 6, "字幕…"), ("字幕", 2, "…"),
    ("e\u{301}e\u{301}e\u{301}", 3, "e\u{301}e\u{301}e\u{301}"), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
    ("a\nb\tc", 40, "a\\u{A}b\\u{9}c"), ("a\u{1B}[31m", 4, "a\\u…"), ("🇳🇴🇩🇪", 3, "🇳🇴…"),
  ]

  @Test("A text is cut to its cells, with an ellipsis where something is missing", arguments: cuts)
  func cut(text: String, width: Int, shown: String) {
    #expect(ConsoleText.cut(text, to: width) == shown)
    #expect(ConsoleText.cells(ConsoleText.cut(text, to: width)) <= width)
  }

  @Test(
    "A line of any pieces is never wider than asked, says where it was cut, and colour adds no cell",
    arguments: 1...6 as ClosedRange<UInt64>)
  func property(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let texts = ["abc", "字幕", "👨‍👩‍👧", "e\u{301}", " ", "\u{1B}[2J", "🇳🇴", "", String(repeating: "x\u{301}", count: 30)]
    let styles: [ScreenLine.Style] = [.plain, .bold, .dim, .good, .bad, .warning, .accent]
    for _ in 0..<200 {
      var line = ScreenLine()
      for _ in 0...random.next(below: 5) {
        line.add(texts[random.next(below: texts.count)], styles[random.next(below: styles.count)])
      }
      let width = random.next(below: 20)
      let plain = line.text(width: width, color: false)
      #expect(ScreenLine.width(of: plain) <= width)
      #expect(!plain.contains("\u{1B}"))
      let colored = line.text(width: width, color: true)
      #expect(colored.replacing(/\x1B\[[0-9]+m/, with: "") == plain)
      #expect(colored.ranges(of: /\x1B\[[1-9][0-9]*m/).count == colored.ranges(of: "\u{1B}[0m").count)
      let whole = line.text(width: 10_000, color: false)
      if ScreenLine.width(of: whole) <= width {
        #expect(plain == whole)
      } else {
        #expect(plain.hasSuffix("…") || width == 0)
      }
    }
  }

  @Test(
    "Each style has its number, and what is plain has none",
    arguments: [
      (ScreenLine.Style.plain, "x"), (.bold, "\u{1B}[1mx\u{1B}[0m"), (.dim, "\u{1B}[2mx\u{1B}[0m"),
      (.good, "\u{1B}[32mx\u{1B}[0m"), (.bad, "\u{1B}[31mx\u{1B}[0m"), (.warning, "\u{1B}[33mx\u{1B}[0m"),
      (.accent, "\u{1B}[36mx\u{1B}[0m"),
    ])
  func styles(style: ScreenLine.Style, text: String) {
    #expect(ScreenLine("x", style).text(width: 5, color: true) == text)
    #expect(ScreenLine("x", style).text(width: 5, color: false) == "x")
    #expect(ScreenLine("", style).isEmpty && ScreenLine().adding("a", style) == ScreenLine("a", style))
  }

  @Test("Books that a device sends, and letters under a heap of marks, are cut before they are measured")
  func books() {
    #expect(ScreenLine(String(repeating: "a", count: 100_000)).text(width: 100_000, color: false).count == 2048)
    let heap = ScreenLine("a" + String(repeating: "\u{301}", count: 500)).text(width: 10, color: false)
    #expect(heap.unicodeScalars.count <= 8)
  }

  @Test(
    "Clocks",
    arguments: [
      (0.0, "0:00"), (59.999, "0:59"), (60, "1:00"), (3599, "59:59"), (3600, "1:00:00"), (36_061, "10:01:01"),
      (-1, "-0:01"), (-5, "-0:05"), (-0.5, "0:00"), (-65.5, "-1:05"), (-3601, "-1:00:01"), (.infinity, "0:00"),
      (.nan, "0:00"), (1e300, "0:00"),
    ] as [(Double, String)])
  func clock(seconds: Double, text: String) { #expect(ConsoleText.clock(seconds) == text) }

  static let columns: [(text: String, width: Int, left: String, right: String)] = [
    ("ab", 4, "ab  ", "  ab"), ("abcd", 2, "abcd", "abcd"), ("字", 3, "字 ", " 字"), ("", 2, "  ", "  "),
    ("a", -1, "a", "a"),
  ]

  @Test("Columns are filled by cells and never cut", arguments: columns)
  func padded(text: String, width: Int, left: String, right: String) {
    #expect(ConsoleText.padded(text, width) == left && ConsoleText.rightAligned(text, width) == right)
  }

  static let xml: [(text: String, content: String, attribute: String)] = [
    ("a&b<c>d\"e'f", "a&amp;b&lt;c&gt;d\"e'f", "a&amp;b&lt;c&gt;d&quot;e'f"),
    ("]]>", "]]&gt;", "]]&gt;"), ("&amp;", "&amp;amp;", "&amp;amp;"), ("a\tb\nc", "a\tb\nc", "a&#9;b&#10;c"),
    ("a\rb\r\nc", "a&#13;b&#13;\nc", "a&#13;b&#13;&#10;c"),
    ("\u{0}\u{8}\u{B}\u{1F}", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
    ("\u{7F}\u{85}\u{9F}", "\u{FFFD}\u{FFFD}\u{FFFD}", "\u{FFFD}\u{FFFD}\u{FFFD}"),
    ("\u{FFFE}\u{FFFF}", "\u{FFFD}\u{FFFD}", "\u{FFFD}\u{FFFD}"),
    ("\u{202E}\u{2066}\u{200F}", "\u{FFFD}\u{FFFD}\u{FFFD}", "\u{FFFD}\u{FFFD}\u{FFFD}"),
    ("é字👨‍👩‍👧\u{10FFFD}", "é字👨‍👩‍👧\u{10FFFD}", "é字👨‍👩‍👧\u{10FFFD}"), ("", "", ""),
  ]

  @Test("Marks of XML are escaped; what XML or a terminal cannot have is a replacement character", arguments: xml)
  func escaped(text: String, content: String, attribute: String) {
    #expect(XMLText.content(text) == content)
    #expect(XMLText.attribute(text) == attribute)
  }

  @Test("An element has its children on lines of their own, its text on its own line, or nothing")
  func element() {
    var root = XMLElement("a", [("x", "1\"2"), ("y", "")])
    #expect(root.text(indent: "  ") == #"  <a x="1&quot;2" y=""/>"#)
    root.children = [XMLElement("b", content: "1 < 2\nand so on"), XMLElement("c", content: ""), XMLElement("d")]
    #expect(root.text(indent: "") == "<a x=\"1&quot;2\" y=\"\">\n  <b>1 &lt; 2\nand so on</b>\n  <c></c>\n  <d/>\n</a>")
  }
}
