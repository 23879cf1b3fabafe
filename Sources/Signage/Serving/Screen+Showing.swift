import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage
import Synchronization

/// Showing one item, from the load to the line in the ledger.
extension Screen {
  /// How often the player is asked at least while an item is on: devices tell of changes, and the position is none.
  private static let pollInterval = Duration.seconds(10)
  private var pollInterval: Duration { min(Self.pollInterval, plan.watchdog.stalledAfter / 3) }
  /// A level that is this near is the level.
  private static let volumeTolerance = 0.005
  /// An item that was on for less was not shown as far as anybody in front of the screen is concerned.
  static let leastShown = Duration.seconds(1)

  /// Why an item's time on screen ended.
  private enum Finish {
    case ended(ItemWatch.End)
    /// Quiet hours, a window's end or an interrupt wants the screen at this Unix time.
    case cut(Int)
    case skipped
    case lost
    case taken(StepFailure)
    /// A run of a scenario wants the device.
    case lent
    case cancelled

    var isLoss: Bool { if case .lost = self { true } else { false } }
    var isCancelled: Bool { if case .cancelled = self { true } else { false } }
  }

  /// From when an item is watched until it is over, or has to be loaded again.
  private struct Stretch {
    /// On the show clock.
    var begin: Duration
    /// ``begin`` as Unix time.
    var time: Double
    var session: Int?
    /// It was on before anybody watched.
    var isAdopted: Bool
    var isLoaded: Bool
  }

  /// Shows an item until it is over, whatever ends it.
  /// - Parameters:
  ///   - shown: For how long it was on before; zero for one that begins.
  ///   - decidedAt: When it was decided, as Unix time: what is due after that ends it.
  func show(_ showing: Showing, shown: Duration = .zero, decidedAt: Int) async {
    var showing = showing
    var shown = shown
    var remedies = StuckRemedies(plan.watchdog)
    var isStuck = false
    await waitForOthers(showing)
    while !Task.isCancelled {
      let begin = unixTime
      changeAccount { $0.begin(at: begin) }
      await setVolume(of: showing)
      // Another sender took the screen meanwhile: nothing is loaded over it.
      if owner.cause != nil { return }
      // What is stuck has to be loaded again, although it is on.
      let isOn = isStuck ? false : await isOn(showing, shown: shown)
      if !isOn {
        // What was shown of its length before the device was lost need not be shown again.
        if shown > .zero { showing.length = showing.length.map { max(Self.leastShown, $0 - shown) } }
        shown = .zero
        let isOnAlready = isStuck ? false : await continuesQueued(showing)
        if !isOnAlready {
          switch await load(showing, decidedAt: decidedAt) {
          case .shown: break
          case .outdated, .skipped: return
          case .failed(let failure): return await pass(over: showing, failure, decidedAt: decidedAt)
          }
        }
        setOnScreen(
          .init(
            showing: showing, since: begin - shown.seconds, loadedAt: now,
            address: device.storedAddress(of: showing.content)))
        _ = endLoss()
        if showing.part == .fallback { closeSkip(shown: showing.name) }
        tell(.showing(showing))
      } else {
        setOnScreen(
          .init(
            showing: showing, since: begin - shown.seconds, loadedAt: shownNow?.loadedAt ?? now,
            address: shownNow?.address ?? leftoverAddress ?? device.storedAddress(of: showing.content)))
        if showing.part == .fallback { closeSkip(shown: showing.name) }
        // A still that follows itself is no news.
        if endLoss() || shown > .zero { tell(.adopted(showing)) }
      }
      let session = await device.ownMediaSession
      let stretch = Stretch(
        begin: now, time: unixTime, session: session, isAdopted: isOn && shown > .zero, isLoaded: !isOn)
      let skew = stretch.isLoaded ? skew(of: showing, at: stretch.time) : nil
      // All screens end it at the same moment, whenever they had loaded it.
      if let end = showing.shared?.upperBound {
        showing.length = max(Self.leastShown, .clamped(seconds: Double(end) - unixTime))
      }
      let shared = SharedWatch(ItemWatch(limits(of: showing), at: stretch.begin, alreadyShown: isOn ? shown : nil))
      let finish = await follow(shared, showing, stretch, decidedAt: decidedAt)
      let isCovered = finish.isLoss ? false : await isCovered(finish)
      let end = unixTime
      var watch = shared.value
      // What is still on is not asked for any more when serving ends: only what a status covers was shown.
      watch.close(at: finish.isLoss ? now : owner.causeTime ?? now, isLost: !isCovered || finish.isCancelled)
      var play = await play(showing, watch, finish, stretch)
      play.skew = skew
      if !isCovered { play.endReason = .connectionLost }
      changeAccount { $0.play(play, to: end) }
      shown += watch.shown
      if watch.shown >= Self.leastShown { endFailures() }
      switch finish {
      case .ended(.lengthReached), .ended(.finished), .ended(.jumped), .skipped, .cancelled, .lent: return
      case .taken(let cause):
        if cause.errorClass != .takenOver, watch.shown < Self.leastShown {
          await backOff(after: countFailure(), over: showing)
        }
        return
      case .cut(let time):
        let (position, cut, remaining) = (
          watch.estimatedPosition, showing, showing.length.map { max(.zero, $0 - shown) }
        )
        return changeCursor { $0.noteCut(of: cut, position: position, remaining: remaining, by: time) }
      case .lost:
        showing.start = watch.position ?? showing.start
        return setPending(showing, shown: shown, after: watch.shown)
      case .ended(.failed), .ended(.stopped):
        // The player gave up, or somebody stopped it, who is not fought: the next one follows.
        if watch.shown < Self.leastShown { await backOff(after: countFailure(), over: showing) }
        return
      case .ended(.stuck):
        let remedy = remedies.next()
        tell(.stuck(showing, remedy))
        showing.start = watch.position ?? showing.start
        guard let remedy, await apply(remedy) else { return await backOff(after: countFailure(), over: showing) }
        isStuck = true
      }
    }
  }

