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
    commandName: "auth", _superCommandName: ShowcallerCommand.name,
    abstract: "Check a device's certificate: its chain, the verdict, and what expires when.",
    discussion: """
      The device is challenged to sign, with the key of its certificate, for this very connection; nothing else is sent. \
      Exits 0 when it is verified, 4 when it is not, shows another key than the one that `--auth pin` keeps, or cannot be \
      reached.
      """)

  @Argument(
    help: ArgumentHelp("The device, as --device takes it: a name, an alias, an id or an address.", valueName: "device"))
  var named: String?

  @OptionGroup var device: DeviceOptions

  @OptionGroup var trust: TrustOptions

  @OptionGroup var log: LogOptions

  @Flag(help: "Print one JSON object.")
  var json = false

  @Flag(help: "Forget the key that `--auth pin` keeps of the device: the next one that it shows is kept instead.")
  var forget = false

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
    if forget { return try forgetKey(of: choice.selector(settings)) }
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
    let pin = client.authentication?.compareWithPin(of: found)
    do {
      report = try await DeviceConnector(times: times, configuration: client)
        .authenticate(found.address, hasVideoOutput: found.hasVideoOutput)
    } catch {
      throw CommandFailure(reaching: StepFailure(error).withCure)
    }
    let text = AuthenticationText(report, of: found, keptSince: pin?.since)
    Terminal.print(json ? text.json.serialized() : text.lines.joined(separator: "\n"))
    if !report.isVerified { throw ExitCode.noDevice }
  }

  /// What was kept needs no device: it is found by what the command line says, or by the name it had.
  private func forgetKey(of selector: Plan.DeviceSelector) throws {
    let pins = PinnedKeys(.process)
    var names: [String] = []
    if let id = selector.id.flatMap({ DeviceID($0) }) {
      names = [FoundDevice.keyName(ofID: id)]
    } else if let host = selector.host {
      names = [FoundDevice.keyName(at: host)]
    } else if let name = selector.name {
      names = pins.pins(named: name).map(\.device)
      // Ids that look like a name are written as one.
      if names.isEmpty, let id = DeviceID(name) { names = [FoundDevice.keyName(ofID: id)] }
    }
    if names.count > 1 {
      throw CommandFailure(
        .noDevice, "the keys of \(names.count) devices of that name are kept",
        help: "say which by its id or address: \(names.map(Self.spelled).joined(separator: ", "))", class: .ambiguous)
    }
    guard let device = names.first, try pins.forget(device) else {
      throw CommandFailure(
        .noDevice, "no key of that device is kept", help: Self.cure(pins.damagedFiles), class: .notFound)
    }
    let shown = Self.spelled(device)
    if json {
      Terminal.print(JSONValue.object(["forgot": .string(shown)]).serialized())
    } else {
      Terminal.print(TerminalText.escaped("forgot the key of \(shown); `--auth pin` keeps the next one that it shows"))
    }
  }

  /// What to do where a device is not known by what was said of it.
  private static func cure(_ damaged: [String]) -> String {
    let cure = "name it by its id or address, as `showcaller auth` shows it"
    guard let first = damaged.first else { return cure }
    let more = damaged.count > 1 ? ", and \(damaged.count - 1) more beside it" : ""
    return "\(cure); the name in a damaged file cannot be read, and if it is this one, `rm \(ShellWord.quoted(first))` "
      + "forgets it\(more)"
  }

  /// As a command line takes it.
  private static func spelled(_ device: String) -> String {
    device.hasPrefix("id ") ? DeviceID(String(device.dropFirst(3)))?.description ?? device : device
  }
}

extension AuthenticationRules {
  /// Has the key that `device` shows compared with the one that is kept.
  fileprivate mutating func compareWithPin(of device: FoundDevice) -> KnownKey? {
    for note in expectKey(of: device, in: .pin) { Terminal.tell(note.text, help: note.help) }
    return keys.key(of: device.keyName)
  }
}
