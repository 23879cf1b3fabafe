import ArgumentParser
import CastClient
import CastProtocol
import CastTransport
import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner
import Workspace

/// `showcaller auth`: asks one device for its proof and shows what it is worth.
struct AuthCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "auth", abstract: "Check a device's certificate: its chain, the verdict, and what expires when.",
    discussion: """
      The device is challenged to sign, with the key of its certificate, for this very connection; nothing else is sent. \
      Exits 0 when it is verified, 4 when it is not or cannot be reached.
      """)

  @Argument(
    help: ArgumentHelp("The device, as --device takes it: a name, an alias, an id or an address.", valueName: "device"))
  var named: String?

  @OptionGroup var device: DeviceOptions

  @OptionGroup var trust: TrustOptions

  @OptionGroup var log: LogOptions

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    if named != nil, device.device != nil || device.host != nil {
      throw ValidationError("name the device once: as an argument, with --device or with --host")
    }
  }

  func run() async throws {
    do {
      try await check()
    } catch {
      guard json, let failure = CommandFailure(any: error) else { throw error }
      Terminal.tell(failure.message, help: failure.help)
      Terminal.print(failure.json.serialized())
      throw failure.code
    }
  }

  private func check() async throws {
    let settings = try Settings.load()
    var choice = device
    if let named { choice.device = named }
    var client = ClientConfiguration()
    client.connectTimeout = settings.timeouts.connect
    client.replyTimeout = settings.timeouts.reply
    client.authentication = try trust.rules()
    let times = TimeSources(show: TimeSource(ContinuousClock()))
    // Where it was seen last is no proof of anything: it is looked for anew.
    let selector = try choice.selector(settings)
    let found: FoundDevice
    let report: DeviceAuthReport
    do throws(StepFailure) {
      found = try await choice.search(settings, times: times, configuration: client).find(selector, trustsMemory: false)
    } catch {
      throw CommandFailure(reaching: error)
    }
    do {
      report = try await DeviceConnector(times: times, configuration: client)
        .authenticate(found.address, hasVideoOutput: found.hasVideoOutput)
    } catch {
      throw CommandFailure(reaching: StepFailure(error).withCure)
    }
    let text = AuthenticationText(report, of: found)
    Terminal.print(json ? text.json.serialized() : text.lines.joined(separator: "\n"))
    if !report.isVerified { throw ExitCode.noDevice }
  }
}
