import ScenarioLanguage
import Testing

@testable import Workspace

/// Which playlists, and scenarios with a schedule, files and folders mean.
@Suite struct ServedDocumentsTests {
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
  ) throws -> ServedDocuments {
    var inputs = GivenInputs()
    change(&inputs)
    return try ServedDocuments(
      files.map { folder.path($0) }, inputs: inputs, in: .living(in: folder, heardBy: heard))
  }

  private static func load(_ chosen: ServedDocuments) -> ServedDocuments.Loaded {
    chosen.load(
      on: DeviceChoice(line: CommandLineText([])) { () throws(WorkspaceError) in Settings() }, allowsPrograms: false)
  }

  /// Where nothing else is served.
  private static func failures(_ chosen: ServedDocuments) throws {
    let loaded = load(chosen)
    let reasons =
      loaded.playlists.compactMap { if case .failure(let problems) = $0 { problems.reason } else { nil } }
      + loaded.scenarios.compactMap { if case .failure(let problems) = $0 { problems.reason } else { nil } }
    if !reasons.isEmpty { try chosen.tell(reasons, isAll: true) }
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
    #expect(try Self.load(chosen).playlists.map { try $0.get().plan.title } == titles)
    #expect(chosen.notes.map { $0.prefix { $0 != " " } } == passedOver.map { folder.path("d/\($0)")[...] })
  }

  @Test("A scenario without a schedule and a library are told by what they are, in a folder and by name")
  func others() throws {
    let folder = try Self.folder()
    let (film, kit) = (folder.path("d/film.yaml"), folder.path("d/kit.yaml"))
    let facts = [
      "\(film) is a scenario without a `schedule`: nothing says when it runs",
      "\(kit) is a library: it only holds definitions for other documents",
    ]
    #expect(try Self.choose(["d"], in: folder).notes == facts)
    for (file, fact) in zip(["d/film.yaml", "d/kit.yaml"], facts) {
      let error = try #require(throws: WorkspaceError.self) { try Self.failures(Self.choose([file], in: folder)) }
      #expect(error.code == .documentUnfit && error.message == fact)
    }
  }

  private static func scenario(_ schedule: String, steps: String = "[{ log: hi }]") -> String {
    "scenario: Check\ndevice: TV\nschedule: \(schedule)\nsteps: \(steps)\n"
  }

  @Test("A scenario with a schedule is meant, in a folder and by name, alone and beside playlists")
  func scheduled() throws {
    let folder = try Self.folder()
    try folder.write("d/check.yaml", Self.scenario("[{ every: 5m }, { at: \"04:30\", timezone: UTC }]"))
    for (files, playlists) in [(["d"], 2), (["d/check.yaml"], 0), (["d/b.yaml", "d/check.yaml"], 1)] {
      let chosen = try Self.choose(files, in: folder)
      let loaded = Self.load(chosen)
      #expect(loaded.playlists.count == playlists && loaded.scenarios.count == 1)
      let scenario = try loaded.scenarios[0].get()
      #expect(scenario.schedules.count == 2 && scenario.document.runnable.id == "check")
      #expect(chosen.scenarios[0].source == nil, "it is read again when it is edited")
    }
    try folder.write("d/check.yaml", Self.scenario("[]"))
    let empty = try Self.choose(["d/check.yaml"], in: folder)
    #expect(throws: WorkspaceError.self) { try Self.failures(empty) }
  }

  @Test("A scenario that could not run when its time comes is refused before, and an edit of it changes nothing")
  func unfit() throws {
    let folder = try Self.folder()
    try folder.write("d/check.yaml", Self.scenario("[{ every: 5m }]", steps: "[{ exec: { command: [date] } }]"))
    let chosen = try Self.choose(["d"], in: folder)
    let error = try #require(throws: WorkspaceError.self) { try Self.failures(chosen) }
    #expect(error.code == .documentUnfit && error.message.contains("starts programs"))
    let devices = DeviceChoice(line: CommandLineText([])) { () throws(WorkspaceError) in Settings() }
    for text in [Self.scenario("[{ every: 5 }]"), Self.playlist("B"), "library: Kit\n"] {
      try folder.write("d/check.yaml", text)
      let problems = try #require(throws: DocumentProblems.self) {
        try chosen.scenarios[0].loadScheduled(on: devices, allowsPrograms: true)
      }
      #expect(problems.files == [folder.path("d/check.yaml")])
      #expect(problems.failure != nil || problems.diagnostics.contains { $0.severity == .error }, "\(text)")
    }
    try folder.write("d/check.yaml", "scenario: Check\ndevice: TV\nsteps: [{ log: hi }]\n")
    #expect(try chosen.scenarios[0].loadScheduled(on: devices, allowsPrograms: true).schedules.isEmpty)
  }

  @Test("Where there is nothing to serve the names that were given are told")
  func none() throws {
    let folder = try Self.folder()
    try folder.write("e/film.yaml", "scenario: Film\ndevice: TV\nsteps: [{ log: hi }]\n")
    #expect(
      throws: WorkspaceError(
        .commandLineWrong, "no playlists in \(folder.path("e")), and no scenarios with a `schedule`",
        help: "documents that can be shown begin with `playlist:`")
    ) { try Self.choose(["e"], in: folder) }
    let nothing = try Self.choose(["nothing.yaml"], in: folder)
    #expect(throws: WorkspaceError.self) { try Self.failures(nothing) }
  }

  @Test("One that is wrong, or cannot be read, keeps no other from being served; the mistakes of all are told")
  func wrong() throws {
    let folder = try Self.folder()
    for name in ["x", "y"] { try folder.write("d/\(name).yaml", Self.playlist("X", "volum: 10%\n")) }
    let heard = HeardMessages()
    let chosen = try Self.choose(["d", "d/gone.yaml"], in: folder, heardBy: heard)
    let loaded = Self.load(chosen).playlists
    #expect(loaded.map { (try? $0.get())?.plan.title } == ["B", "A", nil, nil, nil])
    #expect(heard.lines.filter { !$0.isEmpty } == ["x", "y"].map { "K101 \(folder.path("d/\($0).yaml"))" })
    let reasons = loaded.compactMap { if case .failure(let problems) = $0 { problems.reason } else { nil } }
    #expect(reasons.map(\.code) == [.told, .told, .notReadable])
    #expect(throws: Never.self) { try chosen.tell(reasons, isAll: false) }
    #expect(throws: reasons[2]) { try chosen.tell(reasons, isAll: true) }
    #expect(throws: WorkspaceError.told) { try chosen.tell([reasons[0]], isAll: true) }
  }

  @Test("An edit is seen when a playlist is loaded once more")
  func edited() throws {
    let folder = try Self.folder()
    let chosen = try Self.choose(["d/b.yaml"], in: folder)
    #expect(try Self.load(chosen).playlists[0].get().plan.title == "B")
    try folder.write("d/b.yaml", Self.playlist("C"))
    #expect(try chosen.loaders[0].loadPlaylist().plan.title == "C")
  }

  @Test("Each of several playlists gets the values that it has a use for, and a value that none has is refused")
  func values() throws {
    let folder = try TemporaryFolder()
    try folder.write("d/a.yaml", Self.playlist("${name}", "vars: { name: x }\n"))
    try folder.write("d/b.yaml", Self.playlist("B"))
    let chosen = try Self.choose(["d"], in: folder) { $0.settings = ["name=Bar"] }
    let loaded = try Self.load(chosen).playlists.map { try $0.get() }
    #expect(loaded.map(\.plan.title) == ["Bar", "B"] && loaded.map(\.inputs.settings.count) == [1, 0])
    #expect(throws: WorkspaceError.self) { try Self.choose(["d"], in: folder) { $0.settings = ["nam=Bar"] } }
  }
}
