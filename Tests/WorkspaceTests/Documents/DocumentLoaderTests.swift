import Glibc
import ScenarioLanguage
import Testing

@testable import Workspace

@Suite struct DocumentLoaderTests {
  private static let rows = "scenario: Rows\ndevice: TV\nmatrix: { lang: [en, no], n: [1, 2] }\nsteps: [{ log: hi }]\n"

  private static func loader(
    _ text: String, in folder: TemporaryFolder, heardBy heard: HeardMessages = HeardMessages(),
    _ change: (inout GivenInputs) -> Void = { _ in }
  ) throws -> DocumentLoader {
    var inputs = GivenInputs()
    change(&inputs)
    return DocumentLoader(try folder.write("a.yaml", text), inputs: inputs, in: .living(in: folder, heardBy: heard))
  }

  @Test("What does not run is refused by what it is, with what can be done with it")
  func kinds() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.yaml")
    let playlist = "playlist: Week\ndevices: [TV]\nprogram: [{ play: [\"https://x.example/a.png\"] }]\n"
    for purpose in ["run", "simulated"] {
      #expect(
        throws: WorkspaceError(
          .documentUnfit, "\(path) is a playlist: it is served, not \(purpose)",
          help:
            "`showcaller serve \(path)` shows it on its screens, `showcaller serve --virtual \(path)` on virtual ones")
      ) { try Self.loader(playlist, in: folder).scenario(to: purpose, device: nil) }
    }
    #expect(
      throws: WorkspaceError(.documentUnfit, "\(path) is a library: it only holds definitions for other documents")
    ) { try Self.loader("library: Kit\n", in: folder).scenario(to: "run", device: nil) }
    // To look at, each of them is a document.
    guard case .library = try Self.loader("library: Kit\n", in: folder).compile().document else {
      Issue.record("it is no library")
      return
    }
  }

  @Test("What a document is told to be wrong with ends the command; warnings are told, counted and end nothing")
  func problems() throws {
    let folder = try TemporaryFolder()
    let heard = HeardMessages()
    #expect(throws: WorkspaceError.told) {
      try Self.loader("scenario: A\nstep: []\n", in: folder, heardBy: heard).compile()
    }
    #expect(heard.lines.allSatisfy { $0.hasSuffix(" \(folder.path("a.yaml"))") } && !heard.lines.isEmpty)
    let warned = HeardMessages()
    let text = "scenario: A\ndevice: TV\nvars: { unused: 1 }\nsteps: [{ log: hi }]\n"
    let document = try Self.loader(text, in: folder, heardBy: warned).scenario(to: "run", device: nil)
    #expect(document.warnings == warned.lines.count && document.warnings > 0, "\(warned.lines)")
  }

  @Test("A document knows what the command line added to it, and of secrets only the place")
  func inputs() throws {
    let folder = try TemporaryFolder()
    try folder.write("key.txt", "hush\n")
    try folder.write("v.yaml", "speed: 2\n")
    let text = """
      scenario: A
      device: TV
      vars: { speed: 1, lang: en }
      secrets: { key: { env: KEY } }
      steps: [{ log: "${speed} ${lang} ${secret.key}" }]

      """
    let secret = "@" + folder.path("key.txt")
    let document = try Self.loader(text, in: folder) {
      ($0.settings, $0.variableFiles, $0.secrets) = (["lang=no"], [folder.path("v.yaml")], ["key=" + secret])
    }.scenario(to: "run", device: nil)
    #expect(document.inputs.settings == [.init("lang", "no")])
    #expect(document.inputs.variableFiles == [folder.path("v.yaml")])
    #expect(document.inputs.secrets == [.init("key", secret)])
    #expect(
      document.sources.map(\.name) == [folder.path("a.yaml"), "--set", "--secret", folder.path("v.yaml")])
    guard case .log(let line) = document.rows[0].steps[0].action else {
      Issue.record("it has another step")
      return
    }
    #expect("\(line)".contains("2 no"), "\(line)")
  }

  @Test("Text that was read before is not read again")
  func read() throws {
    let folder = try TemporaryFolder()
    var loader = try Self.loader("scenario: A\ndevice: TV\nsteps: [{ log: hi }]\n", in: folder)
    loader.source = try SourceFile(readingFrom: loader.file)
    unlink(loader.file)
    #expect(try loader.scenario(to: "run", device: nil).id == "a")
    loader.source = nil
    #expect(throws: WorkspaceError.self) { try loader.scenario(to: "run", device: nil) }
  }

  @Test("A device in place of the document's is as good as one of its own")
  func device() throws {
    let folder = try TemporaryFolder()
    let loader = try Self.loader("scenario: A\nsteps: [{ log: hi }]\n", in: folder)
    #expect(throws: WorkspaceError.told) { try loader.scenario(to: "run", device: nil) }
    #expect(try loader.scenario(to: "run", device: .name("Bar")).rows[0].device.name == "Bar")
  }

  static let chosen: [(row: [String], count: Int)] = [
    ([], 4), (["lang=no"], 2), (["lang=no", "n=2"], 1), (["n=2", "n=2"], 2),
  ]

  @Test("Rows are chosen by all of the values that are given", arguments: chosen)
  func rows(row: [String], count: Int) throws {
    let folder = try TemporaryFolder()
    let loader = try Self.loader(Self.rows, in: folder)
    #expect(try loader.rows(of: loader.compile().plans, fitting: row).count == count)
    #expect(try loader.runnable(to: "run", row: row, allowsPrograms: false).rows.count == count)
  }

  static let misses: [(row: [String], message: String, help: String)] = [
    (["lang=de"], "no row of the matrix of FILE fits --row lang=de", "`showcaller plan FILE` lists the rows"),
    (
      ["lang=no", "n=3"], "no row of the matrix of FILE fits --row lang=no --row n=3",
      "`showcaller plan FILE` lists the rows"
    ),
    (["speed=1"], "the matrix of FILE has no variable `speed`", "it has `lang`, `n`"),
    (["lang"], "`--row lang` names no value", "write `--row name=value`, as `showcaller plan` lists them"),
    (["=no"], "`--row =no` names no value", "write `--row name=value`, as `showcaller plan` lists them"),
    (["speed=1", "n"], "`--row n` names no value", "write `--row name=value`, as `showcaller plan` lists them"),
  ]

  @Test("Where no row fits, the first thing that is wrong with the choice is told", arguments: misses)
  func noRow(row: [String], message: String, help: String) throws {
    let folder = try TemporaryFolder()
    let loader = try Self.loader(Self.rows, in: folder)
    let path = folder.path("a.yaml")
    #expect(
      throws: WorkspaceError(
        .commandLineWrong, message.replacing("FILE", with: path), help: help.replacing("FILE", with: path))
    ) { try loader.rows(of: loader.compile().plans, fitting: row) }
  }

  @Test("A document without a matrix says so to whoever asks for a row")
  func noMatrix() throws {
    let folder = try TemporaryFolder()
    let loader = try Self.loader("scenario: A\ndevice: TV\nsteps: [{ log: hi }]\n", in: folder)
    let error = #expect(throws: WorkspaceError.self) {
      try loader.runnable(to: "run", row: ["n=1"], allowsPrograms: false)
    }
    #expect(error?.help == "it has no matrix: leave `--row` out")
  }

  @Test("Of many uses that cannot be run only fifty are told")
  func manyRefusals() throws {
    let folder = try TemporaryFolder()
    let heard = HeardMessages()
    let entries = (1...60).map { "  t\($0): { name: TV \($0), expect: [rate] }\n" }.joined()
    let names = (1...60).map { "t\($0)" }.joined(separator: ", ")
    let loader = try Self.loader(
      "scenario: A\ninventory:\n\(entries)devices: [\(names)]\nsteps: [{ log: hi }]\n", in: folder, heardBy: heard)
    let document = try loader.scenario(to: "run", device: nil)
    #expect(document.unsupportedUses.count == 60)
    let before = heard.lines.count
    #expect(throws: WorkspaceError.told) { try loader.refuse(document.unsupportedUses, in: document) }
    #expect(heard.lines.count - before == 50)
  }

  @Test("Values of secrets are looked for only where a document has some, and they are not left out")
  func secretLoader() async throws {
    let folder = try TemporaryFolder()
    let secret = "scenario: A\ndevice: TV\nsecrets: { key: { env: KEY } }\nsteps: [{ log: \"${secret.key}\" }]\n"
    func loader(_ text: String, _ change: (inout GivenInputs) -> Void = { _ in }) throws -> SecretLoader? {
      let loader = try Self.loader(text, in: folder, change)
      let document = try loader.scenario(to: "run", device: nil)
      return try loader.secretLoader(of: document.secrets, allowsCommands: nil, remembering: GivenSecrets())
    }
    #expect(try loader("scenario: A\ndevice: TV\nsteps: [{ log: hi }]\n").map { _ in true } == nil)
    #expect(try loader(secret) { $0.leavesOutSecrets = true }.map { _ in true } == nil)
    try folder.write("key.txt", "hush\n")
    let values = try #require(loader(secret) { $0.secrets = ["key=@" + folder.path("key.txt")] })
    let document = try Self.loader(secret, in: folder) { $0.leavesOutSecrets = true }.scenario(to: "run", device: nil)
    #expect(try await values.load(document.secrets).values == ["key": "hush"])
  }
}
