import ScenarioLanguage
import Testing

@testable import Workspace

/// What keeps documents from being run.
extension RunPreparationTests {
  @Test("A run needs the secrets of its document, whatever was left out for a check")
  func withoutSecrets() throws {
    let folder = try TemporaryFolder()
    let text = "secrets: { key: { env: KEY } }\nsteps: [{ log: \"${secret.key}\" }]\n"
    try Self.write(["d/a.yaml": text, "plain.yaml": Self.plain], in: folder)
    for files in [["d/a.yaml"], ["d"]] {
      #expect(
        throws: WorkspaceError(.commandLineWrong, "a run needs the secrets of its document: leave out --no-secrets")
      ) { try Self.prepareWithoutSecrets(files, in: folder) }
    }
    #expect(try Self.prepareWithoutSecrets(["plain.yaml"], in: folder).count == 1)
  }

  private static func prepareWithoutSecrets(
    _ files: [String], in folder: TemporaryFolder
  ) throws -> [PreparedDocument] {
    var inputs = GivenInputs()
    inputs.leavesOutSecrets = true
    let surroundings = Surroundings.living(in: folder)
    let chosen = try ChosenDocuments.choose(
      .init(files: files.map { folder.path($0) }, selection: DocumentSelection(), isLastFailed: false), inputs: inputs,
      runs: folder.path("runs"), in: surroundings)
    let devices = DeviceChoice(line: CommandLineText([])) { () throws(WorkspaceError) in Settings() }
    return try RunPreparation(inputs: inputs, devices: devices, in: surroundings).prepare(chosen)
  }

  @Test("Of several documents one must have the row that is asked for; a word that is no row is refused at once")
  func noRow() throws {
    let folder = try TemporaryFolder()
    try Self.write(["d/a.yaml": Self.rows, "d/b.yaml": Self.plain], in: folder)
    #expect(
      throws: WorkspaceError(
        .commandLineWrong, "no document has a row that fits --row n=3 --row m=1",
        help: "`showcaller plan FILE` lists the rows of a document")
    ) { try Self.prepare(["d"], in: folder) { $0.row = ["n=3", "m=1"] } }
    let error = #expect(throws: WorkspaceError.self) { try Self.prepare(["d"], in: folder) { $0.row = ["n"] } }
    #expect(error?.message == "`--row n` names no value")
  }

  @Test("Whoever is quiet hears no note of rows, and every mistake")
  func quiet() throws {
    let folder = try TemporaryFolder()
    try Self.write(["good/a.yaml": Self.rows, "bad/c.yaml": "step: []\n"], in: folder)
    let heard = HeardMessages()
    _ = try Self.prepare(["good"], in: folder, heardBy: heard) { ($0.row, $0.isQuiet) = (["n=1"], true) }
    #expect(heard.lines == [])
    #expect(throws: WorkspaceError.told) {
      try Self.prepare(["good", "bad"], in: folder, heardBy: heard) { $0.isQuiet = true }
    }
    #expect(!heard.lines.isEmpty)
  }

  @Test("A value that none of several documents has a use for ends the command before any is run")
  func strangeSettings() throws {
    let folder = try TemporaryFolder()
    try Self.write(
      ["d/a.yaml": "vars: { speed: 1 }\nsteps: [{ log: \"${speed}\" }]\n", "d/b.yaml": Self.plain], in: folder)
    let prepared = try Self.prepare(["d"], in: folder) { $0.inputs.settings = ["speed=2"] }
    #expect(prepared.map(\.loader.inputs.settings) == [["speed=2"], []])
    #expect(
      throws: WorkspaceError(
        .documentInvalid, "none of the documents has a variable `sped`", help: "did you mean `speed`?")
    ) { try Self.prepare(["d"], in: folder) { $0.inputs.settings = ["sped=2"] } }
  }

  @Test("Of several documents that do not fit, the worst ends the command and the others are told")
  func unfit() throws {
    let folder = try TemporaryFolder()
    try Self.write(
      ["d/a.yaml": "steps: [{ exec: { command: [date] } }, { expect: { app: none } }]\n", "d/b.yaml": Self.plain],
      in: folder)
    let heard = HeardMessages()
    let error = #expect(throws: WorkspaceError.self) {
      try Self.prepare(["d"], in: folder, heardBy: heard) { $0.inputs.settings = ["speed=2"] }
    }
    #expect(error?.code == .documentUnfit && error?.message.contains("starts programs") == true)
    #expect(heard.lines == ["error: none of the documents has a variable `speed`"])
  }
}
