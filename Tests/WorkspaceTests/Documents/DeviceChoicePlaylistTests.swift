import CastProtocol
import ScenarioLanguage
import Testing

@testable import Workspace

/// What `--host` and `--device` leave of the devices of a playlist.
@Suite struct DeviceChoicePlaylistTests {
  /// The devices of a playlist after a command line and these settings have chosen.
  private static func choose(
    of devices: String, settings text: String = "", _ change: (inout DeviceChoice) -> Void
  ) throws -> Plan.DeviceSet {
    let file = SettingsFile.read(SourceFile(name: "config.yaml", bytes: Array(text.utf8))).settings
    var choice = DeviceChoice(line: CommandLineText(["serve", "-d", "Left", "week.yaml"])) {
      () throws(WorkspaceError) in
      var settings = Settings()
      settings.aliases = file.aliases
      return settings
    }
    change(&choice)
    let head = "playlist: Week\ntimezone: UTC\n\(devices)\n"
    let source = SourceFile(
      name: "week.yaml", bytes: Array((head + "program: [{ play: [\"https://x.example/a.png\"] }]\n").utf8))
    let outcome = PlanCompiler.compile(source)
    guard case .playlist(let plan)? = outcome.document else {
      Issue.record("\(outcome.diagnostics.map(\.message))")
      throw WorkspaceError.told
    }
    return try choice.apply(to: plan).devices
  }

  private static let inventory =
    "inventory: { tv: { name: Lobby TV, auth: require, tags: [hall] }, bar: { name: Bar TV } }\n"
  private static let settings = "aliases: { bath: { host: 192.0.2.7 }, Left: Wrong TV }\n"

  /// What is chosen of which devices, by the name or the address of each that is left.
  static let namedChoices: [(devices: String, chosen: [String], left: [String])] = [
    ("devices: [Left, Right]", [], ["Left", "Right"]),
    ("devices: [Left, Right]", ["Right"], ["Right"]),
    ("devices: [Left, Right]", ["Left"], ["Left"]),
    ("devices: [Left, Right]", ["Right", "Left", "Right"], ["Right", "Left"]),
    ("devices: [Left, Right]", ["Kitchen"], ["Kitchen"]),
    ("devices: [Left, Right]", ["192.0.2.9"], ["192.0.2.9"]),
    ("devices: [Left, Right]", ["bath"], ["192.0.2.7"]),
    ("device: TV", ["Kitchen"], ["Kitchen"]),
    ("devices: { match: { name_like: \"Bar *\" }, at_least: 2 }", ["Bar 1"], ["Bar 1"]),
    (inventory + "device: tv", ["bar"], ["Bar TV"]),
    (inventory + "devices: [tv, bar]", ["tv", "Lobby TV"], ["Lobby TV"]),
    (inventory + "devices: { match: { tag: hall } }", ["Lobby TV"], ["Lobby TV"]),
  ]

  @Test("A playlist is shown on the devices that are named, its own or others", arguments: namedChoices)
  func named(devices: String, chosen: [String], left: [String]) throws {
    let set = try Self.choose(of: devices, settings: Self.settings) { $0.devices = chosen }
    #expect(set.selectors.map { $0.name ?? $0.host?.host ?? "" } == left)
    if !chosen.isEmpty { #expect(set.atLeast == nil && set.atMost == nil) }
  }

  static let virtualChoices: [(devices: String, chosen: String, left: String?)] = [
    ("devices: [Left, Right]", "Right", "Right"),
    ("devices: [Left, Right]", "Kitchen", nil),
    ("devices: { match: { name_like: \"Bar *\" }, at_least: 2 }", "Bar 1", "Bar 1"),
    ("devices: { match: { name_like: \"Bar *\" }, at_least: 2 }", "Hall", nil),
    (inventory + "devices: { match: { tag: hall } }", "tv", "Lobby TV"),
    (inventory + "devices: { match: { tag: hall } }", "bar", nil),
  ]

  @Test("Of virtual devices only those can be chosen that the playlist brings", arguments: virtualChoices)
  func virtual(devices: String, chosen: String, left: String?) throws {
    func choose() throws -> [String?] {
      try Self.choose(of: devices) { ($0.isVirtual, $0.devices) = (true, [chosen]) }.selectors.map(\.name)
    }
    guard let left else {
      let error = try #require(throws: WorkspaceError.self) { try choose() }
      #expect(error.code == .documentUnfit && error.message == "`\(chosen)` is none of the devices of week.yaml")
      return
    }
    #expect(try choose() == [left])
  }

  @Test("An address replaces all devices, and asks no less of the one that is there")
  func host() throws {
    let address = HostAndPort(host: "192.0.2.1")
    for devices in ["devices: [bar, tv]", "device: tv"] {
      let set = try Self.choose(of: Self.inventory + devices) { $0.host = address }
      #expect(set.selectors.map(\.host) == [address])
      #expect(set.selectors[0].requirements.authentication == .require)
      #expect(set.selectors[0].name == (devices.hasPrefix("devices") ? nil : "Lobby TV"))
    }
    #expect(throws: WorkspaceError.self) {
      try Self.choose(of: "device: TV") { ($0.isVirtual, $0.host) = (true, address) }
    }
  }

  @Test("If a device is not found, the message points at the word that chose it")
  func span() throws {
    let selector = try Self.choose(of: "devices: [Left, Right]") { $0.devices = ["Left"] }.selectors[0]
    #expect(selector.span.file == SourceSpan.commandLine)
    #expect(selector.span.column == "showcaller serve -d ".count + 1)
  }
}
