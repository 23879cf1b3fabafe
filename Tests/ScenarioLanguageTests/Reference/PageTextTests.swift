import CastProtocol
import Testing

@testable import ScenarioLanguage

/// What `explain` prints.
@Suite struct PageTextTests {
  static let words = Topics.words.sorted()
  static let codes = CodePages.all.map(\.code.rawValue)

  /// The page's own lines: examples are as wide as their documents.
  static func prose(_ text: String) -> [Substring] {
    var isExample = false
    return text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
      if ["example", "wrong", "right", "may fail", "better"].contains(line) { isExample = true }
      if line.hasPrefix("see also") { isExample = false }
      return !isExample
    }
  }

  @Test("No line of a page is wider than 100 columns, ends in blanks, or cuts a word", arguments: words)
  func widths(word: String) throws {
    let page = try #require(Topics.page(word))
    let text = PageText.text(page)
    for line in Self.prose(text) {
      #expect(line.count <= 100 || !line.drop { $0 == " " }.contains(" "), "\(line)")
      #expect(line.last != " ", "\(line)")
    }
    // All of the page is there, whatever was wrapped.
    let joined = text.split { $0.isWhitespace }.joined(separator: " ")
    for section in page.sections {
      for row in section.rows {
        #expect(joined.contains(row.name.split(separator: " ").joined(separator: " ")), "\(row.name)")
        #expect(joined.contains(row.summary.split(separator: " ").joined(separator: " ")), "\(row.name)")
      }
      for note in section.notes { #expect(joined.contains(note.split(separator: " ").joined(separator: " "))) }
    }
  }

  @Test("A page of a code has why, cure, and its examples as they can be copied", arguments: codes)
  func code(code: String) throws {
    let page = try #require(CodePages.page(code))
    let text = PageText.text(page, exitCode: 5)
    #expect(text.hasPrefix("\(code): \(page.title)\n\n"))
    for line in Self.prose(text) { #expect(line.count <= 100, "\(line)") }
    // Both examples of what only a run tells are valid: none of them is wrong.
    let names =
      [.run, .probe].contains(page.source) ? (wrong: "may fail", right: "better") : (wrong: "wrong", right: "right")
    #expect(text.contains(page.wrong == nil ? "\n\nexample\n" : "\n\n\(names.wrong)\n"))
    #expect(page.wrong == nil || text.contains("\n\n\(names.right)\n"))
    // Nothing in it acts on a terminal.
    #expect(!text.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
    for file in page.right.files { #expect(text.contains("\n\n  # \(file.name)\n")) }
    for (name, value) in page.right.environment { #expect(text.contains("  $ export \(name)=\(value)\n")) }
  }

  static let finders: [(code: String, line: String?)] = [
    ("K101", nil), ("P602", "Found by `check` on a virtual clock"), ("R701", "Exit code 4."), ("R706", "holds."),
    ("A801", "Found by `check --probe`"),
  ]

  @Test(
    "A page says who finds its problem, where `check` alone does not, and a page of a run its exit code",
    arguments: finders)
  func told(code: String, line: String?) throws {
    let page = try #require(CodePages.page(code))
    let text = Self.prose(PageText.text(page, exitCode: 4)).joined(separator: " ")
    #expect(text.contains("Told by `run`") == (page.source == .run))
    #expect(text.contains("Exit code") == (code == "R701"))
    if let line { #expect(text.contains(line)) }
    #expect(page.json(exitCode: 4).object?["exit"] == .int(4))
  }

  @Test("The index has every code once, under its family, and every word")
  func index() throws {
    let lines = PageText.index().split(separator: "\n", omittingEmptySubsequences: false)
    for page in CodePages.all { #expect(lines.filter { $0 == "  \(page.code)  \(page.title)" }.count == 1) }
    for family in Code.Family.allCases { #expect(lines.contains("\(family.rawValue)  \(family.title)")) }
    let start = try #require(lines.firstIndex(of: "words"))
    let words = lines[(start + 1)...].flatMap { $0.split(separator: " ").map(String.init) }
    #expect(words == Topics.names)
    #expect(lines[(start + 1)...].allSatisfy { $0.count <= 100 })
    let json = try #require(PageJSON.index.object)
    #expect(json["codes"]?.array?.compactMap { $0["code"]?.string } == CodePages.all.map(\.code.rawValue))
    #expect(json["words"]?.array?.compactMap(\.string) == Topics.names)
  }

  @Test("As JSON a page has the same rows, and `required` only where it is so")
  func json() throws {
    let page = try #require(Topics.page("schedule"))
    let object = try #require(page.json.object)
    #expect(object["word"] == .string(page.name))
    let rows = try #require(object["sections"]?.array?.first?["rows"]?.array)
    #expect(rows.compactMap { $0["name"]?.string } == page.sections[0].rows.map(\.name))
    for (row, json) in zip(page.sections[0].rows, rows) {
      #expect(json["required"] == (row.isRequired ? .bool(true) : nil))
      #expect(json["default"]?.string == row.defaultText)
      #expect(json["type"]?.string == row.type)
    }
  }

  static let flat: [(value: JSONValue, text: String)] = [
    ([], "[]"), ([:], "{}"), (["a": 1], #"{"a":1}"#), ([1, 2, [3]], "[1,2,[3]]"),
    // What is no wider than 80 columns stays on its line.
    (["a": .string(String(repeating: "x", count: 72))], #"{"a":""# + String(repeating: "x", count: 72) + #""}"#),
    (
      ["a": .string(String(repeating: "x", count: 73))],
      "{\n  \"a\": \"" + String(repeating: "x", count: 73) + "\"\n}"
    ),
    (
      ["a": ["b": .string(String(repeating: "x", count: 70))], "c": [["d": 1], 2]],
      "{\n  \"a\": {\"b\":\"" + String(repeating: "x", count: 70) + "\"},\n  \"c\": [{\"d\":1},2]\n}"
    ),
    (
      [["a": .string(String(repeating: "x", count: 80))]],
      "[\n  {\n    \"a\": \"" + String(repeating: "x", count: 80) + "\"\n  }\n]"
    ),
    // A list of texts alone is never spread over lines.
    ([.string(String(repeating: "x", count: 90)), "b"], "[\"" + String(repeating: "x", count: 90) + "\",\"b\"]"),
  ]

  @Test("JSON over several lines keeps what is short on one", arguments: flat)
  func indented(value: JSONValue, text: String) throws {
    #expect(value.indented() == text)
    #expect(try JSONValue(parsing: text).serialized() == value.serialized())
  }
}
