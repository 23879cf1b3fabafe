import RunReporting
import ScenarioLanguage
import Testing

@testable import Workspace

/// What `--tag` and `--only` leave of the documents that were found, and what is told about the rest.
@Suite struct DocumentChoosingTests {
  private static func folder(_ documents: [String: String] = ["a": "[smoke]", "b": "[slow]"]) throws -> TemporaryFolder
  {
    let folder = try TemporaryFolder()
    for (name, tags) in documents {
      try folder.write("d/\(name).yaml", "scenario: \(name)\ndevice: TV\ntags: \(tags)\nsteps: [{ log: hi }]\n")
    }
    return folder
  }

  private static func choose(
    _ files: [String] = ["d"], tags: [String] = [], only: [String] = [], in folder: TemporaryFolder,
    heardBy heard: HeardMessages = HeardMessages()
  ) throws -> ChosenDocuments {
    try ChosenDocuments.choose(
      .init(
        files: files.map { folder.path($0) }, selection: DocumentSelection(tags: tags, only: only), isLastFailed: false),
      inputs: GivenInputs(), runs: folder.path("runs"), in: .living(in: folder, heardBy: heard))
  }

  static let refusals: [(tags: [String], only: [String], message: String, help: String)] = [
    (["smok"], [], "none of 2 documents is chosen by its tags and names", "did you mean `smoke`?"),
    (["nightly"], [], "none of 2 documents is chosen by its tags and names", "there are `slow`, `smoke`"),
    (["!smoke", "!slow"], [], "none of 2 documents is chosen by its tags and names", "there are `slow`, `smoke`"),
    (["smoke"], ["b"], "none of 2 documents is chosen by its tags and names", "there are `slow`, `smoke`"),
    ([], ["aa.yaml"], "no document is called `aa.yaml`", "did you mean `a.yaml`?"),
    (
      [], ["a", "home"], "no document is called `home`",
      "`--only` takes ids, titles and file names, with * for any characters; there are `a`, `b`"
    ),
  ]

  @Test("Where nothing is chosen the nearest name or what there is helps", arguments: refusals)
  func nothing(tags: [String], only: [String], message: String, help: String) throws {
    let folder = try Self.folder()
    #expect(throws: WorkspaceError(.commandLineWrong, message, help: help)) {
      try Self.choose(tags: tags, only: only, in: folder)
    }
  }

  @Test("A title chooses the one document that has it, where nothing is called so; two that have it are named")
  func titles() throws {
    let folder = try TemporaryFolder()
    for (name, title) in [("one", "Alpha Film"), ("two", "Beta"), ("three", "Beta"), ("other", "one")] {
      try folder.write("d/\(name).yaml", "scenario: \(title)\ndevice: TV\nsteps: [{ log: hi }]\n")
    }
    func chosen(_ name: String) throws -> [String] {
      try Self.choose(only: [name], in: folder).documents.map {
        String($0.loader.file.dropFirst(folder.path.count + 3))
      }
    }
    #expect(try chosen("Alpha Film") == ["one.yaml"])
    // A file name comes first.
    #expect(try chosen("one") == ["one.yaml"])
    let files = "`\(folder.path("d/three.yaml"))`, `\(folder.path("d/two.yaml"))`"
    #expect(
      throws: WorkspaceError(
        .commandLineWrong, "no document is called `Beta`",
        help: "several documents have this title: name one by its file, \(files)")
    ) { try chosen("Beta") }
  }

  @Test("Where no document has a tag that is told in place of the tags there are")
  func untagged() throws {
    let folder = try Self.folder(["a": "[]"])
    #expect(
      throws: WorkspaceError(
        .commandLineWrong, "none of 1 document is chosen by its tags and names", help: "no document has a tag")
    ) { try Self.choose(tags: ["nightly"], in: folder) }
  }

  @Test("A tag that nobody has is told beside one that chooses something")
  func strangeTag() throws {
    let folder = try Self.folder()
    let chosen = try Self.choose(tags: ["smoke", "slwo", "nightly"], in: folder)
    #expect(
      chosen.notes == [
        "no document has the tag `slwo`; did you mean `slow`?", "no document has the tag `nightly`",
        "1 of 2 documents: \(folder.path("d/a.yaml"))",
      ])
  }

  @Test("A playlist in a folder is passed over with a note; one that is named is a document")
  func playlists() throws {
    let folder = try Self.folder()
    try folder.write("d/week.yaml", "playlist: Week\n")
    let path = folder.path("d/week.yaml")
    let chosen = try Self.choose(in: folder)
    #expect(chosen.documents.count == 2 && chosen.found.count == 3)
    #expect(chosen.notes == ["\(path) is a playlist: it is served, not run"])
    #expect(try Self.choose(["d/a.yaml", "d/week.yaml"], in: folder).documents.count == 2)
  }

  @Test("Where no scenario is found the names that were given are told, without what could change a terminal")
  func noScenarios() throws {
    let folder = try TemporaryFolder()
    try folder.folder("em\u{1B}[1mpty")
    try folder.write("d/notes.yaml", "notes: 1\n")
    #expect(
      throws: WorkspaceError(
        .commandLineWrong, "no scenarios in \(folder.path(#"em\u{1B}[1mpty"#)), \(folder.path("d"))",
        help: "documents that can be run begin with `scenario:`")
    ) { try Self.choose(["em\u{1B}[1mpty", "d"], in: folder) }
  }

  @Test("Of several failures the worst ends the command, and each other one is told")
  func worst() {
    let failures = [
      WorkspaceError(.documentInvalid, "one"), WorkspaceError(.notReadable, "two"),
      WorkspaceError(.commandLineWrong, "three"), WorkspaceError(.notWritten, "four"),
    ]
    let heard = HeardMessages()
    #expect(throws: failures[1]) { try WorkspaceError.throwWorst(of: failures, tellingOthersTo: heard.output) }
    #expect(heard.lines == ["error: one", "error: three", "error: four"])
    #expect(throws: Never.self) { try WorkspaceError.throwWorst(of: [], tellingOthersTo: heard.output) }
  }

  @Test(
    "Each kind of failure ends a process with its own exit code",
    arguments: [
      (.commandLineWrong, .commandLineWrong), (.documentUnfit, .commandLineWrong), (.notReadable, .commandLineWrong),
      (.documentInvalid, .documentInvalid), (.told, .documentInvalid), (.notWritten, .reportNotWritten),
      (.interrupted, .interrupted),
    ] as [(WorkspaceError.Code, RunExit)])
  func exits(code: WorkspaceError.Code, exit: RunExit) { #expect(WorkspaceError(code, "x").exit == exit) }
}
