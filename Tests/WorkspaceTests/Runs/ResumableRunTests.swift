import Dispatch
import RunReporting
import Testing

@testable import Workspace

/// What `run --resume` answers where there is nothing to go on with: its cures work when they are pasted.
@Suite struct ResumableRunTests {
  private static let first = "01ARZ3NDEKTSV4RRFFQ69G5001"
  private static let second = "01ARZ3NDEKTSV4RRFFQ69G5002"
  private static let third = "01ARZ3NDEKTSV4RRFFQ69G5003"

  /// Leaves a run that died, or came to its end, in a folder of runs.
  private static func leave(
    _ id: String, in runs: String, file: String, resumes: JournaledRun? = nil, result: RunVerdict? = nil,
    resumedBy: (run: String, runs: String?)? = nil, _ folder: TemporaryFolder
  ) throws -> JournaledRun {
    let path = "\(runs)/\(id)"
    try folder.write("\(path)/events.jsonl", "")
    try folder.folder("\(path)/sources")
    var begin = JournalEntry.Begin()
    (begin.file, begin.rows, begin.resumes) = (file, 1, resumes?.run)
    let journal = try JournalFile(
      in: folder.path(path), run: id, begin, past: resumes, elapsed: { 1 }, unixTime: { 1 })
    if let result { journal.append(.end(.init(result: result, exit: result == .passed ? 0 : 1)), isDurable: true) }
    if let next = resumedBy { journal.append(.resumed(.init(by: next.run, in: next.runs)), isDurable: true) }
    #expect(journal.close() == nil)
    return try #require(JournaledRun(in: folder.path(path)))
  }

  private static func refusal(_ name: String, in runs: String, _ folder: TemporaryFolder) -> WorkspaceError? {
    #expect(throws: WorkspaceError.self) {
      try ResumableRun(name, in: runs, surroundings: .living(in: folder)) { _ in "" }
    }
  }

  @Test("A document whose last run is over is to be run again, and one that died is to be gone on with")
  func document() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("film.yaml", "scenario: Film\n")
    _ = try Self.leave(Self.first, in: "r", file: file, folder)
    let died = try #require(Self.refusal(file, in: folder.path("r"), folder))
    #expect(died.message.hasSuffix("is a document; its last run is \(Self.first)"))
    #expect(died.help == "`showcaller run --resume \(Self.first) --runs \(folder.path("r"))` goes on with it")
    _ = try Self.leave(Self.second, in: "r", file: file, result: .passed, folder)
    let over = try #require(Self.refusal(file, in: folder.path("r"), folder))
    #expect(over.message.hasSuffix("its last run \(Self.second) is over (passed)"), "\(over.message)")
    #expect(over.help == "`showcaller run \(file)` runs it again")
  }

  @Test(
    "What a stranger's journal says of who went on leads nowhere and into no command line",
    arguments: ["x; touch pwned #", "../r", Self.first, Self.second])
  func strangeSuccessors(by: String) throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("film.yaml", "scenario: Film\n")
    let past = try Self.leave(Self.first, in: "r", file: file, resumedBy: (by, nil), folder)
    // It leads back to the first.
    _ = try Self.leave(Self.second, in: "r", file: file, resumes: past, resumedBy: (Self.first, nil), folder)
    let next = RunSuccessor(of: past, beside: nil, or: folder.path("r"))
    #expect(next?.run == (by == Self.second ? Self.second : nil))
    #expect(StoredRun.command("report", of: "a b", in: ".showcaller/runs") == "showcaller report 'a b'")
  }

  @Test("The newest of the runs that went on with one is named, in the folder where it is")
  func successors() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("film.yaml", "scenario: Film\n")
    let (runs, other) = (folder.path("r"), folder.path("other"))
    let past = try Self.leave(Self.first, in: "r", file: file, resumedBy: (Self.second, other), folder)
    // It is not there any more.
    let gone = try #require(Self.refusal(Self.first, in: runs, folder))
    #expect(gone.help == "go on with that one: `showcaller run --resume \(Self.second) --runs \(other)`")
    _ = try Self.leave(Self.second, in: "other", file: file, resumes: past, resumedBy: (Self.third, nil), folder)
    _ = try Self.leave(Self.third, in: "other", file: file, folder)
    for name in [Self.first, folder.path("r/\(Self.first)"), folder.path("r/\(Self.first)/")] {
      let next = try #require(Self.refusal(name, in: runs, folder))
      #expect(next.message == "run \(Self.third) already resumed run \(Self.first)")
      #expect(next.help == "go on with that one: `showcaller run --resume \(Self.third) --runs \(other)`")
    }
    try folder.write("other/\(Self.third)/journal.jsonl", "")
    #expect(Self.refusal(Self.first, in: runs, folder)?.message.contains(Self.third) == true)
  }

  @Test("Where the run that went on is over, its report is named")
  func over() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("film.yaml", "scenario: Film\n")
    let past = try Self.leave(Self.first, in: "r", file: file, resumedBy: (Self.second, nil), folder)
    _ = try Self.leave(Self.second, in: "r", file: file, resumes: past, result: .failed, folder)
    let runs = folder.path("r")
    let error = try #require(Self.refusal(folder.path("r/\(Self.first)"), in: ".showcaller/runs", folder))
    #expect(error.message == "run \(Self.second) already resumed run \(Self.first), and is over (failed)")
    #expect(error.help == "how that went: `showcaller report \(Self.second) --runs \(runs)`")
    let stored = try StoredRun(Self.first, in: runs, surroundings: .living(in: folder))
    #expect(
      stored.fate(in: runs)
        == .resumed(by: Self.second, reportLine: "showcaller report \(Self.second) --runs \(runs)"))
  }

  @Test("What is no run of a folder is told as what it is", arguments: ["f.html", "."])
  func noRun(name: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("f.html", "<html>")
    let path = name == "." ? folder.path : folder.path(name)
    let error = try #require(Self.refusal(path, in: folder.path("r"), folder))
    #expect(error.message == "\(path) is no run that can be gone on with: there is no journal in \(folder.path)")
    #expect(error.help?.contains("sources") == false)
  }

  @Test("A run that goes on leaves its folder beside the one that died, unless another place is asked for")
  func place() throws {
    let folder = try TemporaryFolder()
    _ = try Self.leave(Self.first, in: "r", file: "film.yaml", folder)
    let run = try ResumableRun(
      folder.path("r/\(Self.first)"), in: "usual", surroundings: .living(in: folder)
    ) { _ in "" }
    #expect(run.folderOfRuns(asked: "usual", usual: "usual") == folder.path("r"))
    #expect(run.folderOfRuns(asked: "other", usual: "usual") == "other")
    try folder.folder("other")
    try run.markResumed(by: Self.second, in: folder.path("other"), unixTime: 1)
    let past = try #require(JournaledRun(in: folder.path("r/\(Self.first)")))
    #expect(past.resumedBy == Self.second && past.resumedIn == folder.path("other"))
  }
}
