import ArgumentParser
import CastClient
import CastProtocol
import DeviceControl
import Dispatch
import MediaServer
import RunReporting
import ScenarioLanguage
import ScenarioRunner
import Signage
import Simulation
import Synchronization
import Workspace

/// One `serve`, from the first screen to the signal that ends it.
struct ServeRun {
  let options: ServeCommand

  /// A playlist that is served, and what belongs to it.
  private struct Served: Sendable {
    let server: PlaylistServer
    let edits: PlaylistEdits
    let ledger: PlaylistLedger
    let outside: ServedOutside
    let media: MediaServer
    let web: SecretWeb
  }

  /// What SIGHUP has read again; nothing before there is something.
  private final class HangUp: Sendable {
    private let readers = Mutex<[@Sendable () -> Void]>([])

    func add(_ reader: @escaping @Sendable () -> Void) { readers.withLock { $0.append(reader) } }

    func come(telling manager: ServiceManager) {
      let readers = readers.withLock { $0 }
      if readers.isEmpty { return }
      manager.tell(.reloading)
      for reader in readers { reader() }
      manager.tell(.ready)
    }
  }

  /// - Returns: The exit code.
  func perform() async throws -> ExitCode {
    let chosen = try ServedDocuments(options.files, inputs: options.inputs.given, in: .process)
    for note in chosen.notes { Terminal.say("note: \(TerminalText.escaped(note))") }
    var (loaded, scheduled) = try chosen.load(on: options.deviceChoice, allowsPrograms: options.allowExec)
    if options.ledger != nil, loaded.count > 1 {
      throw CommandFailure(.commandLineWrong, "--ledger is for one playlist: of several each writes its own")
    }
    let choose = options.choose
    for index in loaded.indices { loaded[index].plan = try choose(loaded[index].plan) }
    let programs = try loaded.map { Program($0.plan, in: try $0.clocks()) }
    let (manager, hangUp, given) = (ServiceManager(.process), HangUp(), GivenSecrets())
    // From here on programs of secrets may run, which a signal has to end.
    let interruptions = await Interruptions.begin(hangUp: { hangUp.come(telling: manager) })
    let secrets = try await secrets(of: loaded, chosen.loaders, given, until: interruptions)
    let network = TimeSource(ContinuousClock())
    let show = options.speed.map { TimeSource(ScaledClock(ContinuousClock(), factor: $0.factor)) }
    let times = show.map { TimeSources(show: $0, network: network) } ?? TimeSources(show: network)
    let unixTime = try options.clock(times, by: programs.first?.zone ?? scheduled.first?.clocks)
    let (access, servers) = try await access(programs.map(\.plan), scheduled.map(\.document.runnable), times)
    let output = ServeOutput(isJSON: options.json, isQuiet: options.quiet)
    let claims = DeviceClaims()
    let board = ScreenBoard()
    var all: [Served] = []
    for (index, program) in programs.enumerated() {
      let outside = ServedOutside(program, key: "\(index)", secrets[index].web, unixTime: unixTime)
      let ledger = try openLedger(of: program, outside)
      var world = world(of: program, access, times, unixTime, output, ledger, outside, board)
      world.claims = claims
      let addresses = MediaAddressStore(playlist: program.plan.id, .process)
      world.secrets = secrets[index].forScreens
      // Where nothing can be kept, addresses are known again by this process only.
      world.addressSeal = AddressSeal(key: addresses.secret ?? (0..<32).map { _ in UInt8.random(in: .min ... .max) })
      let media = MediaServer(.kept(in: addresses))
      // Virtual screens fetch nothing, and show all the same.
      if !options.isVirtual { world.access.localMedia = .files(of: program.plan.file, by: media) }
      let server = PlaylistServer(program, seed: options.seed, in: world)
      let edits = PlaylistEdits(
        chosen.loaders[index], loaded[index], secrets[index], choose: choose,
        replace: {
          await server.replace($0); outside.replace($0)
        },
        judged: { outside.note(Incident(.invalid, program.plan.file), $0) })
      all.append(
        Served(
          server: server, edits: edits, ledger: ledger, outside: outside, media: media, web: secrets[index].web))
    }
    let served = all
    let runs = ScheduledRuns(
      scheduled, readBy: chosen.scenarios, options: options,
      on: .init(times: times, unixTime: unixTime, servers: servers, claims: claims, output: output, given: given))
    let control = try await startControl(served, board, times, unixTime)
    for playlist in served { hangUp.add { playlist.edits.ask() } }
    hangUp.add { runs.ask() }
    manager.tell(.status("serving \((programs.map(\.plan.title) + runs.titles).joined(separator: ", "))"))
    manager.tell(.ready)
    await Self.serve(
      served, runs, for: options.length?.duration, times, telling: manager, asksServers: !options.isVirtual,
      until: interruptions)
    manager.tell(.stopping)
    await servers?.stop()
    for playlist in served { await playlist.media.close() }
    await control?.close()
    output.settle()
    return end(served.map(\.ledger))
  }

