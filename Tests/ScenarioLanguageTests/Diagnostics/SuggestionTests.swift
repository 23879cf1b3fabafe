import Testing

@testable import ScenarioLanguage

@Suite struct SuggestionTests {
  static let words: [(String, [String], String?)] = [
    ("laod", ["log", "load"], "load"), ("devcie", ["devices", "device"], "device"), ("cars", ["car"], "car"),
    ("lunch", ["lunchtime", "dinner"], "lunchtime"), ("lunchtime", ["lunch"], "lunch"), ("ab", ["abcdef"], nil),
    ("plat", ["plug"], nil), ("play", ["play"], nil), ("tiemuot", ["timeout"], "timeout"), ("xyzxyz", ["timeout"], nil),
    ("Living Rom TV", ["Kitchen", "Living Room TV"], "Living Room TV"), ("LOAD", ["load"], "load"), ("", ["a"], nil),
    ("de", ["en"], nil), ("aaa", [], nil),
  ]
  @Test("The nearest word within reach is offered, or one that begins alike", arguments: words)
  func nearest(word: String, among: [String], expected: String?) {
    #expect(Suggestions.nearest(to: word, among: among) == expected)
  }

  @Test("Usual other words have their own list")
  func synonyms() {
    #expect(Suggestions.unit("minutes") == "m")
    #expect(Suggestions.unit("y") == nil)
    #expect(Suggestions.choice("off", among: ["none", "all"]) == "none")
    #expect(Suggestions.choice("off", among: ["all", "office"]) == "office")
    #expect(Suggestions.bool("Y") == true)
  }

  @Test("A word as long as a book is not compared")
  func long() {
    let word = String(repeating: "a", count: 100_000)
    #expect(Suggestions.nearest(to: word, among: [String(repeating: "a", count: 99_999)]) == nil)
  }
}

@Suite struct DiagnosticCollectorTests {
  private func problem(_ line: Int, _ code: String = "X", _ severity: Diagnostic.Severity = .error) -> Diagnostic {
    let span = SourceSpan(file: "a", line: line, column: 1, endLine: line, endColumn: 2)
    return Diagnostic(severity, code, "m", at: .init(span))
  }

  @Test("A cause is reported once: a second error at a place, or the same warning, follows from the first")
  func once() {
    var collector = DiagnosticCollector()
    for item in [problem(1), problem(1), problem(1, "Y"), problem(1, "W", .warning), problem(1, "W", .warning)] {
      collector.report(item)
    }
    #expect(collector.finished().map(\.code) == ["X", "W"])
  }

  @Test("Fifty problems are shown, by place, errors before warnings, and the rest is counted")
  func limit() {
    var collector = DiagnosticCollector()
    for line in (1...2_000).reversed() { collector.report(problem(line, "W", .warning)) }
    #expect(collector.hasErrors == false)
    collector.report(problem(5_000))
    let shown = collector.finished()
    #expect(shown.count == 50)
    #expect(collector.hiddenCount == 1_951)
    #expect(collector.hasErrors)
    #expect(zip(shown, shown.dropFirst()).allSatisfy { $0.primary.span.line < $1.primary.span.line })
  }

  @Test("A part of a document is unsound when an error points into it")
  func within() {
    var collector = DiagnosticCollector()
    collector.report(problem(5))
    collector.report(problem(7, "W", .warning))
    #expect(collector.hasErrors(within: SourceSpan(file: "a", line: 4, column: 1, endLine: 6, endColumn: 1)))
    #expect(!collector.hasErrors(within: SourceSpan(file: "a", line: 6, column: 1, endLine: 9, endColumn: 1)))
    #expect(!collector.hasErrors(within: SourceSpan(file: "b", line: 4, column: 1, endLine: 6, endColumn: 1)))
  }
}
