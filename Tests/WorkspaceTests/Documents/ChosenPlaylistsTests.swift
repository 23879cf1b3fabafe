import ScenarioLanguage
import Testing

@testable import Workspace

/// Which playlists files and folders mean.
@Suite struct ChosenPlaylistsTests {
  private static func playlist(_ title: String, _ more: String = "") -> String {
    "playlist: \(title)\ntimezone: UTC\ndevices: [TV]\n\(more)program: [{ play: [\"https://x.example/a.png\"] }]\n"
  }

  /// A folder with two playlists, something else of each kind, and a file that is no document.
  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("d/b.yaml", playlist("B"))
    try folder.write("d/sub/a.yaml", playlist("A"))
    try folder.write("d/film.yaml", "scenario: Film\ndevice: TV\nsteps: [{ log: hi }]\n")
    try folder.write("d/kit.yaml", "library: Kit\n")
    try folder.write("d/notes.yaml", "notes: 1\n")
    return folder
  }

  private static func choose(
    _ files: [String], in folder: TemporaryFolder, heardBy heard: HeardMessages = HeardMessages(),
    _ change: (inout GivenInputs) -> Void = { _ in }
  ) throws -> ChosenPlaylists {
    var inputs = GivenInputs()
    change(&inputs)
    return try ChosenPlaylists(
      files.map { folder.path($0) }, inputs: inputs, in: .living(in: folder, heardBy: heard))
  }

  static let wishes: [(files: [String], titles: [String], passedOver: [String])] = [
    (["d"], ["B", "A"], ["film.yaml", "kit.yaml"]),
    (["d/sub"], ["A"], []),
    (["d/sub/a.yaml"], ["A"], []),
    (["d/sub/a.yaml", "d"], ["A", "B"], ["film.yaml", "kit.yaml"]),
    (["d/b.yaml", "d/sub"], ["B", "A"], []),
  ]

  @Test("All playlists of files and folders are meant, each once; what else is in a folder is noted", arguments: wishes)
  func found(files: [String], titles: [String], passedOver: [String]) throws {
    let folder = try Self.folder()
    let chosen = try Self.choose(files, in: folder)
    #expect(try chosen.load().map(\.plan.title) == titles)
    #expect(chosen.notes.map { $0.prefix { $0 != " " } } == passedOver.map { folder.path("d/\($0)")[...] })
  }

  @Test("A scenario and a library are told by what they are, in a folder and by name")
  func others() throws {
    let folder = try Self.folder()
    let (film, kit) = (folder.path("d/film.yaml"), folder.path("d/kit.yaml"))
    let facts = [
      "\(film) is a scenario: only a playlist shows things by the clock",
      "\(kit) is a library: it only holds definitions for other documents",
    ]
    #expect(try Self.choose(["d"], in: folder).notes == facts)
    for (file, fact) in zip(["d/film.yaml", "d/kit.yaml"], facts) {
      let chosen = try Self.choose([file], in: folder)
      let error = try #require(throws: WorkspaceError.self) { try chosen.load() }
      #expect(error.code == .documentUnfit && error.message == fact)
    }
  }

  @Test("Where there is no playlist the names that were given are told")
  func none() throws {
    let folder = try Self.folder()
    try folder.write("e/film.yaml", "scenario: Film\ndevice: TV\nsteps: [{ log: hi }]\n")
    #expect(
      throws: WorkspaceError(
        .commandLineWrong, "no playlists in \(folder.path("e"))",
        help: "documents that can be shown begin with `playlist:`")
    ) { try Self.choose(["e"], in: folder) }
    #expect(throws: WorkspaceError.self) { try Self.choose(["nothing.yaml"], in: folder) }
  }

  @Test("While one is wrong none is shown, and the mistakes of all are told")
  func wrong() throws {
    let folder = try Self.folder()
    for name in ["x", "y"] { try folder.write("d/\(name).yaml", Self.playlist("X", "volum: 10%\n")) }
    let heard = HeardMessages()
    let chosen = try Self.choose(["d"], in: folder, heardBy: heard)
    #expect(throws: WorkspaceError.told) { try chosen.load() }
    #expect(heard.lines.filter { !$0.isEmpty } == ["x", "y"].map { "K101 \(folder.path("d/\($0).yaml"))" })
  }

  @Test("An edit is seen when a playlist is loaded once more")
  func edited() throws {
    let folder = try Self.folder()
    let chosen = try Self.choose(["d/b.yaml"], in: folder)
    #expect(try chosen.load()[0].plan.title == "B")
    try folder.write("d/b.yaml", Self.playlist("C"))
    #expect(try chosen.loaders[0].loadPlaylist().plan.title == "C")
  }

  @Test("Each of several playlists gets the values that it has a use for, and a value that none has is refused")
  func values() throws {
    let folder = try TemporaryFolder()
    try folder.write("d/a.yaml", Self.playlist("${name}", "vars: { name: x }\n"))
    try folder.write("d/b.yaml", Self.playlist("B"))
    let loaded = try Self.choose(["d"], in: folder) { $0.settings = ["name=Bar"] }.load()
    #expect(loaded.map(\.plan.title) == ["Bar", "B"] && loaded.map(\.inputs.settings.count) == [1, 0])
    #expect(throws: WorkspaceError.self) { try Self.choose(["d"], in: folder) { $0.settings = ["nam=Bar"] } }
  }
}
