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

  /// What tells its lines and its files from those of other sites of the process; empty: it is alone.
  var siteMark = ""

  /// - Parameters:
  ///   - hangUp: Rings when everything is to be read again.
  ///   - listen: Begins to take the signals that end it.
  /// - Returns: The exit code.
  func perform(_ hangUp: HangUp, listen: () async -> InterruptionLine) async throws -> ExitCode {
    let fleet = try options.fleetSite()
    let chosen = try ServedDocuments(
      options.files, expectsMore: fleet != nil, inputs: options.inputs.given, in: .process)
    for note in chosen.notes { Terminal.say("note: \(TerminalText.escaped(note))") }
    if options.ledger != nil, chosen.loaders.count > 1 {
      throw CommandFailure(.commandLineWrong, "--ledger is for one playlist: of several each writes its own")
    }
    let loaded = chosen.load(on: options.deviceChoice, allowsPrograms: options.allowExec)
    let registry = PlaylistRegistry()
    let (manager, given) = (ServiceManager(.process), GivenSecrets())
    // From here on programs of secrets may run, which a signal has to end.
    let interruptions = await listen()
    var starts: [PlaylistStart] = []
    for (place, (loader, read)) in zip(chosen.loaders, loaded.playlists).enumerated() {
      let secrets = ServedSecrets(
        loader, allowsCommands: options.allowExec, given: given,
        namesStandIn: options.isVirtual && options.inputs.noSecrets)
      starts.append(
        PlaylistStart(
          loader, read, secrets, prepare: options.preparation(of: loader.file, by: .line(place), registry)))
    }
    var delivered: [Int: FleetDocumentStore.Kept] = [:]
    for kept in fleet?.kept ?? [] {
      guard let start = options.start(of: kept, among: chosen, registry, given) else { continue }
      delivered[starts.count] = kept
      starts.append(start)
    }
    starts = try await PlaylistStart.withSecrets(
      starts, inTurn: options.inputs.given.readsSecretsFromInput, interruptions)
    let (programs, scheduled) = (starts.compactMap(\.program), loaded.scenarios.compactMap { try? $0.get() })
    var failures = starts.compactMap(\.failure?.reason)
    failures += loaded.scenarios.compactMap { if case .failure(let problems) = $0 { problems.reason } else { nil } }
    let isNothing = programs.isEmpty && scheduled.isEmpty && fleet == nil
    if !failures.isEmpty { try chosen.tell(failures, isAll: isNothing) }
    let network = TimeSource(ContinuousClock())
    let show = options.speed.map { TimeSource(ScaledClock(ContinuousClock(), factor: $0.factor)) }
    let times = show.map { TimeSources(show: $0, network: network) } ?? TimeSources(show: network)
    let unixTime = try options.clock(
      times, by: programs.first?.zone ?? scheduled.first?.clocks ?? fleet.map { _ in .utc })
    let output = ServeOutput(isJSON: options.json, isQuiet: options.quiet)
    let faults = FaultWatch()
    let zone = programs.first?.zone ?? scheduled.first?.clocks ?? .utc
    faults.listen { output.tell($0, at: unixTime(), in: zone) }
    let (access, servers, virtual) = try await access(
      programs.map(\.plan), scheduled.map(\.document.runnable), times, tellingFaultsTo: faults, mayGrow: fleet != nil)
    let memories = ProcessMemories()
    let claims = DeviceClaims()
    let board = ScreenBoard()
    let turns = ScreenTurns()
    let make: @Sendable (Program, ServedSecrets) throws(WorkspaceError) -> ServedPlaylist.Parts = {
      program, secrets throws(WorkspaceError) in
      try registry.add { number throws(WorkspaceError) in
        let outside = ServedOutside(program, key: "\(number)", secrets.web, unixTime: unixTime)
        // First: without it nothing is begun, and nothing told.
        let ledger = try openLedger(of: program, outside)
        // What virtual screens show is nothing to go on with.
        if !options.isVirtual { outside.keepTriggers(in: TriggerMemoryStore(playlist: program.plan.id, .process)) }
        options.warn(of: program.plan)
        outside.triggers.observe { board.ring() }
        let shown = ShownRecord(before: ledger, of: program, isAskedFor: options.control != nil)
        var world = world(of: program, access, times, unixTime, output, shown, outside, board)
        world.claims = claims
        world.turns = turns
        world.switchedOn = { await outside.switchedOn(on: times.show) }
        let addresses = MediaAddressStore(playlist: program.plan.id, .process)
        world.secrets = secrets.forScreens
        // What a process has shown on virtual screens is nothing to go on with for the next one.
        if options.isVirtual { memories.give(to: &world, of: program.plan.id) }
        // Where nothing can be kept, addresses are known again by this process only.
        world.addressSeal = AddressSeal(key: addresses.secret ?? (0..<32).map { _ in UInt8.random(in: .min ... .max) })
        let media = MediaServer(.kept(in: addresses))
        // Virtual screens fetch nothing, and show all the same.
        if !options.isVirtual { world.access.localMedia = .files(of: outside.program.plan.file, by: media) }
        let server = PlaylistServer(program, seed: options.seed, in: world)
        return ServedPlaylist.Parts(
          server: server, ledger: ledger, shown: shown, outside: outside, media: media, web: secrets.web)
      }
    }
    var notBegun: [WorkspaceError] = []
    let stage = PlaylistStage(registry: registry, running: RunningPlaylists(), board: board, make: make)
    var members: [RunningPlaylists.Member] = []
    for start in starts {
      let member = stage.member(start.secrets, start.loader, called: start.name, files: start.files, start.prepare)
      if start.isTriedAgain, let failure = start.failure { member.edits.tryAgain(after: failure.summary) }
      do throws(WorkspaceError) {
        if let program = start.program { try member.playlist.begin(program) }
      } catch {
        notBegun.append(error)
        registry.judge(start.name, member.playlist, error.message)
        member.edits.tryAgain(after: error.message)
      }
      if let failure = start.failure { registry.judge(start.name, member.playlist, failure.summary) }
      stage.running.add(member)
      members.append(member)
    }
    if fleet == nil { stage.running.close() }
    if !notBegun.isEmpty {
      try chosen.tell(notBegun, isAll: registry.served.isEmpty && scheduled.isEmpty && fleet == nil)
      Terminal.say("note: it is tried again")
    }
    for start in starts where start.failure != nil {
      let until = start.isTriedAgain ? "yet: it is tried again" : "before it is valid"
      Terminal.say("note: \(TerminalText.escaped(start.name)) is not served \(until)")
    }
    let runs = ScheduledRuns(
      loaded.scenarios, readBy: chosen.scenarios, options: options,
      on: .init(
        times: times, unixTime: unixTime, servers: servers, faults: faults, claims: claims, output: output, given: given
      ))
    let site = SiteControl(registry, board, unixTime: unixTime)
    let control = control(site, registry, times, unixTime)
    await control?.begin()
    hangUp.add {
      manager.tell(.reloading)
      stage.running.ask()
      runs.ask()
      manager.tell(.ready)
    }
    manager.tell(.status("serving \((programs.map(\.plan.title) + runs.titles).joined(separator: ", "))"))
    manager.tell(.ready)
    let clocks = zone
    var agent: (@Sendable () async -> Void)?
    if let fleet {
      let world = FleetDocuments.World(
        documents: chosen, options: options, given: given, output: output, clocks: clocks,
        provide: { plan in try await virtual?.provide(plan) })
      let documents = FleetDocuments(in: fleet.store, stage, world)
      for kept in fleet.kept { await documents.know(kept) }
      for (place, kept) in delivered { await documents.adopt(members[place], of: kept) }
      agent = { await fleet.run(site, documents, registry, on: times.network) }
    }
    await Self.serve(
      stage.running, agent, runs,
      control, for: options.length?.duration, times, turns, telling: manager,
      asksServers: !options.isVirtual,
      until: interruptions)
    manager.tell(.stopping)
    await servers?.stop()
    await virtual?.stop()
    for playlist in registry.served { await playlist.media.close() }
    await control?.close()
    output.settle()
    return end(registry.served.map(\.ledger))
  }

  /// Serves until a signal, or as long as is wanted.
  private static func serve(
    _ running: RunningPlaylists, _ agent: (@Sendable () async -> Void)?, _ runs: ScheduledRuns,
    _ control: ControlStarter?,
    for length: Duration?, _ times: TimeSources,
    _ turns: ScreenTurns, telling manager: ServiceManager,
    asksServers: Bool, until interruptions: InterruptionLine
  ) async {
    let serving = Task {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await running.serve() }
        group.addTask { await runs.serve() }
      }
    }
    let beside = Task {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await running.follow { await Self.follow($0, times.network, asksServers: asksServers) } }
        if let agent { group.addTask { await agent() } }
        if let control { group.addTask { await control.follow(on: times.network) } }
        group.addTask { await runs.follow(on: times.network) }
        group.addTask { await runs.listen(to: interruptions) }
        group.addTask {
          await manager.keepAlive(on: times.network) {
            let late = turns.late(at: times.show.now)
            if !late.isEmpty {
              Terminal.say("warning: hangs: \(TerminalText.escaped(late.joined(separator: ", ")))")
            }
            return late.isEmpty
          }
        }
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

  /// What goes on beside the screens of a playlist, and looking for its edits, until the task is cancelled.
  private static func follow(
    _ member: RunningPlaylists.Member, _ network: TimeSource, asksServers: Bool
  ) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await member.edits.follow(on: network) }
      group.addTask { await member.playlist.follow { await follow($0, network, asksServers: asksServers) } }
    }
  }

  /// What goes on beside the screens of a playlist, until the task is cancelled.
  private static func follow(
    _ playlist: ServedPlaylist.Parts, _ network: TimeSource, asksServers: Bool
  ) async {
    await withTaskGroup(of: Void.self) { group in
      let calendars = CalendarFetching(of: playlist.outside.program.plan.file, playlist.web)
      group.addTask { await calendars.follow(on: network) { playlist.outside.program.plan } }
      group.addTask {
        await LedgerSigning().follow(playlist.ledger, on: network) { playlist.outside.program.plan.ledger.signs }
      }
      // Virtual screens fetch nothing.
      if asksServers {
        let checks = CertificateChecks(outside: playlist.outside, web: playlist.web)
        group.addTask { await checks.follow(on: network) }
      }
      group.addTask { await playlist.media.follow(on: network) }
      group.addTask { await playlist.outside.follow(on: network, playlist.server) }
    }
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
  func preparation(
    of file: String, by owner: PlaylistRegistry.Owner, _ registry: PlaylistRegistry
  ) -> PlaylistStart.Preparation {
    var choice = DeviceChoice(line: .own) { () throws(WorkspaceError) in try Settings.load(in: .process) }
    choice.host = host
    choice.devices = devices
    choice.isVirtual = isVirtual
    let lacksSecrets = inputs.noSecrets && !isVirtual
    return { [choice, allowExec] loaded throws(WorkspaceError) in
      let plan = try choice.apply(to: loaded.plan)
      try ServedOutside.refuse(plan, allowsPrograms: allowExec)
      if lacksSecrets, !plan.secrets.isEmpty {
        throw WorkspaceError(
          .commandLineWrong, "real screens need the secrets of \(plan.file): leave out --no-secrets")
      }
      let program = Program(plan, in: try loaded.clocks())
      try registry.claim(plan.id, for: file, by: owner)
      return program
    }
  }

  /// Warns of what a playlist waits for in vain.
  fileprivate func warn(of plan: PlaylistPlan) {
    let names = plan.triggers.filter { $0.source == .webhook }.map { "`\($0.name)`" }
    guard control == nil, !names.isEmpty else { return }
    Terminal.say(
      "warning: \(TerminalText.escaped(plan.title)): nothing can fire \(TerminalText.escaped(names.joined(separator: ", "))): "
        + "a webhook needs the control page, such as `--control 8020`")
  }
}