  private func limits(of showing: Showing) -> ItemWatch.Limits {
    ItemWatch.Limits(
      length: showing.length, stalledAfter: plan.watchdog.stalledAfter, bufferingOver: plan.watchdog.bufferingOver,
      moves: !showing.isStill)
  }

  // MARK: before

  /// Whether the item is on screen already and need not be loaded: a still that goes on, or what was found there.
  private func isOn(_ showing: Showing, shown: Duration) async -> Bool {
    guard await device.hasOwnApp, await playsNow(showing.content) else { return false }
    if shown > .zero { return true }
    guard showing.isStill, let onScreen = shownNow, onScreen.showing.content == showing.content,
      // Its secrets may have other values by now.
      onScreen.address == device.storedAddress(of: showing.content)
    else { return false }
    // It must not be on for so long that the device falls asleep over it.
    return plan.keepAwake.map { now - onScreen.loadedAt < $0 } ?? true
  }

  private func setVolume(of showing: Showing) async {
    let decision = cursor.decision(at: moment)
    await mute(decision.mutes)
    // Nobody wants to hear at night how loud it becomes.
    if decision.isQuiet { return }
    guard let level = level(of: showing), await needsLevel(level) else { return }
    let scope = ActionScope(deadline: now + timeouts.reply, caller: owner)
    do { try await device.perform(.volume(level: level * 100, ramp: .zero), in: scope) } catch {
      complain("volume \(error.message)", .note("the volume stays as it is: \(error.message)"))
    }
  }

  /// The volume that an item wants, from 0 to 1; `nil`: it stays as it is.
  func level(of showing: Showing) -> Double? {
    switch showing.item.volume {
    case .keep: nil
    case .level(let level): level
    case nil: plan.volume
    }
  }

  private func needsLevel(_ level: Double) async -> Bool {
    guard let current = await device.view().snapshot.receiver?.volume.level else { return true }
    return abs(current - level) > Self.volumeTolerance
  }

  /// Mutes the screen in quiet hours, and ends only what we muted.
  func mute(_ isMuted: Bool) async {
    guard isMuted != muted else { return }
    let scope = ActionScope(deadline: now + timeouts.reply, caller: owner)
    do {
      try await device.perform(.mute(isMuted), in: scope)
      setMuted(isMuted)
    } catch { complain("mute \(error.message)", .note("the screen could not be muted: \(error.message)")) }
  }

  // MARK: while it is on

