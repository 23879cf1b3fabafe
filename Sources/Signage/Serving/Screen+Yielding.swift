import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// Somebody else's cast.
extension Screen {
  /// How often somebody else's player is looked at.
  private static let interval = Duration.seconds(10)
  /// For how long a screen is left alone that we take back at once: two who both take it back must not fight.
  private static let grace = Duration.seconds(3)

  /// The sender that has the screen and must be respected; `nil`: the screen is free.
  /// - Parameter cause: What became of our app since the screen acted last.
  func takerInTheWay(after cause: StepFailure?) async -> LedgerRecord.Taker? {
    if case .quiet = cursor.decision(at: moment).content { return nil }
    guard let app = await device.foreignApp, !plan.takeover.ignoredApps.contains(app.appID) else {
      // Another sender may have loaded something into our own app.
      guard cause?.errorClass == .takenOver, await device.hasOwnApp,
        await !device.shows(oneOf: ownContents)
      else { return nil }
      return LedgerRecord.Taker(app: plan.appID, name: "another sender")
    }
    // An app of the kind that we use too may be free, or show what an earlier process of ours left.
    if app.appID == plan.appID {
      _ = await device.lookAtForeignApp(within: timeouts.reply)
      let view = await device.view()
      guard Self.isInUse(view, app) else { return nil }
      if await device.shows(oneOf: ownContents) { return nil }
    }
    return LedgerRecord.Taker(app: app.appID, name: app.displayName)
  }

  /// Whether an app plays, as far as anybody can tell: one that has no player to ask counts as playing.
  private static func isInUse(_ view: StatusView, _ app: ReceiverStatus.Application?) -> Bool {
    if let app, !app.playsMedia { return true }
    switch view.snapshot.media?.playerState {
    case .playing, .buffering, .unknown: return true
    case .paused, .idle, nil: return false
    }
  }

  /// What follows somebody else's cast.
  enum AfterYielding {
    /// The program goes on, if nobody else has the screen by then.
    case lookAgain
    /// The program goes on, whatever is still open there.
    case takeBack
    /// The playlist ends on this screen.
    case end
  }

  /// Lets somebody else have the screen, as the playlist says.
  func yield(to taker: LedgerRecord.Taker) async -> AfterYielding {
    let time = unixTime
    changeAccount { $0.rest(at: time, .yielded, by: taker) }
    setOnScreen(nil)
    switch plan.takeover.policy {
    case .stop:
      tell(.endedByTakeover(taker))
      return .end
    case .reclaim:
      tell(.yielded(taker))
      _ = await loans.interrupt { [show = world.times.show] in try? await show.sleep(for: Self.grace) }
    case .yield:
      tell(.yielded(taker))
      guard await isIdleLongEnough() else { break }
      await returnToProgram()
      return .takeBack
    }
    if Task.isCancelled || loans.isAsked { return .lookAgain }
    await returnToProgram()
    return plan.takeover.policy == .reclaim ? .takeBack : .lookAgain
  }

  private func returnToProgram() async {
    await device.endYielding()
    owner.take()
    if await !device.needsConnection { tell(.returned) }
  }

  /// Waits until nothing of anybody has played for as long as the playlist says.
  /// - Returns: Whether that is so; else quiet hours began, or the device is lost.
  private func isIdleLongEnough() async -> Bool {
    var idleSince: Duration?
    var lastPosition: Double?
    var lastAdvance = now
    while !Task.isCancelled {
      promiseTurn()
      if await device.needsConnection { return false }
      if loans.isAsked { return false }
      if case .quiet = cursor.decision(at: moment).content { return false }
      var isInUse = false
      let ours = await device.hasOwnApp
      if let app = await device.foreignApp, !plan.takeover.ignoredApps.contains(app.appID) {
        _ = await device.lookAtForeignApp(within: timeouts.reply)
        isInUse = Self.isInUse(await device.view(), app)
      } else if ours {
        await device.askPlayer(ActionScope(deadline: now + timeouts.reply))
        isInUse = Self.isInUse(await device.view(), nil)
      }
      // A player that says it plays and does not get on only hangs.
      let position = await device.view().snapshot.media?.currentTime
      if position != lastPosition || position == nil { (lastPosition, lastAdvance) = (position, now) }
      if now - lastAdvance > plan.watchdog.stalledAfter { isInUse = false }
      idleSince = isInUse ? nil : idleSince ?? now
      if let idleSince, now - idleSince >= plan.takeover.resumeAfter { return true }
      let due = idleSince.map { $0 + plan.takeover.resumeAfter } ?? now + Self.interval
      let next = min(due, now + Self.interval)
      _ = await loans.interrupt { [show = world.times.show] in try? await show.sleep(until: next) }
    }
    return false
  }
}
