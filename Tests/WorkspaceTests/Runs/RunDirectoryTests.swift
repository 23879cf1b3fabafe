import CastProtocol
import Dispatch
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

  private static let commandLine = RunArguments(["run", "--device", "TV"], seed: .max)

  @Test("A run leaves its plans, inputs and sources, for its owner alone")
  func contents() throws {
    let folder = try TemporaryFolder()
    let document = try Self.document()
    let run = try RunDirectory(
      in: folder.path("a/runs"), id: "ID", document: document, arguments: Self.commandLine, isKept: false,
      surroundings: .living(in: folder))
    #expect(run.path == folder.path("a/runs/ID"))
    run.events.write("{}\n")
    #expect(run.close() == [])
    #expect(
      try folder.names("a/runs/ID") == [
        "events.jsonl", "inputs.json", "options.json", "plan.json", "runnable.json", "sources", "sources.json",
      ])
    #expect(folder.text("a/runs/ID/plan.json") == document.json.serialized() + "\n")
    #expect(folder.text("a/runs/ID/inputs.json") == document.inputs.json.serialized() + "\n")
    #expect(
      folder.text("a/runs/ID/options.json")
        == #"{"v":1,"arguments":["run","--device","TV"],"seed":"18446744073709551615"}"# + "\n")
    #expect(
      folder.text("a/runs/ID/sources.json")
        == #"{"v":1,"files":[{"name":"film.yaml","path":"shows/film.yaml"},{"name":"1-film.yaml","path":"lib/film.yaml"}]}"#
        + "\n")
    // Two files of the same name are both there.
    #expect(try folder.names("a/runs/ID/sources") == ["1-film.yaml", "film.yaml"])
    #expect(folder.text("a/runs/ID/sources/1-film.yaml") == "library: L\n")
    for name in ["a", "a/runs", "a/runs/ID", "a/runs/ID/sources"] { #expect(folder.mode(name) == 0o700, "\(name)") }
    for name in [
      "events.jsonl", "plan.json", "inputs.json", "options.json", "runnable.json", "sources/film.yaml",
      "sources.json",
    ] {
      #expect(folder.mode("a/runs/ID/\(name)") == 0o600, "\(name)")
    }
    #expect(folder.text("a/runs/ID/events.jsonl") == "{}\n")
    #expect(folder.text("a/runs/ID/runnable.json") == (try StoredDocuments.json(of: [document]).serialized()) + "\n")
  }

  static let sources: [[(path: String, stored: String)]] = [
    [("-", "-"), ("a/x.yaml", "1-x.yaml"), ("b/x.yaml", "2-x.yaml"), ("x.yaml", "3-x.yaml")],
    [("1-x.yaml", "1-x.yaml"), ("lib/x.yaml", "1-1-x.yaml")],
    [("/", "document"), ("é.yaml", "1-é.yaml")],
    [(String(repeating: "ü", count: 125) + ".yaml", String(repeating: "ü", count: 97) + ".yaml")],
  ]
  @Test("Each file is kept byte for byte under a name of its own, and the index tells which it is", arguments: sources)
  func keptSources(sources: [(path: String, stored: String)]) throws {
    let folder = try TemporaryFolder()
    var document = try Self.document()
    // Not even UTF-8.
    document.sources = sources.enumerated().map { SourceFile(name: $1.path, bytes: [0xFF, 0x0D, UInt8($0)]) }
    _ = try RunDirectory(
      in: folder.path, id: "ID", document: document, arguments: Self.commandLine, isKept: false,
      surroundings: .living(in: folder)
    ).close()
    for (number, source) in sources.enumerated() {
      #expect(try Files.read(folder.path("ID/sources/\(source.stored)"), limit: 9) == [0xFF, 0x0D, UInt8(number)])
    }
    #expect(try folder.names("ID/sources").count == sources.count)
    let text = try #require(folder.text("ID/sources.json"))
    let index = try #require(SourceIndex(JSONValue(parsing: text)))
    for source in sources { #expect(index.name(of: source.path) == source.stored) }
    #expect(index.name(of: "another.yaml") == nil)
  }

  static let damagedIndices: [JSONValue] = [
    [], ["v": 2, "files": []], ["v": 1], ["v": 1, "files": [1]], ["v": 1, "files": [["name": "a"]]],
    ["v": 1, "files": [["name": "../../secret", "path": "a"]]], ["v": 1, "files": [["name": "..", "path": "a"]]],
    ["v": 1, "files": [["name": "", "path": "a"]]],
  ]
  @Test("An index that is damaged, or leads out of the folder, is none", arguments: damagedIndices)
  func damagedIndex(json: JSONValue) { #expect(SourceIndex(json) == nil) }

  @Test("The arguments of a run come back, and what is damaged is none")
  func argumentsComeBack() {
    #expect(RunArguments(Self.commandLine.json) == Self.commandLine)
    let wrong: [JSONValue] = [
      ["v": 1, "arguments": [1], "seed": "1"], ["v": 1, "arguments": [], "seed": 1],
      ["v": 2, "arguments": [], "seed": "1"],
      ["v": 1, "arguments": [], "seed": "-1"], ["v": 1, "seed": "1"], "",
    ]
    for json in wrong { #expect(RunArguments(json) == nil, "\(json)") }
  }

  @Test("One that is to be kept says so from the begin", arguments: [true, false])
  func kept(isKept: Bool) throws {
    let folder = try TemporaryFolder()
    _ = try RunDirectory(
      in: folder.path, id: "ID", document: Self.document(), arguments: Self.commandLine, isKept: isKept,
      surroundings: .living(in: folder)
    ).close()
    #expect(try folder.names("ID").contains(RunFolders.mark) == isKept)
  }

  @Test("Others that prune take it for a run that goes on")
  func running() throws {
    let folder = try TemporaryFolder()
    let ids = ["01ARZ3NDEKTSV4RRFFQ69G5001", "01ARZ3NDEKTSV4RRFFQ69G5002"]
    for id in ids {
      let run = try RunDirectory(
        in: folder.path, id: id, document: Self.document(), arguments: Self.commandLine, isKept: false,
        surroundings: .living(in: folder))
      run.events.write("{}\n")
      _ = run.events.close()
    }
    RunFolders(path: folder.path, count: 1, keepsFailed: false, own: "", ownPassed: true, now: 4_000_000_000).prune()
    #expect(try folder.names() == ids)
  }

  @Test("Where the plans cannot be stored the end of the run says so")
  func plansNotStored() throws {
    let folder = try TemporaryFolder()
    let path = try folder.folder("runnable.json")
    let file = RunnableFile(try Self.document(), at: path)
    #expect(file.finish(until: .now() + .seconds(5)) == "cannot write \(path): Is a directory")
    #expect(try folder.names() == ["runnable.json"])
  }

  @Test("The plans take their place whole: who has the file open sees the old one to its end")
  func plansWhole() throws {
    let folder = try TemporaryFolder()
    let document = try Self.document()
    let old = try Files.open(folder.write("runnable.json", "old"), O_RDONLY)
    #expect(RunnableFile(document, at: folder.path("runnable.json")).finish(until: .now() + .seconds(5)) == nil)
    #expect(try old.contents(limit: 100) == Array("old".utf8))
    #expect(folder.text("runnable.json") == (try StoredDocuments.json(of: [document]).serialized()) + "\n")
    #expect(try folder.names() == ["runnable.json"])
  }

  @Test("Plans that are not put into words yet at the end of the run are waited for: that is no slow disk")
  func slow() throws {
    let folder = try TemporaryFolder()
    let document = try Self.document()
    let file = RunnableFile(document, at: folder.path("runnable.json"))
    #expect(file.finish(until: .now()) == nil)
    #expect(folder.text("runnable.json") == (try StoredDocuments.json(of: [document]).serialized()) + "\n")
  }

  @Test("Plans that cannot be put into words in time are told of as such")
  func endless() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("runnable.json")
    let gate = DispatchSemaphore(value: 0)
    let file = RunnableFile(try Self.document(), at: path) { _ in
      gate.wait()
      return "late"
    }
    let reason = "the plans are too large to be put into words in time"
    #expect(file.finish(until: .now() + .seconds(5), encodingLimit: .seconds(0)) == "cannot write \(path): \(reason)")
    gate.signal()
    #expect(file.finish(until: .now()) == nil && folder.text("runnable.json") == "\"late\"\n")
  }

  static let obstacles = ["sources", "events.jsonl", "plan.json", "sources.json"]

  @Test("A run that cannot begin takes its folder along", arguments: obstacles)
  func nothingLeft(obstacle: String) throws {
    let folder = try TemporaryFolder()
    if obstacle == "sources" {
      try folder.write("ID/sources/film.yaml/inner", "in the way")
    } else {
      try folder.folder("ID/\(obstacle)")
    }
    #expect(throws: WorkspaceError.self) {
      try RunDirectory(
        in: folder.path, id: "ID", document: Self.document(), arguments: Self.commandLine, isKept: false,
        surroundings: .living(in: folder))
    }
    #expect(try folder.names() == [])
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
        in: folder.path("runs"), id: "ID", document: Self.document(), arguments: Self.commandLine, isKept: false,
        surroundings: .living(in: folder))
    }
  }
}
