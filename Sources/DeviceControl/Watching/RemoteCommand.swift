import CastProtocol
import RunReporting
import ScenarioLanguage

/// What a key asks of the device.
package enum RemoteCommand: Hashable, Sendable {
  case play, pause
  /// Seconds on, or back where negative.
  case seek(by: Double)
  case seekToStart
  /// Percent points.
  case volume(Double)
  case mute(Bool)
  /// Wire ids of all tracks that shall be on.
  case tracks([Int])
  case rate(Double)
  case skipAd, next, previous, stop

  /// `seek +10s`.
  package var text: String {
    switch self {
    case .play: "play"
    case .pause: "pause"
    case .seek(let seconds): "seek \(seconds < 0 ? "" : "+")\(seconds.decimals(0))s"
    case .seekToStart: "seek to the start"
    case .volume(let level): "volume \(level.decimals(0))%"
    case .mute(let isMuted): isMuted ? "mute" : "unmute"
    case .tracks(let ids): ids.isEmpty ? "tracks off" : "tracks \(ids.map(String.init).joined(separator: ", "))"
    case .rate(let rate): "rate \(rate.decimals(2))"
    case .skipAd: "skip ad"
    case .next: "next"
    case .previous: "previous"
    case .stop: "stop"
    }
  }

  /// One command for this and `later`, which was asked for before this was begun; `nil`: they are two.
  func merged(with later: RemoteCommand) -> RemoteCommand? {
    switch (self, later) {
    case (.seek(let first), .seek(let second)): .seek(by: first + second)
    case (.seekToStart, .seekToStart), (.volume, .volume), (.mute, .mute), (.tracks, .tracks), (.rate, .rate),
      (.play, .pause), (.pause, .play), (.play, .play), (.pause, .pause), (.stop, .stop), (.skipAd, .skipAd):
      later
    default: nil
    }
  }
}
