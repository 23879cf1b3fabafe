import ScenarioLanguage
import Testing

@testable import Workspace

/// What a playlist is read to, and what is told where it cannot be.
@Suite struct LoadedPlaylistTests {
  private static let shown = "program: [{ play: [\"https://x.example/a.png\"] }]\n"
  private static let week = "playlist: Week\ntimezone: Europe/Paris\ndevices: [TV]\n" + shown

  private static func loader(
    _ text: String, in folder: TemporaryFolder, heardBy heard: HeardMessages = HeardMessages(),
    _ change: (inout GivenInputs) -> Void = { _ in }
  ) throws -> DocumentLoader {
    var inputs = GivenInputs()
    change(&inputs)
    return DocumentLoader(
      try folder.write("week.yaml", text), inputs: inputs, in: .living(in: folder, heardBy: heard))
  }

  @Test("A playlist comes with the files it was read from, what was added to it, and its clocks")
  func whole() throws {
    let folder = try TemporaryFolder()
    try folder.write("lib.yaml", "library: L\nmedia: { a: { url: https://x.example/a.png } }\n")
    try folder.write("v.yaml", "length: 20s\n")
    let text = """
      playlist: Week
      include: [lib.yaml]
      timezone: Europe/Paris
      devices: [TV]
      vars: { length: 10s, name: x }
      program: [{ play: [{ media: a, for: "${length}" }] }]

      """
    let loaded = try Self.loader(text, in: folder) {
      ($0.settings, $0.variableFiles) = (["name=y"], [folder.path("v.yaml")])
    }.loadPlaylist()
    #expect(loaded.plan.program[0].items[0].length == .seconds(20))
    let files = ["week.yaml", "v.yaml", "lib.yaml"].map { folder.path($0) }
    #expect(loaded.files == files)
    #expect(Set(loaded.sources.map(\.name)).isSuperset(of: files))
    #expect(loaded.inputs.settings == [.init("name", "y")] && loaded.inputs.variableFiles == [folder.path("v.yaml")])
    #expect(throws: Never.self) { try loaded.clocks() }
  }

  @Test("Warnings come with the playlist, and nobody has heard them")
  func warnings() throws {
    let folder = try TemporaryFolder()
    let heard = HeardMessages()
    let text = Self.week.replacing("timezone: Europe/Paris\n", with: "")
    let loader = try Self.loader(text, in: folder, heardBy: heard)
    #expect(try loader.loadPlaylist().diagnostics.map(\.code) == [.t218] && heard.lines.isEmpty)
    #expect(try loader.playlist().plan.title == "Week")
    #expect(heard.lines == ["T218 \(folder.path("week.yaml"))"])
  }

  @Test("Mistakes come back with the text they are in, and an edit that cures them is read")
  func mistakes() throws {
    let folder = try TemporaryFolder()
    let heard = HeardMessages()
    let loader = try Self.loader(Self.week + "volum: 10%\n", in: folder, heardBy: heard)
    let problems = try #require(throws: DocumentProblems.self) { try loader.loadPlaylist() }
    #expect(problems.diagnostics.map(\.code) == [.k101] && problems.failure == nil && heard.lines.isEmpty)
    #expect(problems.sources.map(\.name) == problems.files && problems.files == [folder.path("week.yaml")])
    #expect(throws: WorkspaceError.told) { try loader.playlist() }
    #expect(heard.lines == ["K101 \(folder.path("week.yaml"))"])
    try folder.write("week.yaml", Self.week + "volume: 10%\n")
    #expect(try loader.loadPlaylist().plan.volume == 0.1)
  }

  @Test("A file that is missing is one of those to look at", arguments: [true, false])
  func missing(isCalendar: Bool) throws {
    let folder = try TemporaryFolder()
    let named = isCalendar ? "calendars: { x: { file: more/x.ics } }" : "include: [more/x.yaml]"
    let loader = try Self.loader(Self.week + named + "\n", in: folder)
    let problems = try #require(throws: DocumentProblems.self) { try loader.loadPlaylist() }
    #expect(problems.files == ["week.yaml", isCalendar ? "more/x.ics" : "more/x.yaml"].map { folder.path($0) })
  }

  static let others: [(text: String, message: String)] = [
    ("scenario: S\ndevice: TV\nsteps: [{ log: hi }]\n", "is a scenario: only a playlist shows things by the clock"),
    ("library: L\n", "is a library: it only holds definitions for other documents"),
  ]

  @Test("What is no playlist is refused by what it is", arguments: others)
  func kinds(text: String, message: String) throws {
    let folder = try TemporaryFolder()
    let loader = try Self.loader(text, in: folder)
    let problems = try #require(throws: DocumentProblems.self) { try loader.loadPlaylist() }
    #expect(problems.failure?.code == .documentUnfit)
    #expect(problems.failure?.message == "\(folder.path("week.yaml")) \(message)")
    let error = try #require(throws: WorkspaceError.self) { try loader.playlist() }
    #expect(error == problems.failure)
  }

  @Test("A file that cannot be read is told in a sentence, and looked at until it is there")
  func unreadable() throws {
    let folder = try TemporaryFolder()
    let loader = DocumentLoader(folder.path("no.yaml"), inputs: GivenInputs(), in: .living(in: folder))
    let problems = try #require(throws: DocumentProblems.self) { try loader.loadPlaylist() }
    #expect(problems.failure?.code == .notReadable && problems.diagnostics.isEmpty)
    #expect(problems.files == [folder.path("no.yaml")])
  }

  @Test("Where nobody knows how the clocks go that is told with a cure")
  func clocks() throws {
    let folder = try TemporaryFolder()
    var surroundings = Surroundings.living(in: folder)
    surroundings.zoneFolder = folder.path("none/")
    let path = try folder.write("week.yaml", Self.week)
    let loaded = try DocumentLoader(path, inputs: GivenInputs(), in: surroundings).loadPlaylist()
    #expect(
      throws: WorkspaceError(
        .documentInvalid, "the clocks of Europe/Paris are not known here",
        help: "`apt-get install --reinstall tzdata` brings the zones of the world")
    ) { try loaded.clocks() }
  }
}
