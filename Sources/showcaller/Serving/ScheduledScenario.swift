import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage
import ScenarioRunner
import Signage
import Workspace

/// One scenario that `serve` runs by its schedules: it looks at the clock, and begins and ends runs as the rule says.
actor ScheduledScenario {
  /// A clock may be set while we sleep: it is looked at this often.
  private static let longestSleep = Duration.seconds(10)

  /// Its surroundings: clocks, state, how to run a document, where to tell.
  struct World: Sendable {
    var times: TimeSources
    /// Unix time; it may jump, as clocks are set.
    var unixTime: @Sendable () -> Double
    var speed: Double
    /// Drives the jitter.
    var seed: UInt64
    /// Runs a document to its end, whatever comes of it, and tells that.
    var run: @Sendable (PreparedDocument, ScheduleKeeper.Occurrence, InterruptionLine, TimeZoneRules) async -> Void
    var remember: @Sendable (JSONValue) -> Void
    var tell: @Sendable (ScheduleEvent, TimeZoneRules) -> Void
  }

  private let world: World
  private var document: PreparedDocument
  private var zone: TimeZoneRules
  private var keeper: ScheduleKeeper
  private var running: (line: InterruptionLine, task: Task<Void, Never>)?
  private var sleep: Task<Void, Never>?
  private var isEnding = false

  /// - Parameter memory: What was remembered when it was served last; `nil`: nothing.
  init(_ loaded: ScheduledDocument, memory: JSONValue?, in world: World) {
    self.world = world
    document = loaded.document
    zone = loaded.clocks
    keeper = ScheduleKeeper(loaded.entries(seed: world.seed), from: world.unixTime(), speed: world.speed)
    if let memory { keeper.restore(memory) }
  }

  /// Takes an edited scenario from the next run on.
  func replace(_ loaded: ScheduledDocument) {
    (document, zone) = (loaded.document, loaded.clocks)
    keeper.replace(loaded.entries(seed: world.seed), at: world.unixTime())
    world.remember(keeper.json)
    world.tell(loaded.schedules.isEmpty ? .unscheduled : .reloaded, zone)
    sleep?.cancel()
  }

  /// Runs it at its times until the task is cancelled; a run under way is stopped then, and its `finally` runs.
  func serve() async {
    world.remember(keeper.json)
    while !Task.isCancelled {
      take(keeper.look(at: world.unixTime(), steady: world.times.show.now.seconds))
      let due = keeper.nextLook().map { Duration.clamped(seconds: max(0, $0 - world.unixTime())) }
      let rest = min(Self.longestSleep, due ?? Self.longestSleep)
      let sleep = world.times.show.spawn { [show = world.times.show] in try? await show.sleep(for: rest) }
      self.sleep = sleep
      await withTaskCancellationHandler {
        await sleep.value
      } onCancel: {
        sleep.cancel()
      }
      self.sleep = nil
    }
    isEnding = true
    running?.line.send(.terminate)
    await running?.task.value
  }

  /// Somebody wants out at once: the rest of `finally` is skipped.
  func hurry() { if isEnding { running?.line.send(.terminate) } }

  private func take(_ effects: [ScheduleKeeper.Effect]) {
    if effects.isEmpty { return }
    // Stored before anything begins: after a crash in the middle it is not run again.
    world.remember(keeper.json)
    for effect in effects {
      switch effect {
      case .start(let occurrence): start(occurrence)
      case .wait(let occurrence, let other): world.tell(.waits(occurrence, behind: other), zone)
      case .end(let old, let new):
        world.tell(.replaced(old, by: new), zone)
        running?.line.send(.terminate)
      case .skip(let occurrence, let reason): world.tell(.skipped(occurrence, reason), zone)
      }
    }
  }

  private func start(_ occurrence: ScheduleKeeper.Occurrence) {
    let line = InterruptionLine()
    let task = Task { [document, zone, run = world.run] in
      await run(document, occurrence, line, zone)
      ended()
    }
    running = (line, task)
  }

  private func ended() {
    running = nil
    if isEnding { return }
    take(keeper.ended())
  }
}

extension ScheduledDocument {
  fileprivate func entries(seed: UInt64) -> [ScheduleEntry] {
    schedules.map { ScheduleEntry($0.schedule, in: $0.clocks, seed: seed.mixed(with: document.runnable.id)) }
  }

  /// By which its events are told.
  var clocks: TimeZoneRules { schedules.first?.clocks ?? .utc }
}
