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

  static let again: [(choice: RunnableDocument.RowsAgain, rows: [String])] = [
    (.only([["speed": 1, "lang": "en"], ["lang": "no", "speed": 2]]), ["lang=en speed=1", "lang=no speed=2"]),
    (.without([["lang": "en", "speed": 1], ["lang": "de", "speed": 1]]), Array(allRows.dropFirst())),
    // A text is no number, and part of a row is none.
    (.only([["lang": "en", "speed": "1"], ["lang": "en", "speed": 2]]), ["lang=en speed=2"]),
    (.without([["lang": "en", "speed": "1"], ["lang": "no"]]), allRows),
    (.only([]), allRows), (.without([]), allRows), (.only([["lang": "de", "speed": 1]]), allRows),
    (.without([row("en", 1), row("en", 2), row("no", 1), row("no", 2)]), allRows),
  ]

  private static func row(_ lang: String, _ speed: Int) -> JSONObject {
    ["lang": .string(lang), "speed": .int(speed)]
  }

  private static let allRows = ["lang=en speed=1", "lang=en speed=2", "lang=no speed=1", "lang=no speed=2"]

  @Test("Rows are run again by their values and types; where none would be left, all are", arguments: again)
  func runAgain(_ example: (choice: RunnableDocument.RowsAgain, rows: [String])) throws {
    #expect(Self.names(try Self.document().withRows(example.choice)) == example.rows)
  }
}
