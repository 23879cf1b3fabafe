import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// Hours without a program.
extension Screen {
  /// A clock may be set and a playlist edited while we sleep: they are looked at this often.
  private static let longestSleep = Duration.seconds(10)
  /// How long what would not stop is left alone.
  private static let patience = Duration.seconds(60)
  /// The same in quiet hours, which win over everything.
  private static let quietPatience = Duration.seconds(10)

  /// Quiet hours: they win over everything, also over somebody else's cast.
  func rest(_ screen: PlaylistPlan.Quiet.Screen, _ decision: Decision) async {
    let time = unixTime
    changeAccount { $0.rest(at: time, .quiet) }
    setOnScreen(nil)
    noteQuiet()
    tell(.resting(screen))
    if decision.mutes { await mute(true) }
    let isBlack = screen == .blank ? await showBlack() : false
    if !isBlack { await clear() }
    await wait(isQuiet: true, isBlack: isBlack) { if case .quiet = $0.content { true } else { false } }
  }

  /// No rule is on, and there is no fallback.
  func showNothing() async {
    let time = unixTime
    changeAccount { $0.rest(at: time, .nothing) }
    setOnScreen(nil)
    tell(.nothing)
    await clear()
    await wait(isQuiet: false, isBlack: false) { $0.content == .nothing }
  }

  private var isLit: Bool {
    get async {
      let hasOwn = await device.hasOwnApp
      return await device.foreignApp != nil || hasOwn
    }
  }

  /// Ends what is on.
  private func clear() async {
    owner.take()
    let scope = ActionScope(deadline: now + timeouts.step, caller: owner)
    do {
      try await device.stopWhateverRuns(scope)
    } catch {
      if !Task.isCancelled { tell(.note("the app could not be stopped: \(error.message)")) }
    }
  }

  /// Waits as long as the decision stays one of this kind, nothing else is to be shown, and the device is there.
  /// - Parameter isBlack: Whether the black picture is kept on, instead of nothing.
  private func wait(isQuiet: Bool, isBlack: Bool, while isSame: (Decision) -> Bool) async {
    var isBlack = isBlack
    var acted = now
    while !Task.isCancelled {
      promiseTurn()
      if await device.needsConnection || isEdited || loans.isAsked { return }
      _ = takeSignals(nil)
      if !isQuiet {
        if cursor.hasDueInterrupt(at: moment) { return }
        // Where nothing is to be shown, somebody else may have the screen.
        if await takerInTheWay(after: owner.cause) != nil { return }
      }
      guard isSame(cursor.decision(at: moment)) else { return }
      let isPatient = now - acted < (isQuiet ? Self.quietPatience : Self.patience)
      if isBlack, await isBlackDue(isPatient: isPatient) {
        acted = now
        isBlack = await showBlack()
        if !isBlack { await clear() }
      } else if !isBlack, !isPatient, await isLit {
        acted = now
        await clear()
      }
      let changes = [cursor.program.nextChange(after: moment)?.at, cursor.program.nextCut(after: moment)?.at]
      let next = changes.compactMap(\.self).min().map { Double($0) - unixTime }
      let waits = [next.map { Duration.clamped(seconds: $0) }, isBlack ? blackLasts : nil].compactMap(\.self)
      let sleep = max(.milliseconds(1), waits.min() ?? Self.longestSleep)
      await signals.sleep(for: min(Self.longestSleep, sleep), on: world.times.show)
    }
  }
}
