import CastProtocol
import Testing

@testable import CastReceiver

/// Receivers whose media a page in a browser plays: what it tells is what senders hear.
@Suite struct PlayerTests {
  /// A receiver with an app, and a page that can play.
  private static func receiver(page: Bool = true, _ change: (inout ReceiverConfiguration) -> Void = { _ in })
    -> ReceiverHarness
  {
    var receiver = ReceiverHarness {
      $0.playsOutside = true
      change(&$0)
    }
    if page { _ = receiver.input(.player(.came)) }
    receiver.start()
    return receiver
  }

  private static let clipped: JSONValue = [
    "contentId": "http://h/film.mp4", "contentType": "video/mp4",
    "breakClips": [["id": "soap", "contentUrl": "http://h/soap.mp4", "contentType": "video/mp4", "whenSkippable": 2]],
    "breaks": [["id": "pre", "position": 0, "breakClipIds": ["soap"]]],
  ]

  @Test("A load ends when the page says that it plays, and the status has the duration and size that it found")
  func loads() {
    var receiver = Self.receiver()
    #expect(receiver.load(film).summary == ["IDLE/LOADING"])
    #expect(receiver.tell(.loading) == [])
    #expect(receiver.tell(.waiting, duration: 4) == [])
    let heard = receiver.tell(.playing, duration: 4, size: .init(width: 320, height: 240))
    #expect(heard.summary == ["BUFFERING", "PLAYING #101"])
    #expect(heard.last?.media?["media"]?["duration"] == 4)
    #expect(heard.last?.media?["videoInfo"]?["width"] == 320 && heard.last?.media?["videoInfo"]?["height"] == 240)
  }

  @Test("The end is when the page says so, and not before")
  func ends() {
    var receiver = Self.receiver()
    receiver.play(duration: 4)
    #expect(receiver.advance(by: .seconds(6)) == [])
    #expect(receiver.position() == 4)
    #expect(receiver.tell(.ended, 4, duration: 4).summary == ["IDLE/FINISHED"])
    #expect(receiver.machine.screen(at: receiver.now).media == nil)
  }

  @Test("The position is the page's; a jump of more than two seconds is told at once")
  func position() {
    var receiver = Self.receiver()
    receiver.play()
    _ = receiver.advance(by: .seconds(1))
    #expect(receiver.tell(.playing, 0.4) == [])
    #expect(receiver.position() == 0.4)
    #expect(receiver.tell(.playing, 30).summary == ["PLAYING"])
    #expect(receiver.position() == 30)
  }

  @Test(
    "Waiting for data is BUFFERING, and what somebody at the page does is told",
    arguments: [
      (PlayerReport.State.waiting, "BUFFERING"), (.paused, "PAUSED"), (.blocked, "PAUSED"), (.loading, "BUFFERING"),
    ])
  func states(state: PlayerReport.State, told: String) {
    var receiver = Self.receiver()
    receiver.play()
    #expect(receiver.tell(state, 3).summary == [told])
    #expect(receiver.tell(state, 3) == [], "nothing is told twice")
    #expect(receiver.tell(.playing, 3).summary == ["PLAYING"])
  }

  @Test(
    "A film that waits for data counts as playing for whoever holds the remote control: it can be paused, and is shown so"
  )
  func pausedWhileWaiting() {
    var receiver = Self.receiver()
    receiver.play()
    _ = receiver.tell(.waiting, 3)
    #expect(receiver.machine.snapshot(at: receiver.now).media?.state == .buffering)
    #expect(receiver.machine.refusal(of: .play, at: receiver.now) != nil)
    #expect(receiver.machine.refusal(of: .pause, at: receiver.now) == nil)
    #expect(receiver.input(.person(.home)).contains { $0.media?["playerState"] == "PAUSED" })
    #expect(receiver.machine.snapshot(at: receiver.now).media?.state == .paused)
  }