  private func follow(
    _ watch: SharedWatch, _ showing: Showing, _ stretch: Stretch, decidedAt: Int
  ) async -> Finish {
    var nextPoll = now + pollInterval
    // What is due at the moment of the decision is part of it; from then on nothing is passed over.
    var lookedTo = decidedAt
    while true {
      promiseTurn()
      if Task.isCancelled { return .cancelled }
      if let cause = owner.cause { return .taken(cause) }
      if loans.isAsked { return .lent }
      if takeSignals(showing) { return .skipped }
      let cut = cursor.nextCut(of: showing, after: lookedTo)
      if let cut, cut <= moment { return .cut(cut) }
      lookedTo = min(max(lookedTo, moment - 1), lookedTo + ScreenCursor.lookahead - 1)
      if await isFallingAsleep(showing) {
        switch await load(showing, decidedAt: lookedTo) {
        case .shown: break
        case .outdated: continue
        case .skipped: return .skipped
        case .failed: return .ended(.stuck)
        }
        if let onScreen = shownNow {
          setOnScreen(
            .init(
              showing: showing, since: onScreen.since, loadedAt: now,
              address: device.storedAddress(of: showing.content)))
        }
      }
      let look = await keepQueue(behind: showing, watch.value, cut: cut)
      await mute(cursor.decision(at: moment).mutes)
      let muting = cursor.nextMuting(after: moment)
      let clock = [cut, muting].compactMap(\.self).min()
      let deadline = min(
        nextPoll, look ?? nextPoll, clock.map { now + .clamped(seconds: Double($0) - unixTime) } ?? nextPoll)
      do {
        try await self.watch(watch, until: deadline)
      } catch {
        return Task.isCancelled ? .cancelled : .lost
      }
      if let end = watch.value.end {
        // An app that is replaced looks like a player that was stopped, and its successor may be told of later.
        if watch.value.endIsGuessed || end == .stopped { await askReceiver() }
        if let cause = owner.cause { return .taken(cause) }
        return .ended(end)
      }
      if await device.needsConnection { return .lost }
      guard now >= nextPoll else { continue }
      await device.askPlayer(ActionScope(deadline: now + timeouts.reply, caller: owner))
      let seen = await device.view()
      watch.change { $0.observe(PlayerSight(seen), at: seen.at) }
      await noteOngoing(showing, watch.value, stretch)
      nextPoll = now + pollInterval
    }
  }

  /// Watches the player until the item is over, something comes from outside, or the deadline.
  private func watch(_ watch: SharedWatch, until deadline: Duration) async throws(StepFailure) {
    let failure = await signals.interrupt { [device, owner] () -> StepFailure? in
      do throws(StepFailure) {
        try await device.watch(watch, ActionScope(deadline: deadline, caller: owner))
        return nil
      } catch {
        return error
      }
    }
    if let failure = failure ?? nil { throw failure }
  }

  /// Whether a still has been on for so long that the device would fall asleep over it.
  private func isFallingAsleep(_ showing: Showing) async -> Bool {
    guard showing.isStill, let keepAwake = plan.keepAwake, let onScreen = shownNow else { return false }
    return now - onScreen.loadedAt >= keepAwake
  }

  /// Has the device say which app runs, and waits until it is known what became of ours.
  private func askReceiver() async {
    let scope = ActionScope(deadline: now + timeouts.reply, caller: owner)
    try? await device.perform(.refresh(.receiver), in: scope)
    await device.settleLoss(scope)
  }

  /// Whether the device was there to the end of an item: a screen without power shows nothing, and nobody has told yet.
  private func isCovered(_ finish: Finish) async -> Bool {
    switch finish {
    case .ended(.lengthReached), .cut, .skipped, .lent: break
    case .ended, .lost, .taken, .cancelled: return true
    }
    do {
      try await device.perform(.refresh(.receiver), in: ActionScope(deadline: now + timeouts.reply, caller: owner))
      return true
    } catch {
      return owner.cause != nil
    }
  }

  /// - Returns: Whether the item can be loaded again.
  private func apply(_ remedy: PlaylistPlan.Watchdog.Remedy) async -> Bool {
    let scope = ActionScope(deadline: now + timeouts.step, caller: owner)
    do {
      switch remedy {
      case .reload: break
      case .relaunch: try await device.relaunch(scope)
      case .reconnect: try await device.makeReachable(until: scope.deadline)
      }
      return true
    } catch {
      return false
    }
  }

