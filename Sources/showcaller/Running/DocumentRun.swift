import ArgumentParser
import CastClient
import CastProtocol
import CastTransport
import DeviceControl
import Dispatch
import MediaServer
import ReceiverPages
import RunReporting
import ScenarioLanguage
import ScenarioRunner
import Simulation
import Workspace

/// How the documents of one command line are run, and the run of one of them.
struct DocumentRun {
  let options: RunOptions
  let lock: LockOptions
  let authentication: AuthOptions
  let roots: [[UInt8]]
  let seed: UInt64
  let interruptions: InterruptionLine
  /// The reports of several documents; `nil` for one alone.
  let shared: SeriesReportFiles?
  /// What did not pass before and is left out now.
  let left: [RunSeries.Left]
  /// Is told of the first run that begins.
  let record: LastLineRecord
  /// What goes wrong with virtual receivers.
  var faults: ReceiverPlan?
  /// What ``faults`` were read from: kept with the run, which cannot be understood without them.
  var libraries: [SourceFile] = []
  /// What runs of this process share with what else it does; `nil`: each makes its own.
  var stage: RunStage?
  /// What rows and documents that are run at the same time share; `nil`: they are run one after the other.
  var jobs: RunJobs?
  /// The run that is gone on with.
  var resumed: ResumableRun?

  /// What came of one run.
  struct Result {
    var code: ExitCode
    var ending: RunReports.Ending?
  }

  /// Runs several, one after the other or as many at the same time as `--jobs` says.
  /// - Returns: The exit code of all.
  func perform(_ documents: [PreparedDocument], reportingTo shared: SeriesReportFiles) async -> ExitCode {
    var run = SeriesRun(
      documents.map(\.runnable.file), reportingTo: shared, in: .process, makeID: { RunID.make() })
    run.isQuiet = options.quiet
    run.left = left
    for document in documents where document.hasChosenRows {
      run.rows[document.runnable.file] = document.runnable.rows.map(\.rowValues)
    }
    run.interruption = { SignalWatch.first?.exit }
    if jobs != nil {
      run.jobs = options.jobs
      run.needs = documents.map { needs(of: $0.runnable) }
      run.report = { index, runID in
        shared.take(
          run: runID, in: options.runs, sources: runnable(of: documents[index]).texts, surroundings: .process)
      }
      Terminal.use(jobs?.board)
    }
    let redrawing = Terminal.errorIsTTY ? jobs?.board.map(redraw) : nil
    defer { Terminal.use(nil) }
    let verdict = await run.perform(until: { LastWait.deadline }) { index, runID, series in
      do {
        // The folders of those that go on at the same time stay, too.
        let own = jobs == nil ? index + 1 : documents.count
        let result = try await perform(documents[index], runID: runID, series: series, own: own, place: index)
        return .ran(result.code.exit, result.ending)
      } catch {
        let failure = CommandFailure(any: error)
        let message = failure?.message ?? "\(error)"
        Terminal.tell(message, help: failure?.help)
        let code = failure?.code ?? ExitCode(told: error) ?? .bug
        return .notRun(code.exit, message: message, help: failure?.help)
      }
    }
    redrawing?.cancel()
    if !documents.isEmpty { _ = StandardError.offer(verdict.line + "\n", isVerdict: true) }
    return ExitCode(verdict.exitCode)
  }

  /// What a document needs for itself, as far as that can be told before its devices are found.
  private func needs(of document: RunnableDocument) -> Set<String> {
    let needsPages = DeviceStand(of: document, options, stage).showsPages || !options.pages.isEmpty
    // One browser shows the pages of one run at a time.
    let browser: Set<String> = needsPages ? ["the browser"] : []
    // Virtual devices are each document's own.
    return options.bringsReceivers ? browser : document.rows.reduce(into: browser) { $0.formUnion($1.needs) }
  }

