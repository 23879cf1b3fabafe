import CastProtocol
import Testing

@testable import CastReceiver

/// The session of examples/ads.yaml, message by message.
@Suite struct AdSessionTests {
  static let film: JSONValue = [
    "contentId": "https://cdn.example.com/qa/film.m3u8", "contentType": "application/x-mpegURL",
    "streamType": "BUFFERED", "duration": 600,
    "metadata": ["metadataType": 1, "title": "Sintel", "subtitle": "Release candidate"],
    "textTrackStyle": [
      "fontScale": 1.5, "foregroundColor": "#FFFF00FF", "backgroundColor": "#000000BF", "edgeType": "OUTLINE",
      "edgeColor": "#000000FF",
    ],
    "tracks": [
      ["trackId": 1, "type": "TEXT", "subtype": "SUBTITLES", "language": "en", "trackContentId": "en.vtt"],
      ["trackId": 2, "type": "TEXT", "subtype": "SUBTITLES", "language": "no", "trackContentId": "no.vtt"],
    ],
    "breakClips": [
      ["id": "car", "contentUrl": "car.mp4", "duration": 15, "whenSkippable": 5],
      ["id": "soap", "contentUrl": "soap.mp4", "duration": 6],
    ],
    "breaks": [
      ["id": "pre", "position": 0, "breakClipIds": ["soap"], "isWatched": false],
      ["id": "mid", "position": 10, "breakClipIds": ["car", "soap"], "isWatched": false],
    ],
  ]

  @Test("Breaks, skip, tracks, style and rate play out as the scenario expects")
  func session() throws {
    var receiver = ReceiverHarness()
    receiver.start(app: "A1B2C3D4")
    let load = receiver.load(Self.film, ["activeTrackIds": [2], "credentials": "secret", "autoplay": true])
    #expect(load.summary == ["IDLE/LOADING", "BUFFERING pre/soap", "PLAYING pre/soap #101"])
    let first = try #require(load.last?.media)
    #expect(first["activeTrackIds"] == [2] && first["media"]?["textTrackStyle"]?["fontScale"] == 1.5)

    #expect(receiver.advance(by: .seconds(6)).summary == ["PLAYING"])
    #expect(receiver.position() == 0)
    #expect(receiver.advance(by: .seconds(10)).summary == ["BUFFERING mid/car", "PLAYING mid/car"])
    #expect(receiver.advance(by: .seconds(5)).summary == ["PLAYING mid/car"])
    #expect(receiver.status()?["breakStatus"]?["currentBreakClipTime"] == 5)
    #expect(receiver.media("SKIP_AD").summary == ["PLAYING mid/car #104", "BUFFERING mid/soap", "PLAYING mid/soap"])
    #expect(receiver.advance(by: .seconds(6)).summary == ["PLAYING"])
    #expect(receiver.position() == 10)

    let tracks = try #require(receiver.media("EDIT_TRACKS_INFO", ["activeTrackIds": [1]]).first?.media)
    #expect(tracks["activeTrackIds"] == [1] && tracks["media"] == nil)
    #expect(receiver.status()?["media"]?["textTrackStyle"]?["fontScale"] == 1.5)
    _ = receiver.advance(by: .milliseconds(300))
    #expect(receiver.media("SET_PLAYBACK_RATE", ["playbackRate": 1.5]).first?.media?["currentTime"] == 10.3)
    #expect(receiver.advance(by: .seconds(10)) == [])
    #expect(receiver.position() == 25.3)
    #expect(receiver.advance(by: .seconds(5)) == [])
    let status = receiver.media("SET_PLAYBACK_RATE", ["playbackRate": 1]).first?.media
    #expect(status?["currentTime"] == 32.8 && status?["playbackRate"] == 1)
    #expect(receiver.send(["type": "STOP", "requestId": 2]).map(\.type) == ["RECEIVER_STATUS", "CLOSE"])
  }
}
