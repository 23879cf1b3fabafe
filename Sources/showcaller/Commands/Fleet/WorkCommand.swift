import ArgumentParser
import BrokerClient
import CastProtocol
import CastTransport
import DeviceControl
import FleetJobs
import FleetMessages
import ScenarioLanguage
import ScenarioRunner
import Workspace

/// `showcaller fleet work`: an agent of a lab, which runs what others send.
struct WorkCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "work",
    abstract: "Run the jobs of a queue on devices of this network, until it is told to stop.",
    discussion: """
      Takes jobs that the holder of --operator-key signed, one at a time for each device, and runs them as `run` would. \
      SIGTERM gives back what is not done, with --drain it is finished first; a second one stops at once. Exits 0 \
      then, 2 where it cannot begin, and 4 where no device was found.
      """)

  @Option(help: ArgumentHelp("The queue to take jobs of.", valueName: "name"), transform: LabOptions.queueName)
  var queue: SiteName

  @Option(
    help: ArgumentHelp("What this agent is called in the queue; else as this computer.", valueName: "name"),
    transform: WorkCommand.agentName)
  var name: SiteName?

  @Option(
    name: [.customShort("d"), .customLong("device")],
    help: ArgumentHelp(
      "Run jobs on this device: a friendly name, an alias, an id or an address; may be repeated. Else on all that are found.",
      valueName: "name"))
  var devices: [String] = []

  @Option(
    name: .customLong("virtual"),
    help: ArgumentHelp("Run jobs on so many virtual receivers instead.", valueName: "number"))
  var virtualDevices: Int?

  @Option(
    help: ArgumentHelp(
      "Look at a device with this scenario before its first job and after an error; one that fails gets no job.",
      valueName: "file"), completion: .file(extensions: ["yaml", "yml"]))
  var health: String?

  @Flag(help: "Let jobs start programs on this computer.")
  var allowExec = false

  @Flag(help: "When told to stop, finish the jobs under way.")
  var drain = false

  @Option(
    help: ArgumentHelp("Keep what runs leave behind in this folder.", valueName: "folder"), completion: .directory)
  var runs = ".showcaller/runs"

  @OptionGroup var operators: OperatorKeyOptions
  @OptionGroup var broker: BrokerOptions
  @OptionGroup var log: LogOptions

  private static let mostDevices = 500

  private static func agentName(_ text: String) throws -> SiteName {
    guard let name = SiteName(text) else {
      throw ValidationError("`\(text)` is no name of an agent: use letters, digits, `-`, `_` and `.`, at most 63")
    }
    return name
  }

  func validate() throws {
    if operators.operatorKey.isEmpty {
      throw ValidationError("--operator-key is missing: it says whose jobs are run here")
    }
    if devices.contains(where: \.isEmpty) { throw ValidationError("the name of a device is empty") }
    if Set(devices).count < devices.count {
      throw ValidationError("a device is named twice: each has one job at a time")
    }
    if let virtualDevices {
      if !devices.isEmpty { throw ValidationError("--virtual brings its own devices; leave out --device") }
      if !(1...Self.mostDevices).contains(virtualDevices) {
        throw ValidationError("--virtual is from 1 to \(Self.mostDevices)")
      }
    }
    if devices.count > Self.mostDevices { throw ValidationError("at most \(Self.mostDevices) devices") }
    if runs.isEmpty { throw ValidationError("--runs is empty: it names a folder") }
  }

  func run() async throws {
    let keys = try operators.keys()
    guard let name = name ?? SiteName(Surroundings.process.hostName()) else {
      throw CommandFailure(
        .commandLineWrong, "this computer has no name for an agent", help: "give one: `--name lab-1`")
    }
    let health = try healthFiles()
    let found = try await labDevices()
    var options = JobAgent.Options(name: name)
    options.version = ShowcallerCommand.version
    options.allowsPrograms = allowExec
    options.checksHealth = health != nil
    let processes = JobProcess(runs: runs, agent: name, allowsPrograms: allowExec)
    processes.clean()
    let topic = JobTopic.agent(queue: queue, agent: name).text
    let link = try broker.connect(
      as: "showcaller-agent-\(queue)-\(name)", will: .removal(of: topic), messageLimit: JobResult.messageLimit)
    let agent = LabAgent(
      JobAgent(options, devices: found.map(\.device)), name: name, queue: queue, keys: keys, link: link,
      processes: processes,
      reaches: Dictionary(found.map { ($0.device.name, $0.reach) }, uniquingKeysWith: { first, _ in first }),
      health: health, firmware: LabFirmware(agent: name, queue: queue), clock: TimeSource(ContinuousClock()),
      unixTime: Surroundings.process.unixTime)
    Terminal.say(
      TerminalText.escaped("agent \(name) with \(found.map(\.device.name).joined(separator: ", "))"))
    let line = await Interruptions.begin()
    let (interruptions, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(2))
    let watch = TimeSource(ContinuousClock()).spawn { for await _ in line.stream() { continuation.yield() } }
    await agent.run(until: interruptions, drains: drain)
    watch.cancel()
  }

  /// The health scenario and what it includes.
  private func healthFiles() throws -> [FleetDocument.File]? {
    guard let health else { return nil }
    let loader = DocumentLoader(health, inputs: GivenInputs(), in: .process)
    let device = PlanCompiler.Inputs.Device.name("any")
    let document = try loader.runnable(to: "run", row: [], allowsPrograms: allowExec, device: device)
    return try LabFiles.of(document)
  }

  /// The devices and how runs reach them.
  private func labDevices() async throws -> [(device: LabDevice, reach: JobProcess.Reach)] {
    if let virtualDevices {
      return (1...virtualDevices).map { (LabDevice(name: "virtual-\($0)", isVirtual: true), .virtual) }
    }
    var found: [DeviceRecord] = []
    do throws(TransportError) {
      found = try await DeviceBrowser.discover(for: .seconds(5))
    } catch {
      // Names that are addresses need no daemon.
      if devices.isEmpty { throw CommandFailure(.noDevice, error.message, help: error.help) }
    }
    let known = found.map { ListedDevice($0) }
    if devices.isEmpty {
      guard !known.isEmpty else {
        throw CommandFailure(
          .noDevice, "no device was found", help: "name those that are meant: `--device NAME`, or use `--virtual 1`")
      }
      return known.map { (Self.device($0, called: $0.name), .named($0.id ?? $0.name)) }
    }
    return devices.map { name in
      let one = known.first { $0.name == name || $0.id == name || $0.address.text == name }
      return (one.map { Self.device($0, called: name) } ?? LabDevice(name: name), .named(name))
    }
  }

  private static func device(_ listed: ListedDevice, called name: String) -> LabDevice {
    LabDevice(name: name, id: listed.id, model: listed.model)
  }
}
