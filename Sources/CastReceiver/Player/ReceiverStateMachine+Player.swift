/// The player outside: a page comes, tells what it plays, and goes.
extension ReceiverStateMachine {
  mutating func receive(_ input: PlayerInput, at now: Duration) {
    guard configuration.playsOutside else { return }
    switch input {
    case .came: playerGoneSince = nil
    case .left: playerGoneSince = playerGoneSince ?? now
    case .report(let report):
      guard report.playback.sessionID == application?.sessionID else { return }
      if let outputs = application?.media?.receive(report, at: now) { deliver(outputs) }
      return
    }
    application?.media?.player?.goneSince = playerGoneSince
    if let outputs = application?.media?.playerChanged(at: now) { deliver(outputs) }
  }
}
