import CastProtocol
import Testing

@testable import ScenarioLanguage

@Suite struct GoldenTests {
  @Test(
    "A golden document gives its message byte for byte, and nothing else that is not written down",
    arguments: Golden.front + Golden.back)
  func message(name: String) throws {
    let outcome = PlanCompiler.compile(try Golden.document(name), inputs: Golden.inputs)
    let renderer = DiagnosticRenderer(sources: outcome.sources)
    let message = try Golden.message(name)
    #expect(outcome.diagnostics.filter { renderer.render($0) == message }.count == 1)
    #expect(renderer.render(outcome.diagnostics) == (try Golden.output(name)))
  }

  @Test("Every golden document is covered by a test or listed with the reason why not")
  func everyDocumentIsListed() throws {
    let listed = Golden.front + Golden.back + Golden.includes + Golden.notYet.keys
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

  @Test("ads.yaml compiles where its secret has a value, or where secrets are not asked for", arguments: [true, false])
  func ads(hasToken: Bool) throws {
    let source = SourceFile(name: "ads.yaml", bytes: try Golden.bytes("documents/ads.yaml"))
    var inputs = PlanCompiler.Inputs()
    inputs.environment = { hasToken && $0 == "ACME_TOKEN" ? "hunter2" : nil }
    inputs.needsSecrets = hasToken
    let outcome = PlanCompiler.compile(source, inputs: inputs)
    #expect(outcome.diagnostics == [])
    guard case .scenario(let plan) = outcome.document else {
      Issue.record("no plan")
      return
    }
    #expect(plan.steps.count == 14)
    #expect(plan.secrets.map(\.name) == ["token"])
    #expect(!plan.json.serialized().contains("hunter2"))
    #expect(PlanCompiler.compile(source).diagnostics.map(\.code.rawValue) == ["N403"])
  }
}
