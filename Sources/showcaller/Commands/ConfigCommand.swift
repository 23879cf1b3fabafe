import ArgumentParser
import CastProtocol
import Workspace

/// `showcaller config`: every setting of the one-line commands and where its value comes from.
struct ConfigCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", _superCommandName: ShowcallerCommand.name,
    abstract: "Show each setting and where its value comes from.",
    discussion: """
      A setting is taken from the command line, else the environment (SHOWCALLER_DEVICE), else the settings file, else it \
      is built in. The settings file:

        device: kitchen
        aliases:
          kitchen: Kitchen speaker
          lobby: { id: 8e2d1c0a-7b1f-4c39-9a55-0c1d2e3f4a5b }
          window: { host: 192.0.2.14 }
        timeout: { discover: 3s, load: 1m }
        auth: require

      A file called hosts beside it lists devices that need no discovery: an address and a name a line.
      """)

  @OptionGroup var device: DeviceOptions

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() async throws {
    let settings = try Settings.load()
    HostsFileDevices.process.tell()
    let listing = SettingsListing(
      settings, device: device.named(by: settings), hosts: HostsFileDevices.process.entries,
      folder: SettingsFolder(.process))
    if json {
      Terminal.print(listing.json.serialized())
    } else {
      for line in listing.lines { Terminal.print(line) }
    }
  }
}
