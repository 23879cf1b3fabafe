import CastProtocol
import RunReporting
import ScenarioLanguage
import Testing

@testable import Workspace

/// What `--last-failed` goes by: the mark of the last command line, and the folders of its runs.
@Suite struct PastLineTests {
  private static let ids = (1...3).map { "01ARZ3NDEKTSV4RRFFQ69G500\($0)" }

  @Test("The mark of a command line comes back")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    try folder.folder("r")
    #expect(try LastLine(in: folder.path("r")) == nil && LastLine(in: folder.path("nowhere")) == nil)
    for line in [
      LastLine(files: ["qa", "Ü \"x\".yaml"], selection: DocumentSelection(tags: ["!a"], only: ["b*"]), exitCode: 3),
      LastLine(files: [], exitCode: 0, first: "1", newest: "2"),
    ] {
      try line.store(in: folder.path("r"))
      #expect(try LastLine(in: folder.path("r")) == line)
    }
    #expect(try folder.names("r") == [LastLine.file])
  }

  static let damaged = ["", "{", "[]", #"{"v":1}"#, #"{"v":2,"files":[],"tags":[],"only":[],"exit":0}"#]

  @Test("A mark that is damaged is told with what to do, and nothing is taken for passed", arguments: damaged)
  func damage(text: String) throws {
    let folder = try TemporaryFolder()
    try folder.leaveRun(Self.ids[0], of: "a.yaml", exit: 0)
    try folder.write("r/\(LastLine.file)", text)
    let error = #expect(throws: WorkspaceError.self) {
      try PastLine(in: folder.path("r"), surroundings: .living(in: folder))
    }
    #expect(error?.message.contains(LastLine.file) == true && error?.help != nil)
  }

  @Test("Where the mark cannot be written, an older one does not count")
  func unwritable() throws {
    let folder = try TemporaryFolder()
    #expect(throws: WorkspaceError.self) { try LastLine(files: [], exitCode: 0).store(in: folder.path("nowhere")) }
    try folder.folder("r/\(LastLine.file)")
    #expect(throws: WorkspaceError.self) { try LastLine(files: [], exitCode: 0).store(in: folder.path("r")) }
    #expect(throws: WorkspaceError.self) { try LastLine(in: folder.path("r")) }
  }

  /// Of a run that passed, then a command line with this mark: the documents to be run again; `nil` where it began none.
  static let marks: [(exit: Int, first: Int?, newest: Int?, runs: [(file: String?, exit: Int?)], again: [String]?)] = [
    (0, 0, 0, [("a.yaml", 0)], []), (1, 0, 0, [("a.yaml", 1)], ["a.yaml"]),
    // It began nothing, or ended with another code than its run.
    (3, nil, 0, [("a.yaml", 0)], nil), (2, nil, nil, [], nil), (8, 0, 0, [("a.yaml", 0)], ["a.yaml"]),
    // A newer run is of a command line that has not ended, or was killed.
    (0, 0, 0, [("a.yaml", 0), ("b.yaml", nil)], ["b.yaml"]), (3, nil, 0, [("a.yaml", 0), ("b.yaml", 0)], []),
    // Another one began later and ended before.
    (1, 0, 1, [("a.yaml", 1), ("b.yaml", 0)], ["a.yaml"]),
    // Its name is the one that was on the command line.
    (8, 0, 0, [(nil, nil)], ["named.yaml"]), (8, 0, 0, [(nil, 0)], ["named.yaml"]),
  ]

  @Test("The last command line decides, whatever an older run came to", arguments: marks)
  func decides(
    _ example: (exit: Int, first: Int?, newest: Int?, runs: [(file: String?, exit: Int?)], again: [String]?)
  ) throws {
    let folder = try TemporaryFolder()
    try folder.folder("r")
    for (id, run) in zip(Self.ids, example.runs) { try folder.leaveRun(id, of: run.file, exit: run.exit) }
    let line = LastLine(
      files: ["named.yaml"], exitCode: example.exit, first: example.first.map { Self.ids[$0] },
      newest: example.newest.map { Self.ids[$0] })
    try line.store(in: folder.path("r"))
    switch try PastLine(in: folder.path("r"), surroundings: .living(in: folder)) {
    case .nothingRan(let past): #expect(past == line && example.again == nil)
    case .ran(let run): #expect(run.unpassed.map(\.file) == example.again)
    }
  }

  @Test("A run whose events have no begin is told by its folder, where nothing else names its document")
  func headless() throws {
    let folder = try TemporaryFolder()
    try folder.leaveRun(Self.ids[0], of: nil, exit: nil)
    let error = #expect(throws: WorkspaceError.self) {
      try PastLine(in: folder.path("r"), surroundings: .living(in: folder))
    }
    #expect(error?.message.contains(folder.path("r/\(Self.ids[0])")) == true)
    // What was to be run says it.
    let source = SourceFile(
      name: "shows/film.yaml", bytes: Array("scenario: Film\ndevice: TV\nsteps: [{ wait: 1s }]\n".utf8))
    var document = try #require(RunnableDocument(PlanCompiler.compile(source, inputs: PlanCompiler.Inputs()).plans))
    document.sources = [source]
    _ = try RunDirectory(
      in: folder.path("r"), id: Self.ids[1], document: document, arguments: RunArguments([], seed: 1), isKept: false,
      surroundings: .living(in: folder)
    ).close()
    let last = try LastRun(in: folder.path("r"), surroundings: .living(in: folder))
    #expect(last.unpassed.map(\.file) == ["shows/film.yaml"] && last.documents[0].plannedRows == [[:]])
  }

  @Test(
    "Of several, those are run again that were never begun, with the rows that were chosen, whatever others ran since",
    arguments: [false, true])
  func several(isInterleaved: Bool) throws {
    let folder = try TemporaryFolder()
    let series = RunSeries(
      first: Self.ids[0], documents: ["a.yaml", "b.yaml", "c.yaml"], rows: ["c.yaml": [["n": 1]]])
    // The first could not begin and left no folder.
    try folder.leaveRun(Self.ids[1], of: "b.yaml", exit: 0)
    try series.store(in: folder.path("r/\(Self.ids[1])"))
    if isInterleaved {
      try folder.leaveRun(Self.ids[2], of: "z.yaml", exit: 1)
      try RunSeries(first: Self.ids[2], documents: ["z.yaml"], rows: [:]).store(in: folder.path("r/\(Self.ids[2])"))
    }
    let newest = Self.ids[isInterleaved ? 2 : 1]
    try LastLine(files: ["."], exitCode: 8, first: Self.ids[0], newest: newest).store(in: folder.path("r"))
    guard case .ran(let run) = try PastLine(in: folder.path("r"), surroundings: .living(in: folder)) else {
      Issue.record("it began a run")
      return
    }
    #expect(run.unpassed.map(\.file) == ["a.yaml", "c.yaml"])
    #expect(run.unpassed.map(\.rowsAgain) == [.without([]), .only([["n": 1]])])
  }

  static let records: [(isLastFailed: Bool, began: [String], isWritten: Bool)] = [
    (false, [], true), (false, ["1", "2"], true), (true, ["1"], true), (true, [], false),
  ]

  @Test("A command line leaves its mark, but for a --last-failed that began nothing", arguments: records)
  func record(_ example: (isLastFailed: Bool, began: [String], isWritten: Bool)) throws {
    let folder = try TemporaryFolder()
    try folder.leaveRun(Self.ids[0], of: "a.yaml", exit: 0)
    let record = LastLineRecord(
      of: .init(files: ["qa"], selection: DocumentSelection(tags: ["x"]), isLastFailed: example.isLastFailed),
      in: folder.path("r"), surroundings: .living(in: folder))
    for run in example.began { record.began(run) }
    record.end(.documentInvalid)
    let line = LastLine(
      files: ["qa"], selection: DocumentSelection(tags: ["x"]), exitCode: 3, first: example.began.first,
      newest: Self.ids[0])
    #expect(try LastLine(in: folder.path("r")) == (example.isWritten ? line : nil))
  }

  @Test("No folder of runs is made for a mark")
  func noFolder() throws {
    let folder = try TemporaryFolder()
    let record = LastLineRecord(
      of: .init(files: ["qa"], selection: DocumentSelection(), isLastFailed: false), in: folder.path("r"),
      surroundings: .living(in: folder))
    record.end(.documentInvalid)
    #expect(try folder.names() == [])
  }
}
