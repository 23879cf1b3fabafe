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
  private struct One: Sendable {
    let scenario: ScheduledScenario
    let loader: DocumentLoader
    let watch: FileWatch
  }

  /// What all of them share.
  struct Stage: Sendable {
    var times: TimeSources
    var unixTime: @Sendable () -> Double
    var servers: VirtualDeviceServers?
    /// Which screen has which device.
    var claims: DeviceClaims
    var output: ServeOutput
    /// What the command line gave as secrets.
    var given: GivenSecrets
  }

  private let all: [One]
  private let devices: DeviceChoice
  private let allowsPrograms: Bool
  let titles: [String]

  /// - Parameter loaders: Each reads its scenario of `documents` again.
  init(_ documents: [ScheduledDocument], readBy loaders: [DocumentLoader], options: ServeCommand, on stage: Stage) {
    devices = options.deviceChoice
    allowsPrograms = options.allowExec
    titles = documents.map { $0.document.runnable.rows[0].title }
    var names: [String] = []
    var all: [One] = []
    for (document, loader) in zip(documents, loaders) {
      let name = document.document.runnable.id.unique(among: names)
      names.append(name)
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
      let scenario = ScheduledScenario(document, memory: options.isVirtual ? nil : memory.recall(), in: world)
      all.append(One(scenario: scenario, loader: loader, watch: FileWatch(document.files)))
    }
    self.all = all
  }

  /// Has all of them read again.
  func ask() { for one in all { one.watch.ask() } }

  /// Runs them at their times until the task is cancelled; runs under way are stopped then, as a signal stops `run`.
  func serve() async {
    await withTaskGroup(of: Void.self) { group in
      for one in all { group.addTask { await one.scenario.serve() } }
    }
  }

  /// Looks for edits until the task is cancelled.
  func follow(on clock: TimeSource) async {
    await withTaskGroup(of: Void.self) { group in
      for one in all { group.addTask { await one.watch.follow(on: clock) { await read(one) } } }
    }
  }

  /// Passes signals on, of which the second skips what is left of `finally`.
  func listen(to interruptions: InterruptionLine) async {
    var isFirst = true
    for await _ in interruptions.stream() {
      defer { isFirst = false }
      if isFirst { continue }
      for one in all { await one.scenario.hurry() }
    }
  }

  private func read(_ one: One) async {
    do throws(DocumentProblems) {
      let loaded = try one.loader.loadScheduled(on: devices, allowsPrograms: allowsPrograms)
      one.watch.note(loaded.files)
      one.loader.tell(loaded.diagnostics, loaded.sources)
      await one.scenario.replace(loaded)
    } catch {
      one.watch.note(error.files)
      one.loader.tell(error.diagnostics, error.sources)
      let message = error.failure?.message ?? "\(one.loader.file) has errors"
      Terminal.tell("\(message); the scenario runs on as it was", help: error.failure?.help)
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