  /// Serves until a signal, or as long as is wanted.
  private static func serve(
    _ served: [Served], _ runs: ScheduledRuns, for length: Duration?, _ times: TimeSources,
    telling manager: ServiceManager,
    asksServers: Bool, until interruptions: InterruptionLine
  ) async {
    let serving = Task {
      await withTaskGroup(of: Void.self) { group in
        for playlist in served { group.addTask { await playlist.server.run() } }
        group.addTask { await runs.serve() }
      }
    }
    let beside = Task {
      await withTaskGroup(of: Void.self) { group in
        for playlist in served {
          group.addTask { await playlist.edits.follow(on: times.network) }
          let calendars = CalendarFetching(of: playlist.outside.program.plan.file, playlist.web)
          group.addTask { await calendars.follow(on: times.network) { playlist.outside.program.plan } }
          group.addTask {
            await LedgerSigning().follow(playlist.ledger, on: times.network) {
              playlist.outside.program.plan.ledger.signs
            }
          }
          // Virtual screens fetch nothing.
          if asksServers {
            let checks = CertificateChecks(outside: playlist.outside, web: playlist.web)
            group.addTask { await checks.follow(on: times.network) }
          }
          group.addTask { await playlist.outside.follow(on: times.network, playlist.server) }
          group.addTask { await playlist.media.follow(on: times.network) }
        }
        group.addTask { await runs.follow(on: times.network) }
        group.addTask { await runs.listen(to: interruptions) }
        group.addTask { await manager.keepAlive(on: times.network) }
        group.addTask {
          for await _ in interruptions.stream() {
            serving.cancel()
            return
          }
        }
        if let length {
          group.addTask {
            if (try? await times.show.sleep(for: length)) != nil { serving.cancel() }
          }
        }
      }
    }
    await serving.value
    beside.cancel()
    await beside.value
  }

  /// - Returns: How the process ends.
  private func end(_ ledgers: [PlaylistLedger]) -> ExitCode {
    var code = ExitCode.success
    for ledger in ledgers {
      guard let failure = ledger.close() else { continue }
      Terminal.tell(failure.message, help: failure.help)
      code = .reportNotWritten
    }
    // To be told to stop is how a service ends.
    guard code == .success, SignalWatch.first == .interrupt else { return code }
    return ExitCode(Runner.Interruption.interrupt.exit.rawValue)
  }

  private func startControl(
    _ served: [Served], _ board: ScreenBoard, _ times: TimeSources, _ unixTime: @escaping @Sendable () -> Double
  ) async throws(WorkspaceError) -> ServedControl? {
    guard let port = options.control else { return nil }
    let place = ServedControl.Place(address: options.listen ?? .loopback, port: port)
    return try await ServedControl.start(
      at: place, served.map { .init(outside: $0.outside, server: $0.server) }, board: board, clock: times.network,
      unixTime: unixTime)
  }

  /// The secrets of all playlists: none is served while one of them lacks a value.
  private func secrets(
    of loaded: [LoadedPlaylist], _ loaders: [DocumentLoader], _ given: GivenSecrets, until line: InterruptionLine
  ) async throws -> [ServedSecrets] {
    var all: [ServedSecrets] = []
    for (playlist, loader) in zip(loaded, loaders) {
      let secrets = ServedSecrets(
        loader, allowsCommands: options.allowExec, given: given,
        namesStandIn: options.isVirtual && options.inputs.noSecrets)
      secrets.take(try await secrets.read(for: playlist, until: line))
      all.append(secrets)
    }
    return all
  }

  // MARK: the world

