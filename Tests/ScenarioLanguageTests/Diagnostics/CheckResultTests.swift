import Testing

@testable import ScenarioLanguage

@Suite struct CheckResultTests {
  private static func problem(_ severity: Diagnostic.Severity, _ line: Int, file: String = "a.yaml") -> Diagnostic {
    Diagnostic(
      severity, .a801, "line \(line)",
      at: .init(SourceSpan(file: file, line: line, column: 1, endLine: line, endColumn: 2)))
  }

  private static func result(_ diagnostics: [Diagnostic]) -> CheckResult {
    CheckResult(
      file: "a.yaml", identity: .init(kind: .scenario, id: "a", title: "A"), diagnostics: diagnostics, sources: [])
  }

  @Test("What is added stands at its place, after the document's own files, and makes the document invalid")
  func places() {
    let result = Self.result([Self.problem(.warning, 3), Self.problem(.note, 1, file: "0.yaml")])
      .adding([Self.problem(.error, 2), Self.problem(.warning, 3)])
    #expect(result.diagnostics.map(\.primary.span.line) == [2, 3, 3, 1])
    #expect(result.errors == 1 && result.warnings == 2 && result.identity == nil && result.hidden == 0)
  }

  @Test("Errors are kept where more is found than is shown, and the rest is counted")
  func limit() {
    let warnings = (1...60).map { Self.problem(.warning, $0) }
    let result = Self.result(Array(warnings.prefix(45))).adding(warnings.suffix(15) + [Self.problem(.error, 99)])
    #expect(result.diagnostics.count == 50 && result.diagnostics.last?.severity == .error && result.hidden == 11)
  }

  @Test("Nothing added changes nothing")
  func nothing() {
    #expect(Self.result([]).adding([]).identity?.id == "a")
  }
}
