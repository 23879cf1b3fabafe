import ArgumentParser
import CastClient
import CastProtocol
import CastTransport
import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner
import Workspace

/// `showcaller discover`: lists the Cast devices of the network, or watches them come and go.
struct DiscoverCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "discover", _superCommandName: ShowcallerCommand.name,
    abstract: "List the Cast devices of the network, or watch them.",
    discussion: """
      Lists name, model, address, what it can do, what it shows and id, sorted by name: what mDNS finds, and the devices of \
      the hosts file beside the settings that answer. With --host only these addresses are asked, and no mDNS daemon is \
      needed.

      Exits 4 when none was found or nothing could look. --watch goes on until Ctrl-C, also when the mDNS daemon is \
      restarted, and then exits 0.
      """)

  @Option(help: ArgumentHelp("How long to listen; 5s unless --watch.", valueName: "time"))
  var timeout: TimeLimit?

  @Option(
    name: .customLong("host"),
    help: ArgumentHelp("Ask this address instead of mDNS; may be repeated.", valueName: "address[:port]"))
  var hosts: [HostAndPort] = []

  @Option(
    help: ArgumentHelp("Only devices that can do this; may be repeated: all of them.", valueName: "capability"))
  var can: [CapabilityWord] = []

  @Option(
    name: .customLong("runs"),
    help: ArgumentHelp("Only devices that say they can run this app; may be repeated.", valueName: "app id"))
  var apps: [String] = []

  @Flag(help: "Tell of devices that come, move, change and go.")
  var watch = false

  @Flag(help: "Print one JSON object per device, or per event.")
  var json = false

  @OptionGroup var log: LogOptions

  func validate() throws {
    if let timeout, timeout.duration <= .zero || timeout.duration > .seconds(3600) {
      throw ValidationError("--timeout is above 0 and at most an hour")
    }
    for app in apps {
      do throws(ScalarProblem) { _ = try NameScalar.appID(app) } catch { throw ValidationError(error.message) }
    }
    if watch, !hosts.isEmpty { throw ValidationError("--watch is told by mDNS; addresses of --host cannot be watched") }
    if watch, !apps.isEmpty {
      throw ValidationError("--runs asks each device once; leave out --watch, or --runs")
    }
  }

  func run() async throws {
    if watch { return try await watchDevices() }
    var (devices, problem) = await search()
    let isEmpty = devices.isEmpty
    devices.removeAll { !$0.can(can) }
    if !apps.isEmpty { devices = await thoseThatRun(devices) }
    let lines =
      json ? devices.map { $0.json.serialized() } : DeviceTable.lines(devices, hasHead: Terminal.outputIsTTY)
    for line in lines { Terminal.print(line) }
    if !devices.isEmpty {
      if let problem { Terminal.say("warning: \(problem.message)") }
      return
    }
    if isEmpty, let problem { throw problem }
    throw isEmpty ? nothing : unfit
  }

  // MARK: Finding

  /// What mDNS and the hosts file have, sorted, and why mDNS could not look.
  private func search() async -> ([ListedDevice], CommandFailure?) {
    if hosts.isEmpty { HostsFileDevices.process.tell() }
    let fixed =
      hosts.isEmpty
      ? HostsFileDevices.process.devices : hosts.map { FoundDevice(name: $0.text, address: $0, via: .host) }
    async let asked = ask(fixed)
    var problem: CommandFailure?
    var found: [ListedDevice] = []
    if hosts.isEmpty {
      do throws(TransportError) {
        let records = try await DeviceBrowser.discover(for: timeout?.duration ?? .seconds(5))
        if !records.isEmpty { KnownDevices.process.store(records.map { .init($0) }) }
        found = records.map { ListedDevice($0) }
      } catch {
        problem = CommandFailure(.noDevice, error.message, help: error.help)
      }
    }
    // One that both know is listed as it says itself, under the address that somebody wrote down.
    let known = await asked
    found.removeAll { device in known.contains { $0.id != nil && $0.id == device.id } }
    return (ListedDevice.sorted(found + known), problem)
  }

  /// Those that answer; of the rest it is said why they do not.
  private func ask(_ fixed: [FoundDevice]) async -> [ListedDevice] {
    guard !fixed.isEmpty else { return [] }
    let inquiry = self.inquiry()
    var devices: [ListedDevice] = []
    for answer in await inquiry.ask(fixed.map { ListedDevice($0) }) {
      if let failure = answer.failure {
        Terminal.say("warning: \(TerminalText.escaped("\(answer.device.name): \(failure.message)"))")
      } else {
        devices.append(answer.device)
      }
    }
    return devices
  }

  private func inquiry(_ apps: [String] = []) -> DeviceInquiry {
    var system = SystemRandomNumberGenerator()
    return DeviceInquiry(
      appIDs: apps, times: TimeSources(show: TimeSource(ContinuousClock())),
      firstRequestID: Int.random(in: 1...1_000_000_000, using: &system))
  }

  private func thoseThatRun(_ devices: [ListedDevice]) async -> [ListedDevice] {
    let inquiry = self.inquiry(apps)
    var fitting: [ListedDevice] = []
    for answer in await inquiry.ask(devices) {
      if let failure = answer.failure {
        let text = "\(answer.device.name) could not be asked: \(failure.message)"
        Terminal.say("warning: \(TerminalText.escaped(text))")
      } else if answer.runsAll == true {
        fitting.append(answer.device)
      }
    }
    return fitting
  }

  private var nothing: CommandFailure {
    hosts.isEmpty
      ? CommandFailure(
        .noDevice, "no Cast device answered within \((timeout?.duration ?? .seconds(5)).spelled)",
        help: "check that this computer is on the devices' network, or name an address with --host")
      : CommandFailure(
        .noDevice, "no Cast device answered", help: "check the addresses, and that the devices are powered")
  }

  private var unfit: CommandFailure {
    let wishes = can.map { "can do \($0.rawValue)" } + apps.map { "can run \($0)" }
    return CommandFailure(
      .noDevice, "no device \(wishes.joined(separator: " and "))", help: "`showcaller discover` lists what each can do")
  }
}

extension CapabilityWord: ExpressibleByArgument {}
