import ArgumentParser
import CastProtocol
import CastReceiver
import CastTransport
import ReceiverPages
import RunReporting
import ScenarioLanguage
import ScenarioRunner
import Simulation
import Workspace

/// `showcaller receive`: virtual receivers in the foreground, for any sender.
struct ReceiveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "receive", _superCommandName: ShowcallerCommand.name,
    abstract: "Start virtual receivers that any Cast sender can use, until Ctrl-C.",
    discussion: """
      Prints a line with name, id and address for each receiver once it accepts connections. Without --advertise only \
      senders that are told the address find it; without --listen only those on this computer. While it runs, \
      `showcaller receiver press` is a person with the remote control.
      """)

  @Argument(
    help: "A library file that describes one or several receivers and their faults; options on the command line win.",
    completion: .file(extensions: ["yaml", "yml"]))
  var lab: String?

  @Option(
    name: .customLong("name"),
    help: ArgumentHelp("The friendly name; may be repeated, one receiver each.", valueName: "name"))
  var names: [String] = []

  @Option(
    help: ArgumentHelp(
      "Start so many receivers, called by the name and a number from 1; at most 1000.", valueName: "number"))
  var count: Int?

  @Option(
    name: [.customLong("port"), .customLong("port-from")],
    help: ArgumentHelp(
      "The port of the first receiver, the next ones follow, groups take any free one; 0: any free ones.",
      valueName: "port"))
  var port = HostAndPort.defaultPort

  @Option(help: ArgumentHelp("Listen on this address.", valueName: "address"))
  var listen: String?

  @Flag(help: "Announce the receivers by mDNS, and listen on all addresses unless --listen narrows it.")
  var advertise = false

  @Option(
    name: .customLong("app"),
    help: ArgumentHelp(
      "Launch this app id, too: as a media app that echoes what comes on its own namespaces, or as a receiver page in a browser; may be repeated.",
      valueName: "id[,urn:x-cast:...]|id=url"), transform: VirtualApp.read)
  var apps: [VirtualApp] = []

  @Option(
    name: .customLong("app-without-media"),
    help: ArgumentHelp("The same for an app that plays no media.", valueName: "id[,urn:x-cast:...]"),
    transform: VirtualApp.read)
  var plainApps: [VirtualApp] = []

  @Flag(
    name: .customLong("any-app"), help: "Launch every other app id, too, as a media app.")
  var launchesAnyApp = false

  @Option(help: ArgumentHelp("The model that the receivers say they are.", valueName: "model"))
  var model: String?

  @Option(
    help: ArgumentHelp(
      "Start one receiver more: a group of this name, with all others as its members.", valueName: "name"))
  var group: String?

  @Option(
    help: ArgumentHelp(
      "How the volume is set: attenuation, master, or fixed, which nobody can change.", valueName: "control"))
  var volume = VirtualVolume.attenuation

  @Option(
    name: .customLong("volume-step"),
    help: ArgumentHelp("To what the volume is rounded, above 0 and at most 0.5.", valueName: "step"))
  var volumeStep = 0.05

  @Option(
    help: ArgumentHelp(
      "What a person at the device does when an app is to start: allow, refuse, or impossible where none can be asked.",
      valueName: "answer[,duration]"))
  var consent: VirtualConsent?

  @Option(
    name: .customLong("write-auth-root"),
    help: ArgumentHelp(
      "Write the root certificate of this call to a file, for senders that are to trust it; each call makes its own.",
      valueName: "file"), completion: .file())
  var rootFile: String?

  @Option(
    help: ArgumentHelp(
      "How long answers, app starts and loads take: device, about as long as on devices, or none.", valueName: "kind"))
  var latency = VirtualLatency.device

  @Option(
    name: .customLong("load-reply"),
    help: ArgumentHelp(
      "Which status of a load has its request id: the last one, as with most devices, or the first.",
      valueName: "status"))
  var loadReply = MediaBehavior.LoadReply.last

  @Option(
    name: .customLong("media"),
    help: ArgumentHelp(
      "How media apps behave where devices differ, for example seek-reply=buffering; sdk: as the receiver SDK; may be repeated.",
      valueName: "setting=value"), completion: .list(VirtualMedia.words), transform: VirtualMedia.read)
  var media: [VirtualMedia] = []

  @Option(
    name: .customLong("fetch"),
    help: ArgumentHelp(
      "Fetch what is loaded from this host before it plays, so that a missing file fails; any: from all; may be repeated.",
      valueName: "host"), transform: ReceiverFetch.host)
  var fetchedHosts: [String] = []

  @Flag(help: "Print every message received and sent, each as a line of JSON.")
  var wire = false

  @OptionGroup var screen: ScreenOptions

  @OptionGroup var recordings: RecordingOptions

  @OptionGroup var inputs: InputOptions

  @Option(
    help: ArgumentHelp(
      "The seed of everything random: the same seed gives the same faults.", valueName: "number"))
  var seed: UInt64?

  @OptionGroup var log: LogOptions

  func validate() throws {
    guard (0...65535).contains(port) else { throw ValidationError("--port is a number from 0 to 65535") }
    if let count {
      guard (1...1_000).contains(count) else { throw ValidationError("--count is a number from 1 to 1000") }
      guard names.count <= 1 else { throw ValidationError("--count gives one --name its numbers, not several") }
    }
    let number = memberNames(nil).count
    guard port == 0 || port + number - 1 <= 65535 else {
      throw ValidationError(
        "--port \(port) leaves no room for \(number) receivers: begin at \(65536 - number) or lower")
    }
    guard volumeStep > 0, volumeStep <= 0.5 else {
      throw ValidationError("--volume-step is a number above 0, at most 0.5")
    }
    if let model, model.isEmpty || model.utf8.count > 60 {
      throw ValidationError("--model is a text of 1 to 60 bytes")
    }
    if let app = plainApps.first(where: { $0.page != nil }) {
      throw ValidationError("a page says itself whether it plays media: write --app \(app.id)=\(app.page ?? "")")
    }
    if screen.player == .browser, !fetchedHosts.isEmpty {
      throw ValidationError("--play browser fetches what it plays: leave out --fetch")
    }
    if lab == nil, inputs.given != GivenInputs() {
      throw ValidationError("--set, --vars, --secret and --allow-path are for a library, and none is named")
    }
    try checkGroup(nil)
    try checkRecordings()
  }

  func run() async throws {
    let lab = try lab.map { file in try DocumentLoader(file, inputs: inputs.given, in: .process).receiver().plan }
    try checkGroup(lab)
    try ReceiverFleet.check(lab, names: names, count: count, group: group)
    if lab?.speed != nil, let page = apps.first(where: { $0.page != nil }) {
      throw CommandFailure(
        .commandLineWrong,
        "`speed:` of the library is not for pages: `--app \(page.id)=\(page.page ?? "")` keeps its own time",
        help: "take `speed:` out of the library, or leave out the page")
    }
    for app in apps + plainApps {
      if let warning = VirtualApp.warning(id: app.id) { Terminal.say("warning: --app: \(warning)") }
    }
    let recording = try recordings.recording()
    let recorder = try recordings.recorder()
    var hasBegun = false
    defer { if !hasBegun { recorder?.abandon() } }
    let times = times(at: lab?.speed)
    let authority = LazyDeviceAuthAuthority { Int(Surroundings.process.unixTime()) }
    // The root is written before the line that says the receiver is there.
    try writeRoot(of: authority)
    let log = WireLog(printsMessages: wire)
    let volumes = SharedVolumes()
    let pages = apps.contains { $0.page != nil } ? try PageHost.ofProcess() : nil
    // A script may end this process as soon as it reads the line of a receiver.
    let interruptions = await Interruptions.begin()
    var system = SystemRandomNumberGenerator()
    let seed = seed ?? system.next()
    var seeds = SeededGenerator(seed: seed)
    let fleet = ReceiverFleet(receivers(lab, of: recording), lab) { seeds.next() }
    let screens = ServedScreens(screen, count: fleet.configurations.count, clock: times.network)
    try screens?.check(lab)
    try await screens?.open()
    var configurations: [ReceiverConfiguration] = []
    for var configuration in fleet.configurations {
      let name = configuration.name
      configuration.credentials = DeviceCredentials(name: name, authority: authority)
      configuration.wireTap = log.tap(for: name)
      if let recorder { configuration.wireTap = recorder.tap(for: name, besides: configuration.wireTap) }
      configuration.fetch = fetch(on: times.network) { log.tell($0, of: name) }
      if let lab {
        configuration.apply(lab)
        configuration.faultCame = { log.tell(EventKind.FaultNote(receiver: name, $0, of: lab)) }
      }
      Self.replay(recording, in: &configuration)
      configuration.pages = pages?.pages(of: name) { log.tell($0, of: name) }
      if fleet.hasGroup { volumes.join(&configuration) }
      screens?.join(&configuration, at: configurations.count)
      configurations.append(configuration)
    }
    let running = try await RunningReceivers.start(
      configurations, host: listen, port: port, advertises: advertise, times: times, fixedPorts: fleet.ports
    ) { name, move in
      switch move {
      case .listens(let port): Terminal.print(TerminalText.escaped("\(name) listens at port \(port) now"))
      case .staysAway(let reason):
        Terminal.say(TerminalText.escaped("warning: \(name) does not come back: \(reason)"))
      }
    }
    let control = await ReceiverControlSocket.start(for: running, time: times.network)
    recorder?.begin()
    hasBegun = true
    for receiver in running.all {
      volumes.add(receiver.receiver)
      let configuration = receiver.receiver.configuration
      Terminal.print(TerminalText.escaped("\(configuration.name) \(configuration.id) \(receiver.address)"))
    }
    screens?.show(running.all.map(\.receiver))
    let setup = await startSetup(of: running.all.first, times: times)
    await interruptions.first()
    await control?.stop()
    await running.stop()
    await setup.stop()
    await pages?.close()
    await screens?.close()
    log.finish()
    try recorder?.finish()
  }

  /// A group is told from its members by its name, which a library may give, too.
  private func checkGroup(_ lab: ReceiverPlan?) throws {
    if let group, group.isEmpty || memberNames(lab).contains(group) {
      throw ValidationError("--group needs a name of its own")
    }
  }

  /// What a receiver is given to look for content; `nil`: it looks for none.
  private func fetch(
    on time: TimeSource, tellProblem: @escaping @Sendable (String) -> Void
  ) -> (@Sendable (String, @escaping @Sendable (MediaFetch.Outcome) -> Void) -> Void)? {
    guard !fetchedHosts.isEmpty else { return nil }
    let fetch = FetchOfReceiver(ReceiverFetch(hosts: fetchedHosts), on: time, tellProblem: tellProblem)
    return { address, tell in fetch.start(address, tell: tell) }
  }

  private func writeRoot(of authority: LazyDeviceAuthAuthority) throws {
    guard let rootFile else { return }
    let output = try ReportFile(rootFile, mode: 0o666, in: .process)
    do {
      output.write(String(decoding: try authority.get().rootPEM, as: UTF8.self))
    } catch {
      throw CommandFailure(.bug, "the root certificate could not be made: \(error.message)", help: error.help)
    }
    if let problem = output.close() { throw CommandFailure(.reportNotWritten, problem) }
  }

  /// Senders ask an address who it is at ports that are always the same: only the receiver at the usual port answers.
  private func startSetup(of receiver: RunningReceiver?, times: TimeSources) async -> RunningSetup {
    guard let receiver, receiver.port == HostAndPort.defaultPort else { return RunningSetup() }
    let setup = await RunningSetup.start(receiver.receiver.configuration, host: receiver.host, times: times)
    if !setup.busy.isEmpty {
      Terminal.say(
        "note: no answer to /setup/eureka_info at port \(setup.busy.map(String.init).joined(separator: " and ")), which is in use"
      )
    }
    return setup
  }

  private func memberNames(_ lab: ReceiverPlan?) -> [String] {
    let names = names.isEmpty ? [lab?.name ?? ReceiverConfiguration(id: "").name] : names
    guard let count, count > 0, let name = names.first else { return names }
    return (1...count).map { "\(name) \($0)" }
  }

  private func times(at speed: Double?) -> TimeSources {
    let network = TimeSource(ContinuousClock())
    guard let speed else { return TimeSources(show: network) }
    return TimeSources(show: TimeSource(ScaledClock(ContinuousClock(), factor: speed)), network: network)
  }

  private func receivers(_ lab: ReceiverPlan?, of recording: Recording?) -> VirtualReceivers {
    // Without names there is one for each of the recording.
    let recorded = names.isEmpty && lab?.name == nil && count == nil ? recording?.receivers ?? [] : []
    var receivers = VirtualReceivers(recorded.isEmpty ? memberNames(lab) : recorded, group: group)
    receivers.apps = apps.filter { $0.page == nil }.map { .init($0.id, $0.namespaces) }
    for app in apps { if let page = app.page { receivers.pages[app.id] = page } }
    receivers.plainApps = plainApps.map { .init($0.id, $0.namespaces) }
    receivers.launchesAnyApp = launchesAnyApp
    receivers.model = model ?? (lab?.receivers.isEmpty == false ? nil : lab?.model)
    receivers.volumeControl = volume.control
    receivers.volumeStep = volumeStep
    receivers.consent = consent?.consent ?? .notNeeded
    receivers.latency = latency.latency
    for choice in media { choice.apply(to: &receivers.media) }
    if loadReply == .first { receivers.media.loadReply = .first }
    receivers.isReachedByStrangers =
      advertise || !["127.0.0.1", "::1", "localhost"].contains(listen ?? "127.0.0.1")
    return receivers
  }
}
