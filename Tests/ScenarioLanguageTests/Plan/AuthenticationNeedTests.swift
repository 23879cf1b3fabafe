import Testing

@testable import ScenarioLanguage

@Suite struct AuthenticationNeedTests {
  @Test(
    "A document requires proofs where a device of it or a step does",
    arguments: [
      ("device: TV\nsteps: [{ log: a }]\n", false), ("device: TV\nsteps: [{ connect: { auth: report } }]\n", false),
      ("device: TV\nsteps: [{ connect: { auth: require } }]\n", true),
      ("device: TV\nsteps: [{ group: { steps: [{ connect: { auth: require } }] } }]\n", true),
      ("inventory: { tv: { name: TV, auth: require } }\ndevice: tv\nsteps: [{ log: a }]\n", true),
      ("inventory: { tv: { name: TV, auth: require } }\ndevice: Bar\nsteps: [{ log: a }]\n", true),
    ])
  func needs(text: String, requires: Bool) throws {
    let outcome = PlanCompiler.compile(SourceFile("scenario: A\n" + text))
    let document = try #require(RunnableDocument(outcome.plans), "\(outcome.diagnostics)")
    #expect(document.requiresAuthentication == requires)
  }
}