  private func access(
    _ plans: [PlaylistPlan], _ scenarios: [RunnableDocument], _ times: TimeSources
  ) async throws -> (DeviceAccess, VirtualDeviceServers?) {
    var client = ClientConfiguration()
    client.historyLimit = ClientConfiguration.runHistoryLimit
    // Replies are addressed to everyone: ids that start anywhere rarely meet another sender's (docs/protocol.md 4.4).
    client.firstRequestID = Int.random(in: 1...1_000_000_000)
    guard options.isVirtual else {
      return (LiveDevices.access(times: times, configuration: client), nil)
    }
    var needs = VirtualDeviceNeeds(of: plans)
    for scenario in scenarios { needs.add(VirtualDeviceNeeds(of: scenario)) }
    let servers = try await VirtualDeviceServers.start(
      for: needs, times: times, seed: options.seed, unixTime: Surroundings.process.unixTime)
    let live = LiveDevices.access(times: times, configuration: client)
    return (servers.access(connect: live.connect), servers)
  }

  private func openLedger(of program: Program, _ outside: ServedOutside) throws -> PlaylistLedger {
    // What virtual screens show is no proof of anything: it never goes where the proof is.
    let virtual = options.isVirtual ? ".showcaller/virtual/\(program.plan.id).jsonl" : nil
    let ledger = try PlaylistLedger(of: program, at: options.ledger ?? virtual) { problem in
      outside.note(Incident(.ledgerGap, program.plan.id), problem?.message)
      if let problem {
        Terminal.say("warning: \(TerminalText.escaped(problem.message)); it is tried again")
      } else {
        Terminal.say("the ledger of \(TerminalText.escaped(program.plan.title)) is written again")
      }
    }
    if !options.quiet, !options.json {
      Terminal.say(
        "\(TerminalText.escaped(program.plan.title)): the ledger is \(TerminalText.escaped(ledger.path))")
    }
    return ledger
  }

  private func world(
    of program: Program, _ access: DeviceAccess, _ times: TimeSources, _ unixTime: @escaping @Sendable () -> Double,
    _ output: ServeOutput, _ ledger: any LedgerSink, _ outside: ServedOutside,
    _ board: ScreenBoard
  ) -> ScreenWorld {
    var world = ScreenWorld(
      access: access, times: times, unixTime: unixTime, random: { Double.random(in: 0...1) }, ledger: ledger,
      tell: { screen, event in
        outside.note(event, screen)
        board.take(event, of: .init(playlist: outside.key, screen: screen), at: unixTime())
        output.tell(event, screen, at: unixTime(), in: program.zone)
      })
    world.triggers = outside.triggers
    if let speed = options.speed { world.speed = max(1, speed.factor) }
    if options.isVirtual { return world }
    world.launchedApps = LaunchedApps(LaunchedAppStore(.process))
    let locks = DeviceLocks(.process, for: "showcaller serve \(program.plan.file)", isBrief: false)
    world.locking = DeviceLocking(locks, patience: options.lock.patience)
    let memories = ScreenMemoryStore(playlist: program.plan.id, .process)
    world.recall = { memories.recall($0) }
    world.remember = { memories.remember($0, $1) }
    return world
  }
}

extension ServeCommand {
  /// Unix time, which passes as fast as the playlist's.
  fileprivate func clock(
    _ times: TimeSources, by zone: TimeZoneRules?
  ) throws(CommandFailure) -> @Sendable () -> Double {
    guard isVirtual, speed != nil || from != nil else { return Surroundings.process.unixTime }
    var start = Surroundings.process.unixTime()
    if let from {
      guard let zone,
        let moment = MomentText(written: from).map({
          ScheduledTime.moment($0, now: Int(start), in: zone)
        })
      else {
        throw CommandFailure(
          .commandLineWrong, "`\(from)` is not a date and a time", help: "write `--from \"2026-12-24 18:30\"`")
      }
      start = Double(moment)
    }
    let begin = times.show.now
    return { [start] in start + (times.show.now - begin).seconds }
  }

  /// Puts the devices of the command line into a playlist, and refuses one that cannot be shown as the command line wants.
  fileprivate var choose: @Sendable (PlaylistPlan) throws(WorkspaceError) -> PlaylistPlan {
    var choice = DeviceChoice(line: .own) { () throws(WorkspaceError) in try Settings.load(in: .process) }
    choice.host = host
    choice.devices = devices
    choice.isVirtual = isVirtual
    let lacksSecrets = inputs.noSecrets && !isVirtual
    return { [choice, allowExec] plan throws(WorkspaceError) in
      let chosen = try choice.apply(to: plan)
      try ServedOutside.refuse(chosen, allowsPrograms: allowExec)
      if lacksSecrets, !chosen.secrets.isEmpty {
        throw WorkspaceError(
          .commandLineWrong, "real screens need the secrets of \(chosen.file): leave out --no-secrets")
      }
      return chosen
    }
  }
}
