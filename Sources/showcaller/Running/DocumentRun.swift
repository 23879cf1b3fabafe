import ArgumentParser
import CastClient
import CastProtocol
import CastTransport
import DeviceControl
import Dispatch
import RunReporting
import ScenarioLanguage
import ScenarioRunner
import Simulation
import Workspace

/// A document that can be run, and what the command line adds to it.
struct PreparedDocument {
  let loader: DocumentLoader
  let runnable: RunnableDocument
  var secrets = Secrets()
}

/// How the documents of one command line are run, and the run of one of them.
struct DocumentRun {
  let options: RunOptions
  let lock: LockOptions
  let authentication: AuthOptions
  let roots: [[UInt8]]
  let seed: UInt64
  let interruptions: InterruptionLine
  /// The reports of several documents; `nil` for one alone.
  let shared: WrittenSeries?

  /// What came of one run.
  struct Result {
    var code: ExitCode
    var ending: RunReports.Ending?
  }

  /// - Parameters:
  ///   - runID: The run's id.
  ///   - series: Which documents are run together; `nil` for one alone.
  ///   - own: How many runs this command line has begun, this one included: their folders stay.
  /// - Throws: Why it did not begin.
  func perform(_ document: PreparedDocument, runID: String, series: RunSeries?, own: Int) async throws -> Result {
    let runnable = document.runnable
    LogOutput.hide(document.secrets)
    var system = SystemRandomNumberGenerator()
    let configuration = configuration(of: document, runID: runID)
    let reports = try RunReports(
      options: options, document: runnable, runID: runID,
      arguments: RunArguments(rerunArguments(of: document), seed: seed), series: series, shared: shared)
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
    // A report that could not be written outranks the run's verdict. Each of several runs has a wait of its own.
    let deadline = shared == nil ? LastWait.deadline : .now() + .seconds(5)
    let code = reports.finish(until: deadline) ? ExitCode(outcome.exitCode) : .reportNotWritten
    RunFolders(
      path: options.runs, count: max(options.keep, own), keepsFailed: options.keepFailed, own: runID,
      ownPassed: code == .success, now: Surroundings.process.unixTime()
    ).prune()
    return Result(code: code, ending: reports.ending)
  }

  private func configuration(of document: PreparedDocument, runID: String) -> RunConfiguration {
    var configuration = RunConfiguration(
      runID: runID, toolVersion: ShowcallerCommand.version, wallClock: Surroundings.process.unixTime)
    configuration.hostName = Surroundings.process.hostName()
    configuration.arguments = Array(CommandLine.arguments.dropFirst())
    configuration.rerun = rerunArguments(of: document)
    if options.isVirtual, !options.devices.isEmpty { configuration.onlyDevices = options.devices }
    configuration.seed = seed
    configuration.secrets = document.secrets
    configuration.authentication = authentication.auth
    configuration.speed = options.speed?.factor
    configuration.includesWire = options.wire
    configuration.failOnFlaky = options.failOnFlaky
    configuration.runDirectory = "\(options.runs)/\(runID)"
    configuration.cleanupWarns = options.cleanupWarn
    if options.allowExec { configuration.startProgram = { await ProgramRunner.run($0) } }
    configuration.documentHashes = document.runnable.hashes

    if !options.isVirtual {
      configuration.launchedApps = LaunchedApps(LaunchedAppStore(.process))
      let locks = DeviceLocks(.process, for: "showcaller run \(document.loader.file)", isBrief: false)
      configuration.locking = DeviceLocking(locks, patience: lock.patience)
    }
    return configuration
  }

  /// The command again with all that decides how it ends; its document, row and seed are the report's to say.
  private func rerunArguments(of document: PreparedDocument) -> [String] {
    ["run"] + options.rerunArguments + lock.rerunArguments + document.loader.inputs.rerunArguments
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
