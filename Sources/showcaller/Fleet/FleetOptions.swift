import ArgumentParser
import BrokerClient
import CastProtocol
import DeviceControl
import FleetControl
import FleetMessages
import RunReporting
import ScenarioRunner
import Workspace

/// What all commands of `fleet` take that ask a broker.
struct FleetOptions: ParsableArguments {
  @OptionGroup var broker: BrokerOptions

  @Option(
    help: ArgumentHelp(
      "How long to wait for the broker, and for the first site; 10s unless it is given.", valueName: "time"))
  var wait: TimeLimit?

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    if let wait, wait.duration <= .zero { throw ValidationError("--wait is above 0") }
  }

  /// A connection of its own, with what it needs.
  func begin() async throws -> FleetConnection {
    try await FleetConnection.begin(broker, wait: wait?.duration)
  }

  /// What matches on the broker, as it is now.
  func look(at glob: SiteGlob?) async throws -> FleetView {
    try await begin().look(at: glob, [.condition(glob?.only)])
  }

  static var unixTime: Int { Int(Surroundings.process.unixTime()) }

  /// The width of what is printed, and how many lines fit.
  static var page: (width: Int, lines: Int) {
    guard Terminal.outputIsTTY else { return (80, 50) }
    let size = ScreenTerminal.size
    return (max(40, size.columns), max(12, size.rows - 1))
  }

  static func print(_ lines: [String]) { StandardStream.output.write(lines.map { "\($0)\n" }.joined()) }
}

/// A connection of a command, and what it waits by.
struct FleetConnection: Sendable {
  let link: any BrokerLink
  let address: BrokerAddress
  let wait: Duration
  let clock: TimeSource
  let interruptions: InterruptionLine

  /// An operator reads what all sites say at once: messages a second.
  private static let rateLimit = 500_000
  private static let usualWait = Duration.seconds(10)

  static func begin(_ broker: BrokerOptions, wait: Duration?) async throws -> FleetConnection {
    var generator = SystemRandomNumberGenerator()
    let id = "showcaller-operator-\(String(UInt32.random(in: .min ... .max, using: &generator), radix: 16))"
    var configuration = try broker.configuration(as: id)
    configuration.rateLimit = rateLimit
    let link: any BrokerLink
    do throws(BrokerFailure) {
      link = try BrokerClient.connect(configuration)
    } catch {
      throw CommandFailure(.commandLineWrong, error.message, help: error.help)
    }
    return FleetConnection(
      link: link, address: configuration.address, wait: wait ?? usualWait, clock: TimeSource(ContinuousClock()),
      interruptions: await Interruptions.begin())
  }

  /// What matches on the broker, as it is now.
  func look(at glob: SiteGlob?, _ filters: [FleetFilter]) async throws -> FleetView {
    let view = try await perform(FleetLook(self, filters: filters)).get()
    guard view.sites.keys.contains(where: { glob?.matches($0) ?? true }) else {
      throw noSite(glob, isEmpty: view.sites.isEmpty)
    }
    return view
  }

  func perform<Duty: FleetDuty>(_ duty: Duty) async throws -> Duty.End {
    guard let end = await duty.perform(on: link, clock, interruptions) else {
      throw CommandFailure(.noDevice, "the connection to \(address) has ended")
    }
    return end
  }

  /// There was no connection in time.
  func unreachable(_ failure: BrokerFailure?) -> CommandFailure {
    let why = failure?.message ?? "no answer within \(wait.components.seconds) s"
    var help = failure?.help
    switch failure?.code {
    case .unreachable, .lost, .hostile, nil:
      help =
        help
        ?? "is it running, and is this its address? Try `openssl s_client -connect \(address.host):\(address.port)`"
    case .untrusted: help = help ?? "`--broker-ca FILE` names the certificate that its own comes from"
    case .refused: help = help ?? "look at the user, `--broker-password` and the access list of the broker"
    case .unavailable: break
    }
    return CommandFailure(.noDevice, "cannot reach the broker \(address): \(why)", help: help)
  }

  func noSite(_ glob: SiteGlob?, isEmpty: Bool) -> CommandFailure {
    guard let glob, !isEmpty || glob.only != nil else {
      return CommandFailure(
        .noDevice, "no site has told anything to \(address)",
        help:
          "a site is there once `showcaller serve --broker \(address) --site NAME` runs, and its access list allows it")
    }
    return CommandFailure(.noDevice, "no site matches `\(glob)`", help: "`showcaller fleet sites` lists them")
  }
}

extension CommandFailure {
  /// Somebody wanted it to end.
  static func fleetInterrupted(_ interruption: Runner.Interruption) -> CommandFailure {
    CommandFailure(ExitCode(interruption.exit), "interrupted")
  }
}

extension SiteGlob: ExpressibleByArgument {
  init?(argument: String) { self.init(argument) }

  /// The one site that it means; `nil`: there may be several.
  var only: SiteName? { SiteName(text) }
}
