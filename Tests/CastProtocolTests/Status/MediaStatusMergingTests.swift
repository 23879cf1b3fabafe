@testable import CastProtocol
import Testing

/// What one element of a MEDIA_STATUS does to the status that is known (docs/protocol.md 4.4).
@Suite struct MediaStatusMergingTests {
  /// Says every member that can be read.
  private static let text = #"""
    {"mediaSessionId":1,"playerState":"PLAYING","idleReason":"ERROR","currentTime":10,"playbackRate":1.5,
    "supportedMediaCommands":12303,"volume":{"level":0.5,"muted":true,"controlType":"master","stepInterval":0.1},
    "media":{"contentId":"c"},"activeTrackIds":[1],"currentItemId":3,"loadingItemId":4,"preloadedItemId":5,
    "repeatMode":"REPEAT_OFF","items":[{"itemId":3}],"queueData":{"name":"q"},"shuffle":true,
    "breakStatus":{"breakId":"b"},
    "extendedStatus":{"playerState":"LOADING","media":{"contentId":"next"},"mediaSessionId":2},
    "videoInfo":{"width":1280},"liveSeekableRange":{"start":1},"customData":{"a":1}}
    """#

  /// What is no member of an element: it comes in messages of its own.
  private static let ofQueue: Set<String> = ["queueItemIDs", "queueSequence"]

  @Test("Whatever an element says is in the merged status, each member that there is")
  func everyMember() throws {
    let element = try #require(JSONParser.read(Self.text) { MediaStatus.Element(reading: &$0) })
    // A member that is new in the type has to be in the text above, too.
    let absent = Mirror(reflecting: element.rest).children.filter { member in
      let mirror = Mirror(reflecting: member.value)
      return mirror.displayStyle == .optional && mirror.children.isEmpty
    }
    #expect(Set(absent.compactMap(\.label)) == Self.ofQueue)
    #expect(element.rest.media?.contentID == "c" && element.rest.extendedMedia?.contentID == "next")
    var expected = element.rest
    (expected.mediaSessionID, expected.playerState) = (1, .playing)
    var merged = MediaStatus()
    merged.mediaSessionID = 1
    merged.merge(element)
    #expect(merged == expected)
  }
}