  /// - Parameters:
  ///   - runID: The run's id.
  ///   - series: Which documents are run together; `nil` for one alone.
  ///   - own: How many runs this command line has begun, this one included: their folders stay.
  ///   - place: Its place among several documents.
  /// - Throws: Why it did not begin.
  func perform(_ document: PreparedDocument, runID: String, series: RunSeries?, own: Int, place: Int = 0) async throws
    -> Result
  {
    let runnable = runnable(of: document)
    LogOutput.hide(document.secrets)
    var system = SystemRandomNumberGenerator()
    let stand = DeviceStand(of: runnable, options, stage)
    var configuration = configuration(of: document, runID: runID, on: stand)
    let pages = options.pages.isEmpty && !stand.showsPages ? nil : try PageHost.ofProcess()
    let feed = PageFeed()
    if let pages { configuration.pages = feed.watch(pages, folder: "\(options.runs)/\(runID)") }
    var wanted = RunReports.Wanted.own(options.allReports)
    if let shared, let series { wanted = jobs == nil ? .shared(shared, series) : .later(series) }
    let sources = runnable.texts
    let reports = try RunReports(
      wanted, in: options.runs, runID: runID, document: runnable, sources: sources,
      arguments: RunArguments(rerunArguments(of: document), seed: seed), isKept: options.keepFailed,
      surroundings: .process, console: { console(of: runnable.id, place, sources, events: $0) })
    let times = stage?.times ?? times
    var client = ClientConfiguration()
    client.historyLimit = ClientConfiguration.runHistoryLimit
    // Replies are addressed to everyone: ids that start anywhere rarely meet another sender's (docs/protocol.md 4.4).
    client.firstRequestID = Int.random(in: 1...1_000_000_000, using: &system)

    var servers = stage?.servers
    do {
      if options.bringsReceivers || stand.showsPages, servers == nil {
        var needs = VirtualDeviceNeeds(of: runnable)
        if stand.showsPages { needs.keepPages() }
        needs.faults = faults
        if faults != nil { configuration.faults = FaultWatch() }
        if let auth = authentication.auth { needs.needsProof = auth.demandsProof }
        needs.add(options.pages)
        servers = try await VirtualDeviceServers.start(
          for: needs, times: times, seed: seed, unixTime: Surroundings.process.unixTime,
          showPages: pages.map { pages in { name in pages.pages(of: name) { feed.news($0, of: name) } } },
          faultWatch: configuration.faults)
      }
      // What the receivers of this process say is believed for this run, and by nobody else.
      client.authentication = try authentication.trust.rules(roots: roots, extraRoots: servers?.roots ?? [])
      // Their keys are made anew for each run.
      if servers != nil, !stand.hasDevices { client.authentication?.keyStore = .none }
    } catch {
      reports.abandon()
      throw error
    }
    var journal: JournalFile?
    if writesJournal(on: stand) {
      do { journal = try beginJournal(document, runID, reports, times, &configuration) } catch {
        reports.abandon()
        await servers?.stop()
        throw error
      }
    }
    record.began((series ?? resumed?.series(in: options.runs))?.first ?? runID)
    let live = LiveDevices.access(times: times, configuration: client)
    // Virtual ones are reached by the same TLS client.
    var access = servers?.access(connect: live.connect) ?? live
    if stand.showsPages, stand.hasDevices { access = live.joined(with: access) }
    let media = MediaServer()
    // Virtual devices fetch nothing, and play all the same; pages really load what they play.
    if servers == nil || pages != nil { access.localMedia = .files(of: runnable.file, by: media) }
    let redrawing = Terminal.errorIsTTY && stage == nil ? redraw(reports, by: times) : nil
    let outcome = await Runner.run(
      runnable, on: access, times: times, configuration: configuration, interruptions: interruptions.stream(),
      reportingTo: reports)
    redrawing?.cancel()
    if stage == nil { await servers?.stop() }
    await pages?.close()
    await media.close()
    // A report that could not be written outranks the run's verdict. Each of several runs has a wait of its own.
    let deadline = shared == nil && stage == nil ? LastWait.deadline : .now() + .seconds(5)
    let failures = [journal?.close(until: deadline)].compactMap { $0 } + reports.finish(until: deadline)
    for failure in failures { Terminal.tell(failure) }
    let code = failures.isEmpty ? ExitCode(outcome.exitCode) : .reportNotWritten
    await remember(runID)
    RunFolders(
      path: options.runs, count: max(options.keep, own), keepsFailed: options.keepFailed, own: runID,
      ownPassed: code == .success, now: Surroundings.process.unixTime()
    ).prune()
    return Result(code: code, ending: reports.ending)
  }

  /// What runs that are over are remembered on: their events are read again, and another process may have the history.
  private static let history = DispatchQueue(label: "showcaller.history")

  /// Adds the run to the history, which goes on without it where it cannot be written.
  private func remember(_ id: String) async {
    let failure = await withCheckedContinuation { continuation in
      Self.history.async { [runs = options.runs] in
        do throws(WorkspaceError) {
          try RunHistory(in: runs).add(StoredRun(id, in: runs, surroundings: .process))
          continuation.resume(returning: nil as String?)
        } catch {
          continuation.resume(returning: error.message)
        }
      }
    }
    if let failure { Terminal.say("warning: the history goes without this run: \(TerminalText.escaped(failure))") }
  }

  /// The document, with the libraries that say what goes wrong among its sources.
  func runnable(of document: PreparedDocument) -> RunnableDocument {
    var runnable = document.runnable
    for library in libraries where !runnable.sources.contains(where: { $0.name == library.name }) {
      runnable.sources.append(library)
    }
    return runnable
  }

  /// The command line wins.
  private var speed: Double? { options.speed?.factor ?? faults?.speed }

  private var times: TimeSources {
    let network = TimeSource(ContinuousClock())
    let show = speed.map { TimeSource(ScaledClock(ContinuousClock(), factor: $0)) }
    return show.map { TimeSources(show: $0, network: network) } ?? TimeSources(show: network)
  }

