import CastClient
import CastProtocol
import DeviceControl
import ScenarioLanguage
import ScenarioRunner
import Signage
import Simulation
import Workspace

/// What the screens of a `serve` need around them.
extension ServeRun {
  func control(
    _ site: SiteControl, _ registry: PlaylistRegistry, _ times: TimeSources,
    _ unixTime: @escaping @Sendable () -> Double
  ) -> ControlStarter? {
    guard let port = options.control else { return nil }
    let place = ServedControl.Place(address: options.listen, port: port, names: options.controlName)
    return ControlStarter { () throws(WorkspaceError) in
      try await ServedControl.start(
        at: place, site,
        week: { id in
          guard let playlist = registry.served(id) else { return nil }
          let sights = await playlist.server.sights()
          return await playlist.shown.week(of: playlist.outside.program, sights, at: unixTime())
        }, clock: times.network)
    }
  }

  func access(
    _ plans: [PlaylistPlan], _ scenarios: [RunnableDocument], _ times: TimeSources, tellingFaultsTo faults: FaultWatch,
    mayGrow: Bool
  ) async throws -> (DeviceAccess, VirtualDeviceServers?, VirtualScreens?) {
    var client = ClientConfiguration()
    client.historyLimit = ClientConfiguration.commandHistoryLimit
    // Replies are addressed to everyone: ids that start anywhere rarely meet another sender's (docs/protocol.md 4.4).
    client.firstRequestID = Int.random(in: 1...1_000_000_000)
    client.authentication = try options.authentication.trust.rules()
    guard options.isVirtual else {
      return (LiveDevices.access(times: times, configuration: client), nil, nil)
    }
    var needs = VirtualDeviceNeeds(of: plans)
    for scenario in scenarios { needs.add(VirtualDeviceNeeds(of: scenario)) }
    needs.faults = try options.faults.plan(beside: options.inputs.given)
    if let auth = options.authentication.auth { needs.needsProof = auth.demandsProof }
    let start: VirtualScreens.Start = { [client, options] needs in
      var client = client
      let servers = try await VirtualDeviceServers.start(
        for: needs, times: times, seed: options.seed, unixTime: Surroundings.process.unixTime,
        faultWatch: faults)
      client.authentication = try options.authentication.trust.rules(extraRoots: servers.roots)
      // Their keys are made anew for each process.
      client.authentication?.keyStore = .none
      let live = LiveDevices.access(times: times, configuration: client)
      return (servers, servers.access(connect: live.connect))
    }
    let (servers, access) = try await start(needs)
    if !mayGrow { return (access, servers, nil) }
    let screens = VirtualScreens(servers, access, for: needs, start: start)
    return (screens.access, servers, screens)
  }

  func openLedger(of program: Program, _ outside: ServedOutside) throws(WorkspaceError) -> PlaylistLedger {
    // What virtual screens show is no proof of anything: it never goes where the proof is.
    let virtual = options.isVirtual ? ".showcaller/virtual/\(siteMark)\(program.plan.id).jsonl" : nil
    let warnings = LedgerWarnings(outside)
    let ledger = try PlaylistLedger(
      of: program, at: options.ledger ?? virtual, isProof: !options.isVirtual, tell: warnings.tell)
    if !options.quiet, !options.json, let files = ledger.files {
      Terminal.say("\(TerminalText.escaped(program.plan.title)): the ledger is \(TerminalText.escaped(files))")
    }
    return ledger
  }

  func world(
    of program: Program, _ access: DeviceAccess, _ times: TimeSources, _ unixTime: @escaping @Sendable () -> Double,
    _ output: ServeOutput, _ ledger: any LedgerSink, _ outside: ServedOutside,
    _ board: ScreenBoard
  ) -> ScreenWorld {
    var world = ScreenWorld(
      access: access, times: times, unixTime: unixTime, random: { Double.random(in: 0...1) }, ledger: ledger,
      tell: { [siteMark] screen, event in
        outside.note(event, screen)
        board.take(event, of: .init(playlist: outside.key, screen: screen), at: unixTime())
        output.tell(event, siteMark + screen, at: unixTime(), in: program.zone)
      })
    world.heard = { board.hear(.init(playlist: outside.key, screen: $0), at: unixTime()) }
    world.triggers = outside.triggers
    world.authentication = options.authentication.auth.map { .init($0) }
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
