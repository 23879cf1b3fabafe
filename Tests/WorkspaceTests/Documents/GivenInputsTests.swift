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

  @Test(
    "The files that are named are those of variables and of secrets; a secret from standard input is none but a name")
  func files() {
    var given = GivenInputs()
    (given.variableFiles, given.secrets) = (["v.yaml"], ["token=@key=@1.txt", "pin=hunter2"])
    #expect(given.files == ["v.yaml", "key=@1.txt"])
  }

  @Test("The compiler sees the variables, files and folders of whoever runs it, and nothing else")
  func compilerInputs() throws {
    let folder = try TemporaryFolder()
    try folder.write("docs/film.mp4", "")
    try folder.write("docs/kit.yaml", "library: Kit\n")
    try folder.write("docs/key.txt", "hush\n")
    try folder.folder("docs/folder")
    let source = SourceFile(name: folder.path("docs/a.yaml"), bytes: [])
    var given = GivenInputs()
    given.leavesOutSecrets = true
    let inputs = try given.compilerInputs(for: source, in: .living(in: folder, ["LANG=no", "TZ=Asia/Tokyo"]))
    #expect(!inputs.needsSecrets && inputs.environment("LANG") == "no" && inputs.environment("PATH") == nil)
    for (path, isThere) in [("film.mp4", true), ("folder", false), ("gone.mp4", false)] {
      #expect(inputs.fileExists(path) == isThere, "\(path)")
      #expect(inputs.fileExists(folder.path("docs/\(path)")) == isThere, "\(path) as a whole path")
    }
    #expect(throws: Never.self) { try inputs.includedFile("kit.yaml", source.name).get() }
    #expect(inputs.includedFile("../kit.yaml", source.name) == .failure(.outside(root: folder.path("docs"))))
    #expect(inputs.secretFileProblem("key.txt", source.name) == nil)
    #expect(inputs.secretFileProblem("pin.txt", source.name) == .notFound)
    #expect(inputs.localZone == "Asia/Tokyo" && inputs.today?.year == 2027)
  }

  @Test("A file of variables that is not there ends the command, as does a folder that is none")
  func unreadable() throws {
    let folder = try TemporaryFolder()
    var given = GivenInputs()
    given.variableFiles = [folder.path("v.yaml")]
    let error = #expect(throws: WorkspaceError.self) {
      try given.compilerInputs(for: Self.source, in: .living(in: folder))
    }
    #expect(error?.code == .notReadable)
    given.variableFiles = []
    given.allowedPaths = [folder.path("lib")]
    #expect(throws: WorkspaceError(.commandLineWrong, "`--allow-path \(folder.path("lib"))` is no folder")) {
      try given.compilerInputs(for: Self.source, in: .living(in: folder))
    }
  }

  @Test("A document that cannot be read may have any name, so that none is refused because of it")
  func unknownNames() throws {
    let folder = try TemporaryFolder()
    var given = GivenInputs()
    (given.settings, given.secrets) = (["speed=1"], ["token=@f"])
    var shared = try SharedInputs(given, in: .living(in: folder))
    #expect(try shared.own(of: SourceFile(name: "a.yaml", bytes: Array("scenario: [".utf8))) == given)
    #expect(shared.failures == [])
  }

  @Test("What no document has is told with where it is declared; what is malformed is refused before any is read")
  func sharedFailures() throws {
    let folder = try TemporaryFolder()
    var given = GivenInputs()
    (given.settings, given.secrets) = (["speed=1"], ["token=@f"])
    var shared = try SharedInputs(given, in: .living(in: folder))
    let text = "scenario: A\ndevice: TV\nsteps: [{ log: hi }]\n"
    let own = try shared.own(of: SourceFile(name: "a.yaml", bytes: Array(text.utf8)))
    #expect(own.settings == [] && own.secrets == [])
    #expect(
      shared.failures == [
        WorkspaceError(
          .documentInvalid, "none of the documents has a variable `speed`", help: "declare it under `vars:`"),
        WorkspaceError(
          .documentInvalid, "none of the documents has a secret `token`", help: "declare it under `secrets:`"),
      ])
    given.settings = ["speed"]
    #expect(throws: WorkspaceError.self) { try SharedInputs(given, in: .living(in: folder)) }
  }
}
