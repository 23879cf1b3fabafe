import Testing

@testable import ScenarioLanguage

@Suite struct DiagnosticRendererTests {
  private func span(_ line: Int, _ column: Int, _ length: Int, file: String = "a.yaml") -> SourceSpan {
    SourceSpan(file: file, line: line, column: column, endLine: line, endColumn: column + length)
  }

  private func render(_ text: String, _ problem: Diagnostic, file: String = "a.yaml", colored: Bool = false) -> String {
    DiagnosticRenderer(sources: [SourceFile(text, name: file)], isColored: colored).render(problem)
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

  @Test("Each severity has its color, what belongs to the problem that of the frame, and nothing else changes")
  func colors() {
    for (severity, code) in [(Diagnostic.Severity.error, "1;31"), (.warning, "1;33"), (.note, "1;36")] {
      let problem = Diagnostic(
        severity, .k101, "m", at: .init(span(1, 1, 1), "p"), related: [.init(span(1, 3, 1), "r")], footers: [.help("h")]
      )
      let text = render("abc", problem, colored: true)
      #expect(text.contains("\u{1B}[\(code)m\(severity.rawValue)[K101]\u{1B}[0m\u{1B}[1m: m\u{1B}[0m"))
      #expect(text.contains("\u{1B}[\(code)m^ p\u{1B}[0m") && text.contains("\u{1B}[1;34m- r\u{1B}[0m"))
      #expect(text.replacing(/\u{1B}\[[0-9;]*m/, with: "") == render("abc", problem))
    }
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

  @Test("One gutter serves all files: it is as wide as the largest line number of any of them")
  func gutter() {
    let long = (1...120).map { "key\($0): x" }.joined(separator: "\n")
    let problem = Diagnostic(
      .error, .n410, "m", at: .init(span(9, 1, 4), "again"),
      related: [.init(span(120, 8, 1, file: "b.yaml"), "first"), .init(span(100, 1, 3, file: "b.yaml"))],
      footers: [.help("h")])
    #expect(
      DiagnosticRenderer(sources: ["a.yaml", "b.yaml"].map { SourceFile(long, name: $0) }).render(problem) == """
        error[N410]: m
           --> a.yaml:9:1
            |
          9 | key9: x
            | ^^^^ again
           ::: b.yaml:120:8
            |
        100 | key100: x
            | ---
        ...
        120 | key120: x
            |        - first
            |
            = help: h
        """)
  }

  @Test("Labels at one place stand below each other, that of the problem last")
  func samePlace() {
    let problem = Diagnostic(
      .error, .k101, "m", at: .init(span(1, 3, 2), "p"),
      related: [.init(span(1, 3, 2), "r"), .init(span(1, 1, 1), "s")])
    #expect(
      render("abcdef", problem) == """
        error[K101]: m
         --> a.yaml:1:3
          |
        1 | abcdef
          |   -- r
          |   ^^ p
          | - s
        """)
  }

  @Test("An empty line has nothing behind its bar, and its caret stands where something is missing")
  func emptyLine() {
    #expect(
      render("a\n\nb\n", Diagnostic(.error, .k101, "m", at: .init(span(2, 1, 1), "here"))) == """
        error[K101]: m
         --> a.yaml:2:1
          |
        2 |
          | ^ here
        """)
  }

  @Test("Line breaks in a message, a label or a file's name begin no line of their own, whatever system made them")
  func lineBreaks() {
    let problem = Diagnostic(
      .error, .k101, "one\r\ntwo\nthree\rfour", at: .init(span(1, 1, 1, file: "a\r\nb.yaml"), "five\r\nsix"))
    #expect(
      render("abc", problem, file: "a\r\nb.yaml") == """
        error[K101]: one two three\\u{D}four
         --> a\\nb.yaml:1:1
          |
        1 | abc
          | ^ five six
        """)
  }

  @Test("A help of several lines is indented below its first one, breaks of all systems alike")
  func footers() {
    let problem = Diagnostic(
      .error, .k101, "m", at: .init(span(1, 1, 1)), footers: [.note("a\nb\n\nc"), .help("d\te\u{202E}")])
    #expect(
      render("abc", problem).hasSuffix(
        """
          |
          = note: a
            b
            
            c
          = help: d\\te\\u{202E}
        """))
  }

  @Test("A long line is cut to what surrounds the place; a place beyond that is underlined at the edge")
  func beyondWindow() throws {
    let text = String(repeating: "x", count: 100) + "W" + String(repeating: "x", count: 9_899)
    let problem = Diagnostic(
      .error, .k101, "m", at: .init(span(1, 101, 1), "p"), related: [.init(span(1, 900, 1), "far")])
    let lines = render(text, problem).split(separator: "\n").map(String.init)
    // Sixty columns before the first place, two hundred in all, and dots where something is left out.
    #expect(lines[3] == "1 | …" + text.dropFirst(40).prefix(200) + "…")
    #expect(lines[4] == "  | " + String(repeating: " ", count: 201) + "- far")
    #expect(lines[5] == "  | " + String(repeating: " ", count: 61) + "^ p")
  }

  @Test("A line of two hundred columns is shown whole, one of more is not", arguments: [(200, false), (201, true)])
  func longestLine(length: Int, isCut: Bool) {
    let text = String(repeating: "x", count: length)
    let rendered = render(text, Diagnostic(.error, .k101, "m", at: .init(span(1, 1, 1))))
    #expect(rendered.contains("…") == isCut)
    #expect(rendered.contains("1 | " + String(repeating: "x", count: 200)))
  }

  @Test("Several problems are parted by an empty line, and each ends with a line break")
  func several() {
    let problem = Diagnostic(.error, .k101, "m", at: .init(span(1, 1, 1, file: "none")))
    let text = DiagnosticRenderer(sources: []).render([problem, problem])
    #expect(text == "error[K101]: m\n --> none:1:1\n\nerror[K101]: m\n --> none:1:1\n")
    #expect(DiagnosticRenderer(sources: []).render([]) == "")
  }

  static let escapes: [(text: String, escaped: String, lines: String)] = [
    ("plain ü 映 😀", "plain ü 映 😀", "plain ü 映 😀"), ("a\tb", "a\\u{9}b", "a\\tb"), ("a\nb", "a\\u{A}b", "a\nb"),
    ("\u{1B}[31m", "\\u{1B}[31m", "\\u{1B}[31m"), ("\u{9B}", "\\u{9B}", "\\u{9B}"),
    ("\u{7F}\u{0}", "\\u{7F}\\u{0}", "\\u{7F}\\u{0}"),
    ("\u{2028}\u{2029}", "\\u{2028}\\u{2029}", "\\u{2028}\\u{2029}"),
    ("a\u{202E}b\u{2069}", "a\\u{202E}b\\u{2069}", "a\\u{202E}b\\u{2069}"),
    ("\u{FEFF}", "\\u{FEFF}", "\\u{FEFF}"), ("\u{200E}\u{61C}", "\\u{200E}\\u{61C}", "\\u{200E}\\u{61C}"),
    // Joiners are needed by emoji in names; in quoted documents they are shown, as they hide.
    ("👩\u{200D}🚀", "👩\u{200D}🚀", "👩\\u{200D}🚀"), ("a\u{AD}b", "a\u{AD}b", "a\\u{AD}b"),
  ]

  @Test("What could act on a terminal or hide is shown by its number", arguments: escapes)
  func escaped(text: String, escaped: String, lines: String) {
    #expect(TerminalText.escaped(text) == escaped)
    #expect(TerminalText.escapedLines(text) == lines)
  }
}
