import CastProtocol
import Testing

@testable import CastReceiver

/// The choices in which media apps differ, and what outlasts what is loaded.
@Suite struct MediaBehaviorTests {
  static func receiver(_ change: (inout MediaBehavior) -> Void = { _ in }) -> ReceiverHarness {
    var receiver = ReceiverHarness { change(&$0.media) }
    receiver.start()
    return receiver
  }

  static let midRoll: JSONValue = [
    "contentId": "a.mp4", "duration": 60, "breakClips": [["id": "c", "duration": 4, "whenSkippable": 1.5]],
    "breaks": [["id": "b", "position": 10, "breakClipIds": ["c"]]],
  ]

  // MARK: statuses that come by themselves

  @Test("A status follows a second after playback has begun, also of what was loaded paused, and only once")
  func confirmation() {
    var receiver = Self.receiver { $0.confirmsStart = true }
    receiver.load(film, ["autoplay": false])
    #expect(receiver.advance(by: .seconds(5)) == [])
    _ = receiver.media("PLAY")
    #expect(receiver.advance(by: .milliseconds(999)) == [])
    let heard = receiver.advance(by: .milliseconds(1))
    #expect(heard.summary == ["PLAYING"] && heard.first?.media?["currentTime"] == 1)
    _ = receiver.media("PAUSE") + receiver.media("PLAY")
    #expect(receiver.advance(by: .seconds(60)) == [])
  }

  @Test("A pause within the first second takes the status back that would have followed")
  func noConfirmation() {
    var receiver = Self.receiver { $0.confirmsStart = true }
    receiver.load(film)
    _ = receiver.media("PAUSE")
    #expect(receiver.advance(by: .seconds(5)) == [])
  }

  @Test("A status comes every second of a clip and at the moment from which it can be skipped")
  func ticks() {
    var receiver = Self.receiver { $0.ticksInBreaks = true }
    receiver.load(Self.midRoll)
    let start = receiver.advance(by: .seconds(10))
    #expect(start.summary == ["BUFFERING b/c", "PLAYING b/c"])
    let heard = receiver.advance(by: .milliseconds(3999))
    let times = heard.compactMap { $0.media?["breakStatus"]?["currentBreakClipTime"]?.number }
    #expect(times == [1, 1.5, 2, 3])
    let canSkip = heard.compactMap { $0.media?["supportedMediaCommands"]?.int.map { $0 & 512 != 0 } }
    #expect(canSkip == [false, true, true, true])
    _ = receiver.media("PAUSE")
    #expect(receiver.advance(by: .seconds(9)) == [])
  }

  // MARK: choices

  static let joinings: [(choice: MediaBehavior.Joining, empty: [String], playing: [String])] = [
    (.silent, [], []), (.emptyStatus, ["[]"], []), (.status, ["[]"], ["PLAYING"]),
  ]
  @Test("What a sender hears when it joins", arguments: joinings)
  func joining(choice: MediaBehavior.Joining, empty: [String], playing: [String]) {
    var receiver = Self.receiver { $0.joining = choice }
    func joined(_ receiver: inout ReceiverHarness, _ sender: String) -> [String] {
      receiver.connect(sender, to: receiver.transport).filter { $0.namespace == .media }.summary
    }
    #expect(joined(&receiver, "b") == empty)
    receiver.load(film)
    #expect(joined(&receiver, "c") == playing)
  }

  @Test("After a break statuses say an empty break status, or nothing of breaks, until other media are loaded")
  func breakEnd() {
    for clears in [true, false] {
      var receiver = Self.receiver { $0.clearsBreakStatus = clears }
      receiver.load(Self.midRoll)
      let heard = receiver.advance(by: .seconds(14)) + receiver.media("PAUSE") + receiver.load(film)
      let expected: [JSONValue?] = clears ? [[:], [:], [:], nil, nil] : [nil, nil, nil, nil, nil]
      #expect(heard.suffix(5).map { $0.media?["breakStatus"] } == expected)
    }
  }

  @Test("Commands that are set are those of every status, but for SEEK and SKIP_AD in a break")
  func commands() {
    var receiver = Self.receiver { $0.commands = 12_495 }
    receiver.load(Self.midRoll)
    #expect(receiver.status()?["supportedMediaCommands"] == 12_495)
    _ = receiver.advance(by: .seconds(10))
    #expect(receiver.status()?["supportedMediaCommands"] == 12_493)
    _ = receiver.advance(by: .seconds(2))
    #expect(receiver.status()?["supportedMediaCommands"] == 13_005)
  }

