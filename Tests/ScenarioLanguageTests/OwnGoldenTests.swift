import Testing

@testable import ScenarioLanguage

@Suite struct OwnGoldenTests {
  @Test("A golden pair of our own gives its message byte for byte", arguments: OwnGolden.compiled)
  func message(name: String) throws {
    let outcome = PlanCompiler.compile(try OwnGolden.document(name), inputs: try OwnGolden.inputs(name))
    let text = DiagnosticRenderer(sources: outcome.sources).render(outcome.diagnostics)
    let expected = try OwnGolden.message(name)
    #expect(("\n" + text).contains("\n" + expected + "\n"), "\(text)")
  }

  @Test("A golden pair of our own is named after the code of its message", arguments: OwnGolden.names)
  func name(name: String) throws {
    let code = OwnGolden.code(of: name)
    let first = try OwnGolden.message(name).split(separator: "\n").first ?? ""
    #expect(name.hasPrefix("\(code.dropFirst())-\(code)"))
    #expect(first.contains("[\(code)]: "), "\(first)")
  }
}
