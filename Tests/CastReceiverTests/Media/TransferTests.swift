import CastProtocol
import Testing

@testable import CastReceiver

@Suite struct TransferTests {
  /// The state that a receiver stores, as the sender gets it.
  static func stored(_ receiver: inout ReceiverHarness) throws -> JSONValue {
    let heard = receiver.media("STORE_SESSION")
    #expect(heard.count == 1 && heard.first?.type == "SESSION_STATE" && heard.first?.destination == "sender-0")
    return try #require(heard.first?.json["sessionState"])
  }

  @Test("A stored session says what a LOAD must say to go on where it is")
  func store() throws {
    var receiver = PlaybackTests.playing(TrackTests.media, ["activeTrackIds": [2], "playbackRate": 2])
    _ = receiver.advance(by: .seconds(4))
    let load = try Self.stored(&receiver)["loadRequestData"]
    #expect(load?["type"] == "LOAD" && load?["currentTime"] == 28 && load?["playbackRate"] == 2)
    #expect(load?["activeTrackIds"] == [2] && load?["autoplay"] == true)
    #expect(load?["media"]?["contentId"] == TrackTests.media["contentId"])
    #expect(load?["queueData"] == nil)
    _ = receiver.media("PAUSE")
    #expect(try Self.stored(&receiver)["loadRequestData"]?["autoplay"] == false)
  }

  @Test("What one receiver stores another one resumes: place, rate, tracks, queue; the first plays on")
  func resume() throws {
    var first = QueueTests.playing(["a", "b", "c"], ["startIndex": 1, "repeatMode": "REPEAT_ALL"])
    _ = first.media("SET_PLAYBACK_RATE", ["playbackRate": 1.5])
    _ = first.advance(by: .seconds(4))
    let state = try Self.stored(&first)
    var second = ReceiverHarness()
    second.start()
    let heard = second.media("RESUME_SESSION", ["sessionState": state])
    #expect(heard.summary == ["IDLE/LOADING", "BUFFERING", "PLAYING #101"])
    let playing = try #require(heard.last?.media)
    #expect(playing["media"]?["contentId"] == "b" && playing["currentTime"] == 6 && playing["playbackRate"] == 1.5)
    #expect(playing["repeatMode"] == "REPEAT_ALL")
    #expect(playing["items"]?.array?.compactMap { $0["media"]?["contentId"]?.string } == ["a", "b", "c"])
    #expect(first.status()?["playerState"] == "PLAYING")
  }

  @Test("A break that was watched is not played again after a transfer")
  func watched() throws {
    var first = PlaybackTests.playing([
      "contentId": "a", "duration": 60, "breakClips": [["id": "c", "duration": 2]],
      "breaks": [["id": "b", "position": 5, "breakClipIds": ["c"]]],
    ])
    _ = first.advance(by: .seconds(8))
    let state = try Self.stored(&first)
    var second = ReceiverHarness()
    second.start()
    _ = second.media("RESUME_SESSION", ["sessionState": state])
    _ = second.media("SEEK", ["currentTime": 4])
    #expect(second.advance(by: .seconds(3)).summary == [])
  }

