import CastProtocol
import Testing

@testable import CastReceiver

/// What senders write in other ways than the documents say, and devices take all the same.
@Suite struct LeniencyTests {
  static let volumes: [(volume: JSONValue, level: Double?, muted: Bool?)] = [
    (["level": 0.35, "muted": .null], 0.35, false),
    (["level": .null, "muted": true], 1, true),
    (["level": "0.35"], 0.35, false),
    (["muted": 1], 1, true),
    (["muted": "true"], 1, true),
    (["level": .null, "muted": .null], nil, nil),
    (["level": "loud"], nil, nil),
    (["muted": 2], nil, nil),
  ]
  @Test("The device's volume is set by what is there: null is absent, and text may spell a value", arguments: volumes)
  func volume(volume: JSONValue, level: Double?, muted: Bool?) {
    var receiver = ReceiverHarness { $0.volumeStep = 0.01 }
    receiver.start()
    let heard = receiver.send(["type": "SET_VOLUME", "requestId": 9, "volume": volume])
    guard let level, let muted else {
      #expect(heard.summary == ["INVALID_REQUEST BAD_PARAMETER #9"])
      return
    }
    #expect(heard.summary == ["RECEIVER_STATUS #9"])
    let told = heard.first?.json["status"]?["volume"]
    #expect(abs((told?["level"]?.number ?? -1) - level) < 0.001 && told?["muted"]?.bool == muted)
  }

  @Test("null is absent as a media session id, too: LOAD and GET_STATUS work, PAUSE names none")
  func session() {
    var receiver = ReceiverHarness()
    receiver.start()
    #expect(receiver.media("LOAD", ["media": film, "mediaSessionId": .null]).last?.media?["playerState"] == "PLAYING")
    #expect(receiver.media("GET_STATUS", ["mediaSessionId": .null]).summary == ["PLAYING #102"])
    #expect(
      receiver.media("PAUSE", ["mediaSessionId": .null]).summary == ["INVALID_REQUEST INVALID_MEDIA_SESSION_ID #103"])
    #expect(receiver.media("PAUSE", ["mediaSessionId": "1"]).summary == ["PAUSED #104"])
  }

  static let loads: [(members: JSONObject, state: String, position: Double)] = [
    (["autoplay": "false"], "PAUSED", 0), (["autoplay": 0], "PAUSED", 0), (["autoplay": "0"], "PAUSED", 0),
    (["autoplay": "true"], "PLAYING", 0), (["autoplay": 1], "PLAYING", 0), (["autoplay": .null], "PLAYING", 0),
    (["currentTime": "10"], "PLAYING", 10), (["currentTime": "2.5", "playbackRate": "1.5"], "PLAYING", 2.5),
    (["activeTrackIds": .null, "playbackRate": .null, "queueData": .null, "repeatMode": .null], "PLAYING", 0),
  ]
  @Test("A LOAD says yes, no and numbers as devices take them", arguments: loads)
  func load(members: JSONObject, state: String, position: Double) {
    var receiver = ReceiverHarness()
    receiver.start()
    let last = receiver.load(film, members).last?.media
    #expect(last?["playerState"]?.string == state && last?["currentTime"]?.number == position, "\(members)")
  }

  static let commands: [(type: String, members: JSONObject, name: String, value: JSONValue)] = [
    ("SEEK", ["currentTime": "120", "resumeState": .null], "currentTime", 120),
    ("SEEK", ["currentTime": .null, "relativeTime": "30"], "currentTime", 30),
    ("SET_PLAYBACK_RATE", ["playbackRate": "2"], "playbackRate", 2),
    ("SET_PLAYBACK_RATE", ["playbackRate": .null, "relativePlaybackRate": 1.5], "playbackRate", 1.5),
    ("SET_VOLUME", ["volume": ["level": "0.5", "muted": .null]], "volume", ["level": 0.5, "muted": false]),
    ("SET_VOLUME", ["volume": ["muted": 1]], "volume", ["level": 1, "muted": true]),
    ("EDIT_TRACKS_INFO", ["activeTrackIds": ["2"], "language": .null], "activeTrackIds", [2]),
    ("EDIT_TRACKS_INFO", ["activeTrackIds": .null, "enableTextTracks": "true"], "activeTrackIds", [2]),
    ("QUEUE_UPDATE", ["repeatMode": "REPEAT_ALL", "shuffle": .null, "jump": .null], "repeatMode", "REPEAT_ALL"),
  ]
  @Test("A command says yes, no and numbers as devices take them", arguments: commands)
  func command(type: String, members: JSONObject, name: String, value: JSONValue) throws {
    var receiver = ReceiverHarness()
    receiver.start()
    var media = try #require(film.object)
    media["tracks"] = [["trackId": 2, "type": "TEXT", "language": .null]]
    receiver.load(.object(media))
    let heard = receiver.media(type, members)
    #expect(heard.last?.media?[name] == value, "\(heard.summary)")
  }

  @Test("null is absent where a sender connects, stops an app or asks who is there")
  func platform() {
    var receiver = ReceiverHarness()
    _ = receiver.open(1)
    #expect(
      receiver.send(
        ["type": "CONNECT", "connType": .null, "protocolVersion": .null, "protocolVersionList": .null],
        on: .connection) == [])
    _ = receiver.send(["type": "LAUNCH", "appId": "CC1AD845", "requestId": 1])
    #expect(receiver.send(["type": "STOP", "requestId": 2, "sessionId": .null]).first?.type == "RECEIVER_STATUS")
  }

  @Test("What is no truth value and no number is refused as before")
  func refused() {
    var receiver = ReceiverHarness()
    receiver.start()
    for members: JSONObject in [
      ["autoplay": "maybe"], ["autoplay": 2], ["autoplay": 0.5], ["currentTime": "soon"], ["currentTime": "nan"],
      ["currentTime": "inf"], ["playbackRate": true], ["activeTrackIds": ["en"]],
    ] {
      #expect(receiver.load0(members).first?.json["reason"] == "INVALID_PARAMS", "\(members)")
    }
  }
}

extension ReceiverHarness {
  fileprivate mutating func load0(_ members: JSONObject) -> [Heard] { load(film, members) }
}
