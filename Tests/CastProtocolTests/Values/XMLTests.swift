import Testing

@testable import CastProtocol

@Suite struct XMLTests {
  private static func parse(_ text: String) throws(XMLError) -> XMLElement { try XMLParser.parse(Array(text.utf8)) }

  static let documents: [(text: String, element: XMLElement)] = [
    ("<a/>", XMLElement("a")),
    ("<?xml version=\"1.0\"?>\n<!-- c --><a >\n  b\n</a >\n<!-- d -->", XMLElement("a", text: "b")),
    ("\u{FEFF}<a/>", XMLElement("a")),
    ("<x:a xmlns:x='urn:y' xmlns=\"z\" x:b='1' c = \"2\"/>", XMLElement("a", attributes: ["b": "1", "c": "2"])),
    ("<a>1 &lt; 2 &amp;&#x20;&#252;<![CDATA[<b>&amp;]]></a>", XMLElement("a", text: "1 < 2 & ü<b>&amp;")),
    (
      "<a b='&quot;&apos;'><c>d</c> <c/></a>",
      XMLElement("a", attributes: ["b": "\"'"], children: [XMLElement("c", text: "d"), XMLElement("c")])
    ),
    ("<a><![CDATA[]]]]></a>", XMLElement("a", text: "]]")),
    ("<a><!-- > -- --></a>", XMLElement("a")),
  ]

  @Test("A document is read with names without prefixes, and text with what its references mean", arguments: documents)
  func read(text: String, element: XMLElement) throws { #expect(try Self.parse(text) == element) }

  static let faults: [(text: String, message: String, line: Int)] = [
    ("", "it has no element", 1), ("hello", "text stands outside of the elements", 1),
    ("<a>\n<b>\n</a>", "`a` ends where it did not begin", 3), ("<a>\n", "the element `a` has no end", 2),
    ("<a/><b/>", "it has a second root", 1), ("<a/>\n x", "text stands outside of the elements", 1),
    ("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "it has a document type, which is not read", 1),
    ("<a>&b;</a>", "the reference `&b;` is not known", 1), ("<a>a & b</a>", "an `&` begins no reference", 1),
    ("<a>&#x110000;</a>", "the reference `&#x110000;` is not known", 1),
    ("<a b=c/>", "the value of `b` has no quotes", 1), ("<a b/>", "the attribute `b` has no value", 1),
    ("<a b='1'c='2'/>", "the element `a` is not written well", 1),
    ("<a b='1' b='2'/>", "the attribute `b` stands twice", 1), ("<a b='<'/>", "the value of `b` has a `<`", 1),
    ("< a/>", "a name is missing", 1), ("<a", "the element `a` is not written well", 1),
    ("<a><!-- b</a>", "a comment has no end", 1), ("<a><![CDATA[b</a>", "a section of characters has no end", 1),
    ("<?xml", "an instruction has no end", 1), ("</a>", "`a` ends where it did not begin", 1),
    ("<a></a", "the end of `a` is not written well", 1),
  ]

  @Test("What is no XML, or has a document type, is told with its line", arguments: faults)
  func refuse(text: String, message: String, line: Int) {
    let error = #expect(throws: XMLError.self) { try Self.parse(text) }
    #expect(error?.message == message && error?.line == line, "\(String(describing: error))")
  }

  @Test("Documents too deep, too many elements, too long or in another encoding are refused")
  func limits() throws {
    let depth = XMLParser.mostDepth
    let deep = String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
    #expect(throws: Never.self) { try Self.parse(deep) }
    #expect(throws: XMLError.self) { try Self.parse("<a>\(deep)</a>") }
    #expect(throws: XMLError.self) {
      try Self.parse("<a>" + String(repeating: "<b/>", count: XMLParser.mostElements) + "</a>")
    }
    #expect(throws: XMLError.self) { try XMLParser.parse([UInt8](repeating: 0x20, count: XMLParser.mostBytes + 1)) }
    #expect(throws: XMLError.self) { try XMLParser.parse([0xFF, 0xFE, 0x3C, 0x00]) }
    #expect(throws: XMLError.self) { try XMLParser.parse(Array("<a>".utf8) + [0xE9] + Array("</a>".utf8)) }
    let latin = Array("<?xml version='1.0' encoding='ISO-8859-1'?><a>".utf8) + [0xE9] + Array("</a>".utf8)
    #expect(try XMLParser.parse(latin).text == "é")
  }

  @Test("Whatever is cut or changed in a document, it is read or refused, and never traps")
  func damaged() throws {
    let whole = Array("<?xml version='1.0'?><a b='&lt;'><!-- c --><d><![CDATA[e]]>&#65;</d></a>".utf8)
    for end in whole.indices { #expect((try? XMLParser.parse(Array(whole[..<end]))) == nil) }
    var random = SeededGenerator(seed: 5)
    for _ in 0..<20_000 {
      var changed = whole
      for _ in 0..<3 {
        changed[Int.random(in: whole.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      _ = try? XMLParser.parse(changed)
    }
  }

  @Test("Elements are found by name, at one level and at any")
  func finding() throws {
    let root = try Self.parse("<r><e>1</e><f><e>2</e></f><e>3<e>4</e></e></r>")
    #expect(root.text("e") == "1" && root.text("g") == nil && root.all("e").map(\.text) == ["1", "3"])
    #expect(root.everywhere("e").map(\.text) == ["1", "2", "3"])
  }
}
