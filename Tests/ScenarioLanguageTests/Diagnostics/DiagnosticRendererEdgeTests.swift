import Testing

@testable import ScenarioLanguage

/// Drawings where lines, files or labels meet their limits (docs/language/codes.md "How a problem is told").
@Suite struct DiagnosticRendererEdgeTests {
  private func span(_ line: Int, _ column: Int, _ length: Int, file: String = "a.yaml") -> SourceSpan {
    SourceSpan(file: file, line: line, column: column, endLine: line, endColumn: column + length)
  }

  private func render(_ problem: Diagnostic, _ files: [(name: String, text: String)], colored: Bool = false) -> String {
    DiagnosticRenderer(sources: files.map { SourceFile($0.text, name: $0.name) }, isColored: colored).render(problem)
  }

  @Test("One gutter serves all files: it is as wide as the largest line number of any of them")
  func gutter() {
    let long = (1...120).map { "key\($0): x" }.joined(separator: "\n")
    let problem = Diagnostic(
      .error, .n410, "m", at: .init(span(9, 1, 4), "again"),
      related: [.init(span(120, 8, 1, file: "b.yaml"), "first"), .init(span(100, 1, 3, file: "b.yaml"))],
      footers: [.help("h")])
    #expect(
      render(problem, [("a.yaml", long), ("b.yaml", long)]) == """
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
      render(problem, [("a.yaml", "abcdef")]) == """
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
      render(Diagnostic(.error, .k101, "m", at: .init(span(2, 1, 1), "here")), [("a.yaml", "a\n\nb\n")]) == """
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
      render(problem, [("a\r\nb.yaml", "abc")]) == """
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
      render(problem, [("a.yaml", "abc")]).hasSuffix(
        """
          |
          = note: a
            b
            
            c
          = help: d\\te\\u{202E}
        """))
  }

  @Test("A place beyond the part of a long line that is shown is underlined at its edge")
  func beyondWindow() throws {
    let text = String(repeating: "x", count: 1_000)
    let problem = Diagnostic(
      .error, .k101, "m", at: .init(span(1, 101, 1), "p"), related: [.init(span(1, 900, 1), "far")])
    let lines = render(problem, [("a.yaml", text)]).split(separator: "\n").map(String.init)
    // Sixty columns before the first place, two hundred in all, and dots where something is left out.
    #expect(lines[3] == "1 | …" + String(repeating: "x", count: 200) + "…")
    #expect(lines[4] == "  | " + String(repeating: " ", count: 201) + "- far")
    #expect(lines[5] == "  | " + String(repeating: " ", count: 61) + "^ p")
  }

  @Test("A line of two hundred columns is shown whole, one of more is not", arguments: [(200, false), (201, true)])
  func longestLine(length: Int, isCut: Bool) {
    let text = String(repeating: "x", count: length)
    let rendered = render(Diagnostic(.error, .k101, "m", at: .init(span(1, 1, 1))), [("a.yaml", text)])
    #expect(rendered.contains("…") == isCut)
    #expect(rendered.contains("1 | " + String(repeating: "x", count: 200)))
  }

  @Test("Each severity has its color, and what belongs to the problem that of the frame")
  func colors() {
    for (severity, code) in [(Diagnostic.Severity.error, "1;31"), (.warning, "1;33"), (.note, "1;36")] {
      let problem = Diagnostic(
        severity, .k101, "m", at: .init(span(1, 1, 1), "p"), related: [.init(span(1, 3, 1), "r")])
      let text = render(problem, [("a.yaml", "abc")], colored: true)
      #expect(text.contains("\u{1B}[\(code)m\(severity.rawValue)[K101]\u{1B}[0m\u{1B}[1m: m\u{1B}[0m"))
      #expect(text.contains("\u{1B}[\(code)m^ p\u{1B}[0m") && text.contains("\u{1B}[1;34m- r\u{1B}[0m"))
    }
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
