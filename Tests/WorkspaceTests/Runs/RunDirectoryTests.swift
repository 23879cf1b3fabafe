import CastProtocol
import Glibc
import ScenarioLanguage
import Testing

@testable import Workspace

@Suite struct RunDirectoryTests {
  private static func document() throws -> RunnableDocument {
    let source = SourceFile(
      name: "shows/film.yaml", bytes: Array("scenario: Film\ndevice: TV\nsteps: [{ wait: 1s }]\n".utf8))
    var document = try #require(RunnableDocument(PlanCompiler.compile(source, inputs: PlanCompiler.Inputs()).plans))
    document.sources = [source, SourceFile(name: "lib/film.yaml", bytes: Array("library: L\n".utf8))]
    return document
  }

  @Test("A run leaves its plans, inputs and sources, for its owner alone")
  func contents() throws {
    let folder = try TemporaryFolder()
    let document = try Self.document()
    let run = try RunDirectory(
      in: folder.path("a/runs"), id: "ID", document: document, isKept: false, surroundings: .living(in: folder))
    #expect(run.path == folder.path("a/runs/ID"))
    #expect(try folder.names("a/runs/ID") == ["events.jsonl", "inputs.json", "plan.json", "sources"])
    #expect(folder.text("a/runs/ID/plan.json") == document.json.serialized() + "\n")
    #expect(folder.text("a/runs/ID/inputs.json") == document.inputs.json.serialized() + "\n")
    // Two files of the same name are both there.
    #expect(try folder.names("a/runs/ID/sources") == ["1-film.yaml", "film.yaml"])
    #expect(folder.text("a/runs/ID/sources/1-film.yaml") == "library: L\n")
    for name in ["a", "a/runs", "a/runs/ID", "a/runs/ID/sources"] { #expect(folder.mode(name) == 0o700, "\(name)") }
    for name in ["events.jsonl", "plan.json", "inputs.json", "sources/film.yaml"] {
      #expect(folder.mode("a/runs/ID/\(name)") == 0o600, "\(name)")
    }
    run.events.write("{}\n")
    #expect(run.events.close() == nil)
    #expect(folder.text("a/runs/ID/events.jsonl") == "{}\n")
  }

  @Test("One that is to be kept says so from the begin", arguments: [true, false])
  func kept(isKept: Bool) throws {
    let folder = try TemporaryFolder()
    _ = try RunDirectory(
      in: folder.path, id: "ID", document: Self.document(), isKept: isKept, surroundings: .living(in: folder))
    #expect(try folder.names("ID").contains(RunFolders.mark) == isKept)
  }

  @Test("Others that prune take it for a run that goes on")
  func running() throws {
    let folder = try TemporaryFolder()
    let ids = ["01ARZ3NDEKTSV4RRFFQ69G5001", "01ARZ3NDEKTSV4RRFFQ69G5002"]
    for id in ids {
      let run = try RunDirectory(
        in: folder.path, id: id, document: Self.document(), isKept: false, surroundings: .living(in: folder))
      run.events.write("{}\n")
      _ = run.events.close()
    }
    RunFolders(path: folder.path, count: 1, keepsFailed: false, own: "", ownPassed: true, now: 4_000_000_000).prune()
    #expect(try folder.names() == ids)
  }

  @Test("Where no folder can be made the cure is told")
  func unwritable() throws {
    let folder = try TemporaryFolder()
    try folder.write("runs", "a file")
    let path = folder.path("runs/ID")
    #expect(
      throws: WorkspaceError(
        .notWritten, "cannot make \(path): Not a directory",
        help: "run where you may write, or name another folder with --runs")
    ) {
      try RunDirectory(
        in: folder.path("runs"), id: "ID", document: Self.document(), isKept: false, surroundings: .living(in: folder))
    }
  }
}
