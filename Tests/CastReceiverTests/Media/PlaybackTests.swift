import CastProtocol
import Testing

@testable import CastReceiver

@Suite struct PlaybackTests {
  /// A receiver that has played `media` for ten seconds.
  static func playing(_ media: JSONValue = film, _ members: JSONObject = [:]) -> ReceiverHarness {
    var receiver = ReceiverHarness()
    receiver.start()
    receiver.load(media, members)
    _ = receiver.advance(by: .seconds(10))
    return receiver
  }

  @Test("PLAY and PAUSE answer everyone with one status without media")
  func pause() {
    var receiver = Self.playing()
    let heard = receiver.media("PAUSE")
    #expect(heard.summary == ["PAUSED #102"])
    #expect(heard[0].destination == "*" && heard[0].media?["media"] == nil && heard[0].media?["currentTime"] == 10)
    #expect(receiver.advance(by: .seconds(5)) == [])
    #expect(receiver.media("PAUSE").summary == ["PAUSED #103"])
    #expect(receiver.media("PLAY").summary == ["PLAYING #104"])
    #expect(receiver.position() == 10)
    _ = receiver.advance(by: .milliseconds(1500))
    #expect(receiver.media("PLAY").first?.media?["currentTime"] == 11.5)
  }

  @Test("STOP ends the session with CANCELLED; the app stays")
  func stop() {
    var receiver = Self.playing()
    let heard = receiver.media("STOP")
    #expect(heard.summary == ["IDLE/CANCELLED #102"])
    #expect(heard[0].media?["media"] == nil && heard[0].media?["repeatMode"] == nil)
    #expect(receiver.machine.nextDeadline == nil)
    #expect(receiver.media("GET_STATUS").summary == ["[] #103"])
    #expect(receiver.media("PLAY", ["mediaSessionId": 1]).summary == ["INVALID_REQUEST INVALID_MEDIA_SESSION_ID #104"])
  }

  static let ids: [(type: String, members: JSONObject, answer: [String])] = [
    ("PAUSE", ["mediaSessionId": 2], ["INVALID_REQUEST INVALID_MEDIA_SESSION_ID #102"]),
    ("PAUSE", ["mediaSessionId": "x"], ["INVALID_REQUEST INVALID_MEDIA_SESSION_ID #102"]),
    ("PAUSE", ["mediaSessionId": .null], ["INVALID_REQUEST INVALID_MEDIA_SESSION_ID #102"]),
    ("PAUSE", ["mediaSessionId": 1.0], ["PAUSED #102"]),
    ("GET_STATUS", ["mediaSessionId": 2], ["INVALID_REQUEST INVALID_MEDIA_SESSION_ID #102"]),
    ("GET_STATUS", ["mediaSessionId": 1], ["PLAYING #102"]),
    ("VOLUME", [:], ["INVALID_REQUEST INVALID_COMMAND #102"]),
    ("PAUSE", ["requestId": .null], []),
    ("PAUSE", ["requestId": "5"], []),
    ("PAUSE", ["requestId": -5], []),
  ]
  @Test("A wrong media session, an unknown type and a missing request id are told apart", arguments: ids)
  func correlation(type: String, members: JSONObject, answer: [String]) {
    var receiver = Self.playing()
    #expect(receiver.media(type, members).summary == answer)
  }

  @Test("Without a session a command gets INVALID_MEDIA_SESSION_ID and GET_STATUS an empty list, to the asker only")
  func noSession() {
    var receiver = ReceiverHarness()
    receiver.start()
    _ = receiver.open(2) + receiver.connect("b", to: receiver.transport, connection: 2)
    #expect(receiver.media("PLAY").summary == ["INVALID_REQUEST INVALID_MEDIA_SESSION_ID #101"])
    let heard = receiver.media("GET_STATUS", from: "b", connection: 2)
    #expect(heard.summary == ["[] #102"])
    #expect(heard.map(\.connection) == [2] && heard[0].destination == "b")
  }

  static let options: [(options: JSONValue, media: Bool, items: Bool)] = [
    (.null, true, true), (0, true, true), (1, false, true), (2, true, false), (3, false, false), ("x", true, true),
  ]
  @Test("The options of GET_STATUS leave out media and items", arguments: options)
  func statusOptions(options: JSONValue, media: Bool, items: Bool) {
    var receiver = Self.playing()
    let status = receiver.media("GET_STATUS", ["options": options]).first?.media
    #expect((status?["media"] != nil, status?["items"] != nil) == (media, items))
    #expect(status?["currentTime"] == 10)
  }

