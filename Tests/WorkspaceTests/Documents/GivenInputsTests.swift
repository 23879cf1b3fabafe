import ScenarioLanguage
import Testing

@testable import Workspace

@Suite struct GivenInputsTests {
  private static let source = SourceFile(name: "a.yaml", bytes: [])

  @Test("Settings and secrets are taken apart at their first `=`")
  func apart() throws {
    let folder = try TemporaryFolder()
    var given = GivenInputs()
    (given.settings, given.secrets) = (["speed=1.5", "text=a=b", "empty="], ["token=@file", "key=@-"])
    let inputs = try given.compilerInputs(for: Self.source, in: .living(in: folder))
    #expect(inputs.settings.map { $0.name } == ["speed", "text", "empty"])
    #expect(inputs.settings.map { $0.value } == ["1.5", "a=b", ""])
    #expect(try given.givenSecrets().map { $0.argument } == ["@file", "@-"])
    #expect(inputs.needsSecrets)
  }

  @Test(
    "What is not well formed is refused, and a secret is never repeated",
    arguments: [
      (["speed"], [], "`--set speed` has no `=`"), (["=1"], [], "`--set =1` has no name"),
      ([], ["token"], "`--secret` needs a name and a file"), ([], ["=@a"], "`--secret` needs a name and a file"),
      ([], ["token=hunter2"], "`--secret token=` takes a file, not the secret itself"),
      ([], ["token=@"], "`--secret token=` takes a file, not the secret itself"),
    ])
  func malformed(settings: [String], secrets: [String], message: String) throws {
    let folder = try TemporaryFolder()
    var given = GivenInputs()
    (given.settings, given.secrets) = (settings, secrets)
    let error = #expect(throws: WorkspaceError.self) {
      try given.compilerInputs(for: Self.source, in: .living(in: folder))
    }
    #expect(error?.code == .commandLineWrong && error?.message == message)
  }

  @Test("Another run gets the same words")
  func again() {
    var given = GivenInputs()
    #expect(given.rerunArguments == [])
    (given.settings, given.variableFiles, given.allowedPaths) = (["a=1", "b=2"], ["v.yaml"], ["lib"])
    (given.secrets, given.leavesOutSecrets) = (["t=@f"], true)
    let words = "--set a=1 --set b=2 --vars v.yaml --secret t=@f --allow-path lib --no-secrets"
    #expect(given.rerunArguments.joined(separator: " ") == words)
  }

  @Test("Of several documents each gets what it has a use for, and what none has is refused")
  func shared() throws {
    let folder = try TemporaryFolder()
    var given = GivenInputs()
    (given.settings, given.secrets) = (["speed=1", "lang=no", "sped=2"], ["token=@f"])
    var shared = try SharedInputs(given, in: .living(in: folder))
    func own(_ name: String, _ text: String) throws -> GivenInputs {
      try shared.own(of: SourceFile(name: name, bytes: Array("scenario: A\ndevice: TV\n\(text)".utf8)))
    }
    #expect(try own("a.yaml", "vars: { speed: 1 }\n").settings == ["speed=1"])
    let second = try own("b.yaml", "vars: { lang: en }\nsecrets: { token: { env: T } }\n")
    #expect(second.settings == ["lang=no"] && second.secrets == ["token=@f"])
    #expect(
      shared.failures == [
        WorkspaceError(
          .documentInvalid, "none of the documents has a variable `sped`", help: "did you mean `speed`?")
      ])
  }
}
