import CastProtocol
import Testing

@testable import CastReceiver

@Suite struct TrackTests {
  static let media: JSONValue = [
    "contentId": "film.m3u8", "contentType": "application/x-mpegURL",
    "textTrackStyle": ["fontScale": 1.5, "foregroundColor": "#FFFF00FF"],
    "tracks": [
      ["trackId": 1, "type": "TEXT", "subtype": "SUBTITLES", "language": "en-GB"],
      ["trackId": 2, "type": "TEXT", "subtype": "SUBTITLES", "language": "no"],
      ["trackId": 3, "type": "AUDIO", "language": "en"],
      ["trackId": 4, "type": "AUDIO"],
    ],
  ]

  static let edits: [(members: JSONObject, active: [Int]?, error: String?)] = [
    (["activeTrackIds": [1]], [1], nil),
    (["activeTrackIds": []], [], nil),
    (["activeTrackIds": [1, 1, 4]], [1, 4], nil),
    ([:], [2, 3], nil),
    (["activeTrackIds": .null], [2, 3], nil),
    (["activeTrackIds": [9]], nil, "INVALID_PARAMS"),
    (["activeTrackIds": 1], nil, "INVALID_PARAMS"),
    (["activeTrackIds": [3, 4]], nil, "INVALID_PARAMS"),
    (["language": "en-gb"], [3, 1], nil),
    (["language": "en"], [3, 1], nil),
    (["language": "no-NO", "activeTrackIds": [1]], [3, 2], nil),
    (["language": "fr"], nil, "LANGUAGE_NOT_SUPPORTED"),
    (["language": 7], nil, "INVALID_PARAMS"),
    (["enableTextTracks": false], [3], nil),
    (["enableTextTracks": true], [3, 2], nil),
    (["enableTextTracks": "yes"], nil, "INVALID_PARAMS"),
    (["enableTextTracks": false, "activeTrackIds": [1]], [1], nil),
    (["textTrackStyle": "big"], nil, "INVALID_PARAMS"),
  ]
  @Test("EDIT_TRACKS_INFO sets active tracks by ids, by language, or by switching text on and off", arguments: edits)
  func edit(members: JSONObject, active: [Int]?, error: String?) {
    var receiver = PlaybackTests.playing(Self.media, ["activeTrackIds": [2, 3]])
    let heard = receiver.media("EDIT_TRACKS_INFO", members)
    #expect(heard.summary == [error.map { "INVALID_REQUEST \($0) #102" } ?? "PLAYING #102"])
    #expect(heard.first?.media?["media"] == nil)
    let now = receiver.status()?["activeTrackIds"]?.array?.compactMap(\.int)
    #expect(now == active ?? [2, 3])
  }

  @Test("Text comes back as it was, or as the first text track")
  func enable() {
    var receiver = PlaybackTests.playing(Self.media)
    #expect(active(receiver.media("EDIT_TRACKS_INFO", ["enableTextTracks": true])) == [1])
    _ = receiver.media("EDIT_TRACKS_INFO", ["activeTrackIds": [2]])
    #expect(active(receiver.media("EDIT_TRACKS_INFO", ["enableTextTracks": false])) == [])
    #expect(active(receiver.media("EDIT_TRACKS_INFO", ["enableTextTracks": true])) == [2])
  }

  @Test("A style goes into the media, which the status then carries; tracks alone leave it", arguments: [true, false])
  func style(withTracks: Bool) throws {
    var receiver = PlaybackTests.playing(Self.media, ["activeTrackIds": [2]])
    var members: JSONObject = ["textTrackStyle": ["fontScale": 0.5, "edgeType": "OUTLINE"]]
    if withTracks { members["activeTrackIds"] = [1] }
    let status = try #require(receiver.media("EDIT_TRACKS_INFO", members).first?.media)
    #expect(status["media"]?["textTrackStyle"] == ["fontScale": 0.5, "edgeType": "OUTLINE"])
    #expect(status["activeTrackIds"] == [withTracks ? 1 : 2])
    _ = receiver.media("EDIT_TRACKS_INFO", ["activeTrackIds": []])
    #expect(receiver.status()?["media"]?["textTrackStyle"]?["fontScale"] == 0.5)
  }

  @Test("A style that would make the status too long is refused, and nothing is changed")
  func longStyle() {
    var receiver = PlaybackTests.playing(Self.media, ["activeTrackIds": [2]])
    let style: JSONValue = ["customData": .string(String(repeating: "x", count: 50_000))]
    let heard = receiver.media("EDIT_TRACKS_INFO", ["textTrackStyle": style, "activeTrackIds": [1]])
    #expect(heard.summary == ["INVALID_REQUEST INVALID_PARAMS #102"])
    #expect(receiver.status()?["activeTrackIds"] == [2])
  }

  @Test("Without text tracks there is nothing to enable")
  func noText() {
    var receiver = PlaybackTests.playing()
    #expect(
      receiver.media("EDIT_TRACKS_INFO", ["enableTextTracks": true]).summary == ["INVALID_REQUEST INVALID_PARAMS #102"])
  }

  private func active(_ heard: [ReceiverHarness.Heard]) -> [Int]? {
    heard.first?.media?["activeTrackIds"]?.array?.compactMap(\.int)
  }
}
