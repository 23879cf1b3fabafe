import CastProtocol
import Testing

@testable import CastReceiver

@Suite struct BreakTests {
  /// Ten minutes with a pre-roll, a mid-roll of two clips at 10 s, one at 30 s, and a post-roll.
  static let media: JSONValue = [
    "contentId": "film.mp4", "duration": 600,
    "breakClips": [
      ["id": "soap", "duration": 6, "contentType": "video/mp4"],
      ["id": "car", "duration": 15, "whenSkippable": 5, "contentId": "car.mp4"],
      ["id": "long", "contentUrl": "long.mp4", "whenSkippable": -1],
    ],
    "breaks": [
      ["id": "mid", "position": 10, "breakClipIds": ["car", "soap"], "isWatched": false],
      ["id": "pre", "position": 0, "breakClipIds": ["soap"], "isWatched": false],
      ["id": "late", "position": 30, "breakClipIds": ["long"]],
      ["id": "post", "position": -1, "breakClipIds": ["soap"]],
    ],
  ]

  static func loaded(_ media: JSONValue = media, _ members: JSONObject = [:]) -> ReceiverHarness {
    var receiver = ReceiverHarness()
    receiver.start()
    receiver.load(media, members)
    return receiver
  }

  /// In the mid-roll's first clip, just begun.
  static func inMidRoll() -> ReceiverHarness {
    var receiver = loaded()
    _ = receiver.advance(by: .seconds(16))
    return receiver
  }