  @Test("A page that is open stays open when the receiver loses its power and gets it back")
  func power() {
    var configuration = ReceiverConfiguration(id: "5a1c0000-0000-4000-8000-000000000001")
    configuration.playsOutside = true
    var core = ReceiverCore(configuration: configuration)
    #expect(core.isPageGone)
    core.player(.came, show: .zero)
    core.unplug(at: .seconds(1))
    core.plug()
    #expect(!core.isPageGone)
  }

  @Test("Senders' commands become orders, and what was told before the page obeyed does not count")
  func orders() throws {
    var receiver = Self.receiver()
    receiver.play()
    let before = try #require(receiver.content)
    #expect(before.runs && before.jumps == 0)
    #expect(receiver.media("PAUSE").summary == ["PAUSED #102"])
    let paused = try #require(receiver.content)
    #expect(!paused.runs && paused.order == before.order + 1)
    #expect(receiver.tell(.playing, 9, order: before.order) == [])
    #expect(receiver.position() == 0)
    #expect(receiver.media("SEEK", ["currentTime": 20, "resumeState": "PLAYBACK_START"]).summary == ["PLAYING #104"])
    let sought = try #require(receiver.content)
    #expect(sought.runs && sought.jumps == 1 && sought.position == .seconds(20) && sought.order == paused.order + 1)
    #expect(receiver.media("SET_PLAYBACK_RATE", ["playbackRate": 1.5]).summary == ["PLAYING #105"])
    #expect(receiver.content?.rate == 1.5)
    #expect(receiver.content?.order == sought.order + 1)
    #expect(receiver.media("PAUSE").summary == ["PAUSED #106"])
    #expect(receiver.media("PLAY").summary == ["PLAYING #107"])
    #expect(receiver.media("STOP").summary == ["IDLE/CANCELLED #108"])
    #expect(receiver.content == nil)
  }

  @Test("A load without autoplay ends when the content is known, paused")
  func noAutoplay() {
    var receiver = Self.receiver()
    receiver.load(film, ["autoplay": false])
    #expect(receiver.content?.runs == false)
    #expect(receiver.tell(.paused, duration: 7).summary == ["BUFFERING", "PAUSED #101"])
  }

  @Test("A browser that may not play by itself leaves the content paused; PLAY is an order again")
  func blocked() throws {
    var receiver = Self.receiver()
    receiver.load(film)
    #expect(receiver.tell(.blocked, duration: 7).summary == ["BUFFERING", "PAUSED #101"])
    let order = try #require(receiver.content?.order)
    #expect(receiver.media("PLAY").summary == ["PLAYING #102"])
    #expect(receiver.content?.order == order + 1 && receiver.content?.runs == true)
    #expect(receiver.tell(.blocked).summary == ["PAUSED"])
  }

  @Test("Content that the page cannot play fails the load with the page's code; while it plays it is an error")
  func failures() {
    var receiver = Self.receiver()
    receiver.load(film)
    let heard = receiver.tell(.failed(code: 102))
    #expect(heard.summary == ["LOAD_FAILED #101", "IDLE/ERROR"])
    #expect(heard.first?.json["detailedErrorCode"] == 102)
    #expect(receiver.machine.screen(at: receiver.now).fault == .media(code: 102))
    receiver.play()
    #expect(receiver.machine.screen(at: receiver.now).fault == nil)
    let later = receiver.tell(.failed(code: 103))
    #expect(later.summary == ["ERROR", "IDLE/ERROR"] && later.first?.json["detailedErrorCode"] == 103)
  }

  @Test("An item of a queue that the page cannot play is passed over")
  func queue() {
    var receiver = Self.receiver()
    _ = receiver.media("QUEUE_LOAD", ["items": QueueTests.items("a", "b")])
    #expect(receiver.tell(.failed(code: 104)).summary == ["ERROR", "IDLE/ERROR/LOADING"])
    #expect(receiver.tell(.playing, duration: 3).summary == ["BUFFERING", "PLAYING #101"])
    #expect(receiver.tell(.ended, 3, duration: 3).summary == ["IDLE/FINISHED"])
  }

