import Testing

@testable import ScenarioLanguage

@Suite struct SymbolTableTests {
  private static func key(_ name: String, line: Int) -> YAMLNode.Key {
    YAMLNode.Key(text: name, span: SourceSpan(file: "a", line: line, column: 1, endLine: line, endColumn: 2))
  }

  @Test(
    "Each of many names is found with its value, in the document's order, however much room was made",
    arguments: [0, 7, 5_000])
  func many(room: Int) {
    var table = SymbolTable<Int>()
    #expect(table["n0"] == nil && table.defineNew(Self.key("n0", line: 1), 0) == nil)
    table.reserve(room)
    for number in 1..<3_000 { table.define(Self.key("n\(number)", line: number), number) }
    for number in [0, 1, 5, 6, 767, 1_536, 2_999] { #expect(table["n\(number)"] == number) }
    #expect(table["n3000"] == nil && table[""] == nil)
    #expect(table.names.elementsEqual((0..<3_000).map { "n\($0)" }))
  }

  @Test("A name that is there is answered with its first place, and defined anew keeps its own")
  func again() {
    var table = SymbolTable<String>()
    table.define(Self.key("a", line: 1), "x")
    #expect(table.defineNew(Self.key("a", line: 2), "y")?.span.line == 1)
    #expect(table["a"] == "x")
    table.define(Self.key("a", line: 3), "z")
    #expect(table["a"] == "z" && table.key("a")?.span.line == 3 && table.names.count == 1)
  }
}