  static let seeks: [(members: JSONObject, answer: [String], position: Double)] = [
    (["currentTime": 90], ["PLAYING #102"], 90),
    (["currentTime": 0], ["PLAYING #102"], 0),
    (["currentTime": 90, "resumeState": "PLAYBACK_PAUSE"], ["PAUSED #102"], 90),
    (["currentTime": 90, "resumeState": "PLAYBACK_START"], ["PLAYING #102"], 90),
    (["currentTime": 90, "resumeState": .null], ["PLAYING #102"], 90),
    (["currentTime": 90, "resumeState": "SLEEP"], ["INVALID_REQUEST INVALID_PARAMS #102"], 10),
    (["relativeTime": 15.5], ["PLAYING #102"], 25.5),
    (["relativeTime": -3, "currentTime": 400], ["PLAYING #102"], 7),
    (["relativeTime": -30], ["PLAYING #102"], 0),
    (["currentTime": -1], ["PLAYING #102"], 10),
    ([:], ["INVALID_REQUEST INVALID_PARAMS #102"], 10),
    (["currentTime": "soon"], ["INVALID_REQUEST INVALID_PARAMS #102"], 10),
    (["relativeTime": "soon", "currentTime": 90], ["INVALID_REQUEST INVALID_PARAMS #102"], 10),
    (["currentTime": 1e300], ["IDLE/FINISHED #102"], .nan),
    (["currentTime": 600], ["IDLE/FINISHED #102"], .nan),
    (["relativeTime": 9e18], ["IDLE/FINISHED #102"], .nan),
  ]
  @Test("SEEK moves, keeps or sets whether it plays, and ends the content when it goes to its end", arguments: seeks)
  func seek(members: JSONObject, answer: [String], position: Double) {
    var receiver = Self.playing()
    #expect(receiver.media("SEEK", members).summary == answer)
    #expect(receiver.position() == (position.isNaN ? nil : position))
  }

  @Test("A seek while paused stays paused, unless it says otherwise")
  func seekPaused() {
    var receiver = Self.playing()
    _ = receiver.media("PAUSE")
    #expect(receiver.media("SEEK", ["currentTime": 50]).summary == ["PAUSED #103"])
    _ = receiver.advance(by: .seconds(9))
    #expect(receiver.position() == 50)
    let seek: JSONObject = ["currentTime": 60, "resumeState": "PLAYBACK_START"]
    #expect(receiver.media("SEEK", seek).summary == ["PLAYING #105"])
  }

  @Test("Where a device buffers at a seek, that status has the id and the one behind it has none")
  func seekBuffering() {
    var receiver = ReceiverHarness { $0.media.seekReply = .buffering }
    receiver.start()
    receiver.load(film)
    #expect(receiver.media("SEEK", ["currentTime": 90]).summary == ["BUFFERING #102", "PLAYING"])
  }

  static let rates: [(members: JSONObject, rate: Double?)] = [
    (["playbackRate": 0.5], 0.5), (["playbackRate": 2], 2), (["playbackRate": 1.25], 1.25),
    (["relativePlaybackRate": 1.1], 1.65), (["relativePlaybackRate": 0.5, "playbackRate": 2], 2),
    (["playbackRate": 0.49], nil), (["playbackRate": 2.01], nil), (["playbackRate": 0], nil),
    (["playbackRate": -1], nil), (["relativePlaybackRate": 2], nil), (["playbackRate": 1e300], nil),
    (["playbackRate": "fast"], nil), ([:], nil),
  ]
  @Test("SET_PLAYBACK_RATE takes 0.5 to 2, or a factor on the present rate", arguments: rates)
  func rate(members: JSONObject, rate: Double?) {
    var receiver = Self.playing(film, ["playbackRate": 1.5])
    let heard = receiver.media("SET_PLAYBACK_RATE", members)
    #expect(heard.summary == [rate == nil ? "INVALID_REQUEST INVALID_PARAMS #102" : "PLAYING #102"])
    #expect(receiver.status()?["playbackRate"]?.number == rate ?? 1.5)
    #expect(receiver.position() == 15)
  }

  static let volumes: [(volume: JSONValue, level: Double?, muted: Bool?)] = [
    (["level": 0.25], 0.25, false), (["muted": true], 1, true), (["level": 0, "muted": true], 0, true),
    (["level": 1.01], nil, nil), (["level": -0.1], nil, nil), (["level": "loud"], nil, nil), (["muted": 2], nil, nil),
    ([:], nil, nil), (5, nil, nil),
  ]
  @Test("SET_VOLUME changes the stream's volume, exactly, and not the device's", arguments: volumes)
  func volume(volume: JSONValue, level: Double?, muted: Bool?) {
    var receiver = Self.playing()
    let heard = receiver.media("SET_VOLUME", ["volume": volume])
    if let level, let muted {
      #expect(heard.summary == ["PLAYING #102"])
      #expect(heard.first?.media?["volume"] == ["level": JSONValue(level), "muted": .bool(muted)])
    } else {
      #expect(heard.summary == ["INVALID_REQUEST INVALID_PARAMS #102"])
    }
    #expect(receiver.machine.volume.level == 1 && !receiver.machine.volume.isMuted)
  }

  @Test("An image has no position and no rate", arguments: ["SEEK", "SET_PLAYBACK_RATE"])
  func image(type: String) {
    var receiver = Self.playing(["contentId": "a.png", "streamType": "NONE"])
    let heard = receiver.media(type, ["currentTime": 4, "playbackRate": 1])
    #expect(heard.summary == ["INVALID_PLAYER_STATE #102"])
    #expect(receiver.status()?["supportedMediaCommands"]?.int == 274_447 - 2 - 8192)
  }

  @Test("Nothing is sent while content just plays")
  func silence() {
    var receiver = Self.playing()
    #expect(receiver.advance(by: .seconds(589)) == [])
  }
}