  @Test("Without a page a load fails after five seconds, and says why")
  func noPage() {
    var receiver = Self.receiver(page: false)
    receiver.load(film)
    #expect(receiver.advance(by: .seconds(4.9)) == [])
    let heard = receiver.advance(by: .seconds(0.2))
    #expect(heard.summary == ["LOAD_FAILED NO_PAGE_OPEN #101", "IDLE/ERROR"])
    #expect(heard.first?.json["detailedErrorCode"] == 905)
    #expect(receiver.machine.screen(at: receiver.now).fault == .noPage)
  }

  @Test("A page that opens in time plays what waits; one that then never plays fails it after half a minute")
  func late() {
    var receiver = Self.receiver(page: false)
    receiver.load(film)
    _ = receiver.advance(by: .seconds(4))
    #expect(receiver.input(.player(.came)) == [])
    #expect(receiver.advance(by: .seconds(29)) == [])
    #expect(receiver.advance(by: .seconds(2)).summary == ["LOAD_FAILED PAGE_SILENT #101", "IDLE/ERROR"])
  }

  @Test("A page that goes away for less than five seconds goes on; for longer it ends what plays", arguments: [3, 6])
  func leaves(seconds: Int) {
    var receiver = Self.receiver()
    receiver.play()
    _ = receiver.input(.player(.left))
    let heard = receiver.advance(by: .seconds(seconds))
    _ = receiver.input(.player(.came))
    if seconds < 5 {
      #expect(heard == [] && receiver.tell(.loading).summary == ["BUFFERING"])
      #expect(receiver.tell(.playing, 3).summary == ["PLAYING"])
    } else {
      #expect(heard.summary == ["ERROR PAGE_CLOSED", "IDLE/ERROR"] && heard.first?.json["detailedErrorCode"] == 101)
    }
  }

  @Test("A page that is silent for half a minute while it should play ends it; while it is paused it may be silent")
  func silence() {
    var receiver = Self.receiver()
    receiver.play()
    _ = receiver.media("PAUSE")
    #expect(receiver.advance(by: .seconds(600)) == [])
    _ = receiver.tell(.paused, 1)
    _ = receiver.media("PLAY")
    #expect(receiver.advance(by: .seconds(29)) == [])
    #expect(receiver.advance(by: .seconds(2)).summary == ["ERROR PAGE_SILENT", "IDLE/ERROR"])
  }

  @Test("The page plays the clips of a break, then the content; their length is the real one")
  func breaks() throws {
    var receiver = Self.receiver()
    receiver.load(Self.clipped)
    #expect(receiver.content?.runs == false, "the ad comes first")
    #expect(receiver.tell(.paused, duration: 9).summary == ["BUFFERING pre/soap #101"])
    let clip = try #require(receiver.screen.media?.adBreak?.clip)
    #expect(clip.address == "http://h/soap.mp4" && clip.runs && clip.id != receiver.content?.id)
    let heard = receiver.tell(.playing, duration: 3, ofClip: true)
    #expect(heard.summary.first == "PLAYING pre/soap")
    #expect(receiver.screen.media?.adBreak?.duration == .seconds(3))
    #expect(receiver.tell(.waiting, 1, duration: 3, ofClip: true).summary == ["BUFFERING pre/soap"])
    #expect(receiver.tell(.loading, ofClip: true) == [] && receiver.screen.media?.adBreak?.runs == false)
    #expect(receiver.tell(.playing, 2, duration: 3, ofClip: true).summary.first == "PLAYING pre/soap")
    #expect(receiver.tell(.ended, 3, duration: 3, ofClip: true).summary == ["PLAYING"])
    #expect(receiver.content?.runs == true && receiver.screen.media?.adBreak == nil)
    #expect(receiver.tell(.ended, 9, duration: 9).summary == ["IDLE/FINISHED"])
  }

