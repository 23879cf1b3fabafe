import Testing

@testable import ScenarioLanguage

@Suite struct GoldenTests {
  @Test("A golden document gives its message byte for byte", arguments: Golden.front + Golden.back)
  func message(name: String) throws {
    let outcome = PlanCompiler.compile(try Golden.document(name))
    let text = DiagnosticRenderer(sources: outcome.sources).render(outcome.diagnostics)
    let expected = try Golden.message(name)
    #expect(("\n" + text).contains("\n" + expected + "\n"), "\(text)")
  }

  @Test("Every golden document is covered by a test or listed with the reason why not")
  func everyDocumentIsListed() throws {
    let listed = Golden.front + Golden.back + Golden.devices + Golden.notYet.keys
    #expect(try Golden.names() == listed.sorted())
    for (name, reason) in Golden.notYet.sorted(by: { $0.key < $1.key }) {
      print("golden message not yet covered: \(name): \(reason)")
    }
  }

  @Test("The golden documents that use what is built compile without a word", arguments: ["hello", "cafe"])
  func document(name: String) throws {
    let source = SourceFile(name: "\(name).yaml", bytes: try Golden.bytes("documents/\(name).yaml"))
    let outcome = PlanCompiler.compile(source)
    #expect(outcome.diagnostics == [])
    #expect(outcome.document != nil)
  }

  @Test("ads.yaml compiles once its secret, which is not built, is left out")
  func ads() throws {
    let text = String(decoding: try Golden.bytes("documents/ads.yaml"), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).filter {
      !$0.contains("secrets:") && !$0.contains("ACME_TOKEN") && !$0.contains("secret.token")
    }
    let source = SourceFile(name: "ads.yaml", bytes: Array(lines.joined(separator: "\n").utf8))
    let outcome = PlanCompiler.compile(source)
    #expect(outcome.diagnostics == [])
    guard case .scenario(let plan) = outcome.document else {
      Issue.record("no plan")
      return
    }
    #expect(plan.steps.count == 14)
    let whole = PlanCompiler.compile(SourceFile(name: "ads.yaml", bytes: Array(text.utf8)))
    #expect(
      whole.diagnostics.map(\.code) == ["K110"],
      "\(DiagnosticRenderer(sources: whole.sources).render(whole.diagnostics))")
  }
}
