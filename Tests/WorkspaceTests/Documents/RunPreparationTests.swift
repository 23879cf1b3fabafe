import CastProtocol
import Glibc
import RunReporting
import ScenarioLanguage
import Testing

@testable import Workspace

@Suite struct RunPreparationTests {
  static let rows = "matrix: { n: [1, 2] }\nsteps: [{ log: \"${matrix.n}\" }, { expect: { app: none } }]\n"
  static let plain = "steps: [{ log: hello }, { expect: { app: none } }]\n"

  static func write(_ documents: [String: String], in folder: TemporaryFolder) throws {
    for (name, text) in documents {
      try folder.write(name, text.hasPrefix("scenario") ? text : "scenario: \(name.prefix(1))\ndevice: TV\n\(text)")
    }
  }

  static func choose(
    _ files: [String], _ selection: DocumentSelection = DocumentSelection(tags: [], only: []),
    in folder: TemporaryFolder, heardBy heard: HeardMessages = HeardMessages()
  ) throws -> ChosenDocuments {
    try ChosenDocuments.choose(
      .init(files: files.map { folder.path($0) }, selection: selection, isLastFailed: false), inputs: GivenInputs(),
      runs: folder.path("runs"), in: .living(in: folder, heardBy: heard))
  }

  static func prepare(
    _ files: [String], in folder: TemporaryFolder, heardBy heard: HeardMessages = HeardMessages(),
    _ change: (inout RunPreparation) -> Void = { _ in }
  ) throws -> [PreparedDocument] {
    let chosen = try choose(files, in: folder, heardBy: heard)
    let devices = DeviceChoice(line: CommandLineText([])) { () throws(WorkspaceError) in Settings() }
    var preparation = RunPreparation(
      inputs: GivenInputs(), devices: devices, in: .living(in: folder, heardBy: heard))
    change(&preparation)
    return try preparation.prepare(chosen)
  }

  @Test("A file is one document; a folder is several, without what does not run")
  func chosen() throws {
    let folder = try TemporaryFolder()
    try Self.write(["d/a.yaml": Self.plain, "d/b.yaml": Self.plain], in: folder)
    try folder.write("d/kit.yaml", "library: Kit\nvars: { n: 1 }\n")
    try folder.write("d/notes.yaml", "anything: else\n")
    let one = try Self.choose(["d/a.yaml"], in: folder)
    #expect(one.documents.count == 1 && !one.areSeveral && one.notes == [])
    let all = try Self.choose(["d"], in: folder)
    #expect(all.documents.map(\.loader.file) == ["d/a.yaml", "d/b.yaml"].map { folder.path($0) } && all.areSeveral)
    #expect(all.notes.count == 1 && all.notes[0].contains("is a library"))
    let some = try Self.choose(["d"], DocumentSelection(tags: [], only: ["b"]), in: folder)
    #expect(some.documents.map(\.loader.file) == [folder.path("d/b.yaml")])
    #expect(some.notes.last == "1 of 2 documents: \(folder.path("d/b.yaml"))")
  }

  @Test("A document whose tags cannot be read is told by name, and keeps all from being run unless others are named")
  func unreadableTags() throws {
    let folder = try TemporaryFolder()
    try Self.write(["d/a.yaml": "tags: [smoke]\n\(Self.plain)"], in: folder)
    for text in ["scenario: [broken\ntags: [smoke]\n", "scenario: Z\ndevice: TV\ntags: smoke\n\(Self.plain)"] {
      try folder.write("d/z.yaml", text)
      let heard = HeardMessages()
      let chosen = try Self.choose(["d"], DocumentSelection(tags: ["smoke"]), in: folder, heardBy: heard)
      #expect(heard.lines.count == 1 && heard.lines[0].hasPrefix("warning: the tags of \(folder.path("d/z.yaml"))"))
      let devices = DeviceChoice(line: CommandLineText([])) { () throws(WorkspaceError) in Settings() }
      let preparation = RunPreparation(inputs: GivenInputs(), devices: devices, in: .living(in: folder))
      let error = #expect(throws: WorkspaceError.self) { try preparation.prepare(chosen) }
      #expect(error?.exit == .documentInvalid)
      let others = HeardMessages()
      let named = try Self.choose(["d"], DocumentSelection(tags: ["smoke"], only: ["a"]), in: folder, heardBy: others)
      #expect(named.documents.count == 1 && others.lines == [])
    }
  }