  @Test("A clip that the page cannot play is an error, and the content goes on")
  func brokenClip() {
    var receiver = Self.receiver()
    receiver.load(Self.clipped)
    _ = receiver.tell(.paused, duration: 9)
    let heard = receiver.tell(.failed(code: 104), ofClip: true)
    #expect(heard.summary.first == "ERROR" && heard.first?.json["detailedErrorCode"] == 901)
    #expect(receiver.screen.media?.phase == .playing && receiver.screen.media?.adBreak == nil)
  }

  @Test("A picture is on as soon as the page has it, and has no end")
  func picture() {
    var receiver = Self.receiver()
    receiver.load(["contentId": "http://h/menu.png", "contentType": "image/png"])
    #expect(receiver.tell(.playing).summary == ["BUFFERING", "PLAYING #101"])
    #expect(receiver.status()?["media"]?["duration"] == nil)
  }

  @Test("Reports of what is no longer on, of another app, and without --play browser change nothing")
  func strangers() {
    var receiver = Self.receiver()
    receiver.play()
    let old = receiver.content?.id
    receiver.load(film)
    for id in [old, PlaybackID(sessionID: "other", number: 2), PlaybackID(sessionID: "", number: 99)] {
      guard let id else { continue }
      #expect(receiver.input(.player(.report(PlayerReport(id, order: 1, .ended)))) == [])
    }
    var plain = ReceiverHarness()
    plain.start()
    plain.load(film)
    let id = PlaybackID(sessionID: plain.transport, number: 1)
    #expect(
      plain.input(.player(.left)) == [] && plain.input(.player(.report(PlayerReport(id, order: 0, .ended)))) == [])
  }

  @Test("10 000 reports of any kind, at any time, between any commands end in a state that can be told")
  func anything() {
    var random = SeededGenerator(seed: 7)
    var receiver = Self.receiver()
    let states: [PlayerReport.State] = [
      .loading, .paused, .playing, .waiting, .ended, .blocked, .failed(code: 104),
    ]
    for _ in 0..<10_000 {
      switch Int.random(in: 0..<12, using: &random) {
      case 0: receiver.load(Self.clipped)
      case 1: _ = receiver.media("PAUSE")
      case 2: _ = receiver.media("PLAY")
      case 3: _ = receiver.media("SEEK", ["currentTime": .int(Int.random(in: -5...99, using: &random))])
      case 4: _ = receiver.input(.player(Bool.random(using: &random) ? .came : .left))
      case 5: _ = receiver.advance(by: .seconds(Int.random(in: 0...8, using: &random)))
      default:
        let state = states[Int.random(in: 0..<states.count, using: &random)]
        let seconds = Double.random(in: 0...40, using: &random)
        let isClip = Bool.random(using: &random) && receiver.screen.media?.adBreak?.clip?.id != nil
        _ = receiver.tell(state, seconds, duration: Bool.random(using: &random) ? 30 : nil, ofClip: isClip)
      }
      let status = receiver.status()
      #expect(status == nil || status?["playerState"]?.string != nil)
    }
  }
}

extension ReceiverHarness {
  var screen: ScreenSnapshot { machine.screen(at: now) }
  /// What the page is to have on.
  var content: ScreenSnapshot.Playback? { screen.media?.content }

  /// Has the page tell of what is on, having obeyed all that it was told.
  mutating func tell(
    _ state: PlayerReport.State, _ position: Double = 0, duration: Double? = nil,
    size: MediaBehavior.VideoSize? = nil, order: Int? = nil, ofClip: Bool = false
  ) -> [Heard] {
    guard let playback = ofClip ? screen.media?.adBreak?.clip : content, let id = playback.id else { return [] }
    return input(
      .player(
        .report(
          PlayerReport(
            id, order: order ?? playback.order, state, position: .milliseconds(Int(position * 1000)),
            duration: duration.map { .milliseconds(Int($0 * 1000)) }, size: size))))
  }

  /// Loads a film that the page then plays.
  mutating func play(duration: Double = 60) {
    load(film)
    _ = tell(.playing, duration: duration)
  }
}
