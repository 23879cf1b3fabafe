import CastProtocol
import Testing

@testable import ScenarioLanguage

/// Which rows of a document are run.
@Suite struct ChosenRowsTests {
  private static func document() throws -> RunnableDocument {
    let text = """
      scenario: Rows
      device: TV
      matrix: { lang: [en, no], speed: [1, 2] }
      steps: [{ log: "${matrix.lang} ${matrix.speed}" }]
      """
    let source = SourceFile(name: "rows.yaml", bytes: Array(text.utf8))
    return try #require(RunnableDocument(PlanCompiler.compile(source).plans))
  }

  private static func names(_ document: RunnableDocument?) -> [String]? {
    document?.rows.map { $0.row.map(\.argument).joined(separator: " ") }
  }

  static let choices: [(wanted: [String], rows: [String]?)] = [
    ([], ["lang=en speed=1", "lang=en speed=2", "lang=no speed=1", "lang=no speed=2"]),
    (["lang=no"], ["lang=no speed=1", "lang=no speed=2"]), (["speed=2", "lang=en"], ["lang=en speed=2"]),
    (["lang=de"], nil), (["level=1"], nil),
  ]

  @Test("Rows are chosen that have all of the values", arguments: choices)
  func fitting(_ example: (wanted: [String], rows: [String]?)) throws {
    #expect(Self.names(try Self.document().withRows(fitting: example.wanted)) == example.rows)
  }

  @Test("Rows are left out by their values; where none would be left, all stay")
  func leftOut() throws {
    let document = try Self.document()
    // As events tell a row: numbers may be numbers there.
    let passed: [JSONObject] = [
      ["lang": "en", "speed": 1], ["speed": "2", "lang": "no"], ["lang": "de", "speed": 1],
    ]
    #expect(Self.names(document.withoutRows(passed)) == ["lang=en speed=2", "lang=no speed=1"])
    #expect(Self.names(document.withoutRows([])) == Self.names(document))
    let all = document.rows.map { row in JSONObject(row.row.map { .init($0.name, $0.value) }) }
    #expect(Self.names(document.withoutRows(all)) == Self.names(document))
  }
}
