import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// Hours without a program.
extension Screen {
  /// A clock may be set while we sleep: it is looked at this often.
  private static let longestSleep = Duration.seconds(60)

  /// Quiet hours: they win over everything, also over somebody else's cast.
  func rest(_ screen: PlaylistPlan.Quiet.Screen, _ decision: Decision) async {
    let time = unixTime
    changeAccount { $0.rest(at: time, .quiet) }
    setOnScreen(nil)
    tell(.resting(screen))
    if decision.mutes { await mute(true) }
    await clear()
    await wait { if case .quiet = $0.content { true } else { false } }
  }

  /// No rule is on, and there is no fallback.
  func showNothing() async {
    let time = unixTime
    changeAccount { $0.rest(at: time, .nothing) }
    setOnScreen(nil)
    tell(.nothing)
    await clear()
    await wait { $0.content == .nothing }
  }

  /// Ends what is on.
  private func clear() async {
    owner.forget()
    let scope = ActionScope(deadline: now + timeouts.step, caller: owner)
    do {
      try await device.stopWhateverRuns(scope)
    } catch {
      if !Task.isCancelled { tell(.note("the app could not be stopped: \(error.message)")) }
    }
  }

  /// Waits as long as the decision stays one of this kind, or the device is gone.
  private func wait(while isSame: (Decision) -> Bool) async {
    while !Task.isCancelled {
      if await device.needsConnection { return }
      let decision = cursor.decision(at: moment)
      guard isSame(decision) else { return }
      let next = cursor.program.nextChange(after: moment).map { Double($0.at) - unixTime }
      let sleep = min(Self.longestSleep, next.map { .clamped(seconds: max(0.001, $0)) } ?? Self.longestSleep)
      try? await world.times.show.sleep(for: sleep)
    }
  }
}