  @Test("A pre-roll plays first: its clip buffers, plays with the media, and content starts at 0 after it")
  func preRoll() throws {
    var receiver = ReceiverHarness()
    receiver.start()
    let heard = receiver.load(Self.media)
    #expect(heard.summary == ["IDLE/LOADING", "BUFFERING pre/soap", "PLAYING pre/soap #101"])
    let playing = try #require(heard[2].media)
    #expect(playing["playbackRate"] == 0 && playing["currentTime"] == 0)
    #expect(playing["supportedMediaCommands"] == 274_445, "no seek in a break")
    #expect(
      playing["breakStatus"] == [
        "breakId": "pre", "breakClipId": "soap", "currentBreakTime": 0, "currentBreakClipTime": 0,
      ])
    let watched = playing["media"]?["breaks"]?.array?.map { $0["isWatched"] ?? .null }
    #expect(watched == [false, true, .null, .null], "watched from its start; the others as sent")
    #expect(receiver.advance(by: .milliseconds(5999)) == [])
    let end = receiver.advance(by: .milliseconds(1))
    #expect(end.summary == ["PLAYING"])
    let content = try #require(end.first?.media)
    #expect(content["playbackRate"] == 1 && content["currentTime"] == 0 && content["media"] == nil)
    #expect(content["supportedMediaCommands"] == 274_447)
  }

  @Test("A mid-roll tells its clips, the moment of the skip, and the end, and nothing between")
  func midRoll() throws {
    var receiver = Self.loaded()
    #expect(receiver.advance(by: .milliseconds(15_999)).summary == ["PLAYING"])
    let start = receiver.advance(by: .milliseconds(1))
    #expect(start.summary == ["BUFFERING mid/car", "PLAYING mid/car"])
    #expect(start[1].media?["supportedMediaCommands"] == 274_445, "no skip yet")
    #expect(start[1].media?["breakStatus"]?["whenSkippable"] == 5)
    #expect(start.allSatisfy { $0.media?["currentTime"] == 10 && $0.media?["media"] == nil })
    let cue = receiver.advance(by: .seconds(5))
    #expect(cue.summary == ["PLAYING mid/car"])
    #expect(cue[0].media?["breakStatus"]?["currentBreakClipTime"] == 5)
    #expect(cue[0].media?["supportedMediaCommands"] == 274_957)
    let next = receiver.advance(by: .seconds(10))
    #expect(next.summary == ["BUFFERING mid/soap", "PLAYING mid/soap"])
    #expect(next[1].media?["supportedMediaCommands"] == 274_445)
    #expect(
      next[1].media?["breakStatus"] == [
        "breakId": "mid", "breakClipId": "soap", "currentBreakTime": 15, "currentBreakClipTime": 0,
      ])
    let end = receiver.advance(by: .seconds(6))
    #expect(end.summary == ["PLAYING"])
    #expect(end[0].media?["currentTime"] == 10)
    _ = receiver.advance(by: .seconds(2))
    #expect(receiver.position() == 12)
  }

  @Test("Break times run in GET_STATUS; content stands")
  func times() {
    var receiver = Self.inMidRoll()
    _ = receiver.advance(by: .milliseconds(16_250))
    let status = receiver.status()
    #expect(status?["currentTime"] == 10)
    #expect(status?["breakStatus"]?["currentBreakTime"] == 16.25)
    #expect(status?["breakStatus"]?["currentBreakClipTime"] == 1.25)
  }

  @Test("SKIP_AD ends the clip, not the break; break time goes on from where it was")
  func skip() {
    var receiver = Self.inMidRoll()
    _ = receiver.advance(by: .milliseconds(5500))
    let heard = receiver.media("SKIP_AD")
    #expect(heard.summary == ["PLAYING mid/car #102", "BUFFERING mid/soap", "PLAYING mid/soap"])
    #expect(heard[2].media?["breakStatus"]?["currentBreakTime"] == 5.5)
    #expect(receiver.advance(by: .seconds(6)).summary == ["PLAYING"])
    #expect(receiver.position() == 10)
  }

  @Test("SKIP_AD of the last clip is answered by a status of the break, and one behind it says that it is over")
  func skipLast() {
    var receiver = Self.loaded([
      "contentId": "a.mp4", "breakClips": [["id": "c", "whenSkippable": 0]],
      "breaks": [["id": "b", "position": 0, "breakClipIds": ["c"]]],
    ])
    let heard = receiver.media("SKIP_AD")
    #expect(heard.summary == ["PLAYING b/c #102", "PLAYING"])
    #expect(heard[0].media?["playbackRate"] == 0 && heard[1].media?["playbackRate"] == 1)
    #expect(heard[1].media?["breakStatus"] == [:] && receiver.position() == 0)
  }

  static let skips: [(wait: Duration, answer: String)] = [
    (.seconds(3), "INVALID_REQUEST INVALID_REQUEST"), (.seconds(8), "ERROR INVALID_COMMAND"),
    (.milliseconds(20_999), "INVALID_REQUEST INVALID_REQUEST"), (.seconds(33), "INVALID_REQUEST INVALID_REQUEST"),
  ]
  @Test("SKIP_AD out of a break, too early or in a clip that cannot be skipped is refused", arguments: skips)
  func skipRefused(wait: Duration, answer: String) {
    var receiver = Self.loaded()
    _ = receiver.advance(by: wait)
    #expect(receiver.media("SKIP_AD").summary == ["\(answer) #102"])
  }

  @Test("SKIP_AD where there are no breaks is an error")
  func skipUnsupported() {
    var receiver = PlaybackTests.playing()
    #expect(receiver.media("SKIP_AD").summary == ["ERROR INVALID_COMMAND #102"])
  }

  @Test("The cue comes at the very moment from which SKIP_AD works")
  func cue() {
    var receiver = Self.inMidRoll()
    _ = receiver.advance(by: .seconds(5) - .nanoseconds(1))
    #expect(receiver.media("SKIP_AD").summary == ["INVALID_REQUEST INVALID_REQUEST #102"])
    receiver.now += .nanoseconds(1)
    #expect(
      receiver.media("SKIP_AD").summary == [
        "PLAYING mid/car", "PLAYING mid/car #103", "BUFFERING mid/soap", "PLAYING mid/soap",
      ])
  }

  @Test("PAUSE stops the clip and its cue, PLAY lets both go on")
  func pause() {
    var receiver = Self.inMidRoll()
    _ = receiver.advance(by: .seconds(4))
    #expect(receiver.media("PAUSE").summary == ["PAUSED mid/car #102"])
    #expect(receiver.machine.nextDeadline == nil)
    #expect(receiver.advance(by: .seconds(60)) == [])
    let heard = receiver.media("PLAY")
    #expect(heard.summary == ["PLAYING mid/car #103"])
    #expect(heard[0].media?["breakStatus"]?["currentBreakClipTime"] == 4)
    #expect(receiver.advance(by: .seconds(1)).summary == ["PLAYING mid/car"])
    #expect(receiver.advance(by: .seconds(16)).summary == ["BUFFERING mid/soap", "PLAYING mid/soap", "PLAYING"])
  }

  @Test("SEEK in a break changes nothing and is answered by an unchanged status")
  func seekInBreak() {
    var receiver = Self.inMidRoll()
    let heard = receiver.media("SEEK", ["currentTime": 400])
    #expect(heard.summary == ["PLAYING mid/car #102"])
    #expect(heard[0].media?["currentTime"] == 10)
  }

  @Test("A rate set in a break is for the content: the clip runs as before")
  func rateInBreak() {
    var receiver = Self.inMidRoll()
    let heard = receiver.media("SET_PLAYBACK_RATE", ["playbackRate": 2])
    #expect(heard.first?.media?["playbackRate"] == 0)
    #expect(receiver.machine.nextDeadline == receiver.now + .seconds(5))
    let end = receiver.advance(by: .seconds(21)).last?.media
    #expect(end?["playbackRate"] == 2 && end?["currentTime"] == 10)
    _ = receiver.advance(by: .seconds(3))
    #expect(receiver.position() == 16)
  }

  @Test("STOP in a break ends the session")
  func stopInBreak() {
    var receiver = Self.inMidRoll()
    #expect(receiver.media("STOP").summary == ["IDLE/CANCELLED #102"])
    #expect(receiver.machine.nextDeadline == nil)
  }

  @Test("Seeking over breaks plays the nearest before the target, shows the target meanwhile, then goes there")
  func seekOver() {
    var receiver = Self.loaded()
    _ = receiver.advance(by: .seconds(7))
    let heard = receiver.media("SEEK", ["currentTime": 200])
    #expect(heard.summary == ["BUFFERING late/long #102", "PLAYING late/long"])
    #expect(heard.allSatisfy { $0.media?["currentTime"] == 200 })
    let end = receiver.advance(by: .seconds(10))
    #expect(end.summary == ["PLAYING"])
    #expect(end[0].media?["currentTime"] == 200)
    #expect(receiver.media("SEEK", ["currentTime": 25]).summary == ["PLAYING #103"])
    #expect(receiver.advance(by: .seconds(10)) == [], "the break at 30 s is watched")
    #expect(receiver.media("SEEK", ["currentTime": 8]).summary == ["PLAYING #104"])
    #expect(receiver.advance(by: .seconds(2)).summary == ["BUFFERING mid/car", "PLAYING mid/car"])
  }

  @Test("Seeking to the very position of a break plays it and goes on from there")
  func seekTo() {
    var receiver = Self.loaded()
    _ = receiver.advance(by: .seconds(6))
    #expect(receiver.media("SEEK", ["currentTime": 10]).summary == ["BUFFERING mid/car #102", "PLAYING mid/car"])
    #expect(receiver.advance(by: .seconds(21)).last?.media?["currentTime"] == 10)
  }

  @Test("A seek over a break while paused waits in the break; PLAY starts it")
  func seekPaused() {
    var receiver = Self.loaded()
    _ = receiver.advance(by: .seconds(7))
    _ = receiver.media("PAUSE")
    #expect(receiver.media("SEEK", ["currentTime": 20]).summary == ["BUFFERING mid/car #103", "PAUSED mid/car"])
    #expect(receiver.advance(by: .seconds(50)) == [])
    #expect(receiver.media("PLAY").summary == ["PLAYING mid/car #104"])
    #expect(receiver.advance(by: .seconds(21)).last?.media?["currentTime"] == 20)
  }

  @Test("A post-roll plays at the end of the content, then the session is finished")
  func postRoll() {
    var receiver = Self.loaded(Self.media, ["currentTime": 590])
    let heard = receiver.advance(by: .seconds(10))
    #expect(heard.summary == ["BUFFERING post/soap", "PLAYING post/soap"])
    #expect(heard[1].media?["currentTime"] == 600)
    #expect(receiver.advance(by: .seconds(6)).summary == ["IDLE/FINISHED"])
  }

  @Test("A seek past the end plays the post-roll first")
  func seekToPostRoll() {
    var receiver = Self.loaded()
    _ = receiver.advance(by: .seconds(7))
    #expect(receiver.media("SEEK", ["currentTime": 9999]).summary == ["BUFFERING post/soap #102", "PLAYING post/soap"])
    #expect(receiver.advance(by: .seconds(6)).summary == ["IDLE/FINISHED"])
  }

  @Test("A start behind a break does not play it; one exactly at a break does")
  func start() {
    var receiver = ReceiverHarness()
    receiver.start()
    #expect(receiver.load(Self.media, ["currentTime": 5]).summary == ["IDLE/LOADING", "BUFFERING", "PLAYING #101"])
    #expect(
      receiver.load(Self.media, ["currentTime": 10]).summary.suffix(2) == ["BUFFERING mid/car", "PLAYING mid/car #102"])
  }

  @Test("Loaded paused, the pre-roll waits for PLAY")
  func paused() {
    var receiver = ReceiverHarness()
    receiver.start()
    #expect(receiver.load(Self.media, ["autoplay": false]).summary == ["IDLE/LOADING", "BUFFERING", "PAUSED #101"])
    #expect(receiver.media("PLAY").summary == ["BUFFERING pre/soap #102", "PLAYING pre/soap"])
  }

  @Test("An embedded break needs no loading")
  func embedded() {
    var receiver = Self.loaded([
      "contentId": "a.mp4", "breakClips": [["id": "c", "duration": 2]],
      "breaks": [["id": "b", "position": 3, "breakClipIds": ["c"], "isEmbedded": true]],
    ])
    #expect(receiver.advance(by: .seconds(5)).summary == ["PLAYING b/c", "PLAYING"])
    #expect(receiver.position() == 3)
  }

  @Test("Two breaks at one position play one after the other")
  func samePosition() {
    var receiver = Self.loaded([
      "contentId": "a.mp4", "breakClips": [["id": "c", "duration": 2]],
      "breaks": [
        ["id": "one", "position": 3, "breakClipIds": ["c"]], ["id": "two", "position": 3, "breakClipIds": ["c"]],
      ],
    ])
    #expect(
      receiver.advance(by: .seconds(7)).summary == [
        "BUFFERING one/c", "PLAYING one/c", "BUFFERING two/c", "PLAYING two/c", "PLAYING",
      ])
  }

  @Test("A clip no device plays is dropped with ERROR 104, a break without clips is passed over")
  func dropped() throws {
    var receiver = Self.loaded([
      "contentId": "a.mp4",
      "breakClips": [["id": "bad", "contentType": "text/html"], ["id": "good", "duration": 2]],
      "breaks": [
        ["id": "none", "position": 1, "breakClipIds": []],
        ["id": "gone", "position": 2, "breakClipIds": ["unknown"]],
        ["id": "bad", "position": 3, "breakClipIds": ["bad"]],
        ["id": "half", "position": 4, "breakClipIds": ["bad", "good"]],
        ["position": 5, "breakClipIds": ["good"]],
        ["id": "nowhere", "breakClipIds": ["good"]],
        "nonsense",
      ],
    ])
    let heard = receiver.advance(by: .seconds(10))
    #expect(heard.summary == ["ERROR", "ERROR", "BUFFERING half/good", "PLAYING half/good", "PLAYING"])
    #expect(heard[0].json == ["type": "ERROR", "detailedErrorCode": 104])
    #expect(receiver.position() == 8)
    let watched = try #require(receiver.status()?["media"]?["breaks"]?.array?.map { $0["isWatched"] })
    #expect(watched == [true, true, true, true, nil, nil, nil])
  }

  @Test("A break that was watched before does not play again")
  func watched() {
    var receiver = Self.loaded([
      "contentId": "a.mp4", "duration": 20, "breakClips": [["id": "c"]],
      "breaks": [["id": "b", "position": 3, "breakClipIds": ["c"], "isWatched": true]],
    ])
    #expect(receiver.advance(by: .seconds(20)).summary == ["IDLE/FINISHED"])
  }

  @Test("Live content has mid-rolls and no post-roll")
  func live() {
    var receiver = Self.loaded([
      "contentId": "a.m3u8", "streamType": "LIVE", "breakClips": [["id": "c", "duration": 2]],
      "breaks": [
        ["id": "b", "position": 3, "breakClipIds": ["c"]], ["id": "post", "position": -1, "breakClipIds": ["c"]],
      ],
    ])
    #expect(receiver.advance(by: .seconds(100)).summary == ["BUFFERING b/c", "PLAYING b/c", "PLAYING"])
    #expect(receiver.position() == 98)
  }

  @Test("Another LOAD in a break interrupts it; the new film has its own breaks")
  func interrupted() {
    var receiver = Self.inMidRoll()
    let heard = receiver.load(Self.media)
    #expect(
      heard.summary == ["IDLE/INTERRUPTED/LOADING", "BUFFERING pre/soap", "PLAYING pre/soap #102"])
  }
}
