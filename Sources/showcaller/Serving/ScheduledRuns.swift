import ArgumentParser
import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage
import ScenarioRunner
import Signage
import Simulation
import Synchronization
import Workspace

/// The scenarios that one `serve` runs by their schedules.
struct ScheduledRuns: Sendable {
  /// A scenario of the command line; it is run from the moment on at which it is valid.
  private final class ScheduledFile: Sendable {
    let loader: DocumentLoader
    let watch: FileWatch
    private let make: @Sendable (ScheduledDocument) -> ScheduledScenario
    private let state = Mutex<ScheduledScenario?>(nil)
    private let begun = AsyncStream<ScheduledScenario>.makeStream()

    init(_ loader: DocumentLoader, files: [String], make: @escaping @Sendable (ScheduledDocument) -> ScheduledScenario)
    {
      self.loader = loader
      self.make = make
      watch = FileWatch(files)
    }

    /// `nil` while it is not valid yet.
    var scenario: ScheduledScenario? { state.withLock { $0 } }

    func take(_ document: ScheduledDocument) async throws(DocumentProblems) {
      if let scenario { return await scenario.replace(document) }
      if document.schedules.isEmpty { throw DocumentProblems(files: [], failure: loader.hasNoSchedule) }
      begin(document)
    }

    func begin(_ document: ScheduledDocument) {
      let scenario = make(document)
      state.withLock { $0 = scenario }
      begun.continuation.yield(scenario)
    }

    func serve() async {
      for await scenario in begun.stream { return await scenario.serve() }
    }
  }

  /// What all of them share.
  struct Stage: Sendable {
    var times: TimeSources
    var unixTime: @Sendable () -> Double
    var servers: VirtualDeviceServers?
    /// Tells what goes wrong with ``servers``.
    var faults: FaultWatch
    /// Which screen has which device.
    var claims: DeviceClaims
    var output: ServeOutput
    /// What the command line gave as secrets.
    var given: GivenSecrets
  }

  private let all: [ScheduledFile]
  private let devices: DeviceChoice
  private let allowsPrograms: Bool
  let titles: [String]

  /// - Parameter loaders: Each reads its scenario of `documents` again.
  init(
    _ documents: [Result<ScheduledDocument, DocumentProblems>], readBy loaders: [DocumentLoader],
    options: ServeCommand, on stage: Stage
  ) {
    devices = options.deviceChoice
    allowsPrograms = options.allowExec
    titles = documents.compactMap { try? $0.get().document.runnable.rows[0].title }
    let names = Mutex<[String]>([])
    all = zip(documents, loaders).map { document, loader in
      let one = ScheduledFile(loader, files: document.files) { document in
        let name = names.withLock { names in
          names.append(document.document.runnable.id.unique(among: names))
          return names[names.count - 1]
        }
        return Self.scenario(document, called: name, readBy: loader, options, on: stage)
      }
      if case .success(let document) = document { one.begin(document) }
      return one
    }
  }

  private static func scenario(
    _ document: ScheduledDocument, called name: String, readBy loader: DocumentLoader, _ options: ServeCommand,
    on stage: Stage
  ) -> ScheduledScenario {
    let memory = ScheduleMemoryStore(scenario: document.document.runnable.id, file: loader.file, .process)
    let runner = ScheduledRunner(options: options, stage: stage)
    let tell: @Sendable (ScheduleEvent, TimeZoneRules) -> Void = { event, zone in
      stage.output.tell(event, name, at: stage.unixTime(), in: zone)
    }
    let world = ScheduledScenario.World(
      times: stage.times, unixTime: stage.unixTime, speed: options.speed?.factor ?? 1, seed: options.jitterSeed,
      run: { document, occurrence, line, zone in
        await runner.run(document, of: occurrence, until: line) { tell($0, zone) }
      },
      // What virtual devices did is nothing to go on with.
      remember: { if !options.isVirtual { memory.remember($0) } }, tell: tell)
    return ScheduledScenario(document, memory: options.isVirtual ? nil : memory.recall(), in: world)
  }

  /// Has all of them read again.
  func ask() { for one in all { one.watch.ask() } }

  /// Runs them at their times until the task is cancelled; runs under way are stopped then, as a signal stops `run`.
  func serve() async {
    await withTaskGroup(of: Void.self) { group in
      for one in all { group.addTask { await one.serve() } }
    }
  }

  /// Looks for edits until the task is cancelled.
  func follow(on clock: TimeSource) async {
    await withTaskGroup(of: Void.self) { group in
      for one in all { group.addTask { await one.watch.follow(on: clock) { _ in await read(one) } } }
    }
  }

  /// Passes signals on, of which the second skips what is left of `finally`.
  func listen(to interruptions: InterruptionLine) async {
    var isFirst = true
    for await _ in interruptions.stream() {
      defer { isFirst = false }
      if isFirst { continue }
      for one in all { await one.scenario?.hurry() }
    }
  }

  private func read(_ one: ScheduledFile) async {
    do throws(DocumentProblems) {
      let loaded = try one.loader.loadScheduled(on: devices, allowsPrograms: allowsPrograms)
      one.watch.note(loaded.files)
      one.loader.tell(loaded.diagnostics, loaded.sources)
      try await one.take(loaded)
    } catch {
      if !error.files.isEmpty { one.watch.note(error.files) }
      one.loader.tell(error.diagnostics, error.sources)
      let message = error.failure?.message ?? "\(one.loader.file) has errors"
      let goesOn = one.scenario == nil ? "it is run as soon as it is valid" : "the scenario runs on as it was"
      Terminal.tell("\(message); \(goesOn)", help: error.failure?.help)
    }
  }
}

extension Result<ScheduledDocument, DocumentProblems> {
  /// What it was read from.
  fileprivate var files: [String] {
    switch self {
    case .success(let document): document.files
    case .failure(let problems): problems.files
    }
  }
}

extension ServeCommand {
  /// Which devices the command line names in place of those of scenarios.
  var deviceChoice: DeviceChoice {
    var choice = DeviceChoice(line: .own) { () throws(WorkspaceError) in try Settings.load(in: .process) }
    choice.host = host
    // Virtual devices are those of the documents.
    choice.devices = isVirtual ? [] : devices
    choice.isVirtual = isVirtual
    return choice
  }

  /// Another on each computer, so that many do not begin at once, and the same after a restart.
  var jitterSeed: UInt64 { isVirtual ? seed : seed.mixed(with: Surroundings.process.hostName()) }
}