  // MARK: after

  private func play(
    _ showing: Showing, _ watch: ItemWatch, _ finish: Finish, _ stretch: Stretch
  ) async -> LedgerRecord.Play {
    let view = await device.view()
    var play = LedgerRecord.Play(
      item: showing.name, content: showing.content, rule: showing.decidedBy, start: unixTime, end: unixTime,
      planned: showing.length?.seconds, shown: watch.shown.seconds, endReason: reason(of: finish, showing))
    play.evidence.statuses = watch.statuses
    play.evidence.stalled = watch.stalled.seconds
    play.evidence.adopted = stretch.isAdopted
    play.evidence.session = stretch.session
    if stretch.isLoaded, let first = watch.firstShown {
      play.evidence.playingAt = stretch.time + (first - stretch.begin).seconds
    }
    play.evidence.unseen = .init(of: view.snapshot.receiver)
    play.ids = showing.ids(with: ids)
    if case .lent = finish { play.by = loans.taker }
    if case .ended(.stopped) = finish, watch.isStoppedBySender {
      play.endReason = .skipped
      play.by = LedgerRecord.Taker(app: plan.appID, name: "another sender")
    }
    if case .taken(let cause) = finish, cause.errorClass == .takenOver {
      let app = view.snapshot.receiver?.application
      play.by = LedgerRecord.Taker(app: app?.appID ?? plan.appID, name: app?.displayName ?? "another sender")
    }
    return play
  }

  /// Stores what was shown so far: a process that is killed loses only what came after.
  private func noteOngoing(_ showing: Showing, _ watch: ItemWatch, _ stretch: Stretch) async {
    var play = await play(showing, watch, .cancelled, stretch)
    play.shown = watch.shownForCertain.seconds
    setOngoing(play)
  }

  private func reason(of finish: Finish, _ showing: Showing) -> LedgerRecord.EndReason {
    switch finish {
    case .ended(.lengthReached): .duration
    case .ended(.finished): .finished
    case .ended(.stuck): .stalled
    case .ended(.failed): .mediaError
    case .ended(.stopped): .appGone
    case .cut(let time): cursor.isCutFromOutside(showing, at: time) ? .interrupted : cursor.endReason(ofCutAt: time)
    case .skipped, .ended(.jumped): .skipped
    case .lost: .connectionLost
    case .taken(let cause): cause.errorClass == .takenOver ? .takenOver : .appGone
    case .lent: .takenOver
    case .cancelled: .stopped
    }
  }
}

extension ScreenCursor {
  /// Why what is cut at a moment ends.
  func endReason(ofCutAt time: Int) -> LedgerRecord.EndReason {
    isQuiet(at: time) || !interruptCuts(at: time) ? .scheduled : .interrupted
  }

  func isQuiet(at time: Int) -> Bool { if case .quiet = decision(at: time).content { true } else { false } }

  /// Whether an interrupt that does not wait is due at a moment.
  func interruptCuts(at time: Int) -> Bool {
    program.cuts(in: time..<time + 1).contains { program.plan.interrupts[$0.interrupt].cut == .immediately }
  }
}

extension DeviceSession {
  /// Feeds a watch with what the player does, until the item is over or the scope's deadline.
  /// - Throws: Why the device is lost.
  func watch(_ watch: SharedWatch, _ scope: ActionScope) async throws(StepFailure) {
    // What the load has shown already is news for the watch, but none for who waits for news.
    let seen = view()
    watch.change { $0.observe(PlayerSight(seen), at: seen.at) }
    if watch.value.end != nil { return }
    try await follow(
      scope, wake: { _ in watch.value.nextCheck },
      observe: { view in
        watch.change { $0.observe(PlayerSight(view), at: view.at) }
        return watch.value.end == nil
      })
  }

  /// Asks the player what it does; one that does not answer is seen by its connection.
  func askPlayer(_ scope: ActionScope) async {
    try? await perform(.refresh(.media), in: scope)
  }
}

/// An item's watch, for the closures that feed it.
final class SharedWatch: Sendable {
  private let state: Mutex<ItemWatch>

  init(_ watch: ItemWatch) { state = Mutex(watch) }

  var value: ItemWatch { state.withLock { $0 } }

  func change(_ change: (inout ItemWatch) -> Void) { state.withLock { change(&$0) } }
}
