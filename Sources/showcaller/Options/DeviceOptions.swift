import ArgumentParser
import CastClient
import CastProtocol
import ScenarioLanguage
import DeviceControl
import RunReporting
import Workspace

/// Which device a one-line command is about: `--device`, `--host`, else the default device of the settings.
struct DeviceOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The device: an alias, a friendly name, an id or an address.", valueName: "device"))
  var device: String?

  @Option(help: ArgumentHelp("The device at this address; no discovery.", valueName: "address[:port]"))
  var host: HostAndPort?

  func validate() throws {
    if host != nil, device != nil { throw ValidationError("use --host or --device, not both") }
    if let device, device.isEmpty { throw ValidationError("--device is empty") }
  }

  /// What the command line names; `nil` where it names none.
  func named(by settings: Settings) -> Settings.Value<Plan.DeviceSelector>? {
    if let device, let selector = settings.selector(for: device) {
      return .init(content: selector, origin: .flag("--device"))
    }
    guard let host else { return nil }
    var selector = Plan.DeviceSelector(span: .ofCommandLine)
    selector.host = host
    return .init(content: selector, origin: .flag("--host"))
  }

  /// The device that is meant.
  /// - Throws: Exit code 2 where nothing names one.
  func selector(_ settings: Settings) throws(CommandFailure) -> Plan.DeviceSelector {
    if let value = named(by: settings) ?? settings.device { return value.content }
    throw CommandFailure(
      .commandLineWrong, "no device is named",
      help: "use --device NAME or --host ADDRESS, or set a default device (`showcaller config` tells where)")
  }

  /// Finds the device, and connects to it.
  /// - Parameter hold: What keeps other runs off the device from before it is connected to.
  func search(
    _ settings: Settings, times: TimeSources, configuration: ClientConfiguration,
    keepingBy hold: DeviceHold = DeviceHold()
  ) -> DeviceSearch {
    DeviceSearch(
      .process, times: times, configuration: configuration, limit: settings.timeouts.discover, hold: hold,
      tell: { Terminal.say(TerminalText.escaped($0)) })
  }
}

extension CommandFailure {
  /// A device that is not found or not reached: 4; one that another run has: 75.
  init(reaching failure: StepFailure) {
    self.init(
      failure.errorClass == .busy ? .busy : .noDevice, failure.message, help: failure.help, class: failure.errorClass)
  }
}