  @Test("Nothing is chosen where no file can be read, none is a scenario, or none has the name")
  func unchosen() throws {
    let folder = try TemporaryFolder()
    try Self.write(["d/a.yaml": Self.plain], in: folder)
    try folder.folder("empty")
    let heard = HeardMessages()
    #expect(throws: WorkspaceError.self) { try Self.choose(["x", "y"], in: folder, heardBy: heard) }
    #expect(heard.lines.count == 1)
    #expect(throws: WorkspaceError.self) { try Self.choose(["empty"], in: folder) }
    let error = #expect(throws: WorkspaceError.self) {
      try Self.choose(["d"], DocumentSelection(tags: [], only: ["c"]), in: folder)
    }
    #expect(error?.message == "no document is called `c`")
  }

  @Test("Rows are chosen, programs need leave, and each refusal has its exit")
  func refused() throws {
    let folder = try TemporaryFolder()
    try Self.write(
      [
        "rows.yaml": Self.rows, "exec.yaml": "steps: [{ exec: { command: [date] } }, { expect: { app: none } }]\n",
        "bad.yaml": "step: []\n",
      ], in: folder)
    let row = try Self.prepare(["rows.yaml"], in: folder) { $0.row = ["n=2"] }
    #expect(row.map(\.runnable.rows.count) == [1])
    let cases: [(file: String, row: [String], code: WorkspaceError.Code, message: String)] = [
      ("rows.yaml", ["n=3"], .commandLineWrong, "no row of the matrix"),
      ("rows.yaml", ["m=1"], .commandLineWrong, "has no variable `m`"),
      ("rows.yaml", ["n"], .commandLineWrong, "names no value"),
      ("exec.yaml", [], .documentUnfit, "starts programs"), ("bad.yaml", [], .told, ""),
      ("nowhere.yaml", [], .notReadable, "cannot read"),
    ]
    for (file, row, code, message) in cases {
      let heard = HeardMessages()
      let error = #expect(throws: WorkspaceError.self, "\(file)") {
        try Self.prepare([file], in: folder, heardBy: heard) { $0.row = row }
      }
      #expect(error?.code == code && (message.isEmpty || error?.message.contains(message) == true), "\(file)")
      #expect(heard.lines.isEmpty != (code == .told), "\(heard.lines)")
    }
    #expect(try Self.prepare(["exec.yaml"], in: folder) { $0.allowsPrograms = true }.count == 1)
  }

  @Test("Of several documents none is run while one is wrong; the others lose only rows")
  func several() throws {
    let folder = try TemporaryFolder()
    try Self.write(["good/a.yaml": Self.rows, "good/b.yaml": Self.plain, "bad/c.yaml": "step: []\n"], in: folder)
    let heard = HeardMessages()
    let prepared = try Self.prepare(["good"], in: folder, heardBy: heard) { $0.row = ["n=1"] }
    #expect(prepared.map(\.runnable.id) == ["a"] && prepared[0].runnable.rows.count == 1)
    #expect(heard.lines == ["note: \(folder.path("good/a.yaml")): 1 of 2 rows"])
    let error = #expect(throws: WorkspaceError.self) { try Self.prepare(["good", "bad"], in: folder) }
    #expect(error?.code == .told)
  }

  static let overwriting: [(report: String, files: [String], message: String)] = [
    ("d/b.yaml", ["d"], "would overwrite"), ("d/lib.yaml", ["d"], "would overwrite"),
    ("other.yaml", ["d/b.yaml"], "other.yaml, which is"), ("hard.yaml", ["d"], "hard.yaml, which is"),
    ("d/../d/a.yaml", ["d/a.yaml"], "which is"), ("key.txt", ["d/a.yaml"], "would overwrite"),
    ("v.yaml", ["d/b.yaml"], "would overwrite"), ("lib.yaml", ["d/bad.txt"], "would overwrite"),
    ("notes.yaml", ["d"], ""), ("new.yaml", ["d"], ""), ("-", ["d"], ""),
  ]

  @Test("No report goes over a file that the run is read from, by whatever name", arguments: overwriting)
  func overwritten(_ example: (report: String, files: [String], message: String)) throws {
    let folder = try TemporaryFolder()
    let secret = "secrets: { key: { file: ../key.txt } }\nsteps: [{ log: \"${secret.key}\" }]\n"
    try Self.write(["d/a.yaml": secret, "d/b.yaml": "include: [../lib.yaml]\n\(Self.plain)"], in: folder)
    try Self.write(["d/bad.txt": "include: [../lib.yaml]\nstep: []\n"], in: folder)
    for (name, text) in [
      "lib.yaml": "library: L\n", "d/lib.yaml": "library: L\n", "v.yaml": "{}\n", "notes.yaml": "a: b\n",
    ] {
      try folder.write(name, text)
    }
    try folder.write("key.txt", "hush\n")
    try folder.folder(".git")
    try folder.link("other.yaml", to: "d/b.yaml")
    try #require(link(folder.path("d/a.yaml"), folder.path("hard.yaml")) == 0)
    func prepare() throws {
      _ = try Self.prepare(example.files, in: folder) {
        $0.inputs.variableFiles = [folder.path("v.yaml")]
        $0.reports = [ReportTarget(.junit, example.report == "-" ? "-" : folder.path(example.report))]
      }
    }
    if example.message.isEmpty { return try prepare() }
    let error = #expect(throws: WorkspaceError.self) { try prepare() }
    #expect(
      error?.code == .commandLineWrong && error?.message.contains(example.message) == true,
      "\(String(describing: error))")
  }

  @Test("--host and --device replace the document's device, of a role only the one that is named")
  func devices() throws {
    let folder = try TemporaryFolder()
    let roles = "scenario: R\nroles: { left: A, right: B }\nsteps: [{ log: hello }]\n"
    try Self.write(["one.yaml": Self.plain, "two.yaml": roles], in: folder)
    func names(_ file: String, _ change: (inout DeviceChoice) -> Void) throws -> [String] {
      let plan = try Self.prepare([file], in: folder) { change(&$0.devices) }[0].runnable.rows[0]
      let selectors = plan.roles.isEmpty ? [plan.device] : plan.roles.map(\.device)
      return selectors.map { $0.host?.text ?? $0.name ?? "" }
    }
    #expect(try names("one.yaml") { $0.devices = ["Kitchen"] } == ["Kitchen"])
    #expect(try names("one.yaml") { $0.host = HostAndPort(host: "192.0.2.1", port: 8009) } == ["192.0.2.1:8009"])
    #expect(try names("two.yaml") { $0.devices = ["right=Kitchen"] } == ["A", "Kitchen"])
    let wrong: [(String, (inout DeviceChoice) -> Void, WorkspaceError.Code)] = [
      ("two.yaml", { $0.devices = ["Kitchen"] }, .documentUnfit),
      ("two.yaml", { $0.host = HostAndPort(host: "192.0.2.1", port: 8009) }, .commandLineWrong),
      ("one.yaml", { ($0.isVirtual, $0.devices) = (true, ["Kitchen"]) }, .commandLineWrong),
    ]
    for (file, change, code) in wrong {
      let error = #expect(throws: WorkspaceError.self) { try names(file, change) }
      #expect(error?.code == code, "\(file)")
    }
  }
}
