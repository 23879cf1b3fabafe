import ScenarioLanguage
import Testing

@testable import RunReporting

/// Lines of documents with what is meant underlined.
@Suite struct SourceSnippetTests {
  private static let text = "scenario: ads\nsteps:\n  - load: film\n\t- log: é\n"

  private static func block(
    _ text: String, _ line: Int, _ column: Int, _ endLine: Int?, _ endColumn: Int?, width: Int? = nil
  ) -> [String] {
    SourceSnippet(["a.yaml": text]).block(
      file: "a.yaml", line: line, column: column, endLine: endLine, endColumn: endColumn, width: width)
  }

  static let marked: [(place: [Int?], lines: [String])] = [
    ([1, 1, 1, 9], ["  |", "1 | scenario: ads", "  | ^^^^^^^^"]),
    ([1, 11, nil, nil], ["  |", "1 | scenario: ads", "  |           ^"]),
    // An end on a later line: to the end of this one.
    ([2, 1, 3, 5], ["  |", "2 | steps:", "  | ^^^^^^"]),
    ([3, 5, 3, 99], ["  |", "3 |   - load: film", "  |     ^^^^^^^^^^"]),
    // Nothing, and an end before the beginning, are one caret.
    ([3, 5, 3, 5], ["  |", "3 |   - load: film", "  |     ^"]),
    ([3, 5, 3, 2], ["  |", "3 |   - load: film", "  |     ^"]),
    // Behind the last character, and on a line that is empty.
    ([2, 7, 2, 8], ["  |", "2 | steps:", "  |       ^"]), ([5, 1, 5, 1], ["  |", "5 | ", "  | ^"]),
    // A tab is a blank.
    ([4, 4, 4, 7], ["  |", "4 |  - log: é", "  |    ^^^"]), ([2, 8, 2, 9], []), ([0, 1, 0, 2], []), ([6, 1, 6, 2], []),
    ([1, 0, 1, 2], []),
    ([-1, 1, nil, nil], []),
  ]

  @Test("Carets stand under what is meant; a place that the text does not have shows nothing", arguments: marked)
  func carets(place: [Int?], lines: [String]) throws {
    let (line, column) = (try #require(place[0]), try #require(place[1]))
    #expect(Self.block(Self.text, line, column, place[2], place[3]) == lines)
    // A terminal that is wide enough shows the same.
    #expect(Self.block(Self.text.replacing("\t", with: " "), line, column, place[2], place[3], width: 80) == lines)
  }

  @Test("Lines end as they do for the language: of Windows, of Unix, of an old Mac", arguments: ["\r\n", "\n", "\r"])
  func lineEnds(end: String) {
    let text = ["scenario: ads", "steps:", "  - load: film", ""].joined(separator: end)
    #expect(Self.block(text, 3, 5, 3, 9) == ["  |", "3 |   - load: film", "  |     ^^^^"])
    #expect(Self.block("\u{FEFF}" + text, 1, 1, 1, 9) == ["  |", "1 | scenario: ads", "  | ^^^^^^^^"])
    #expect(Self.block(text, 2, 1, 2, 7, width: 40) == ["  |", "2 | steps:", "  | ^^^^^^"])
  }

  @Test("Numbers of lines stand below each other, however many digits they have")
  func margin() {
    let text = (1...120).map { "line \($0)" }.joined(separator: "\n")
    #expect(Self.block(text, 120, 1, 120, 5) == ["    |", "120 | line 120", "    | ^^^^"])
  }

  static let wide: [(text: String, column: Int, end: Int, width: Int, lines: [String])] = [
    ("字幕 = on", 1, 3, 30, ["  |", "1 | 字幕 = on", "  | ^^^^"]),
    ("字幕 = on", 4, 5, 30, ["  |", "1 | 字幕 = on", "  |      ^"]),
    ("e\u{301}te\u{301} x", 7, 8, 30, ["  |", "1 | e\u{301}te\u{301} x", "  |     ^"]),
    (String(repeating: "a", count: 50) + "MARK", 51, 55, 24, ["  |", "1 | …aaaaaaaaaMARK", "  |           ^^^^"]),
    ("MARK" + String(repeating: "a", count: 50), 1, 5, 14, ["  |", "1 | MARKaaaa…", "  | ^^^^"]),
    (String(repeating: "x", count: 40), 1, 41, 14, ["  |", "1 | xxxxxxxx…", "  | ^^^^^^^^"]),
  ]

  @Test("Carets count cells; a line that is too long is cut around what is meant", arguments: wide)
  func cells(_ example: (text: String, column: Int, end: Int, width: Int, lines: [String])) {
    let lines = Self.block(example.text, 1, example.column, 1, example.end, width: example.width)
    #expect(lines == example.lines)
    for line in lines { #expect(DisplayWidth.of(line.unicodeScalars) <= example.width) }
  }

  @Test("No control of a document reaches the terminal", arguments: [nil, 30])
  func controls(width: Int?) {
    let lines = Self.block("a\u{1B}[2Jb\u{202E}c\u{7F}", 1, 1, 1, 2, width: width)
    #expect(lines.count == 3)
    #expect(!lines.joined().unicodeScalars.contains { $0.isDisplayControl })
  }

  @Test("Of a file that is not known nothing is shown")
  func unknown() {
    #expect(SourceSnippet([:]).block(file: "a.yaml", line: 1, column: 1, endLine: 1, endColumn: 2).isEmpty)
  }
}