  /// What people read on standard error.
  private func console(
    of document: String, _ place: Int, _ sources: [String: String], events: String
  ) -> ConsoleReport {
    var style = ConsoleReport.Style()
    if let stage {
      style.level = .quiet
      return ConsoleReport(style, offeringTo: stage.tell)
    }
    style.level = options.quiet ? .quiet : options.wire ? .wire : options.verbose ? .verbose : .normal
    style.terminalWidth = Terminal.errorIsTTY ? Terminal.width : nil
    if Terminal.errorIsTTY { (style.currentWidth, style.currentHeight) = ({ Terminal.width }, { Terminal.height }) }
    if let board = jobs?.board { (style.board, style.label) = ((board, place), document) }
    style.hasColor = Terminal.usesColor(on: Terminal.errorIsTTY)
    style.eventsPath = events
    style.sources = sources
    return ConsoleReport(style, offeringTo: { StandardError.offer($0, isVerdict: $1) })
  }

  private func configuration(
    of document: PreparedDocument, runID: String, on stand: DeviceStand
  ) -> RunConfiguration {
    var configuration = RunConfiguration(
      runID: runID, toolVersion: ShowcallerCommand.version,
      wallClock: stage?.unixTime ?? Surroundings.process.unixTime)
    configuration.hostName = Surroundings.process.hostName()
    configuration.arguments = Array(CommandLine.arguments.dropFirst())
    configuration.rerun = rerunArguments(of: document)
    if options.bringsReceivers, !options.devices.isEmpty { configuration.onlyDevices = options.devices }
    configuration.seed = seed
    configuration.secrets = document.secrets
    configuration.authentication = authentication.auth
    configuration.speed = stage?.speed ?? speed
    configuration.includesWire = options.wire
    configuration.failOnFlaky = options.failOnFlaky
    configuration.repeats = RowRepeats(count: options.repeats, chosen: document.chosenRepeats)
    configuration.runDirectory = "\(options.runs)/\(runID)"
    configuration.cleanupWarns = options.cleanupWarn
    if options.allowExec { configuration.startProgram = { await ProgramRunner.run($0) } }
    configuration.documentHashes = runnable(of: document).hashes

    if stand.hasDevices {
      configuration.probe = { await ProbeRunner.run($0) }
      configuration.software = { await SoftwareInquiry.beside($0) }
      configuration.launchedApps = LaunchedApps(LaunchedAppStore(.process))
      let command = "showcaller \(stage == nil ? "run" : "serve") \(document.loader.file)"
      let locks = DeviceLocks(.process, for: command, isBrief: false)
      configuration.locking = DeviceLocking(locks, patience: lock.patience)
    }
    configuration.locking.lending = stage?.lending
    if let jobs {
      configuration.rowTurns = jobs.rowTurns
      configuration.locking = jobs.locking(configuration.locking)
    }
    configuration.faults = stage?.faults
    return configuration
  }

  /// The command again with all that decides how it ends; its document, row and seed are the report's to say.
  private func rerunArguments(of document: PreparedDocument) -> [String] {
    ["run"] + options.rerunArguments + lock.rerunArguments + document.loader.inputs.rerunArguments
      + authentication.rerunArguments
  }

  /// Draws what several runs have in hand ten times a second, however many there are.
  private func redraw(_ board: LiveBoard) -> Task<Void, Never> {
    let network = times.network
    return network.spawn {
      while (try? await network.sleep(for: .milliseconds(100))) != nil { board.refresh() }
    }
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

/// What a document is run on.
struct DeviceStand {
  /// Whether the inventory has receiver pages for some of its devices.
  let showsPages: Bool
  /// Whether some are on the network.
  let hasDevices: Bool

  init(of document: RunnableDocument, _ options: RunOptions, _ stage: RunStage?) {
    let selectors = VirtualDeviceNeeds(of: document).devices.joined().map(\.selector)
    // Virtual receivers and pages of the command line take the place of all.
    showsPages = !options.bringsReceivers && stage?.servers == nil && selectors.contains(where: \.isPage)
    hasDevices = !options.bringsReceivers && !(showsPages && selectors.allSatisfy(\.isPage))
  }
}

extension VirtualDeviceNeeds {
  /// Pages in place of apps: of the ones that are named, or of all.
  fileprivate mutating func add(_ addresses: [PageAddress]) {
    for page in addresses { if let id = page.appID { pages[id] = page.address } }
    for page in addresses where page.appID == nil { show(page.address) }
  }
}

extension RunnableDocument {
  /// The text of each file that it was read from, by name, and the command line, which may name the device.
  var texts: [String: String] {
    Dictionary(
      (sources + [CommandLineText.own.source]).map { ($0.name, String(decoding: $0.bytes, as: UTF8.self)) },
      uniquingKeysWith: { first, _ in first })
  }

  /// SHA-256 of each file that it was read from, by name.
  var hashes: [String: String] {
    Dictionary(sources.map { ($0.name, Digest.sha256($0.bytes) ?? "") }, uniquingKeysWith: { first, _ in first })
  }
}

extension RunID {
  /// A new name, of now.
  static func make() -> String {
    var system = SystemRandomNumberGenerator()
    return make(unixMilliseconds: UInt64(max(0, Surroundings.process.unixTime() * 1000)), using: &system)
  }
}
