import Testing

@testable import ScenarioLanguage

@Suite struct DeprecatedKeyTests {
  private let spec = MapSpec(
    "a test", topic: "test",
    [
      KeySpec("length", .duration, "How long."),
      KeySpec("duration", .duration, "How long.").deprecated(replacedBy: "length"),
    ])

  private func check(_ text: String) -> [Diagnostic] {
    let problems = DiagnosticCollector()
    guard var document = YAMLParser.parse(SourceFile(text), reportingTo: problems) else { return problems.diagnostics }
    var fieldReader = FieldReader(diagnostics: problems)
    fieldReader.read(&document.root, as: .map(spec), field: .init(name: "test"))
    return fieldReader.diagnostics.diagnostics
  }

  @Test("A deprecated key warns, names its successor, and is checked as ever")
  func deprecated() throws {
    let problem = try #require(check("duration: 5s").first)
    #expect(problem.code == .k108 && problem.severity == .warning)
    #expect(problem.message == "`duration` is deprecated" && problem.primary.text == "write `length`")
    #expect(check("duration: 5").map(\.code.rawValue) == ["K108", "T201"])
    #expect(check("length: 5s") == [])
  }

  @Test("A deprecated key is not suggested")
  func suggestions() {
    #expect(spec.allowedNames == ["length"])
    #expect(check("duratoin: 5s").first?.primary.text == "")
  }

  @Test("The first revision of the language has no deprecated key")
  func none() {
    #expect(LanguageSchema.maps.flatMap(\.keys).filter { $0.replacement != nil }.map(\.name) == [])
  }
}
