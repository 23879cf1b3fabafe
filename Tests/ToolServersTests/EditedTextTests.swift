import ScenarioLanguage
import Testing

@testable import ToolServers

@Suite struct EditedTextTests {
  private static let text = "a: 1\r\nb: é😀x\rc: 3\n"

  private static func range(_ a: Int, _ b: Int, _ c: Int, _ d: Int) -> EditorRange {
    EditorRange(start: EditorPosition(line: a, character: b), end: EditorPosition(line: c, character: d))
  }

  @Test(
    "A place is found in what the client counts in, and never beyond the end of its line",
    arguments: [
      (PositionEncoding.utf16, 0, 2, 2), (.utf16, 0, 99, 4), (.utf16, 1, 3, 9), (.utf16, 1, 4, 11), (.utf16, 1, 5, 11),
      (.utf16, 1, 6, 15), (.utf16, 1, 7, 16), (.utf8, 1, 5, 11), (.utf8, 1, 9, 15), (.utf32, 1, 5, 15),
      (.utf32, 2, 0, 17), (.utf16, 3, 0, 22), (.utf16, 9, 0, 22),
    ])
  func offsets(encoding: PositionEncoding, line: Int, character: Int, offset: Int) {
    let text = EditedText(Self.text)
    #expect(text.offset(of: EditorPosition(line: line, character: character), in: encoding) == offset)
  }

  @Test("Changes are put in one after the other, as the editor tells them")
  func changes() {
    var text = EditedText("steps:\n- play\n")
    text.replace(Self.range(1, 2, 1, 6), by: "pause", in: .utf16)
    text.replace(Self.range(2, 0, 2, 0), by: "- stop\n", in: .utf16)
    text.replace(Self.range(0, 0, 1, 0), by: "setup:\n", in: .utf16)
    #expect(String(decoding: text.bytes, as: UTF8.self) == "setup:\n- pause\n- stop\n")
    text.replace(Self.range(2, 0, 1, 0), by: "", in: .utf16)
    #expect(String(decoding: text.bytes, as: UTF8.self) == "setup:\n- pause\n- stop\n")
    text.replaceAll(by: "x")
    #expect(text.bytes == [0x78])
  }

  @Test(
    "The end of a text is where its last line ends",
    arguments: [("", 0, 0), ("a\nb😀", 1, 3), ("a\n", 1, 0), ("a\r\nb\rc", 2, 1)])
  func end(text: String, line: Int, character: Int) {
    #expect(EditedText(text).end(in: .utf16) == EditorPosition(line: line, character: character))
  }

  @Test("The first encoding that client and server know counts; UTF-16 where nobody says")
  func negotiation() {
    #expect(PositionEncoding(offered: ["utf-7", "utf-8", "utf-16"]) == .utf8)
    #expect(PositionEncoding(offered: []) == .utf16)
    #expect(PositionEncoding(offered: ["x"]) == .utf16)
  }

  @Test("Spans and places say the same in every encoding", arguments: PositionEncoding.allCases)
  func spans(encoding: PositionEncoding) {
    let text = SourceText(SourceFile(name: "a", bytes: Array("b: é😀x\n".utf8)))
    for column in 1...7 {
      let span = SourceSpan(file: "a", line: 1, column: column, endLine: 1, endColumn: column)
      #expect(text.column(of: text.range(of: span, in: encoding).start, in: encoding) == column)
    }
  }

  @Test(
    "Addresses of files are paths, and back",
    arguments: [
      ("file:///a/b%20c/%C3%A9.yaml", "/a/b c/é.yaml"), ("file://localhost/a", "/a"), ("file:///a.yaml?x#y", "/a.yaml"),
    ])
  func addresses(address: String, path: String) {
    #expect(DocumentAddress.path(of: address) == path)
    #expect(DocumentAddress.path(of: DocumentAddress.address(of: path)) == path)
  }

  @Test(
    "What is no file of this computer has no path",
    arguments: ["untitled:1", "file://other/a", "file:///a%00", "file:///%zz", "http://e.com/a"])
  func foreign(address: String) { #expect(DocumentAddress.path(of: address) == nil) }
}
