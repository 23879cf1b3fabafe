import CastProtocol
import ScenarioLanguage
import Testing

@testable import Workspace

@Suite struct SettingsTests {
  private static let file = ".config/showcaller/config.yaml"

  /// Reads `text` as the settings file of somebody with these variables.
  private static func read(_ text: String?, _ variables: [String] = []) throws -> Settings.Reading {
    let folder = try TemporaryFolder()
    if let text { try folder.write(file, text) }
    return try Settings.read(in: .living(in: folder, variables))
  }

  @Test("Without a file all is built in")
  func builtIn() throws {
    let reading = try Self.read(nil)
    #expect(reading.source == nil && reading.problems.isEmpty)
    #expect(reading.settings.device == nil && reading.settings.aliases.isEmpty)
    #expect(reading.settings.timeouts == Plan.Timeouts() && reading.settings.timeoutOrigins.isEmpty)
    #expect(reading.settings.authentication.content == .report)
    #expect(reading.settings.authentication.origin == .builtIn)
  }

  @Test("Each setting of the file is known with its line")
  func file() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      Self.file,
      """
      device: bar
      aliases:
        bar: Bar speaker
        lobby: { host: 192.0.2.14 }
      timeout: { discover: 3s, load: 1m }
      auth: require
      """)
    let settings = try Settings.read(in: .living(in: folder)).settings
    #expect(settings.device?.content.name == "Bar speaker", "an alias is resolved")
    // Where the alias says who it is.
    #expect(settings.device?.origin == .file(path, line: 1))
    #expect(settings.aliases.map(\.name) == ["bar", "lobby"])
    #expect(settings.timeouts.discover == .seconds(3) && settings.timeouts.load == .seconds(60))
    #expect(settings.timeouts.step == Plan.Timeouts().step)
    #expect(settings.timeoutOrigins == ["discover": .file(path, line: 5), "load": .file(path, line: 5)])
    #expect(settings.authentication.content == .require)
    #expect(settings.authentication.origin == .file(path, line: 6))
  }

  @Test(
    "A file with an error counts for nothing, and what is wrong is told at its line",
    arguments: [
      ("device: TV\ncolour: red\n", 2), ("device: TV\nauth: perhaps\n", 2), ("device: [\n", 0),
      ("device: TV\ntimeout: { load: 2h }\n", 2), ("device: TV\ntimeout: { lod: 1s }\n", 2),
      ("device: TV\naliases: { a: b, b: c }\n", 2), ("device: TV\n\u{0}", 0), ("- device\n", 1),
    ])
  func damaged(text: String, line: Int) throws {
    let reading = try Self.read(text, ["SHOWCALLER_DEVICE=Bar"])
    #expect(reading.problems.contains { $0.severity == .error && (line == 0 || $0.primary.span.line == line) })
    #expect(reading.source != nil)
    #expect(reading.settings.device == nil, "not even the environment counts: the command ends")
    #expect(reading.settings.authentication.origin == .builtIn)
  }

  @Test("A file of comments says nothing")
  func comments() throws {
    let reading = try Self.read("# device: TV\n\n")
    #expect(reading.problems.isEmpty && reading.settings.device == nil)
  }

  @Test("The environment wins over the file; an empty variable is none")
  func environment() throws {
    let text = "device: TV\naliases: { bar: { host: 192.0.2.14 } }\n"
    let variable = Settings.Origin.environment("SHOWCALLER_DEVICE")
    let named = try Self.read(text, ["SHOWCALLER_DEVICE=Kitchen"]).settings.device
    #expect(named?.content.name == "Kitchen" && named?.origin == variable)
    let alias = try Self.read(text, ["SHOWCALLER_DEVICE=bar"]).settings.device
    #expect(alias?.content.host?.host == "192.0.2.14" && alias?.origin == variable)
    let empty = try Self.read(text, ["SHOWCALLER_DEVICE="]).settings.device
    #expect(empty?.content.name == "TV")
    #expect(try Self.read(nil, ["SHOWCALLER_DEVICE=192.0.2.3"]).settings.device?.content.host?.host == "192.0.2.3")
  }

  @Test("A file that is there and cannot be read is a failure, not an empty one")
  func unreadable() throws {
    let folder = try TemporaryFolder()
    let path = try folder.folder(Self.file)
    #expect {
      _ = try Settings.read(in: .living(in: folder))
    } throws: { error in
      (error as? WorkspaceError)?.code == .notReadable
        && (error as? WorkspaceError)?.message == "cannot read \(path): it is a folder"
    }
    #expect(Settings.readAliases(in: .living(in: folder)).isEmpty)
  }

  @Test("Aliases are known in spite of mistakes elsewhere")
  func aliases() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.file, "aliases: { bar: Bar speaker }\nauth: perhaps\n")
    #expect(Settings.readAliases(in: .living(in: folder)).map(\.name) == ["bar"])
  }

  @Test("Without a home there are no settings", arguments: [[], ["HOME=relative"]])
  func homeless(variables: [String]) throws {
    let surroundings = Surroundings(environment: Environment(entries: variables), unixTime: { 0 })
    #expect(SettingsFolder(surroundings).settingsPath == nil && SettingsFolder(surroundings).hostsPath == nil)
    #expect(try Settings.read(in: surroundings).source == nil)
  }
}