  static let wrong: [JSONValue] = [.null, 5, [:], ["loadRequestData": 5], ["loadRequestData": [:]]]
  @Test("A state without a LOAD in it is refused", arguments: wrong)
  func wrongState(state: JSONValue) {
    var receiver = ReceiverHarness()
    receiver.start()
    #expect(
      receiver.media("RESUME_SESSION", ["sessionState": state]).summary == ["INVALID_REQUEST INVALID_PARAMS #101"])
  }

  @Test("A stored session fits a frame, however long its media and its queue are")
  func length() throws {
    var receiver = ReceiverHarness()
    receiver.start()
    for length in [5000, 15_000, 40_000] {
      let item = QueueTests.item("x", ["customData": .string(String(repeating: "x", count: length))])
      let media: JSONValue = ["contentId": "m", "customData": .string(String(repeating: "x", count: length))]
      _ = receiver.media("QUEUE_LOAD", ["items": [["media": media], item, item, item]])
      #expect(try Self.stored(&receiver).serialized().utf8.count < 60_000)
    }
  }

  @Test("A receiver without stream transfer neither offers nor knows it")
  func unsupported() {
    var receiver = ReceiverHarness { $0.media.supportsStreamTransfer = false }
    receiver.start()
    receiver.load(film)
    #expect(receiver.status()?["supportedMediaCommands"] == 12303)
    #expect(receiver.media("STORE_SESSION").summary == ["INVALID_REQUEST INVALID_COMMAND #103"])
    #expect(receiver.media("RESUME_SESSION").summary == ["INVALID_REQUEST INVALID_COMMAND #104"])
  }

  @Test("The multizone status says what plays while something does")
  func multizone() {
    var receiver = ReceiverHarness()
    receiver.start()
    func session() -> JSONValue? {
      receiver.send(["type": "GET_STATUS", "requestId": 5], on: .multizone).first?.json["status"]?["playbackSession"]
    }
    #expect(session() == nil)
    receiver.load(["contentId": "a.mp3", "contentType": "audio/mpeg"])
    #expect(session() == ["appAllowsGrouping": true, "isVideoContent": false, "streamTransferSupported": true])
  }

  // MARK: playing again

  @Test("PLAY_AGAIN starts what plays, or what ended up to a quarter of an hour ago, from its beginning")
  func playAgain() {
    var receiver = ReceiverHarness()
    receiver.start()
    #expect(receiver.media("PLAY_AGAIN").summary == ["INVALID_REQUEST INVALID_MEDIA_SESSION_ID #101"])
    receiver.load(film, ["currentTime": 590])
    let again = receiver.media("PLAY_AGAIN")
    #expect(again.summary == ["IDLE/INTERRUPTED/LOADING", "BUFFERING", "PLAYING #103"])
    #expect(again.last?.media?["currentTime"] == 0 && again.last?.media?["mediaSessionId"] == 2)
    _ = receiver.advance(by: .seconds(600 + 900))
    #expect(receiver.media("PLAY_AGAIN").last?.media?["playerState"] == "PLAYING")
    _ = receiver.advance(by: .seconds(600 + 901))
    #expect(receiver.media("PLAY_AGAIN").summary == ["INVALID_REQUEST INVALID_MEDIA_SESSION_ID #105"])
  }

  static let hints: [(members: JSONObject, answer: String)] = [
    (["precacheData": "x"], "ERROR NOT_SUPPORTED #101"), ([:], "ERROR INVALID_PARAMS #101"),
    (["precacheData": 5], "ERROR INVALID_PARAMS #101"),
  ]
  @Test("PRECACHE is answered by an error: nothing is fetched ahead", arguments: hints)
  func precache(members: JSONObject, answer: String) {
    var receiver = ReceiverHarness()
    receiver.start()
    #expect(receiver.media("PRECACHE", members).summary == [answer])
  }

  // MARK: sound tracks

  static let sound: [(members: JSONObject, active: [Int]?, refusal: String?)] = [
    (["language": "en"], [3, 2], nil), (["language": "en-GB"], [3, 2], nil), ([:], [3, 1], nil),
    (["language": "fi"], nil, "LANGUAGE_NOT_SUPPORTED"), (["language": 5], nil, "INVALID_PARAMS"),
  ]
  @Test("EDIT_AUDIO_TRACKS chooses the sound by language, without one the first; text stays", arguments: sound)
  func audioTracks(members: JSONObject, active: [Int]?, refusal: String?) {
    let media: JSONValue = [
      "contentId": "a",
      "tracks": [
        ["trackId": 1, "type": "AUDIO", "language": "nb"], ["trackId": 2, "type": "AUDIO", "language": "en"],
        ["trackId": 3, "type": "TEXT", "language": "en"],
      ],
    ]
    var receiver = PlaybackTests.playing(media, ["activeTrackIds": [3, 1]])
    let heard = receiver.media("EDIT_AUDIO_TRACKS", members)
    #expect(heard.count == 1 && heard.first?.json["reason"]?.string == refusal)
    if let active { #expect(QueueTests.integers(heard.first?.media?["activeTrackIds"]) == active) }
  }
}
