import Testing

@testable import ScenarioLanguage

@Suite struct OwnGoldenTests {
  @Test("A golden pair of our own gives its message byte for byte", arguments: OwnGolden.compiled)
  func message(name: String) throws {
    let outcome = PlanCompiler.compile(try OwnGolden.document(name), inputs: try OwnGolden.inputs(name))
    let text = DiagnosticRenderer(sources: outcome.sources).render(outcome.diagnostics)
    let expected = try OwnGolden.message(name)
    #expect(text == expected + "\n", "\(text)")
  }

  @Test("A golden pair of our own is named after the code of its message", arguments: OwnGolden.names)
  func name(name: String) throws {
    let code = OwnGolden.code(of: name)
    let first = try OwnGolden.message(name).split(separator: "\n").first ?? ""
    #expect(name.hasPrefix("\(code.dropFirst())-\(code)"))
    #expect(first.hasPrefix("error[\(code)]: ") || first.hasPrefix("warning[\(code)]: "), "\(first)")
  }

  /// Codes of the index that no document of this version gets from `check`, and why.
  static let withoutPair = [
    "K108": "the first revision of the language has no deprecated key",
    "K110": "everything of the language is accepted; what the engine cannot do, a run refuses",
  ]

  @Test("Every code that check can give has a golden pair")
  func complete() throws {
    let pairs = try Set((Golden.names() + OwnGolden.names).map(OwnGolden.code))
    // What a run or a server tells has no document to show it.
    let codes = CodePages.all.map(\.code.rawValue).filter {
      !$0.hasPrefix("R") && !$0.hasPrefix("A") && Self.withoutPair[$0] == nil
    }
    #expect(codes.filter { !pairs.contains($0) } == [])
  }
}