  @Test("Without BUFFERING before PLAYING; a STOP with the rate as it was; all items")
  func others() {
    var receiver = Self.receiver {
      $0.buffersAtStart = false
      $0.stopsRate = false
      $0.showsNeighboursOnly = false
    }
    let heard = receiver.media("QUEUE_LOAD", ["items": QueueTests.items("a", "b", "c", "d")])
    #expect(heard.summary == ["IDLE/LOADING", "PLAYING #101"])
    #expect(QueueTests.integers(heard.last?.media?["items"], "itemId") == [1, 2, 3, 4])
    #expect(receiver.media("STOP").first?.media?["playbackRate"] == 1)
  }

  @Test(
    "Each setting changes the behavior by each of its values but the first, and takes no other",
    arguments: MediaSetting.allCases)
  func settings(setting: MediaSetting) throws {
    var behavior = MediaBehavior()
    #expect(!setting.apply("purple", to: &behavior) && behavior == MediaBehavior())
    let values: [String]
    switch setting.values {
    case .words(let words): values = words
    case .form(let example, _):
      for wrong in ["", "-1", "0x0", "99999999999999999999", example + "x", " " + example] {
        #expect(!setting.apply(wrong, to: &behavior) && behavior == MediaBehavior(), "\(wrong)")
      }
      #expect(setting.apply(example, to: &behavior) && behavior != MediaBehavior())
      return
    }
    #expect(setting.apply(try #require(values.first), to: &behavior) && behavior == MediaBehavior(), "the default")
    var seen: Set<MediaBehavior> = [behavior]
    for value in values.dropFirst() {
      #expect(setting.apply(value, to: &behavior) && seen.insert(behavior).inserted, "\(value)")
    }
  }

  // MARK: what outlasts the media

  @Test("A rate lasts for what is loaded next; statuses of the load show what the player ran at")
  func rate() {
    var receiver = Self.receiver()
    receiver.load(film)
    _ = receiver.media("SET_PLAYBACK_RATE", ["playbackRate": 0.5])
    let heard = receiver.load(film)
    #expect(heard.compactMap { $0.media?["playbackRate"]?.number } == [0.5, 0.5, 0.5])
    _ = receiver.load(film, ["playbackRate": 2])
    _ = receiver.advance(by: .seconds(3))
    #expect(receiver.position() == 6)
  }

  @Test("Media with breaks play at the rate that their LOAD gives, else at normal speed; what is loaded next does not")
  func rateWithBreaks() {
    var receiver = Self.receiver()
    receiver.load(Self.midRoll, ["playbackRate": 2])
    let end = receiver.advance(by: .seconds(9)).last?.media
    #expect(end?["playbackRate"] == 2 && end?["currentTime"] == 10)
    #expect(receiver.load(Self.midRoll).last?.media?["playbackRate"] == 1)
    let next = receiver.load(film)
    #expect(next.first?.media?["playbackRate"] == 1 && next.last?.media?["playbackRate"] == 2)
  }

  @Test("A caption style lasts for media without one of their own and without breaks, once they play")
  func style() {
    let (red, blue): (JSONValue, JSONValue) = (["foregroundColor": "#FF0000FF"], ["foregroundColor": "#0000FFFF"])
    var receiver = Self.receiver()
    receiver.load(film)
    _ = receiver.media("EDIT_TRACKS_INFO", ["textTrackStyle": red])
    let next = receiver.load(film)
    #expect(next.first?.media?["extendedStatus"]?["media"]?["textTrackStyle"] == nil)
    #expect(next.last?.media?["media"]?["textTrackStyle"] == red)
    #expect(next.last?.media?["items"]?.array?.first?["media"]?["textTrackStyle"] == nil)
    #expect(receiver.load(Self.midRoll).last?.media?["media"]?["textTrackStyle"] == nil)
    let own: JSONValue = ["contentId": "a.mp4", "textTrackStyle": blue]
    #expect(receiver.load(own).last?.media?["media"]?["textTrackStyle"] == blue)
  }

  @Test("The item of a plain LOAD keeps the custom data and the tracks of the request")
  func item() {
    var receiver = Self.receiver()
    let media: JSONValue = ["contentId": "a.mp4", "tracks": [["trackId": 1, "type": "TEXT"]]]
    let item = receiver.load(media, ["customData": ["k": 1], "activeTrackIds": [1]]).last?.media?["items"]?.array?.first
    #expect(item?["customData"] == ["k": 1] && item?["activeTrackIds"] == [1])
  }
}
