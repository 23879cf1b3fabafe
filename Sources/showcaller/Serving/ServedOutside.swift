import CastProtocol
import RunReporting
import ScenarioLanguage
import Signage
import Synchronization
import Workspace

/// What a served playlist has to do with the world outside its screens: the files that fire its triggers, whom to tell
/// of what is wrong, and the programs that switch its screens.
final class ServedOutside: Sendable {
  /// How often files are looked at, and what is wrong is judged.
  private static let interval = Duration.seconds(1)

  let triggers = TriggerBoard()
  /// What tells its screens from those of other playlists of the process.
  let key: String
  private let unixTime: @Sendable () -> Double
  private let notifier: Notifier
  private let alerts: AlertFeeds
  private let power = PowerSwitch()
  private let state: Mutex<State>

  private struct State {
    var program: Program
    var book: IncidentBook
    /// `nil` where nothing is kept.
    var kept: KeptTriggers?
  }

  /// - Parameters:
  ///   - program: The playlist as it is served first.
  ///   - key: What tells its screens from those of other playlists of the process.
  ///   - web: The web as the playlist asks it.
  ///   - unixTime: The playlist's clock.
  init(_ program: Program, key: String, _ web: SecretWeb, unixTime: @escaping @Sendable () -> Double) {
    self.key = key
    self.unixTime = unixTime
    notifier = Notifier(of: program.plan.title, web, unixTime: unixTime)
    alerts = AlertFeeds(triggers, web, unixTime: unixTime)
    state = Mutex(State(program: program, book: IncidentBook(program.plan.notify, in: program.zone)))
  }

  /// Fires the webhook triggers that were fired when the playlist was served last, and keeps them from now on.
  func keepTriggers(in store: TriggerMemoryStore) {
    let kept = KeptTriggers(store, of: triggers, at: unixTime(), plan: program.plan)
    state.withLock { $0.kept = kept }
  }

  /// A webhook fires a trigger or clears it: for the screens at once.
  /// - Returns: When that outlasts a restart.
  func take(_ trigger: String, fires: Bool) async {
    if fires { triggers.fire(trigger, at: unixTime()) } else { triggers.clear(trigger) }
    await keepTriggers()
  }

  private func keepTriggers() async {
    await state.withLock { $0.kept }?.keep { TriggerMemory(self.triggers.fired, of: self.program.plan) }
  }

  /// Why a playlist may not be served: it starts programs and nobody allowed that.
  static func refuse(_ plan: PlaylistPlan, allowsPrograms: Bool) throws(WorkspaceError) {
    guard !allowsPrograms else { return }
    let isOfNotify = plan.notify.contains { if case .command = $0.channel { true } else { false } }
    guard isOfNotify || plan.power != nil else { return }
    throw WorkspaceError(
      .documentUnfit, "\(plan.file) starts programs of this computer with `\(isOfNotify ? "notify" : "power")`",
      help: "`--allow-exec` allows it, if you trust the playlist")
  }

  /// What is served now.
  var program: Program { state.withLock { $0.program } }
  /// What `notify` could not tell.
  var untold: [SiteView.Untold] { notifier.untold }

  /// Returns when the screens are switched on after quiet hours; soon in any case.
  func switchedOn(on clock: TimeSource) async { await power.waitUntilOn({ program }, on: clock) }

  // MARK: what is learnt

  /// Takes an edited playlist.
  func replace(_ program: Program) async {
    state.withLock { state in
      state.program = program
      state.book.replace(program.plan.notify, in: program.zone)
    }
    // A trigger that is gone calls for nothing.
    for name in triggers.fired.keys where !program.plan.triggers.contains(where: { $0.name == name }) {
      triggers.clear(name)
    }
    await keepTriggers()
  }

  /// A screen told something.
  func note(_ event: ScreenEvent, _ screen: String) {
    guard let (isDark, why) = event.darkness else { return }
    note(Incident(.dark, screen), isDark ? why : nil)
  }

  /// - Parameter why: What is wrong; `nil`: nothing any more.
  /// - Returns: Whether it is wrong now and was not before.
  @discardableResult
  func note(_ incident: Incident, _ why: String?) -> Bool {
    let time = unixTime()
    return state.withLock { state in
      let wasOpen = state.book.isOpen(incident)
      if let why { state.book.begin(incident, why, at: time) } else { state.book.end(incident, at: time) }
      return why != nil && !wasOpen
    }
  }

  /// The playlist's Unix time.
  var now: Double { unixTime() }

  /// What is wrong now.
  var incidents: [SiteView.OpenIncident] {
    state.withLock(\.book).incidents.map { .init($0.incident, since: $0.since, detail: $0.detail) }
  }

  // MARK: what is done

  /// How long what waits to be told has at the end.
  private static let lastWords = Duration.seconds(5)

  /// Looks at files, tells people, and switches screens until the task is cancelled.
  func follow(on clock: TimeSource, _ server: PlaylistServer) async {
    // It outlives this task by as much as is needed to tell what waits.
    let delivery = Task { await notifier.deliver() }
    // What is done is forgotten at once: this goes on for months.
    await withDiscardingTaskGroup { group in
      while !Task.isCancelled {
        lookAtFiles()
        for name in alerts.look(self.program.plan, at: clock.now) {
          group.addTask { await self.alerts.ask(name, on: clock) }
        }
        tell()
        if let change = power.due(of: self.program, at: unixTime()) {
          group.addTask { await self.make(change, on: clock, server) }
        }
        guard (try? await clock.sleep(for: Self.interval)) != nil else { break }
      }
    }
    tell()
    notifier.finish()
    let limit = Task {
      if (try? await clock.sleep(for: Self.lastWords)) != nil { delivery.cancel() }
    }
    await delivery.value
    limit.cancel()
  }

  private func lookAtFiles() {
    let plan = state.withLock { $0.program.plan }
    for trigger in plan.triggers {
      guard case .file(let written) = trigger.source else { continue }
      let path = written.hasPrefix("/") ? written : Files.folder(of: plan.file) + "/" + written
      if let time = FilePresence.written(path) {
        triggers.fire(trigger.name, at: min(time, unixTime()))
      } else {
        triggers.clear(trigger.name)
      }
    }
  }

  private func tell() {
    let time = unixTime()
    let (messages, program) = state.withLock { state in
      let program = state.program
      let decision = program.decision(at: Int(time.rounded(.down)))
      let messages = state.book.due(at: time) { incident in
        if incident.occasion != .dark { return true }
        if case .quiet = decision.content { return false }
        return decision.content != .nothing
      }
      return (messages, program)
    }
    for message in messages where program.plan.notify.indices.contains(message.notification) {
      let json = message.json(playlist: program.plan.id, in: program.zone)
      notifier.queue(message.text, json, by: program.plan.notify[message.notification].channel)
    }
  }

  private func make(_ change: PowerSwitch.Change, on clock: TimeSource, _ server: PlaylistServer) async {
    let plan = program.plan
    await power.make(change, on: clock, server) { problem in
      note(Incident(.power, plan.id), problem)
      if let problem {
        Terminal.say("warning: the screens of \(TerminalText.escaped("\(plan.title): \(problem)"))")
      }
    }
  }
}
