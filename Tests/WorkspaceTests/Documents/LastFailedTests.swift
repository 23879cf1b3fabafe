import CastProtocol
import Foundation
import RunReporting
import ScenarioLanguage
import Testing

@testable import Workspace

/// What `--last-failed` makes of the files on the command line and of what the last one left behind.
@Suite struct LastFailedTests {
  private static let ids = (1...3).map { "01ARZ3NDEKTSV4RRFFQ69G500\($0)" }

  /// Three documents in `d`, one of which passed, one failed, and one was never begun.
  private static func failed() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let files = try ["a", "b", "c"].map { name in
      try folder.write("d/\(name).yaml", "scenario: \(name)\ndevice: TV\ntags: [x\(name)]\nsteps: [{ log: hi }]\n")
    }
    let series = RunSeries(first: ids[0], documents: files, rows: [files[2]: [["n": 1]]])
    for (index, exit) in [0, 1].enumerated() {
      try folder.leaveRun(ids[index], of: files[index], exit: exit)
      try series.store(in: folder.path("r/\(ids[index])"))
    }
    return folder
  }

  private static func choose(
    _ files: [String] = [], _ selection: DocumentSelection = DocumentSelection(), in folder: TemporaryFolder
  ) throws -> ChosenDocuments {
    try ChosenDocuments.choose(
      .init(files: files.map { folder.path($0) }, selection: selection, isLastFailed: true), inputs: GivenInputs(),
      runs: folder.path("r"), in: .living(in: folder))
  }

  private static func names(_ chosen: ChosenDocuments, in folder: TemporaryFolder) -> [String] {
    chosen.documents.map { String($0.loader.file.dropFirst(folder.path.count + 1)) }
  }

  @Test("Without a file it is what did not pass, begun or not, each with its rows, and a note tells of how many")
  func unpassed() throws {
    let folder = try Self.failed()
    let chosen = try Self.choose(in: folder)
    #expect(Self.names(chosen, in: folder) == ["d/b.yaml", "d/c.yaml"] && chosen.areSeveral)
    #expect(chosen.documents.map(\.rowsAgain) == [.without([]), .only([["n": 1]])])
    let list = "\(folder.path("d/b.yaml")), \(folder.path("d/c.yaml"))"
    #expect(chosen.notes == ["2 of 3 documents did not pass in the last run: \(list)"])
  }

  @Test("Of files that are named, those that passed are left out, also under another name")
  func named() throws {
    let folder = try Self.failed()
    try folder.link("link.yaml", to: "d/b.yaml")
    #expect(try Self.names(Self.choose(["link.yaml", "d/a.yaml"], in: folder), in: folder) == ["link.yaml"])
    #expect(try Self.names(Self.choose(["d"], in: folder), in: folder) == ["d/b.yaml", "d/c.yaml"])
    let passed = try Self.choose(["d/a.yaml"], in: folder)
    #expect(passed.documents.isEmpty)
    #expect(passed.notes == ["nothing to run again: in the last run \(folder.path("d/a.yaml")) passed"])
  }

  @Test("A document that was no part of the last run is refused, and the help names those that were")
  func strangers() throws {
    let folder = try Self.failed()
    try folder.write("other.yaml", "scenario: Other\ndevice: TV\nsteps: [{ log: hi }]\n")
    let files = ["a", "b", "c"].map { folder.path("d/\($0).yaml") }.joined(separator: ", ")
    #expect(
      throws: WorkspaceError(
        .commandLineWrong, "none of these documents was part of the last run", help: "it was of \(files)")
    ) { try Self.choose(["other.yaml"], in: folder) }
  }

  @Test("A document that passed may be asked for by its name, and is told to have passed")
  func passedByName() throws {
    let folder = try Self.failed()
    let passed = try Self.choose([], DocumentSelection(only: ["a"]), in: folder)
    #expect(passed.documents.isEmpty)
    #expect(passed.notes == ["nothing to run again: in the last run \(folder.path("d/a.yaml")) passed"])
    #expect(try Self.names(Self.choose([], DocumentSelection(tags: ["xb"]), in: folder), in: folder) == ["d/b.yaml"])
  }

  static let choices: [(files: [String], selection: DocumentSelection, chosen: String, left: [RunSeries.Left])] = [
    ([], DocumentSelection(tags: ["xb"]), "d/b.yaml", [.init("d/c.yaml", rows: [["n": 1]])]),
    ([], DocumentSelection(only: ["c"]), "d/c.yaml", [.init("d/b.yaml")]),
    (["d/b.yaml", "d/a.yaml"], DocumentSelection(), "d/b.yaml", [.init("d/c.yaml", rows: [["n": 1]])]),
  ]

  @Test(
    "Of those that did not pass some may be chosen; the others are counted, and are not forgotten", arguments: choices)
  func left(
    _ example: (files: [String], selection: DocumentSelection, chosen: String, left: [RunSeries.Left])
  ) throws {
    let folder = try Self.failed()
    let chosen = try Self.choose(example.files, example.selection, in: folder)
    let path = folder.path(example.chosen)
    #expect(chosen.notes == ["2 of 3 documents did not pass in the last run, 1 of them is chosen: \(path)"])
    let left = example.left.map { RunSeries.Left(folder.path($0.file), rows: $0.rows) }
    #expect(chosen.left == left)
    // It is run, and passes.
    try folder.leaveRun(Self.ids[2], of: path, exit: 0)
    try RunSeries(first: Self.ids[2], documents: [path], left: left).store(in: folder.path("r/\(Self.ids[2])"))
    let next = try Self.choose(in: folder)
    #expect(Self.names(next, in: folder).map { folder.path($0) } == left.map(\.file))
    #expect(next.notes == ["1 of 2 documents did not pass in the last run: \(left[0].file)"])
    #expect(next.documents.map(\.rowsAgain) == [left[0].rows.map { .only($0) } ?? .without([])])
  }

  static let moves: [(files: [String], selection: DocumentSelection, to: String, isRefused: Bool)] = [
    ([], DocumentSelection(), "d/bravo.yaml", true), (["d"], DocumentSelection(), "d/bravo.yaml", true),
    (["d"], DocumentSelection(), "d/more/b.yaml", true), (["d"], DocumentSelection(), "elsewhere/b.yaml", true),
    (["d/a.yaml", "d/bravo.yaml"], DocumentSelection(), "d/bravo.yaml", true),
    // Its tags cannot be read any more, its name can.
    (["d"], DocumentSelection(tags: ["xa"]), "d/bravo.yaml", true),
    (["d"], DocumentSelection(only: ["a"]), "elsewhere/b.yaml", false),
    ([], DocumentSelection(only: ["a"]), "d/bravo.yaml", false),
    // Nobody asks for it.
    (["d/a.yaml"], DocumentSelection(), "d/bravo.yaml", false),
  ]

  @Test(
    "A document that failed and is not there any more is told, not passed over as if it had passed", arguments: moves)
  func gone(_ example: (files: [String], selection: DocumentSelection, to: String, isRefused: Bool)) throws {
    let folder = try TemporaryFolder()
    let files = try ["a", "b"].map { name in
      try folder.write("d/\(name).yaml", "scenario: \(name)\ndevice: TV\ntags: [x\(name)]\nsteps: [{ log: hi }]\n")
    }
    for (index, file) in files.enumerated() {
      try folder.leaveRun(Self.ids[index], of: file, exit: index)
      try RunSeries(first: Self.ids[0], documents: files).store(in: folder.path("r/\(Self.ids[index])"))
    }
    try folder.write(example.to, folder.text("d/b.yaml") ?? "")
    try FileManager.default.removeItem(atPath: files[1])
    if example.isRefused {
      #expect(
        throws: WorkspaceError(
          .notReadable, "\(files[1]) failed in the last run and is not there any more",
          help: "leave out --last-failed, and run it by its new name, or everything")
      ) { try Self.choose(example.files, example.selection, in: folder) }
    } else {
      let chosen = try Self.choose(example.files, example.selection, in: folder)
      #expect(chosen.documents.isEmpty)
      #expect(chosen.notes == ["nothing to run again: in the last run \(files[0]) passed"])
    }
  }

  @Test("Several that are gone, some of which were never begun, are told together, also with their folder")
  func allGone() throws {
    let folder = try Self.failed()
    try FileManager.default.removeItem(atPath: folder.path("d"))
    let list = "\(folder.path("d/b.yaml")), \(folder.path("d/c.yaml"))"
    #expect(
      throws: WorkspaceError(
        .notReadable, "\(list) did not pass in the last run and are not there any more",
        help: "leave out --last-failed, and run them by their new names, or everything")
    ) { try Self.choose(in: folder) }
    #expect(throws: WorkspaceError.self) { try Self.choose([], DocumentSelection(only: ["zz"]), in: folder) }
  }

  @Test("Where everything passed nothing is read or run", arguments: [1, 2])
  func allPassed(count: Int) throws {
    let folder = try TemporaryFolder()
    let files = (0..<count).map { "\($0).yaml" }
    for (index, file) in files.enumerated() {
      try folder.leaveRun(Self.ids[index], of: file, exit: 0)
      if count > 1 {
        try RunSeries(first: Self.ids[0], documents: files).store(in: folder.path("r/\(Self.ids[index])"))
      }
    }
    // None of the files is there any more.
    let chosen = try Self.choose(in: folder)
    #expect(chosen.documents.isEmpty)
    let whole = count == 1 ? "0.yaml passed" : "all 2 documents passed"
    #expect(chosen.notes == ["nothing to run again: in the last run \(whole)"])
  }

  @Test("A run that passed under a command line that failed is run again, and its exit code is told")
  func doubtful() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("a.yaml", "scenario: A\ndevice: TV\nsteps: [{ log: hi }]\n")
    try folder.leaveRun(Self.ids[0], of: file, exit: 0)
    try LastLine(files: [file], exitCode: 8, first: Self.ids[0], newest: Self.ids[0]).store(in: folder.path("r"))
    let chosen = try Self.choose(in: folder)
    #expect(Self.names(chosen, in: folder) == ["a.yaml"])
    #expect(chosen.notes.first == "the last run passed, and its command line ended with exit 8")
  }

  static let begun: [(files: [String], selection: DocumentSelection, chosen: [String])] = [
    ([], DocumentSelection(), ["d/b.yaml"]), ([], DocumentSelection(only: ["c"]), ["d/c.yaml"]),
    (["d"], DocumentSelection(), ["d/a.yaml", "d/b.yaml", "d/c.yaml"]),
  ]

  @Test("Of a command line that began no run, the files and the choice count where this one has none", arguments: begun)
  func nothingRan(files: [String], selection: DocumentSelection, chosen: [String]) throws {
    let folder = try Self.failed()
    try LastLine(
      files: [folder.path("d")], selection: DocumentSelection(tags: ["xb"]), exitCode: 3, newest: Self.ids[1]
    ).store(in: folder.path("r"))
    let again = try Self.choose(files, selection, in: folder)
    #expect(Self.names(again, in: folder) == chosen)
    #expect(again.notes.contains("the last command line ended with exit 3 before anything was run"))
  }

  @Test("A document from standard input cannot be read again", arguments: [true, false])
  func standardInput(hasBegun: Bool) throws {
    let folder = try TemporaryFolder()
    if hasBegun {
      try folder.leaveRun(Self.ids[0], of: "<stdin>", exit: 1)
    } else {
      try folder.folder("r")
      try LastLine(files: ["-"], exitCode: 3).store(in: folder.path("r"))
    }
    #expect(
      throws: WorkspaceError(
        .commandLineWrong, "the last run read a document from standard input, which cannot be read again",
        help: "name what is to be run: `showcaller run FILE --last-failed`")
    ) { try Self.choose(in: folder) }
  }

  @Test("Without an earlier run there is nothing to go by, whatever is named")
  func noRuns() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.yaml", "scenario: A\ndevice: TV\nsteps: [{ log: hi }]\n")
    let error = #expect(throws: WorkspaceError.self) { try Self.choose(["a.yaml"], in: folder) }
    #expect(error?.message == "there is no run in \(folder.path("r"))")
  }

  @Test("Of a matrix only the rows that failed are run again, and --row chooses among those")
  func rows() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "c.yaml", "scenario: C\ndevice: TV\nmatrix: { n: [1, 2] }\nsteps: [{ log: \"${matrix.n}\" }]\n")
    try folder.leaveRun(Self.ids[0], of: file, exit: 1, rows: [(["n": 1], .passed), (["n": 2], .failed)])
    let chosen = try Self.choose(["c.yaml"], in: folder)
    let devices = DeviceChoice(line: CommandLineText([])) { () throws(WorkspaceError) in Settings() }
    var preparation = RunPreparation(inputs: GivenInputs(), devices: devices, in: .living(in: folder))
    let prepared = try preparation.prepare(chosen)
    #expect(prepared[0].runnable.rows.map(\.rowValues) == [["n": 2]] && prepared[0].hasChosenRows)
    #expect(chosen.left(beside: prepared) == [] && chosen.left(beside: []).map(\.file) == [file])
    preparation.row = ["n=1"]
    #expect(
      throws: WorkspaceError(
        .commandLineWrong, "no row that fits --row n=1 failed in the last run",
        help: "leave out --last-failed to run rows that passed or were no part of it")
    ) { try preparation.prepare(chosen) }
  }

  @Test("Rows that failed and that --row does not choose are not forgotten")
  func leftRows() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "c.yaml", "scenario: C\ndevice: TV\nmatrix: { n: [1, 2, 3] }\nsteps: [{ log: \"${matrix.n}\" }]\n")
    try folder.leaveRun(
      Self.ids[0], of: file, exit: 1, rows: [(["n": 1], .passed), (["n": 2], .failed), (["n": 3], .failed)])
    let chosen = try Self.choose(["c.yaml"], in: folder)
    var preparation = RunPreparation(
      inputs: GivenInputs(),
      devices: DeviceChoice(line: CommandLineText([])) { () throws(WorkspaceError) in Settings() },
      in: .living(in: folder))
    preparation.row = ["n=3"]
    let prepared = try preparation.prepare(chosen)
    let left = chosen.left(beside: prepared)
    #expect(left == [RunSeries.Left(prepared[0].runnable.file, rows: [["n": 2]])])
    try folder.leaveRun(Self.ids[1], of: file, exit: 0, rows: [(["n": 3], .passed)])
    try RunSeries(first: Self.ids[1], documents: [file], left: left).store(in: folder.path("r/\(Self.ids[1])"))
    #expect(try Self.choose(in: folder).documents.map(\.rowsAgain) == [.only([["n": 2]])])
  }
}
