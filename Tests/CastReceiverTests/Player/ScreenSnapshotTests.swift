import CastProtocol
import Testing

@testable import CastReceiver

/// What a television would show of a receiver.
@Suite struct ScreenSnapshotTests {
  private static let media: JSONValue = [
    "contentId": "http://h/film.mp4", "contentType": "video/mp4", "duration": 90,
    "metadata": ["title": "Sintel", "images": [["url": "http://h/a.png"]]],
    "tracks": [
      ["trackId": 1, "type": "AUDIO"],
      ["trackId": 2, "type": "TEXT", "language": "en", "trackContentId": "http://h/en.vtt"],
    ],
    "textTrackStyle": ["fontScale": 2],
    "breakClips": [["id": "a", "duration": 6, "title": "Soap", "whenSkippable": 2], ["id": "b", "duration": 4]],
    "breaks": [["id": "mid", "position": 10, "breakClipIds": ["a", "b"]]],
  ]

  @Test("Nothing runs, an app runs, content plays by the clock, with captions once their track is active")
  func phases() throws {
    var receiver = ReceiverHarness()
    #expect(receiver.screen.app == nil && receiver.screen.media == nil && receiver.screen.level == 1)
    receiver.start()
    #expect(receiver.screen.app?.name == "Default Media Receiver" && receiver.screen.media == nil)
    receiver.load(Self.media)
    _ = receiver.advance(by: .seconds(4))
    var media = try #require(receiver.screen.media)
    #expect(media.phase == .playing && media.category == .video && media.metadata["title"] == "Sintel")
    #expect(media.content.position == .seconds(4) && media.content.duration == .seconds(90) && media.content.id == nil)
    #expect(media.content.runs && media.captions == nil)
    _ = receiver.media("EDIT_TRACKS_INFO", ["activeTrackIds": [1, 2]])
    media = try #require(receiver.screen.media)
    #expect(media.captions?.address == "http://h/en.vtt" && media.captions?.style?.fontScale == 2)
    _ = receiver.media("PAUSE")
    #expect(receiver.screen.media?.phase == .paused && receiver.screen.media?.content.runs == false)
  }

  @Test("A break tells which clip of how many is on, how far it is, and from when it can be skipped")
  func adBreak() throws {
    var receiver = ReceiverHarness()
    receiver.start()
    receiver.load(Self.media)
    _ = receiver.advance(by: .seconds(11))
    var adBreak = try #require(receiver.screen.media?.adBreak)
    #expect(adBreak.title == "Soap" && adBreak.number == 1 && adBreak.count == 2)
    #expect(adBreak.position == .seconds(1) && adBreak.duration == .seconds(6) && adBreak.skippableAfter == .seconds(2))
    #expect(adBreak.clip == nil && receiver.screen.media?.content.runs == false)
    _ = receiver.advance(by: .seconds(5))
    adBreak = try #require(receiver.screen.media?.adBreak)
    #expect(adBreak.number == 2 && adBreak.skippableAfter == nil)
  }

  @Test("Volume, standby and another input are seen; a load that fails leaves its reason until the next")
  func rest() {
    var receiver = ReceiverHarness()
    receiver.start()
    _ = receiver.send(["type": "SET_VOLUME", "volume": ["level": 0.25, "muted": true], "requestId": 5])
    #expect(receiver.screen.level == 0.25 && receiver.screen.isMuted)
    _ = receiver.input(.display(ReceiverDisplay(isStandby: true)))
    #expect(receiver.screen.display.isStandby)
    receiver.load(["contentId": "x", "contentType": "text/html"])
    #expect(receiver.screen.fault == .media(code: 104))
    receiver.load(film)
    #expect(receiver.screen.fault == nil)
  }

  @Test("What a fault stalls or freezes stands on the screen, too")
  func hindrance() {
    var receiver = ReceiverHarness()
    receiver.start()
    receiver.load(film)
    _ = receiver.input(.directive(.hinder(.stall)))
    #expect(receiver.screen.media?.phase == .buffering && receiver.screen.media?.content.runs == false)
    _ = receiver.input(.directive(.goOn))
    _ = receiver.input(.directive(.hinder(.freeze)))
    #expect(receiver.screen.media?.phase == .playing && receiver.screen.media?.content.runs == false)
  }
}
