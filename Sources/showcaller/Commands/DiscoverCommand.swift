import ArgumentParser
import CastProtocol
import CastTransport
import ScenarioLanguage

/// `showcaller discover`: lists the Cast devices of the network.
struct DiscoverCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "discover", abstract: "List the Cast devices of the network.",
    discussion: "Exits 4 when none was found or nothing could look.")

  @Option(help: ArgumentHelp("How long to listen, in seconds.", valueName: "seconds"))
  var timeout = 5.0

  @Flag(help: "Print one JSON object per device.")
  var json = false

  @OptionGroup var log: LogOptions

  func validate() throws {
    guard timeout > 0, timeout <= 3600 else { throw ValidationError("--timeout is above 0 and at most 3600 seconds") }
  }

  func run() async throws {
    let records: [DeviceRecord]
    do {
      records = try await DeviceBrowser.discover(for: .clamped(seconds: timeout))
    } catch {
      throw CommandFailure(.noDevice, error.message, help: error.help)
    }
    let devices = records.sorted { ($0.name, $0.id.compact) < ($1.name, $1.id.compact) }
    for device in devices { Terminal.print(json ? device.json.serialized() : device.line) }
    if !devices.isEmpty { KnownDevices.store(devices.map { $0.known }) }
    if devices.isEmpty {
      throw CommandFailure(
        .noDevice, "no Cast device answered within \(JSONValue(timeout).serialized()) s",
        help: "check that this computer is on the devices' network, or name an address with --host")
    }
  }
}

extension DeviceRecord {
  /// A line for people.
  fileprivate var line: String {
    let shown = preferredHost.contains(":") ? "[\(preferredHost)]:\(port)" : "\(preferredHost):\(port)"
    return [name, model, shown, id.description].filter { !$0.isEmpty }.map(TerminalText.escaped).joined(separator: "  ")
  }

  /// What is remembered of it.
  fileprivate var known: KnownDevices.Device {
    .init(
      name: name, id: id.description, model: model, host: preferredHost, port: port,
      seen: capabilities.contains(.multizoneGroup) ? nil : Int(exactly: WallClock.now.rounded(.down)))
  }

  fileprivate var json: JSONValue {
    [
      "name": .string(name), "id": .string(id.description), "model": .string(model), "host": .string(host),
      "addresses": .array(addresses.map { .string($0) }), "port": .int(port),
    ]
  }
}
