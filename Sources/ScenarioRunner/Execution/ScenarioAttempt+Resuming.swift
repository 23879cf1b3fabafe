import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// Going on with a try of a scenario that an earlier part of the run had begun.
extension ScenarioAttempt {
  /// How much of the scenario's time earlier parts of the run took.
  var spent: Duration {
    guard let journal else { return .zero }
    return .clamped(seconds: journal.earlier.spent(in: journal.key))
  }

  /// Takes up what was ours on each device.
  /// - Returns: Why that failed.
  func restoreApps() async -> StepFailure? {
    guard let journal else { return nil }
    for device in devices {
      guard let kept = journal.earlier.own(of: device.number, in: journal.key) else { continue }
      do throws(StepFailure) {
        let takeover = try await device.restore(
          KeptApp(fields: kept), isUnsettled: journal.earlier.leavesAppOpen(on: device.number, in: journal.key),
          until: times.show.now + plan.timeouts.reply)
        earlierTakeover = earlierTakeover ?? takeover
      } catch {
        return error
      }
    }
    return nil
  }

  /// Whether an earlier part of the run had begun it.
  var wasBegunBefore: Bool { journal.map { $0.earlier.hasBegun($0.key) } ?? false }

  /// The rules of `watch` that were broken in an earlier part of the run, on whichever device.
  private var rulesBrokenBefore: [String] {
    guard let journal else { return [] }
    return journal.earlier.brokenRules(of: journal.key)
  }

  /// Rules of `watch` that were broken stay broken.
  func restoreBrokenRules() {
    for name in rulesBrokenBefore {
      owner.failOutsideSteps()
      guard let monitor = plan.watch.first(where: { $0.name == name }) else { continue }
      var broken = EventKind.MonitorFailed()
      (broken.name, broken.place) = (name, SourcePlace(monitor.span))
      broken.remark =
        "it was broken before the run was gone on with; its events are those of run \(journal?.earlier.run ?? "")"
      emit(.monitorFailed(broken))
    }
  }

  /// Rules with `for` that were broken for a part of that time go on with it, where they are broken now.
  func restoreStreaks(on device: DeviceSession) async {
    guard let journal else { return }
    let (earlier, broken) = (journal.earlier.streaks(on: device.number, in: journal.key), rulesBrokenBefore)
    let streaks = earlier.filter { !broken.contains($0.key) }
    if streaks.isEmpty { return }
    let going = await device.resumeRules(streaks.mapValues { .clamped(seconds: $0) })
    for (name, time) in streaks.sorted(by: { $0.key < $1.key }) {
      let isOver = !going.contains(name)
      if !isOver { owner.resumeStreak(of: name, on: device.number) }
      journal.noteStreak(of: name, on: device.number, isOver: isOver, before: time)
    }
  }

  /// The steps are over: from here on they are not gone on with. Returns when that is on the disk: what follows takes away
  /// what a device could tell of them, and after a power cut they would be done once more.
  func noteCleanup() async {
    guard let journal else { return }
    var cleanup = JournalEntry.Cleanup()
    cleanup.key = journal.key
    switch stops.cause {
    case .interrupted(let interruption)?:
      switch interruption {
      case .interrupt: cleanup.cause = .interrupted
      case .terminate, .unrecorded: cleanup.cause = .terminated
      }
    case .deadline?: cleanup.cause = .deadline
    case .monitor(let name)?:
      cleanup.cause = .monitor
      cleanup.failure = JournalEntry.Failure(StepFailure(.monitor, name))
    case .failure(let failure)?:
      cleanup.cause = .failure
      cleanup.failure = JournalEntry.Failure(failure)
    case .branch?, nil: break
    }
    // What cleans up is done in any case.
    _ = await journal.commit(.cleanup(cleanup.emitted(hiding: configuration.secrets)))
  }
}
