import CastProtocol
import ScenarioLanguage
import Testing

@testable import Workspace

@Suite struct DeviceChoiceTests {
  private static func document(_ text: String) throws -> RunnableDocument {
    let source = SourceFile(name: "film.yaml", bytes: Array("scenario: Film\n\(text)steps: [{ log: hi }]\n".utf8))
    let outcome = PlanCompiler.compile(source, inputs: PlanCompiler.Inputs())
    return try #require(RunnableDocument(outcome.plans), "\(outcome.diagnostics.map(\.message))")
  }

  /// The rows of a document after a command line and these settings have chosen.
  private static func choose(
    _ words: [String], settings text: String = "", of document: String, _ change: (inout DeviceChoice) -> Void
  ) throws -> [Plan] {
    let file = SettingsFile.read(SourceFile(name: "config.yaml", bytes: Array(text.utf8))).settings
    var choice = DeviceChoice(line: CommandLineText(words)) { () throws(WorkspaceError) in
      var settings = Settings()
      settings.aliases = file.aliases
      return settings
    }
    change(&choice)
    var runnable = try Self.document(document)
    try choice.apply(to: &runnable, from: "film.yaml")
    return runnable.rows
  }

  @Test("A document that names no device gets the address, or the one device that is named")
  func single() {
    var choice = DeviceChoice(line: CommandLineText([])) { () throws(WorkspaceError) in Settings() }
    #expect(choice.device == nil)
    choice.devices = ["TV"]
    #expect(choice.device == .name("TV"))
    choice.devices = ["left=TV", "right=Bar"]
    #expect(choice.device == nil, "which of them is meant, only roles can say")
    choice.host = HostAndPort(host: "192.0.2.1")
    #expect(choice.device == .host(HostAndPort(host: "192.0.2.1")))
  }

  @Test("Another address asks no less of the device, keeps its name, and is where messages point")
  func host() throws {
    let inventory = "inventory: { tv: { name: Lobby TV, auth: require } }\ndevice: tv\n"
    let plan = try Self.choose(["run", "--host", "192.0.2.1", "film.yaml"], of: inventory) {
      $0.host = HostAndPort(host: "192.0.2.1")
    }[0]
    #expect(plan.device.name == "Lobby TV" && plan.device.host == HostAndPort(host: "192.0.2.1"))
    #expect(plan.device.requirements.authentication == .require)
    #expect(plan.device.span.file == SourceSpan.commandLine)
    #expect(plan.device.span.column == "showcaller run --host ".count + 1)
  }

  @Test(
    "A name is one of the document's inventory first, then an alias of the settings, then what devices call themselves")
  func names() throws {
    let text = "inventory: { tv: { name: Lobby TV } }\ndevice: Bar\n"
    let settings = "aliases: { tv: Wrong TV, bath: { host: 192.0.2.7 } }\n"
    func selector(_ name: String) throws -> Plan.DeviceSelector {
      try Self.choose(["run", "-d", name], settings: settings, of: text) { $0.devices = [name] }[0].device
    }
    #expect(try selector("tv").name == "Lobby TV")
    #expect(try selector("bath").host?.host == "192.0.2.7" && selector("bath").name == nil)
    #expect(try selector("Kitchen").name == "Kitchen")
    #expect(try selector("192.0.2.9").host?.host == "192.0.2.9")
    for name in ["tv", "bath", "Kitchen"] {
      let span = try selector(name).span
      #expect(span.file == SourceSpan.commandLine && span.column == "showcaller run -d ".count + 1, "\(name)")
    }
  }

  @Test("Every row gets the device, and a set of devices gives way to it")
  func rows() throws {
    let text = "devices: [Left, Right]\nmatrix: { n: [1, 2] }\nvars: { m: \"${matrix.n}\" }\n"
    let plans = try Self.choose([], of: text) { $0.devices = ["Bar"] }
    #expect(plans.count == 2)
    for plan in plans { #expect(plan.device.name == "Bar" && plan.devices == nil) }
  }

  @Test("The only role of a document takes an address or a name without being named")
  func onlyRole() throws {
    let role = "roles: { left: A }\n"
    let address = HostAndPort(host: "192.0.2.1")
    let byAddress = try Self.choose(["run", "--host", "192.0.2.1"], of: role) { $0.host = address }[0]
    #expect(byAddress.roles.map(\.device.host) == [address] && byAddress.device.host == address)
    let byName = try Self.choose([], of: role) { $0.devices = ["Bar"] }[0]
    #expect(byName.roles.map(\.device.name) == ["Bar"] && byName.device.name == "Bar")
  }

  @Test("The first role is also the device of the whole")
  func firstRole() throws {
    let roles = "roles: { left: A, right: B }\n"
    let first = try Self.choose([], of: roles) { $0.devices = ["left=Bar"] }[0]
    #expect(first.roles.map(\.device.name) == ["Bar", "B"] && first.device.name == "Bar")
    let second = try Self.choose([], of: roles) { $0.devices = ["right=Bar"] }[0]
    #expect(second.roles.map(\.device.name) == ["A", "Bar"] && second.device.name == "A")
  }

  static let refusals: [(devices: [String], message: String, help: String)] = [
    (
      ["Bar"], "--device Bar names none of the roles of film.yaml",
      "the roles are left, right: write `--device left=Bar`"
    ),
    (
      ["middle=Bar"], "--device middle=Bar names none of the roles of film.yaml",
      "the roles are left, right: write `--device left=Bar`"
    ),
  ]

  @Test(
    "A device without a role, or with one that nobody has, is refused with the roles there are", arguments: refusals)
  func roles(devices: [String], message: String, help: String) throws {
    #expect(throws: WorkspaceError(.documentUnfit, message, help: help)) {
      try Self.choose([], of: "roles: { left: A, right: B }\n") { $0.devices = devices }
    }
  }

  @Test("A document of one role takes a device without naming the role")
  func oneRole() throws {
    let plan = try Self.choose([], of: "roles: { left: A }\n") { $0.devices = ["Bar"] }[0]
    #expect(plan.device.name == "Bar" && plan.roles.map(\.device.name) == ["Bar"])
  }

  @Test("With --virtual the document's own devices stay, and --device only makes sense for several")
  func virtual() throws {
    let plans = try Self.choose([], of: "devices: [Left, Right]\n") { ($0.isVirtual, $0.devices) = (true, ["Left"]) }
    #expect(plans[0].devices?.selectors.map(\.name) == ["Left", "Right"])
    #expect(
      throws: WorkspaceError(
        .commandLineWrong, "--virtual brings its own device; leave out --host and --device",
        help: "`--device` chooses one of the `devices:` of a document, which film.yaml has none of")
    ) { try Self.choose([], of: "device: TV\n") { ($0.isVirtual, $0.devices) = (true, ["Left"]) } }
  }

  @Test("Settings with mistakes end the command only where a name asks for them")
  func settings() throws {
    var choice = DeviceChoice(line: CommandLineText([])) { () throws(WorkspaceError) in throw .told }
    choice.host = HostAndPort(host: "192.0.2.1")
    var document = try Self.document("device: TV\n")
    try choice.apply(to: &document, from: "film.yaml")
    #expect(document.rows[0].device.host?.host == "192.0.2.1")
    choice.devices = ["Bar"]
    #expect(throws: WorkspaceError.told) { try choice.apply(to: &document, from: "film.yaml") }
  }
}
