import ArgumentParser
import CastClient
import CastProtocol
import CastTransport
import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner
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
    var selector = Plan.DeviceSelector(
      span: .init(file: SourceSpan.commandLine, line: 1, column: 1, endLine: 1, endColumn: 1))
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

  /// Finds the device and opens a connection; the address of the last discovery is tried first, and looked up anew where
  /// nobody answers there.
  /// - Parameter hold: What keeps other runs off the device from before it is connected to.
  /// - Throws: Exit code 4 with a sentence and a cure; 75 where another run has the device.
  func connect(
    _ settings: Settings, times: TimeSources, configuration: ClientConfiguration,
    keepingBy hold: DeviceHold = DeviceHold(), resolver: DeviceResolver = .standard,
    wireTap: (@Sendable (WireRecord) -> Void)? = nil
  ) async throws(CommandFailure) -> (device: FoundDevice, opened: OpenedDevice) {
    let selector = try selector(settings)
    let limit = settings.timeouts.discover
    let first: FoundDevice
    do throws(CommandFailure) {
      first = try await find(selector, within: limit, trustsMemory: true, resolver)
    } catch {
      // What somebody wrote an address down for tells its id only when it is asked.
      guard let id = selector.id, selector.host == nil, let device = await HostsInquiry.device(id: id, times: times)
      else {
        HostsFileDevices.process.tell()
        throw error
      }
      first = device
    }
    try await keep(first, by: hold, times)
    do throws(ClientError) {
      let opened = try await LiveDevices.connect(
        to: first, times: times, configuration: configuration, wireTap: wireTap)
      if await Self.isThere(first, opened.connection) { return (first, opened) }
      // Another device has the address by now.
      await opened.connection.disconnect()
    } catch {
      guard first.via == .cache, !Task.isCancelled else { throw CommandFailure(error) }
    }
    let second = try await find(selector, within: limit, trustsMemory: false, resolver)
    try await keep(second, by: hold, times)
    do throws(ClientError) {
      return (
        second, try await LiveDevices.connect(to: second, times: times, configuration: configuration, wireTap: wireTap)
      )
    } catch {
      throw CommandFailure(error)
    }
  }

  private func keep(_ device: FoundDevice, by hold: DeviceHold, _ times: TimeSources) async throws(CommandFailure) {
    let refusal = await hold.take([device], on: times.network) { Terminal.say(TerminalText.escaped($0)) }
    guard let failure = refusal?.failure else { return }
    throw CommandFailure(.busy, failure.message, help: failure.help, class: failure.errorClass)
  }

  /// Whether a device that was looked up in what discovery remembers is the one that answered, as far as it says who it
  /// is.
  private static func isThere(_ device: FoundDevice, _ connection: CastConnection) async -> Bool {
    guard device.via == .cache, let wanted = device.id.flatMap({ DeviceID($0) }),
      let info = try? await connection.deviceInfo(within: .seconds(2)),
      let answered = info.deviceID.flatMap({ DeviceID($0) })
    else { return true }
    return answered == wanted
  }

  /// Finds the device without connecting to it.
  /// - Throws: Exit code 4 with a sentence and a cure.
  func find(
    _ selector: Plan.DeviceSelector, within limit: Duration, trustsMemory: Bool,
    _ resolver: DeviceResolver = .standard
  ) async throws(CommandFailure) -> FoundDevice {
    do throws(RunError) {
      let device = try await resolver.device(selector, within: limit, trustsMemory: trustsMemory)
      if device.via == .mdns { KnownDevices.process.remember(KnownDevices.Device(device)) }
      return device
    } catch {
      // Devices of the hosts file are asked for an id before anything is said to be wrong.
      if selector.id == nil { HostsFileDevices.process.tell() }
      throw CommandFailure(error, asking: selector, within: limit)
    }
  }
}

extension CommandFailure {
  /// A device that cannot be reached: 4.
  init(_ error: ClientError) {
    self.init(
      .noDevice, error.message, help: error.help ?? ErrorClass(error.class).usualCure,
      class: ErrorClass(error.class))
  }

  /// A device that was not found, or more than one: 4, with what there is instead.
  init(_ error: RunError, asking selector: Plan.DeviceSelector, within limit: Duration) {
    let seen = error.candidates.map(\.asDiscovered)
    let note =
      error.errorClass == .notFound ? AliasNote.text(for: selector, aliases: Settings.readAliases(in: .process)) : nil
    let known = note.map { "\($0); " } ?? ""
    let isPlain = error.help == nil && error.errorClass == .notFound
    guard !seen.isEmpty || isPlain, let diagnostic = selector.diagnostic(among: seen, listenFor: limit) else {
      self.init(
        .noDevice, error.message, help: known.isEmpty ? error.help : known + (error.help ?? ""), class: error.errorClass
      )
      return
    }
    let list = seen.map(\.text).joined(separator: ", ")
    let time = limit.spelled
    var help = seen.isEmpty ? "nothing answered within \(time); " : ""
    if error.errorClass == .ambiguous {
      help = "found \(list); name one by its id or with --host"
    } else if error.isFinal {
      help = diagnostic.primary.text.isEmpty ? "" : diagnostic.primary.text + " "
      help += "\(error.message); the hosts file has \(list)" + (error.help.map { "; \($0)" } ?? "")
    } else if !seen.isEmpty {
      help = diagnostic.primary.text.isEmpty ? "" : diagnostic.primary.text + " "
      help += "found in \(time): \(list)"
    } else {
      help += "`showcaller discover` lists what does, and --host names an address"
    }
    self.init(.noDevice, diagnostic.message, help: known + help, class: error.errorClass)
  }
}
