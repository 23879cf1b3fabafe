import TestSupport
import Testing

@testable import RunReporting

/// Pieces of a page: what is put in is text, whatever it is.
@Suite struct HTMLTests {
  static let texts: [(text: String, html: String)] = [
    ("plain text, 100%", "plain text, 100%"),
    ("</script><script>alert(1)</script>", "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;"),
    (#"" onload="x' y"#, "&quot; onload=&quot;x&#39; y"),
    ("a & b &amp; c", "a &amp; b &amp;amp; c"),
    ("\u{0}\u{1B}[2J\u{7F}\u{85}\n", "\\u{0}\\u{1B}[2J\\u{7F}\\u{85}\\u{A}"),
    ("abc\u{202E}fed\u{2066}\u{FEFF}", "abc\\u{202E}fed\\u{2066}\\u{FEFF}"),
    ("\u{FFFE}\u{1FFFF}", "\u{FFFD}\u{FFFD}"),
    ("Küche 👨‍👩‍👧 居間 שלום", "Küche 👨‍👩‍👧 居間 שלום"),
  ]

  @Test("A text that is put in is escaped, and its controls are shown", arguments: texts)
  func escaped(text: String, html: String) {
    let piece: HTML = "<b title=\"\(text)\">\(text)</b>"
    #expect(piece.text == "<b title=\"\(html)\">\(html)</b>")
  }

  @Test("Pieces stay markup in other pieces, and numbers are written as a drawing needs them")
  func pieces() {
    let inner: HTML = "<i>\("<")</i>"
    let missing: HTML? = nil
    let whole: HTML = "<p>\(inner)\([inner, inner])\(missing)\(7) \(percent: 1.0 / 3) \(pixels: 2.25)</p>"
    #expect(whole.text == "<p><i>&lt;</i><i>&lt;</i><i>&lt;</i>7 0.333% 2.3</p>")
    #expect((inner + inner).text == "<i>&lt;</i><i>&lt;</i>" && inner.bytes == 11)
    let sometimes: HTML = "<b\(" class=\"x\"", if: true)\(" hidden", if: false)></b>"
    #expect(sometimes.text == "<b class=\"x\"></b>")
  }

  @Test("Lines stay lines, each of them escaped")
  func lines() { #expect(HTML.lines("a <\n\n\tb\r").text == "a &lt;\n\n\\u{9}b\\u{D}") }

  @Test("Of a long text the beginning is shown, and how much there is besides")
  func cut() {
    #expect(HTML.cut("short", to: 5) == "short")
    #expect(HTML.cut("äöüäöü", to: 6) == "äöüäöü")
    #expect(HTML.cut("longer", to: 4) == "long… (2 more characters)")
    // One character of a thousand scalars is no way around it.
    #expect(HTML.cut("e" + String(repeating: "\u{301}", count: 999), to: 10).unicodeScalars.count < 50)
  }
}
