import CastProtocol
import ScenarioLanguage
import Testing

@testable import Workspace

/// What a command that needs settings tells of them, and what a listing shows of each.
@Suite struct SettingsLoadingTests {
  private static let file = ".config/showcaller/config.yaml"

  @Test("A file with an error is told of and ends the command; without one the command goes on")
  func load() throws {
    let folder = try TemporaryFolder()
    let heard = HeardMessages()
    #expect(throws: Never.self) { try Settings.load(in: .living(in: folder, heardBy: heard)) }
    try folder.write(Self.file, "device: TV\nauth: require\n")
    let settings = try Settings.load(in: .living(in: folder, heardBy: heard))
    #expect(settings.device?.content.name == "TV" && heard.lines == [])
    try folder.write(Self.file, "auth: perhaps\n")
    #expect(throws: WorkspaceError.told) { try Settings.load(in: .living(in: folder, heardBy: heard)) }
    #expect(heard.lines.count == 1 && heard.lines[0].hasSuffix(" \(folder.path(Self.file))"))
  }

  @Test("A person's word is an alias before it is an address, an id or a name")
  func selector() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.file, "aliases: { bar: { host: 192.0.2.14 } }\n")
    let settings = try Settings.load(in: .living(in: folder))
    #expect(settings.selector(for: "bar")?.host?.host == "192.0.2.14")
    #expect(settings.selector(for: "192.0.2.2:8010")?.host == HostAndPort(host: "192.0.2.2", port: 8010))
    #expect(settings.selector(for: "BAR")?.name == "BAR", "an alias is found as it is written")
    #expect(settings.selector(for: "bar")?.span.file == folder.path(Self.file))
    #expect(settings.selector(for: "Kitchen")?.span.file == SourceSpan.commandLine)
  }

  @Test("An alias stands for a device of the file only where that is no more than a name")
  func resolved() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.file, "device: { name: bar, id: \"0123456789abcdef\" }\naliases: { bar: Bar speaker }\n")
    #expect(try Settings.read(in: .living(in: folder)).settings.device?.content.name == "bar")
  }

  private static func listing(
    _ folder: TemporaryFolder, _ variables: [String] = [], device: Settings.Value<Plan.DeviceSelector>? = nil
  ) throws -> SettingsListing {
    let surroundings = Surroundings.living(in: folder, variables)
    return SettingsListing(
      try Settings.read(in: surroundings).settings, device: device, hosts: HostsFileDevices(surroundings).entries,
      folder: SettingsFolder(surroundings))
  }

  @Test("The device of the command line or of the environment is told with its flag or variable")
  func origins() throws {
    let folder = try TemporaryFolder()
    let variables = ["SHOWCALLER_DEVICE=Kitchen"]
    let named = try #require(Plan.DeviceSelector(spelled: "192.0.2.1", at: SourceSpan.ofCommandLine))
    let flag = Settings.Value(content: named, origin: .flag("--device"))
    func first(_ listing: SettingsListing) -> (line: String?, json: JSONValue?) {
      (listing.lines.first?.split(separator: " ").joined(separator: " "), listing.json["settings"]?.array?.first)
    }
    let typed = try first(Self.listing(folder, variables, device: flag))
    #expect(typed.line == "device host 192.0.2.1:8009 flag --device")
    #expect(typed.json?["from"] == "flag" && typed.json?["flag"] == "--device")
    let variable = try first(Self.listing(folder, variables))
    #expect(variable.line == "device Kitchen environment SHOWCALLER_DEVICE")
    #expect(variable.json?["from"] == "environment" && variable.json?["variable"] == "SHOWCALLER_DEVICE")
  }

  @Test("Every timeout is listed in one order, with its line where the file has it")
  func timeouts() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.file, "timeout: { load: 90s, discover: 2500ms }\n")
    let listing = try Self.listing(folder)
    let lines = listing.lines.map { $0.split(separator: " ").map(String.init) }.filter { $0[0].hasPrefix("timeout.") }
    #expect(lines.map { $0[0] } == Settings.timeoutKeys.map { "timeout.\($0.0)" })
    #expect(lines[0].dropFirst() == ["2.5s", "\(folder.path(Self.file)):1"])
    #expect(lines[1].suffix(2) == ["built", "in"])
    let load = listing.json["settings"]?.array?.first { $0["name"] == "timeout.load" }
    #expect(load?["from"] == "file" && load?["line"] == 1)
  }

  @Test("Nothing of a listing can change a terminal, and the columns line up")
  func escaped() throws {
    let folder = try TemporaryFolder()
    let lines = try Self.listing(folder, ["SHOWCALLER_DEVICE=a\u{1B}[2Jb"]).lines
    #expect(lines[0].contains(#"a\u{1B}[2Jb"#) && !lines.joined().contains("\u{1B}"))
    let columns = lines.dropLast(2).compactMap { line in
      line.firstRange(of: "built in").map { line.distance(from: line.startIndex, to: $0.lowerBound) }
    }
    #expect(columns.count > 3 && Set(columns).count == 1, "\(lines)")
  }

  @Test("Without a home the files are told to have no place")
  func homeless() throws {
    let surroundings = Surroundings(environment: [:], unixTime: { 0 })
    let listing = SettingsListing(
      try Settings.read(in: surroundings).settings, device: nil, hosts: [], folder: SettingsFolder(surroundings))
    for line in listing.lines.suffix(2) { #expect(line.hasSuffix("  none: HOME is not set"), "\(line)") }
    #expect(listing.json["files"] == [:])
  }
}
