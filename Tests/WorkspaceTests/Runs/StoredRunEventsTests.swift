import Glibc
import RunReporting
import ScenarioLanguage
import TestSupport
import Testing

@testable import Workspace

@Suite struct StoredRunEventsTests {
  private static let lines = SampleRun.events.map { EventRecord($0).jsonLine + "\n" }.joined()

  @Test("Damaged events are told, and those that can be read are read")
  func damaged() throws {
    let folder = try TemporaryFolder()
    let run = try StoredRun(
      folder.write("events.jsonl", "{\n" + Self.lines.dropLast(5)), in: "", surroundings: .living(in: folder))
    var count = 0
    let reader = try run.read { _ in count += 1 }
    #expect(count == SampleRun.events.count - 1 && reader.count == count && !reader.isFinished)
    #expect(
      reader.warnings == [
        "line 1: it is no JSON", "line \(count + 2): it is cut off",
        "the run did not finish: it has no run.finished at its end",
      ])
  }

  @Test("The events of several runs, and none at all, make no report")
  func several() throws {
    let folder = try TemporaryFolder()
    func start(_ id: String) -> String {
      var started = EventKind.RunStarted()
      started.run = id
      return EventRecord(Event(number: 1, wallTime: 0, elapsed: 0, kind: .runStarted(started))).jsonLine + "\n"
    }
    func run(_ text: String) throws -> StoredRun {
      try StoredRun(folder.write("events.jsonl", text), in: "", surroundings: .living(in: folder))
    }
    let error = #expect(throws: WorkspaceError.self) { try run(start("A") + start("B")).readSources() }
    #expect(error?.message.hasSuffix("has the events of 2 runs") == true)
    #expect(try run(start("A") + start("A")).readSources().sources.run.run == "A")
    let empty = try run("notes\n")
    #expect(empty.emptiness(try empty.readSources().reader)?.code == .documentInvalid)
    let one = try run(start("A"))
    #expect(one.emptiness(try one.readSources().reader) == nil)
  }

  @Test("A document that is still what was run gives its text where the run kept none; a changed one does not")
  func texts() throws {
    let folder = try TemporaryFolder()
    let document = try folder.write("ads.yaml", "steps\n")
    let run = try StoredRun(
      folder.write("alone/events.jsonl", Self.lines), in: "", surroundings: .living(in: folder))
    var started = EventKind.RunStarted()
    var told = EventKind.RunStarted.Document()
    (told.file, told.sha256) = (document, "1234")
    started.documents = [told]
    var wanted = StoredSources()
    wanted.record(Event(number: 1, wallTime: 0, elapsed: 0, kind: .runStarted(started)))
    #expect(run.texts(wanted, hash: { _ in "1234" })[document] == "steps\n")
    #expect(run.texts(wanted, hash: { _ in "5678" })[document] == nil)
  }

  @Test("The texts of a run's folder come first; without an index they are found by their names")
  func storedTexts() throws {
    let folder = try TemporaryFolder()
    try folder.write("run/events.jsonl", Self.lines)
    try folder.write("run/sources/ads.yaml", "of the document\n")
    try folder.write("run/sources/1-kit.yaml", "of the kit\n")
    let run = try StoredRun(folder.path("run"), in: "", surroundings: .living(in: folder))
    var wanted = StoredSources()
    var started = EventKind.RunStarted()
    started.documents = ["qa/ads.yaml"].map { name in
      var document = EventKind.RunStarted.Document()
      document.file = name
      return document
    }
    started.arguments = ["run", "qa/ads.yaml"]
    wanted.record(Event(number: 1, wallTime: 0, elapsed: 0, kind: .runStarted(started)))
    var problem = EventKind.Problem()
    for name in ["lib/kit.yaml", "lib/gone.yaml"] {
      problem.place = SourcePlace(SourceSpan(file: name, line: 1, column: 1, endLine: 1, endColumn: 2))
      wanted.record(Event(number: 2, wallTime: 0, elapsed: 0, kind: .diagnostic(problem)))
    }
    let texts = run.texts(wanted, hash: { _ in nil })
    #expect(texts["qa/ads.yaml"] == "of the document\n" && texts["lib/kit.yaml"] == "of the kit\n")
    #expect(texts["lib/gone.yaml"] == nil)
    #expect(texts[SourceSpan.commandLine] == "showcaller run qa/ads.yaml\n")
    try folder.write(
      "run/sources.json", #"{"v":1,"files":[{"name":"1-kit.yaml","path":"qa/ads.yaml"}]}"#)
    #expect(run.texts(wanted, hash: { _ in nil })["qa/ads.yaml"] == "of the kit\n", "the index counts more than names")
  }

  @Test("Standard input without events is told by that name")
  func emptyInput() throws {
    let folder = try TemporaryFolder()
    let file = try Files.open(folder.write("input", ""), O_RDONLY)
    var surroundings = Surroundings.living(in: folder)
    surroundings.standardInput = file.descriptor
    let run = try StoredRun("-", in: "", surroundings: surroundings)
    try file.close()
    #expect(
      run.emptiness(try run.readSources().reader)
        == WorkspaceError(
          .documentInvalid, "standard input has no events of a run",
          help: "a run leaves them in its folder, in events.jsonl"))
    for read in [{ _ = try run.documents() }, { _ = try run.arguments() }] {
      #expect(
        throws: WorkspaceError(
          .commandLineWrong, "standard input has events only", help: "name the run by its id or its folder"),
        performing: read)
    }
  }
}
