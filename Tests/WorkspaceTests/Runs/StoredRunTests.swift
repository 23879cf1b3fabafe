import CastProtocol
import Glibc
import ScenarioLanguage
import Testing

@testable import Workspace

@Suite struct StoredRunTests {
  private static let ids = ["01ARZ3NDEKTSV4RRFFQ69G5001", "01ARZ3NDEKTSV4RRFFQ69G5002", "01ARZ3NDEKTSV4RRFFQ69G5003"]

  /// Two runs with events, a newer one without, and things that are no runs.
  private static func runs(in folder: TemporaryFolder) throws -> String {
    for (number, id) in ids.prefix(2).enumerated() { try folder.write("runs/\(id)/events.jsonl", "\(number)\n") }
    try folder.folder("runs/\(ids[2])")
    try folder.write("runs/notes/events.jsonl", "notes")
    return folder.path("runs")
  }

  private static func stored(_ name: String, in folder: TemporaryFolder) throws -> StoredRun {
    try StoredRun(name, in: folder.path("runs"), surroundings: .living(in: folder))
  }

  private static func text(_ run: StoredRun) throws -> String {
    var bytes: [UInt8] = []
    try run.readEvents { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("A run is found by its id, as the newest, by its folder and by its file of events")
  func found() throws {
    let folder = try TemporaryFolder()
    let runs = try Self.runs(in: folder)
    let file = try folder.write("any.jsonl", "any")
    let cases = [
      (Self.ids[0], "0\n"), ("latest", "1\n"), ("\(runs)/\(Self.ids[0])", "0\n"),
      ("\(runs)/\(Self.ids[1])/events.jsonl", "1\n"), ("\(runs)/notes", "notes"), (file, "any"),
    ]
    for (name, text) in cases {
      let run = try Self.stored(name, in: folder)
      #expect(try Self.text(run) == text, "\(name)")
      #expect(try Self.text(run) == text, "\(name), again")
    }
    #expect(StoredRun.ids(in: runs) == [Self.ids[1], Self.ids[0]])
    #expect(StoredRun.ids(in: folder.path("nowhere")) == [])
  }

  static let series: [(exits: [Int?], meant: Int, note: String)] = [
    ([0, 1, 1], 1, "the first of 3 documents that did not pass"),
    ([1, 0, 0], 0, "the first of 3 documents that did not pass"),
    // Killed.
    ([0, 0, nil], 2, "the first of 3 documents that did not pass"),
    // Not begun.
    ([0, 0], 1, "the last of 2 runs, all of which passed"),
  ]

  @Test(
    "The newest of documents that were run together is the first that did not pass, and that is told", arguments: series
  )
  func latestOfSeries(_ example: (exits: [Int?], meant: Int, note: String)) throws {
    let folder = try TemporaryFolder()
    let files = ["a.yaml", "b.yaml", "c.yaml"]
    try folder.leaveRun("01ARZ3NDEKTSV4RRFFQ69G5000", of: "older.yaml", exit: 1)
    for (index, exit) in example.exits.enumerated() {
      try folder.leaveRun(Self.ids[index], of: files[index], exit: exit)
      try RunSeries(first: Self.ids[0], documents: files).store(in: folder.path("r/\(Self.ids[index])"))
    }
    let run = try StoredRun("latest", in: folder.path("r"), surroundings: .living(in: folder))
    let id = Self.ids[example.meant]
    #expect(run.path == folder.path("r/\(id)/events.jsonl"))
    #expect(run.note == "\(id) is \(example.note)")
  }

  @Test("A run that died does not count any more when another has gone on with it")
  func latestIsResumed() throws {
    let folder = try TemporaryFolder()
    for (index, exit) in [Int?.none, 0].enumerated() {
      try folder.leaveRun(Self.ids[index], of: "a.yaml", exit: exit)
      var series = RunSeries(first: Self.ids[0], documents: ["a.yaml", "b.yaml"])
      series.resumes = index == 0 ? nil : Self.ids[0]
      try series.store(in: folder.path("r/\(Self.ids[index])"))
      #expect(RunSeries(in: folder.path("r/\(Self.ids[index])")) == series)
    }
    let run = try StoredRun("latest", in: folder.path("r"), surroundings: .living(in: folder))
    #expect(run.path == folder.path("r/\(Self.ids[1])/events.jsonl"))
  }

  @Test("The folder of runs is none of them, and the latest is named", arguments: ["", "/"])
  func folderOfRuns(slash: String) throws {
    let folder = try TemporaryFolder()
    let runs = try Self.runs(in: folder)
    #expect(
      throws: WorkspaceError(
        .commandLineWrong, "\(runs)\(slash) is a folder of runs, not one of them",
        help: "name one: the latest is \(runs)/\(Self.ids[1])")
    ) { try Self.stored(runs + slash, in: folder) }
  }

  @Test("Standard input is read at once, and can be read again")
  func standardInput() throws {
    let folder = try TemporaryFolder()
    let file = try Files.open(folder.write("input", "events"), O_RDONLY)
    var surroundings = Surroundings.living(in: folder)
    surroundings.standardInput = file.descriptor
    let run = try StoredRun("-", in: folder.path("runs"), surroundings: surroundings)
    try file.close()
    #expect(run.path == nil && run.storedNames == [] && run.source(of: "a.yaml") == nil)
    for _ in 1...2 { #expect(try Self.text(run) == "events") }
  }

  @Test("What is no run is told with a cure")
  func missing() throws {
    let folder = try TemporaryFolder()
    let runs = folder.path("runs")
    #expect(
      throws: WorkspaceError(
        .commandLineWrong, "there is no run in \(runs)",
        help: "`showcaller run FILE` leaves one there; --runs names another folder")
    ) { try Self.stored("latest", in: folder) }
    let cure = "name a run's id or folder, `latest`, an archive, or a file of events; --runs names another folder"
    for name in ["nowhere", Self.ids[0], ""] {
      #expect(
        throws: WorkspaceError(
          .commandLineWrong, "there is no run \(name), neither in \(runs) nor as a file", help: cure)
      ) { try Self.stored(name, in: folder) }
    }
    let empty = try folder.folder("empty")
    let run = try Self.stored(empty, in: folder)
    #expect(
      throws: WorkspaceError(.commandLineWrong, "cannot read \(empty)/events.jsonl: No such file or directory")
    ) { try Self.text(run) }
  }

  @Test("Its files come back under the paths that the document names them by")
  func sources() throws {
    let folder = try TemporaryFolder()
    _ = try Self.runs(in: folder)
    let names = "{\"name\":\"1-a.yaml\",\"path\":\"lib/a.yaml\"},{\"name\":\"link\",\"path\":\"b\"}"
    let sources = "runs/\(Self.ids[0])/sources"
    try folder.write("\(sources).json", "{\"v\":1,\"files\":[\(names),{\"name\":\"gone\",\"path\":\"c\"}]}")
    try folder.write("\(sources)/1-a.yaml", "kit\r\n")
    try folder.write("\(sources)/large.yaml", String(repeating: "x", count: (1 << 20) + 2))
    try folder.link("\(sources)/link", to: "1-a.yaml")
    let run = try Self.stored(Self.ids[0], in: folder)
    #expect(run.source(of: "lib/a.yaml") == SourceFile(name: "lib/a.yaml", bytes: Array("kit\r\n".utf8)))
    // A link is followed nowhere; `gone` is not there.
    for path in ["b", "c", "1-a.yaml"] { #expect(run.source(of: path) == nil, "\(path)") }
    #expect(run.storedNames.sorted() == ["1-a.yaml", "large.yaml", "link"])
    #expect(run.source(named: "1-a.yaml", path: "other") == SourceFile(name: "other", bytes: Array("kit\r\n".utf8)))
    #expect(run.source(named: "large.yaml", path: "other") == nil)
  }

  @Test("Where the index is missing or damaged no path has a file, and the names are still there")
  func withoutIndex() throws {
    let folder = try TemporaryFolder()
    _ = try Self.runs(in: folder)
    let sources = "runs/\(Self.ids[0])/sources"
    try folder.write("\(sources)/a.yaml", "a")
    let run = try Self.stored(Self.ids[0], in: folder)
    for index in [nil, "{", "{\"v\":9}"] {
      if let index { try folder.write("\(sources).json", index) }
      #expect(run.source(of: "a.yaml") == nil)
      #expect(run.storedNames == ["a.yaml"])
      #expect(run.source(named: "a.yaml", path: "x/a.yaml")?.bytes == [UInt8(ascii: "a")])
    }
  }

  // MARK: What was run

  /// A run of two rows with two files of one name, and its document.
  private static func run(in folder: TemporaryFolder) throws -> (run: StoredRun, document: RunnableDocument) {
    let source = SourceFile(
      name: "shows/film.yaml",
      bytes: Array("scenario: Film\ndevice: TV\nmatrix: { n: [1, 2] }\nsteps: [{ log: \"${matrix.n}\" }]\n".utf8))
    var document = try #require(RunnableDocument(PlanCompiler.compile(source, inputs: PlanCompiler.Inputs()).plans))
    document.sources = [source, SourceFile(name: "lib/film.yaml", bytes: [0xFF, 0x0D])]
    document.inputs.settings = [.init("speed", "1.5")]
    document.inputs.row = ["n=1"]
    document.warnings = 3
    _ = try RunDirectory(
      in: folder.path("runs"), id: ids[0], document: document, arguments: RunArguments(["run", "--virtual"], seed: 7),
      isKept: false, surroundings: .living(in: folder)
    ).close()
    return (try stored(ids[0], in: folder), document)
  }

  @Test("What was run comes back as it was: all rows, inputs, files and arguments")
  func documents() throws {
    let folder = try TemporaryFolder()
    let (run, document) = try Self.run(in: folder)
    #expect(document.rows.count == 2)
    #expect(try run.documents() == [document])
    #expect(try run.arguments() == RunArguments(["run", "--virtual"], seed: 7))
  }

  @Test("What is damaged or missing is told by its file and the way to it")
  func damaged() throws {
    let folder = try TemporaryFolder()
    let (run, _) = try Self.run(in: folder)
    let path = folder.path("runs/\(Self.ids[0])/runnable.json")
    let text = try #require(folder.text("runs/\(Self.ids[0])/runnable.json"))
    let cases: [(text: String, message: String)] = [
      (
        text.replacing("\"shows/film.yaml\",\"lib/film.yaml\"]", with: "\"other.yaml\"]"),
        "documents[0].sources[0]: there is no file other.yaml"
      ),
      (text.replacing("\"v\":1", with: "\"v\":2"), "v: it is not 1: another version of showcaller wrote it"),
      (text.replacing("\"warnings\":3", with: "\"warnings\":[]"), "documents[0].warnings: it is no whole number"),
      (String(text.dropLast(9)), "it is no JSON: "),
    ]
    for (text, message) in cases {
      try folder.write("runs/\(Self.ids[0])/runnable.json", text)
      #expect {
        try run.documents()
      } throws: { error in
        guard let error = error as? WorkspaceError else { return false }
        return error.code == .documentInvalid && error.message.hasPrefix("cannot use \(path): \(message)")
      }
    }
    try folder.write("runs/\(Self.ids[0])/options.json", "{}")
    #expect(throws: WorkspaceError.self) { try run.arguments() }
  }

  @Test("Of a run that was killed before it had stored what to run the cure is told", arguments: [nil, ""])
  func killedEarly(left: String?) throws {
    let folder = try TemporaryFolder()
    let (run, _) = try Self.run(in: folder)
    let path = "runs/\(Self.ids[0])"
    unlink(folder.path("\(path)/runnable.json"))
    if let left { try folder.write("\(path)/runnable.json", left) }
    let whole = folder.path(path)
    #expect(
      throws: WorkspaceError(
        .commandLineWrong,
        "what was to be run is not in \(whole): the run was killed while it began, or an early version wrote it",
        help: "run the document again: `showcaller run FILE`; as it was then it is in \(whole)/sources")
    ) { try run.documents() }
  }
}
