import ArgumentParser
import CastClient
import CastProtocol
import DeviceControl
import Dispatch
import RunReporting
import ScenarioLanguage
import ScenarioRunner
import Signage
import Simulation
import Workspace

/// One `serve`, from the first screen to the signal that ends it.
struct ServeRun {
  let options: ServeCommand
  let programs: [Program]

  /// - Returns: The exit code.
  func perform() async throws -> ExitCode {
    let network = TimeSource(ContinuousClock())
    let show = options.speed.map { TimeSource(ScaledClock(ContinuousClock(), factor: $0.factor)) }
    let times = show.map { TimeSources(show: $0, network: network) } ?? TimeSources(show: network)
    let unixTime = try clock(times)
    var client = ClientConfiguration()
    client.historyLimit = ClientConfiguration.runHistoryLimit
    client.firstRequestID = Int.random(in: 1...1_000_000_000)
    var servers: VirtualDeviceServers?
    if options.isVirtual {
      servers = try await VirtualDeviceServers.start(
        for: VirtualDeviceNeeds(of: programs.map(\.plan)), times: times, seed: options.seed,
        unixTime: Surroundings.process.unixTime)
    } else {
      try refuseFiles()
    }
    let live = LiveDevices.access(times: times, configuration: client)
    let access = servers?.access(connect: live.connect) ?? live
    let output = ServeOutput(isJSON: options.json, isQuiet: options.quiet)
    let ledgers = try programs.map { program in
      let path = options.ledger ?? PlaylistLedger.path(for: program.plan, isVirtual: options.isVirtual)
      if !options.quiet, !options.json {
        Terminal.say("\(TerminalText.escaped(program.plan.title)): the ledger is \(TerminalText.escaped(path))")
      }
      return try PlaylistLedger(path, of: program)
    }
    let playlists = zip(programs, ledgers).map { program, ledger in
      PlaylistServer(
        program, seed: options.seed, in: world(program, access, times, unixTime, output, ledger.sink))
    }
    let interruptions = await Interruptions.begin()
    let serving = Task {
      await withTaskGroup(of: Void.self) { group in
        for playlist in playlists { group.addTask { await playlist.run() } }
      }
    }
    let ending = Task {
      for await _ in interruptions.stream() {
        serving.cancel()
        return
      }
    }
    let limit = options.length.map { length in
      Task {
        guard (try? await times.show.sleep(for: length.duration)) != nil else { return }
        serving.cancel()
      }
    }
    await serving.value
    ending.cancel()
    limit?.cancel()
    await servers?.stop()
    output.settle()
    var code = ExitCode.success
    for ledger in ledgers {
      guard let failure = ledger.close() else { continue }
      Terminal.tell(failure.message, help: failure.help)
      code = .reportNotWritten
    }
    // To be told to stop is how a service ends.
    guard let first = SignalWatch.first, first == .interrupt else { return code }
    return ExitCode(first.exit.rawValue)
  }

  /// Unix time, which passes as fast as the playlist's.
  private func clock(_ times: TimeSources) throws(CommandFailure) -> @Sendable () -> Double {
    guard options.isVirtual, options.speed != nil || options.from != nil else { return Surroundings.process.unixTime }
    var start = Surroundings.process.unixTime()
    if let from = options.from {
      guard let program = programs.first, let wall = MomentView.wall(written: from),
        let moment = MomentView(program, at: wall).moments.first
      else {
        throw CommandFailure(
          .commandLineWrong, "`\(from)` is not a date and a time", help: "write `--from \"2026-12-24 18:30\"`")
      }
      start = Double(moment)
    }
    let begin = times.show.now
    return { [start] in start + (times.show.now - begin).seconds }
  }

  private func world(
    _ program: Program, _ access: DeviceAccess, _ times: TimeSources, _ unixTime: @escaping @Sendable () -> Double,
    _ output: ServeOutput, _ ledger: any LedgerSink
  ) -> ScreenWorld {
    var world = ScreenWorld(
      access: access, times: times, unixTime: unixTime, random: { Double.random(in: 0...1) },
      ledger: ledger,
      tell: { screen, event in output.tell(event, screen, at: unixTime(), in: program.zone) })
    if options.isVirtual { return world }
    world.launchedApps = LaunchedApps(LaunchedAppStore(.process))
    let locks = DeviceLocks(.process, for: "showcaller serve \(program.plan.file)", isBrief: false)
    world.locking = DeviceLocking(locks, patience: options.lock.patience)
    let memories = ScreenMemoryStore(playlist: program.plan.id, .process)
    world.recall = { memories.recall($0) }
    world.remember = { memories.remember($0, $1) }
    return world
  }

  /// Receivers fetch what they show, and nobody serves the files of this computer yet.
  private func refuseFiles() throws(CommandFailure) {
    for program in programs {
      guard let file = program.plan.contents.first(where: { $0.hasPrefix("file:") }) else { continue }
      throw CommandFailure(
        .documentInvalid, "\(program.plan.file) shows \(file): files of this computer are not served yet",
        help: "put it on a web server that the screens reach, or try it with `--virtual`")
    }
  }
}

/// What `serve` prints.
struct ServeOutput: Sendable {
  let isJSON: Bool
  let isQuiet: Bool
  private let queue = TextQueue(byteLimit: 1 << 20) { text throws(FileError) in
    if let failure = StandardStream.output.writeNow(text) { throw failure }
  }

  init(isJSON: Bool, isQuiet: Bool) {
    self.isJSON = isJSON
    self.isQuiet = isQuiet
  }

  func tell(_ event: ScreenEvent, _ screen: String, at time: Double, in zone: TimeZoneRules) {
    if isQuiet { return }
    let line = isJSON ? event.json(screen, at: time, in: zone).serialized() : event.line(screen, at: time, in: zone)
    queue.tell(line + "\n", noting: SlowReader.note(lines:))
  }

  func settle() { _ = queue.drain(until: LastWait.deadline) }
}
