import Testing

@testable import ScenarioLanguage

@Suite struct DiagnosticRendererTests {
  private func span(_ line: Int, _ column: Int, _ length: Int, file: String = "a.yaml") -> SourceSpan {
    SourceSpan(file: file, line: line, column: column, endLine: line, endColumn: column + length)
  }

  private func render(_ text: String, _ problem: Diagnostic, colored: Bool = false) -> String {
    DiagnosticRenderer(sources: [SourceFile(text, name: "a.yaml")], isColored: colored).render(problem)
  }

  @Test(
    "Columns count code points, carets cells, tabs are arrows, and what could act on a terminal is replaced in place")
  func characters() {
    let problem = Diagnostic(.error, .t205, "`a\u{202E}b\u{1B}` is\nbad", at: .init(span(1, 6, 2), "here\u{7}"))
    #expect(
      render("映画\té\u{202E}xy z\n", problem) == """
        error[T205]: `a\\u{202E}b\\u{1B}` is bad
         --> a.yaml:1:6
          |
        1 | 映画→é�xy z
          |        ^^ here\\u{7}
        """)
  }

  @Test("Labels of one line have a row each, the one further right first; far lines are parted by dots")
  func rows() {
    let text = (1...12).map { "line \($0) abc def" }.joined(separator: "\n")
    let problem = Diagnostic(
      .warning, .p601, "m", at: .init(span(12, 1, 4), "p"),
      related: [.init(span(12, 9, 3), "r"), .init(span(2, 1, 4)), .init(span(3, 1, 4), "next")],
      footers: [.help("one\n  two"), .note("three")])
    #expect(
      render(text, problem) == """
        warning[P601]: m
          --> a.yaml:12:1
           |
         2 | line 2 abc def
           | ----
         3 | line 3 abc def
           | ---- next
        ...
        12 | line 12 abc def
           |         --- r
           | ^^^^ p
           |
           = help: one
               two
           = note: three
        """)
  }

  @Test("A place in another file is shown under its name; one in an unknown file is only named")
  func otherFiles() {
    let problem = Diagnostic(
      .error, .n404, "m", at: .init(span(1, 1, 1)), related: [.init(span(3, 2, 1, file: "b.yaml"), "x")])
    #expect(
      render("abc", problem) == """
        error[N404]: m
         --> a.yaml:1:1
          |
        1 | abc
          | ^
         ::: b.yaml:3:2
        """)
  }

  @Test("A place behind the end of a line, over several lines, or beyond the file is drawn without harm")
  func odd() {
    let source = "ab\ncd\n"
    for place in [
      SourceSpan(file: "a.yaml", line: 1, column: 3, endLine: 1, endColumn: 3),
      SourceSpan(file: "a.yaml", line: 1, column: 1, endLine: 2, endColumn: 3),
      SourceSpan(file: "a.yaml", line: 9, column: 40, endLine: 9, endColumn: 41),
    ] {
      let text = render(source, Diagnostic(.note, .k101, "m", at: .init(place)))
      #expect(text.hasPrefix("note[K101]: m\n --> a.yaml:\(place.line):\(place.column)\n"))
      #expect(text.contains("^"))
    }
    #expect(
      render(
        source,
        Diagnostic(
          .error, .k101, "m", at: .init(SourceSpan(file: "a.yaml", line: 1, column: 1, endLine: 2, endColumn: 3)))
      )
      .hasSuffix("1 | ab\n  | ^^"))
  }

  @Test("A very long line is cut to what surrounds the place")
  func longLine() throws {
    let text = String(repeating: "x", count: 5_000) + "WORD" + String(repeating: "y", count: 5_000)
    let rendered = render(text, Diagnostic(.error, .k101, "m", at: .init(span(1, 5_001, 4), "here")))
    let lines = rendered.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count < 230 })
    let source = try #require(lines.first { $0.hasPrefix("1 |") })
    let marks = try #require(lines.last)
    let column = try #require(marks.firstIndex(of: "^")).utf16Offset(in: marks)
    #expect(Array(source)[column...].prefix(4) == ["W", "O", "R", "D"])
  }

  @Test("Colors change nothing but the escape sequences")
  func colors() {
    let problem = Diagnostic(.error, .k101, "m", at: .init(span(1, 1, 1), "l"), footers: [.help("h")])
    let colored = render("abc", problem, colored: true)
    #expect(colored.contains("\u{1B}[1;31merror[K101]\u{1B}[0m"))
    #expect(colored.replacing(/\u{1B}\[[0-9;]*m/, with: "") == render("abc", problem))
  }

  @Test(
    "In a narrow terminal texts are broken at spaces, and carets stand under what they mean", arguments: [24, 40, 50])
  func narrow(width: Int) throws {
    let line =
      "  - { name: a step with a long name, expect: { player: playing, volume: { level: 40% } }, within: 10sec }"
    let column = line.distance(from: line.startIndex, to: try #require(line.firstRange(of: "10sec")).lowerBound) + 1
    let span = SourceSpan(file: "a.yaml", line: 1, column: column, endLine: 1, endColumn: column + 5)
    let problem = Diagnostic(
      .error, .t203, "unknown unit `sec` in a value that is a duration",
      at: .init(span, "did you mean `10s` instead?"),
      footers: [.help("units are ms, s, m, h, d, largest first: `1h30m`, `2m5.5s`")])
    let text = DiagnosticRenderer(sources: [SourceFile(line, name: "a.yaml")], width: width).render(problem)
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.allSatisfy { DisplayWidth.of($0.unicodeScalars) <= width }, "\(text)")
    let caret = try #require(lines.firstIndex { $0.contains("^") })
    let place = try #require(Array(lines[caret]).firstIndex(of: "^"))
    #expect(String(Array(lines[caret - 1])[place...]).hasPrefix("10sec"), "\(text)")
    // Nothing is lost.
    let words = lines.joined(separator: " ").replacing("|", with: "").split(separator: " ").joined(separator: " ")
    for part in ["error[T203]: \(problem.message)", "did you mean `10s` instead?", "largest first: `1h30m`, `2m5.5s`"] {
      #expect(words.contains(part), "\(text)")
    }
  }
}
