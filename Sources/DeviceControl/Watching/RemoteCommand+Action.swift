import ScenarioLanguage

extension RemoteCommand {
  /// What the device is asked to do.
  package var action: DeviceAction {
    switch self {
    case .play: .play
    case .pause: .pause
    case .seek(let seconds): .seek(Seek(.by(seconds)))
    case .seekToStart: .seek(Seek(.toStart))
    case .volume(let level): .volume(level: level, ramp: .zero)
    case .mute(let isMuted): .mute(isMuted)
    case .tracks(let ids): .tracks(ids.map(String.init))
    case .rate(let rate): .rate(.to(rate))
    case .skipAd: .skipAd(force: false)
    case .next: .queueJump(.next)
    case .previous: .queueJump(.previous)
    case .stop: .stop
    }
  }
}
