import ArgumentParser
import CastClient
import CastProtocol
import CastTransport
import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner
import Simulation
import Workspace

/// `showcaller run`: runs a scenario on the device it names, or on a virtual receiver, and exits with the verdict.
struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run a scenario on the device it names, or on a virtual receiver.",
    discussion: """
      Exits 0 when it passed, 1 when an expectation failed, 3 for an invalid document, 4 without a device, 5 when a step \
      failed for another reason, 6 when a deadline passed, 75 when another run has the device, 130 after Ctrl-C (finally \
      did run).
      """)

  @OptionGroup var document: DocumentOptions
  @OptionGroup var options: RunOptions
  @OptionGroup var lock: LockOptions
  @OptionGroup var authentication: AuthOptions
  @OptionGroup var log: LogOptions

  func run() async throws {
    let code = try await WrittenReports.explaining(options.reports, of: document.file) { try await perform() }
    throw code
  }

  /// - Returns: The exit code of a run that began.
  /// - Throws: Why none did.
  private func perform() async throws -> ExitCode {
    try WrittenReports.refuseSharedFiles(options.reports)
    let roots = try authentication.trust.readRoots()
    var runnable = try document.runnable(
      to: "run", row: options.row, allowsPrograms: options.allowExec, device: options.ownDevice)
    if options.isVirtual {
      try refuseOtherDevices(of: runnable)
    } else {
      try runnable.changeRows { try chooseDevice(of: &$0) }
    }
    if document.inputs.noSecrets, !runnable.secrets.isEmpty {
      throw CommandFailure(.commandLineWrong, "a run needs the secrets of its document: leave out --no-secrets")
    }
    try document.refuse(runnable.localMediaRefusals, in: runnable)
    // From here on programs may run that a signal has to end.
    let interruptions = await Interruptions.begin()
    let secrets = try await document.secrets(of: runnable, allowsCommands: options.allowExec, until: interruptions)
    LogOutput.hide(secrets)
    var system = SystemRandomNumberGenerator()
    let seed = options.seed ?? UInt64.random(in: 0...UInt64(UInt32.max), using: &system)
    let runID = RunID.make(unixMilliseconds: UInt64(max(0, Surroundings.process.unixTime() * 1000)), using: &system)

    var configuration = RunConfiguration(
      runID: runID, toolVersion: ShowcallerCommand.version, wallClock: Surroundings.process.unixTime)
    configuration.hostName = Surroundings.process.hostName()
    configuration.arguments = Array(CommandLine.arguments.dropFirst())
    configuration.rerun = rerunArguments
    if options.isVirtual, !options.devices.isEmpty { configuration.onlyDevices = options.devices }
    configuration.seed = seed
    configuration.secrets = secrets
    configuration.authentication = authentication.auth
    configuration.speed = options.speed?.factor
    configuration.includesWire = options.wire
    configuration.failOnFlaky = options.failOnFlaky
    configuration.runDirectory = "\(options.runs)/\(runID)"
    configuration.cleanupWarns = options.cleanupWarn
    if options.allowExec { configuration.startProgram = { await ProgramRunner.run($0) } }
    configuration.documentHashes = runnable.hashes

    if !options.isVirtual {
      configuration.launchedApps = LaunchedApps(LaunchedAppStore(.process))
      let locks = DeviceLocks(.process, for: "showcaller run \(document.file)", isBrief: false)
      configuration.locking = DeviceLocking(locks, patience: lock.patience)
    }

    let reports = try RunReports(
      options: options, document: runnable, runID: runID, arguments: RunArguments(rerunArguments, seed: seed))
    let network = TimeSource(ContinuousClock())
    let show = options.speed.map { TimeSource(ScaledClock(ContinuousClock(), factor: $0.factor)) }
    let times = show.map { TimeSources(show: $0, network: network) } ?? TimeSources(show: network)
    var client = ClientConfiguration()
    client.historyLimit = ClientConfiguration.runHistoryLimit
    // Replies are addressed to everyone: ids that start anywhere rarely meet another sender's (docs/protocol.md 4.4).
    client.firstRequestID = Int.random(in: 1...1_000_000_000, using: &system)

    var lab: VirtualLab?
    if options.isVirtual {
      let isAsked = runnable.rows.contains(where: \.requiresAuthentication)
      let mustProve = authentication.auth.map { $0 == .require } ?? isAsked
      lab = try await VirtualLab.start(for: runnable, times: times, seed: seed, hasCredentials: mustProve)
    }
    // What the receivers of this process say is believed for this run, and by nobody else.
    client.authentication = try authentication.trust.rules(roots: roots, extraRoots: lab?.roots ?? [])
    let access =
      lab?.access(times: times, configuration: client) ?? LiveDevices.access(times: times, configuration: client)
    let redrawing = Terminal.errorIsTTY ? redraw(reports, by: times) : nil
    let outcome = await Runner.run(
      runnable, on: access, times: times, configuration: configuration, interruptions: interruptions.stream(),
      reportingTo: reports)
    redrawing?.cancel()
    await lab?.stop()
    // A report that could not be written outranks the run's verdict.
    let code = reports.finish() ? ExitCode(outcome.exitCode) : .reportNotWritten
    RunFolders(
      path: options.runs, count: options.keep, keepsFailed: options.keepFailed, own: runID, ownPassed: code == .success,
      now: Surroundings.process.unixTime()
    ).prune()
    return code
  }

  /// The command again with all that decides how it ends; its document, row and seed are the report's to say.
  private var rerunArguments: [String] {
    ["run"] + options.rerunArguments + lock.rerunArguments + document.inputs.rerunArguments
      + authentication.rerunArguments
  }

  /// Moves the progress line ten times a second.
  private func redraw(_ reports: RunReports, by times: TimeSources) -> Task<Void, Never> {
    let started = times.show.now
    return times.network.spawn {
      while (try? await times.network.sleep(for: .milliseconds(100))) != nil {
        reports.refresh(elapsed: (times.show.now - started).seconds)
      }
    }
  }

  /// Under `--virtual` the devices are the document's; of its `devices:` some can be chosen.
  private func refuseOtherDevices(of runnable: RunnableDocument) throws(CommandFailure) {
    guard !options.devices.isEmpty, runnable.rows.contains(where: { $0.devices == nil }) else { return }
    throw CommandFailure(
      .commandLineWrong, "--virtual brings its own device; leave out --host and --device",
      help: "`--device` chooses one of the `devices:` of a document, which \(document.file) has none of")
  }

  /// `--host` and `--device` replace what the document says; `--device left=Kitchen` the device of a role.
  private func chooseDevice(of plan: inout Plan) throws {
    if let host = options.host {
      if plan.roles.count > 1 {
        throw CommandFailure(
          .commandLineWrong, "\(plan.file) has several roles: --host cannot say which one it means",
          help: "name the devices: `--device \(plan.roles[0].name)=NAME`")
      }
      var selector = Plan.DeviceSelector(span: CommandLineText.own.span(ofOption: ["--host"]))
      selector.name = plan.device.name
      // Another address is no reason to ask for less.
      selector.requirements = plan.device.requirements
      selector.host = host
      replaceDevice(of: &plan, with: selector)
    }
    for device in options.devices {
      let parts = device.split(separator: "=", maxSplits: 1).map(String.init)
      if parts.count == 2, let index = plan.roles.firstIndex(where: { $0.name == parts[0] }) {
        plan.roles[index].device = try selector(parts[1], of: plan)
        plan.device = plan.roles[0].device
      } else if plan.roles.count > 1 {
        let roles = plan.roles.map(\.name).joined(separator: ", ")
        throw CommandFailure(
          .commandLineWrong, "--device \(device) names none of the roles of \(plan.file)",
          help: "the roles are \(roles): write `--device \(plan.roles[0].name)=\(parts.last ?? "NAME")`"
        ).aboutDocument
      } else {
        replaceDevice(of: &plan, with: try selector(device, of: plan))
      }
    }
  }

  private func selector(_ name: String, of plan: Plan) throws -> Plan.DeviceSelector {
    var named = try plan.inventory[name] ?? Settings.load().selector(for: name) ?? plan.device
    // If no such device is found, the message points at the option.
    named.span = CommandLineText.own.span(ofOption: ["--device", "-d"], name)
    return named
  }

  private func replaceDevice(of plan: inout Plan, with selector: Plan.DeviceSelector) {
    plan.device = selector
    plan.devices = nil
    if !plan.roles.isEmpty { plan.roles[0].device = selector }
  }
}

extension RunnableDocument {
  /// SHA-256 of each file that it was read from, by name.
  var hashes: [String: String] {
    Dictionary(sources.map { ($0.name, Digest.sha256($0.bytes) ?? "") }, uniquingKeysWith: { first, _ in first })
  }
}

extension Plan {
  /// Whether a device has to prove itself somewhere in the document.
  fileprivate var requiresAuthentication: Bool {
    let selectors = [device] + roles.map(\.device) + (devices?.selectors ?? []) + Array(inventory.values)
    return selectors.contains { $0.requirements.authentication == .require }
      || allSteps.contains { if case .connect(_, .require?) = $0.action { true } else { false } }
  }
}
