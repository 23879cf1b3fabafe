import ArgumentParser
import CastProtocol
import FleetMessages
import ScenarioLanguage
import Workspace

/// `showcaller serve`: shows playlists on their screens, for ever.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", _superCommandName: ShowcallerCommand.name,
    abstract:
      "Show playlists on the screens they name, and run scenarios by their schedules, until it is told to stop.",
    discussion: """
      A screen that is off, or that somebody else uses, is no reason to end. A scenario with a `schedule` is run at \
      its times; a screen that it needs is lent to it. SIGTERM ends with 0, stops what is run, and leaves on the \
      screens what is on, which the next `serve` goes on with; SIGHUP reads the documents again.
      """)

  @Argument(
    help: "The playlists, scenarios with a `schedule`, and folders of them.",
    completion: .file(extensions: ["yaml", "yml"]))
  var files: [String] = []

  @OptionGroup var inputs: InputOptions

  @Flag(name: .customLong("virtual"), help: "Show them on virtual receivers in this process, over real TLS.")
  var isVirtual = false

  @OptionGroup var faults: FaultOptions

  @Option(help: ArgumentHelp("Show them at this address; no discovery.", valueName: "address[:port]"))
  var host: HostAndPort?

  @Option(
    name: [.customShort("d"), .customLong("device")],
    help: ArgumentHelp(
      "Show them, and run scenarios, on this device only: an inventory id, an alias, a friendly name, an id or an address.",
      valueName: "name"))
  var devices: [String] = []

  @Option(
    help: ArgumentHelp(
      "With --virtual: let the playlist's time pass 0.1 to 1000 times as fast.", valueName: "factor, such as 60x"))
  var speed: ServeSpeed?

  @Option(
    help: ArgumentHelp(
      "With --virtual: begin at this time by the playlist's clock, such as \"2026-12-24 18:30\".", valueName: "moment"))
  var from: String?

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("End after this time of the playlist, such as 10m.", valueName: "duration"))
  var length: TimeLimit?

  @Option(
    help: ArgumentHelp(
      "Write the proof of play to this file.", valueName: "path"))
  var ledger: String?

  @Option(
    help: ArgumentHelp("Keep what runs of scenarios leave behind in this folder.", valueName: "folder"),
    completion: .directory)
  var runs = ".showcaller/runs"

  @Option(
    help: ArgumentHelp("Keep the newest runs of that folder and remove older ones.", valueName: "number"))
  var keep = 100

  @Flag(name: .customLong("allow-exec"), help: "Let documents start programs of this computer, if you trust them.")
  var allowExec = false

  @Option(
    help: ArgumentHelp(
      "Show the screens on a page at this port of this computer; 0 is a free one.", valueName: "port"))
  var control: Int?

  @Option(
    help: ArgumentHelp(
      "Let other computers reach the page at this address; everything on it then needs its token.",
      valueName: "address"),
    transform: ListenAddress.read)
  var listen: ListenAddress?

  @Option(
    help: ArgumentHelp(
      "A name under which a web server with TLS before the page has it, for whoever has its token.",
      valueName: "name[:port]"),
    transform: ControlName.read)
  var controlName: [ControlName] = []

  @Flag(help: "With --listen: let all addresses of this computer answer, although the token is sent in the clear.")
  var insecure = false

  @Option(help: ArgumentHelp("Repeat the order of shuffles, and jitter.", valueName: "number"))
  var seed: UInt64 = 0

  @Flag(help: "Print what happens as one JSON object a line.")
  var json = false

  @Flag(name: [.customShort("q"), .long], help: "Print nothing but problems of the documents.")
  var quiet = false

  @OptionGroup(title: "On a broker") var brokerOptions: BrokerOptions

  @Option(
    help: ArgumentHelp(
      "With --broker: what this site is called there; the computer's name unless it is given.", valueName: "name"),
    transform: ServeCommand.site)
  var site: SiteName?

  @Option(
    help: ArgumentHelp(
      "With --virtual and --broker: be so many sites in one process, NAME-1, NAME-2 and so on, to rehearse with.",
      valueName: "number"))
  var sites: Int?

  @OptionGroup(title: "On a broker") var operators: OperatorKeyOptions

  @Flag(help: "With --broker: tell Home Assistant of the screens, and take its orders, which nobody signs.")
  var homeAssistant = false

  @OptionGroup var lock: LockOptions
  @OptionGroup var authentication: AuthOptions
  @OptionGroup var log: LogOptions

  func validate() throws {
    if files.isEmpty, !isSite { throw ValidationError("missing expected argument '<files> ...'") }
    if !isSite {
      for (option, isGiven) in [
        ("--operator-key", !operators.operatorKey.isEmpty), ("--home-assistant", homeAssistant),
        ("--broker-ca", brokerOptions.brokerCA != nil), ("--broker-cert", brokerOptions.brokerCert != nil),
        ("--broker-password", brokerOptions.brokerPassword != nil),
      ] where isGiven {
        throw ValidationError("\(option) needs a broker: add --broker mqtts://host")
      }
    }
    if let sites {
      if !isVirtual || !isSite {
        throw ValidationError("--sites needs --virtual and --broker: a real site is one process")
      }
      if !(1...Self.mostSites).contains(sites) { throw ValidationError("--sites is from 1 to \(Self.mostSites)") }
      if control != nil || ledger != nil {
        throw ValidationError("--sites is not for --control or --ledger: each site has its own")
      }
    }
    if !isVirtual {
      if !faults.files.isEmpty {
        throw ValidationError("--faults needs --virtual: a real device has faults of its own")
      }
      if speed != nil { throw ValidationError("--speed needs --virtual: a real device keeps its own time") }
      if from != nil { throw ValidationError("--from needs --virtual: real screens show what is on now") }
    }
    if isVirtual, host != nil { throw ValidationError("--virtual brings its own devices; leave out --host") }
    if host != nil, !devices.isEmpty { throw ValidationError("use --host or --device, not both") }
    if let length, length.duration <= .zero { throw ValidationError("--for is longer than nothing") }
    if runs.isEmpty { throw ValidationError("--runs is empty: it names a folder") }
    if keep < 1 { throw ValidationError("--keep is at least 1: the run itself leaves a folder") }
    if let control, !(0...65_535).contains(control) { throw ValidationError("--control takes a port, 0 to 65535") }
    if !controlName.isEmpty, control == nil { throw ValidationError("--control-name needs --control") }
    if listen != nil, control == nil { throw ValidationError("--listen needs --control") }
    if let listen, listen.isUnspecified, !insecure {
      throw ValidationError(
        "--listen \(listen.text) lets every network ask, and the token goes in the clear: name one address, or add --insecure"
      )
    }
    if insecure, listen == nil { throw ValidationError("--insecure needs --listen") }
    if json, quiet { throw ValidationError("use --json or -q, not both") }
  }

  private static func site(_ text: String) throws -> SiteName {
    if let name = SiteName(text) { return name }
    throw ValidationError("--site takes letters, digits, `-`, `_` and `.`, at most 63, such as cafe-mitte")
  }

  /// Each site of a rehearsal has receivers of its own.
  static let mostSites = 200

  func run() async throws {
    if let sites { throw try await RehearsedSites(options: self, count: sites).perform() }
    let hangUp = HangUp()
    throw try await ServeRun(options: self).perform(hangUp) { await Interruptions.begin(hangUp: hangUp.ring) }
  }
}

/// A speed such as `60x`, 0.1 to 1000: whoever looks at a week waits for it.
struct ServeSpeed: ExpressibleByArgument {
  let factor: Double

  init?(argument: String) {
    let digits = argument.hasSuffix("x") ? String(argument.dropLast()) : argument
    guard let factor = Double(digits), factor >= 0.1, factor <= 1000 else { return nil }
    self.factor = factor
  }
}
