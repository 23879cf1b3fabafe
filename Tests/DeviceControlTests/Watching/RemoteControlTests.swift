import CastProtocol
import Testing

@testable import DeviceControl
@testable import RunReporting

/// What keys mean, as things are.
@Suite struct RemoteControlTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String { "\(key) \(pending): \(command?.text ?? "nothing")" }

    var key: TerminalKey
    var snapshot: DeviceSnapshot
    var pending: [RemoteCommand] = []
    var command: RemoteCommand?
  }

  static let table: [Case] = [
    Case(key: .character(" "), snapshot: Watched.film(), command: .pause),
    Case(key: .character("p"), snapshot: Watched.film(.paused), command: .play),
    Case(key: .character(" "), snapshot: Watched.film(.buffering), command: .pause),
    // What was asked for a moment ago counts, not what the device still says.
    Case(key: .character(" "), snapshot: Watched.film(), pending: [.pause], command: .play),
    Case(key: .character(" "), snapshot: Watched.film(), pending: [.pause, .play], command: .pause),
    Case(key: .right, snapshot: Watched.film(), command: .seek(by: 10)),
    Case(key: .left, snapshot: Watched.film(.paused), command: .seek(by: -10)),
    Case(key: .pageUp, snapshot: Watched.film(), command: .seek(by: 60)),
    Case(key: .pageDown, snapshot: Watched.film(), command: .seek(by: -60)),
    Case(key: .home, snapshot: Watched.film(), command: .seekToStart),
    Case(key: .up, snapshot: Watched.film(), command: .volume(45)),
    Case(key: .character("-"), snapshot: Watched.film(), command: .volume(35)),
    Case(key: .down, snapshot: Watched.idle(), command: .volume(35)),
    Case(key: .up, snapshot: Watched.idle(), pending: [.volume(98)], command: .volume(100)),
    Case(key: .down, snapshot: Watched.idle(), pending: [.volume(30), .volume(2)], command: .volume(0)),
    Case(key: .character("m"), snapshot: Watched.idle(), command: .mute(true)),
    Case(key: .character("m"), snapshot: Watched.idle(), pending: [.mute(true)], command: .mute(false)),
    // Off, en, no; the sound track stays.
    Case(key: .character("c"), snapshot: Watched.film(), command: .tracks([1])),
    Case(key: .character("c"), snapshot: Watched.film { $0.activeTrackIDs = nil }, command: .tracks([2])),
    Case(key: .character("c"), snapshot: Watched.film(), pending: [.tracks([1])], command: .tracks([1, 2])),
    Case(key: .character("c"), snapshot: Watched.film(), pending: [.tracks([1, 2])], command: .tracks([1, 3])),
    Case(key: .character("]"), snapshot: Watched.film(), command: .rate(1.25)),
    Case(key: .character("["), snapshot: Watched.film(), command: .rate(0.75)),
    Case(key: .character("]"), snapshot: Watched.film(rate: 1.1), command: .rate(1.25)),
    Case(key: .character("]"), snapshot: Watched.film(), pending: [.rate(1.5)], command: .rate(1.75)),
    Case(key: .backspace, snapshot: Watched.film(rate: 2), command: .rate(1)),
    Case(key: .character("s"), snapshot: Watched.ad(time: 6), command: .skipAd),
    Case(key: .character("n"), snapshot: Watched.film(), command: .next),
    Case(key: .character("b"), snapshot: Watched.film(), command: .previous),
    Case(key: .character("x"), snapshot: Watched.film(), command: .stop),
    Case(key: .character("z"), snapshot: Watched.film()), Case(key: .other, snapshot: Watched.film()),
    Case(key: .end, snapshot: Watched.film()), Case(key: .character("é"), snapshot: Watched.idle()),
  ]

  @Test("A key goes from what is, or soon will be", arguments: table)
  func command(_ entry: Case) throws {
    let control = RemoteControl(pending: entry.pending, view: Make.view(entry.snapshot, at: 0))
    #expect(try control.command(for: entry.key) == entry.command)
  }

  static let refusals: [(TerminalKey, DeviceSnapshot, String)] = [
    (.character(" "), Watched.idle(), "nothing is loaded: there is nothing to play or pause"),
    (.right, Watched.idle(), "nothing is loaded: there is nothing to seek"),
    (.character("x"), Watched.film(.idle), "nothing is loaded: there is nothing to stop"),
    (.character("c"), Watched.film { $0.media?.tracks = nil }, "it has no captions"),
    (.character("]"), Watched.film(rate: 2), "it plays at most 2x"),
    (.character("["), Watched.film(rate: 0.5), "it plays at least 0.5x"),
    (.character("]"), Watched.ad(time: 1), "the rate cannot be set in an ad"),
    (.character("s"), Watched.film(), "no ad is playing"),
    (.character("s"), Watched.ad(time: 1.5), "the ad can be skipped in 4s"),
    (.character("s"), Watched.ad(time: 1.5, skippableAt: nil), "the ad cannot be skipped"),
    (.up, DeviceSnapshot(), "the device does not tell its volume"),
  ]

  @Test("What cannot be done is said, and why", arguments: refusals)
  func refusal(key: TerminalKey, snapshot: DeviceSnapshot, message: String) {
    let control = RemoteControl(pending: [], view: Make.view(snapshot, at: 0))
    #expect(throws: RemoteControl.Refusal(message)) { try control.command(for: key) }
  }

  @Test(
    "A device with large steps gets one of them", arguments: [(0.02, 45.0), (0.1, 50), (nil, 45), (7, 90), (-1, 45)])
  func volumeSteps(step: Double?, level: Double) throws {
    var snapshot = Watched.idle()
    snapshot.receiver?.volume.stepInterval = step
    let control = RemoteControl(pending: [], view: Make.view(snapshot, at: 0))
    #expect(try control.command(for: .up) == .volume(level))
  }

  @Test("A fixed volume is not asked for")
  func fixedVolume() {
    var snapshot = Watched.film()
    snapshot.receiver?.volume.controlType = "fixed"
    let control = RemoteControl(pending: [], view: Make.view(snapshot, at: 0))
    #expect(throws: RemoteControl.Refusal("the device's volume is fixed")) { try control.command(for: .up) }
  }

  @Test("Ads count down by the clock, and can be skipped from the very moment on")
  func countdown() throws {
    let times: [(Double, AdState.Skipping)] = [(0, .in(4.5)), (4.4, .in(0.1)), (4.5, .now), (60, .now)]
    for (seconds, skipping) in times {
      let ad = try #require(AdState(Make.view(Watched.ad(time: 0.5), at: seconds)))
      switch (ad.skipping, skipping) {
      case (.in(let left), .in(let expected)): #expect(abs(left - expected) < 0.001)
      default: #expect(ad.skipping == skipping)
      }
    }
    let late = try #require(AdState(Make.view(Watched.ad(time: 0, skippableAt: 15), at: 0)))
    #expect(late.skipping == .never, "from its end on is never")
    #expect(late.number?.index == 1 && late.number?.count == 2 && late.name == "mid/car")
    for (seconds, text) in [(0.01, "1s"), (1, "1s"), (1.01, "2s"), (0, "1s"), (-5, "1s"), (1e300, "1000000000s")] {
      #expect(AdState.countdown(seconds) == text)
    }
  }

  @Test("Commands that wait and mean the same become one")
  func merging() {
    #expect(RemoteCommand.seek(by: 10).merged(with: .seek(by: -60)) == .seek(by: -50))
    #expect(RemoteCommand.volume(40).merged(with: .volume(45)) == .volume(45))
    #expect(RemoteCommand.play.merged(with: .pause) == .pause)
    #expect(RemoteCommand.stop.merged(with: .stop) == .stop)
    #expect(RemoteCommand.next.merged(with: .next) == nil, "each goes on by one")
    #expect(RemoteCommand.seekToStart.merged(with: .seek(by: 10)) == nil)
    #expect(RemoteCommand.volume(40).merged(with: .mute(true)) == nil)
  }

  @Test(
    "Commands have names for people",
    arguments: [
      (RemoteCommand.seek(by: 10), "seek +10s"), (.seek(by: -60), "seek -60s"), (.volume(45), "volume 45%"),
      (.tracks([]), "tracks off"), (.tracks([1, 3]), "tracks 1, 3"), (.rate(1.25), "rate 1.25"),
      (.mute(false), "unmute"),
    ])
  func names(command: RemoteCommand, text: String) { #expect(command.text == text) }
}
