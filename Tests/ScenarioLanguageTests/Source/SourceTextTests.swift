import Testing

@testable import ScenarioLanguage

@Suite struct SourceTextTests {
  @Test("Columns are counted in scalars, UTF-16 units and bytes, behind the line's end and at bytes that are no UTF-8")
  func columns() {
    let text = SourceText(SourceFile(name: "a", bytes: Array("a映😀é\n".utf8) + [0x61, 0xFF, 0xE2, 0x82, 0x62]))
    func columns(_ line: Int, _ column: Int) -> [Int] {
      let columns = text.columns(line: line, column: column)
      return [columns.scalars, columns.utf16, columns.bytes]
    }
    #expect(columns(1, 1) == [1, 1, 1])
    #expect(columns(1, 3) == [3, 3, 5])
    #expect(columns(1, 4) == [4, 5, 9])
    #expect(columns(1, 5) == [5, 6, 11])
    #expect(columns(1, 8) == [8, 9, 14])
    #expect(columns(2, 5) == [5, 5, 5])
    #expect(columns(9, 2) == [2, 2, 2])
    #expect(columns(1, -3) == [1, 1, 1])
    #expect(text.scalars(ofLine: 2, 0..<9) == ["a", "\u{FFFD}", "\u{FFFD}", "\u{FFFD}", "b"])
    #expect(text.scalars(ofLine: 1, 1..<3) == ["映", "😀"])
  }

  @Test("Columns of a line too long to count each time are what counting gives", arguments: ["映😀é", "aé"])
  func longLine(unit: String) {
    let line = String(repeating: unit, count: 20_000)
    let text = SourceText(SourceFile("first\n" + line + "\r\nlast", name: "a"))
    let scalars = Array(line.unicodeScalars)
    #expect(text.length(ofLine: 2) == scalars.count)
    for column in [1, 2, 4_096, 4_097, 4_098, 8_193, 12_288, 30_001, scalars.count + 1, scalars.count + 5] {
      let before = scalars.prefix(column - 1)
      let beyond = column - 1 - before.count
      let columns = text.columns(line: 2, column: column)
      #expect(columns.utf16 == before.reduce(0) { $0 + UTF16.width($1) } + beyond + 1)
      #expect(columns.bytes == before.reduce(0) { $0 + UTF8.width($1) } + beyond + 1)
      #expect(text.scalars(ofLine: 2, (column - 1)..<(column + 3)) == Array(scalars.dropFirst(column - 1).prefix(4)))
    }
  }
}
