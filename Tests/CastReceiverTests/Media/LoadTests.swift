import CastProtocol
import Testing

@testable import CastReceiver

@Suite struct LoadTests {
  @Test("LOAD gives LOADING and BUFFERING without its id, then PLAYING with it, all to everyone")
  func sequence() throws {
    var receiver = ReceiverHarness()
    receiver.start()
    let heard = receiver.load(film)
    #expect(heard.summary == ["IDLE/LOADING", "BUFFERING", "PLAYING #101"])
    #expect(heard.allSatisfy { $0.destination == "*" && $0.source == receiver.transport })
    let (loading, buffering, playing) = (
      try #require(heard[0].media), try #require(heard[1].media), try #require(heard[2].media)
    )
    #expect(
      loading == [
        "mediaSessionId": 1, "playbackRate": 1, "playerState": "IDLE", "currentTime": 0,
        "supportedMediaCommands": 274_447, "volume": ["level": 1, "muted": false],
        "media": [
          "contentId": "https://cdn.example.com/film.mp4", "contentType": "video/mp4", "streamType": "BUFFERED",
          "duration": 600, "mediaCategory": "VIDEO",
        ],
        "currentItemId": 1,
        "extendedStatus": [
          "playerState": "LOADING", "media": loading["media"] ?? .null, "mediaSessionId": 1,
        ],
        "repeatMode": "REPEAT_OFF",
      ])
    #expect(buffering["media"] == nil && buffering["items"] == nil)
    #expect(playing["media"]?["duration"] == 600 && playing["media"]?["breaks"] == [])
    #expect(playing["media"]?["tracks"] == [] && playing["media"]?["breakClips"] == [])
    #expect(playing["items"]?.array?.first?["itemId"] == 1 && playing["activeTrackIds"] == [])
  }

  @Test("Each LOAD raises the media session id; the old session is INTERRUPTED and names what comes")
  func interrupted() throws {
    var receiver = ReceiverHarness()
    receiver.start()
    receiver.load(film)
    _ = receiver.advance(by: .seconds(3))
    let heard = receiver.load(["contentId": "two.mp3"])
    #expect(heard.summary == ["IDLE/INTERRUPTED/LOADING", "BUFFERING", "PLAYING #102"])
    #expect(heard.compactMap { $0.media?["mediaSessionId"]?.int } == [1, 2, 2])
    let old = try #require(heard[0].media)
    #expect(old["currentTime"] == 0 && old["media"] == nil)
    #expect(old["extendedStatus"]?["media"]?["contentId"] == "two.mp3")
    #expect(old["extendedStatus"]?["mediaSessionId"] == 2)
  }

  static let refused: [(name: String, members: JSONObject)] = [
    ("no media", [:]),
    ("media is no object", ["media": "film"]),
    ("no address", ["media": ["contentType": "video/mp4"]]),
    ("an empty address", ["media": ["contentId": ""]]),
    ("a track without type", ["media": ["contentId": "a", "tracks": [["trackId": 1]]]]),
    ("a track without id", ["media": ["contentId": "a", "tracks": [["type": "TEXT"]]]]),
    ("tracks are no list", ["media": ["contentId": "a", "tracks": 5]]),
    ("breaks are no list", ["media": ["contentId": "a", "breaks": "mid"]]),
    ("an unknown active track", ["media": film, "activeTrackIds": [1]]),
    ("active tracks are no numbers", ["media": film, "activeTrackIds": ["en"]]),
    ("rate 0.4", ["media": film, "playbackRate": 0.4]),
    ("rate 2.1", ["media": film, "playbackRate": 2.1]),
    ("rate is no number", ["media": film, "playbackRate": "fast"]),
    ("start is no number", ["media": film, "currentTime": "soon"]),
    ("autoplay is no flag", ["media": film, "autoplay": 2]),
    (
      "two active sound tracks",
      [
        "media": [
          "contentId": "a", "tracks": [["trackId": 1, "type": "AUDIO"], ["trackId": 2, "type": "AUDIO"]],
        ], "activeTrackIds": [1, 2],
      ]
    ),
  ]
  @Test("A LOAD with wrong parameters gets INVALID_PARAMS and leaves what plays", arguments: refused)
  func parameters(name: String, members: JSONObject) {
    var receiver = ReceiverHarness()
    receiver.start()
    receiver.load(film)
    let heard = receiver.media("LOAD", members)
    #expect(heard.summary == ["INVALID_REQUEST INVALID_PARAMS #102"], "\(name)")
    #expect(heard.first?.destination == "sender-0")
    #expect(receiver.status()?["mediaSessionId"] == 1)
  }

  @Test("A media too long or too deep to be told in a status is refused")
  func tooMuch() {
    var receiver = ReceiverHarness()
    receiver.start()
    let long: JSONValue = ["contentId": "a", "customData": .string(String(repeating: "x", count: 50_000))]
    #expect(receiver.load(long).summary == ["INVALID_REQUEST INVALID_PARAMS #101"])
    let deep = (0..<40).reduce(JSONValue.null) { value, _ in [value] }
    #expect(receiver.load(["contentId": "a", "customData": deep]).summary == ["INVALID_REQUEST INVALID_PARAMS #102"])
  }

  @Test("A long media is told once per status, so that every status fits a frame")
  func longMedia() throws {
    var receiver = ReceiverHarness()
    receiver.start()
    let media: JSONValue = ["contentId": "a", "customData": .string(String(repeating: "x", count: 48_000))]
    let heard = receiver.load(media)
    #expect(heard.summary == ["IDLE/LOADING", "BUFFERING", "PLAYING #101"])
    #expect(heard[2].media?["items"] == nil && heard[0].media?["extendedStatus"]?["media"] == nil)
    for message in heard { #expect(message.json.serialized().utf8.count < 60_000) }
  }

  static let types: [(media: JSONObject, category: String?)] = [
    (["contentType": "video/mp4"], "VIDEO"),
    (["contentType": "VIDEO/MP4; codecs=avc1"], "VIDEO"),
    (["contentType": "audio/mpeg"], "AUDIO"),
    (["contentType": "image/png"], "IMAGE"),
    (["contentType": "application/x-mpegURL"], "VIDEO"),
    (["contentType": "application/vnd.apple.mpegurl"], "VIDEO"),
    (["contentType": "application/dash+xml"], "VIDEO"),
    (["contentType": "text/html"], nil),
    (["contentType": "application/pdf"], nil),
    (["contentType": "application/octet-stream"], nil),
    (["contentType": "music"], "VIDEO"),
    (["contentType": "music", "contentId": "a/b.mp3?x=1.png"], "AUDIO"),
    (["contentType": .null, "contentId": "a.JPG"], "IMAGE"),
    (["contentId": "a.opus#t=3"], "AUDIO"),
    (["contentId": "id", "contentUrl": "b.webp"], "IMAGE"),
    (["contentId": "noSuffix"], "VIDEO"),
    ([:], "VIDEO"),
  ]
  @Test("What neither is nor may be video, sound, image, HLS or DASH fails with LOAD_FAILED 104", arguments: types)
  func contentType(media: JSONObject, category: String?) {
    var receiver = ReceiverHarness()
    receiver.start()
    var object: JSONObject = ["contentId": "https://x/y"]
    for member in media.members { object[member.name] = member.value }
    let heard = receiver.load(.object(object))
    if let category {
      #expect(heard.last?.media?["media"]?["mediaCategory"]?.string == category)
      #expect(heard.last?.media?["playerState"] == "PLAYING")
    } else {
      #expect(heard.summary == ["IDLE/LOADING", "LOAD_FAILED #101", "IDLE/ERROR"])
      #expect(heard[1].json["detailedErrorCode"] == 104 && heard[1].destination == "sender-0")
      #expect(receiver.media("GET_STATUS").summary == ["[] #102"])
      #expect(receiver.machine.nextDeadline == nil)
    }
  }

  static let lengths: [(media: JSONObject, end: Duration?)] = [
    (["duration": 12.5], .milliseconds(12_500)),
    ([:], .seconds(60)),
    (["duration": 0], .seconds(60)),
    (["duration": -1], .seconds(60)),
    (["duration": .null], .seconds(60)),
    (["duration": "long"], .seconds(60)),
    (["streamType": "LIVE"], nil),
    (["streamType": "live", "duration": 5], nil),
    (["streamType": "NONE", "contentType": "image/png"], nil),
    (["contentType": "image/png"], nil),
  ]
  @Test("Content ends after its duration, else after a minute; live streams and images never do", arguments: lengths)
  func end(media: JSONObject, end: Duration?) {
    var receiver = ReceiverHarness()
    receiver.start()
    var object: JSONObject = ["contentId": "a.mp4"]
    object.members += media.members
    let playing = receiver.load(.object(object)).last?.media
    #expect(receiver.machine.nextDeadline == end)
    if let end {
      #expect(playing?["media"]?["duration"]?.number == end.seconds)
      _ = receiver.advance(by: end - .nanoseconds(1))
      #expect(receiver.media("GET_STATUS").summary == ["PLAYING #102"])
      #expect(receiver.advance(by: .nanoseconds(1)).summary == ["IDLE/FINISHED"])
      #expect(receiver.media("GET_STATUS").summary == ["[] #103"])
    } else {
      #expect(receiver.advance(by: .seconds(1_000_000)) == [])
    }
  }

  static let starts: [(members: JSONObject, state: String, position: Double)] = [
    (["currentTime": 90.5], "PLAYING", 90.5),
    (["currentTime": -4], "PLAYING", 0),
    (["currentTime": .null, "autoplay": .null], "PLAYING", 0),
    (["currentTime": 30, "autoplay": false], "PAUSED", 30),
    (["currentTime": 9999, "autoplay": false], "PAUSED", 600),
    (["playbackRate": 1.5, "autoplay": true], "PLAYING", 0),
  ]
  @Test("LOAD starts where and how it is told", arguments: starts)
  func start(members: JSONObject, state: String, position: Double) {
    var receiver = ReceiverHarness()
    receiver.start()
    let last = receiver.load(film, members).last?.media
    #expect(last?["playerState"]?.string == state && last?["currentTime"]?.number == position)
    #expect(last?["playbackRate"]?.number == members["playbackRate"]?.number ?? 1)
  }

  @Test("A LOAD that starts at the end plays and ends at once")
  func startAtEnd() {
    var receiver = ReceiverHarness()
    receiver.start()
    #expect(
      receiver.load(film, ["currentTime": 600]).summary == [
        "IDLE/LOADING", "BUFFERING", "PLAYING #101", "IDLE/FINISHED",
      ])
  }

  @Test("Media ids restart with a new app session, and go on within one")
  func sessions() {
    var receiver = ReceiverHarness()
    receiver.start()
    receiver.load(film)
    _ = receiver.media("STOP")
    #expect(receiver.load(film).last?.media?["mediaSessionId"] == 2)
    _ = receiver.send(["type": "STOP", "requestId": 1])
    _ =
      receiver.send(["type": "LAUNCH", "appId": "CC1AD845", "requestId": 2]) + receiver.connect(to: receiver.transport)
    #expect(receiver.load(film).last?.media?["mediaSessionId"] == 1)
  }
}
