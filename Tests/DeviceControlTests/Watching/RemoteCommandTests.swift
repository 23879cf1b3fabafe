import CastProtocol
import ScenarioLanguage
import Testing

@testable import DeviceControl
@testable import RunReporting

/// What keys ask of a device comes down to the actions that steps come down to.
@Suite struct RemoteCommandTests {
  static let actions: [(RemoteCommand, String)] = [
    (.play, "play"), (.pause, "pause"), (.stop, "stop"), (.skipAd, "skip_ad"), (.next, "next item"),
    (.previous, "previous item"), (.seek(by: 10), "by 10.0, keep, 2.0s"), (.seek(by: -60.5), "by -60.5, keep, 2.0s"),
    (.seekToStart, "to the start"), (.volume(45), "volume 45.0 in 0.0s"), (.volume(0), "volume 0.0 in 0.0s"),
    (.mute(true), "mute true"), (.mute(false), "mute false"), (.tracks([3, 1]), "tracks 3, 1"),
    (.tracks([]), "tracks "),
    (.rate(1.25), "rate 1.25"),
  ]

  @Test("Each command is one action of a device, with all that it says", arguments: actions)
  func action(command: RemoteCommand, means: String) { #expect(Self.text(command.action) == means) }

  private static func text(_ action: DeviceAction) -> String {
    switch action {
    case .play: "play"
    case .pause: "pause"
    case .stop: "stop"
    case .skipAd(let isForced): isForced ? "force an ad to end" : "skip_ad"
    case .queueJump(.next): "next item"
    case .queueJump(.previous): "previous item"
    case .seek(let seek):
      switch seek.target {
      case .by(let seconds): "by \(seconds), \(seek.then), \(seek.tolerance.seconds)s"
      case .toStart: "to the start"
      case .to, .toEnd: "elsewhere"
      }
    case .volume(let level, let ramp): "volume \(level) in \(ramp.seconds)s"
    case .mute(let isMuted): "mute \(isMuted)"
    case .tracks(let names): "tracks \(names.joined(separator: ", "))"
    case .rate(.to(let rate)): "rate \(rate)"
    default: "\(action)"
    }
  }
}
