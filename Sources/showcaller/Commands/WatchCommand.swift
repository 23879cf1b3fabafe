import ArgumentParser
import CastClient
import CastProtocol
import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner
import Workspace

/// `showcaller watch`: shows what a device does while it does it, and is a remote control for it.
struct WatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", _superCommandName: ShowcallerCommand.name,
    abstract: "Watch a device and control it by keys; a line per change where no terminal is.",
    discussion: """
      Shows the app, what plays, where it is, ads and when they can be skipped, tracks, rate and volume, and what other \
      senders do. ? lists the keys; q leaves, and what plays goes on. Without a terminal, or with --json, each change is \
      told in a line.

      A device that is lost is reached again. Exits 0 on q, Ctrl-C and when --timeout is over; 4 when there is no device, 5 \
      when it is lost at that time.
      """)

  @Argument(
    help: ArgumentHelp("The device, as --device takes it: a name, an alias, an id or an address.", valueName: "device"))
  var named: String?

  @OptionGroup var device: DeviceOptions

  @Option(help: ArgumentHelp("How long to watch once the device is connected, such as 10s.", valueName: "time"))
  var timeout: TimeLimit?

  @Flag(help: "Print one JSON object per change.")
  var json = false

  @OptionGroup var auth: AuthOptions

  @OptionGroup var log: LogOptions

  func validate() throws {
    if let named {
      if named.isEmpty { throw ValidationError("the name of the device is empty") }
      if device.device != nil || device.host != nil {
        throw ValidationError("name the device once: as an argument, with --device or with --host")
      }
    }
    if let timeout, timeout.duration <= .zero || timeout.duration > .seconds(30 * 86_400) {
      throw ValidationError("--timeout is above 0 and at most 30 days")
    }
  }

  func run() async throws {
    let settings = try Settings.load()
    var choice = device
    if let named { choice.device = named }
    // A watch of lines may not miss what others did.
    let client = try ClientConfiguration(settings, auth, historyLimit: 256)
    // Nobody waits to be told that no device is named.
    _ = try choice.selector(settings)
    let output = WatchOutput(isJSON: json)
    // A log on the same terminal would be written over the screen.
    let isDrawn = !json && Terminal.outputIsTTY && (log.rules == nil || !Terminal.errorIsTTY)
    let display: WatchDisplay =
      isDrawn
      ? .screen(ProcessTerminal(takesKeys: Terminal.inputIsTTY, usesColor: Terminal.usesColor(on: true)))
      : .lines(output)
    do throws(CommandFailure) {
      try await WatchRun(device: choice, settings: settings, client: client, limit: timeout?.duration).run(on: display)
    } catch {
      if !isDrawn { output.ended(error) }
      throw error
    }
  }
}
