import CastProtocol
import Testing

@testable import CastReceiver

/// Live streams whose statuses say what can be sought in (docs/protocol.md 5.1).
@Suite struct LiveTests {
  private static let stream: JSONValue = [
    "contentId": "a.m3u8", "contentType": "application/x-mpegURL", "streamType": "LIVE",
  ]

  private static func receiver(window: Duration? = .seconds(120)) -> ReceiverHarness {
    MediaBehaviorTests.receiver { $0.liveWindow = window }
  }

  /// Start and end of the range in the answer to a GET_STATUS.
  private static func range(_ receiver: inout ReceiverHarness) -> [Double]? {
    let range = receiver.status()?["liveSeekableRange"]
    guard let start = range?["start"]?.number, let end = range?["end"]?.number else { return nil }
    return [start, end]
  }

  @Test("A stream begins at its end, and what can be sought in moves on with it, whether it plays or not")
  func window() {
    var receiver = Self.receiver()
    let heard = receiver.load(Self.stream)
    #expect(heard.last?.media?["liveSeekableRange"]?["isMovingWindow"] == true)
    #expect(heard.last?.media?["liveSeekableRange"]?["isLiveDone"] == false)
    #expect(receiver.position() == 120 && Self.range(&receiver) == [0, 120])
    _ = receiver.advance(by: .seconds(30))
    #expect(receiver.position() == 150 && Self.range(&receiver) == [30, 150])
    _ = receiver.media("PAUSE")
    _ = receiver.advance(by: .seconds(50))
    #expect(receiver.position() == 150 && Self.range(&receiver) == [80, 200])
  }

  @Test("What was paused for longer than the window goes on at its beginning")
  func left() {
    var receiver = Self.receiver()
    receiver.load(Self.stream)
    _ = receiver.media("PAUSE")
    _ = receiver.advance(by: .seconds(300))
    #expect(receiver.position() == 300 && Self.range(&receiver) == [300, 420])
    _ = receiver.media("PLAY")
    _ = receiver.advance(by: .seconds(10))
    #expect(receiver.position() == 310)
  }

  @Test("Played faster it comes to the end of the window and no further, and a pause there stays there")
  func faster() {
    var receiver = Self.receiver()
    receiver.load(Self.stream, ["currentTime": 100, "playbackRate": 2])
    _ = receiver.advance(by: .seconds(60))
    #expect(receiver.position() == 180)
    _ = receiver.media("PAUSE")
    _ = receiver.advance(by: .seconds(20))
    #expect(receiver.position() == 180)
  }

  static let seeks: [(seek: JSONObject, position: Double)] = [
    (["currentTime": 5], 40), (["currentTime": 50], 50), (["currentTime": 900], 160), (["relativeTime": -30], 130),
    (["relativeTime": 30], 160),
  ]
  @Test("A seek leads to no place outside the window", arguments: seeks)
  func seek(seek: JSONObject, position: Double) {
    var receiver = Self.receiver()
    receiver.load(Self.stream)
    _ = receiver.advance(by: .seconds(40))
    #expect(receiver.media("SEEK", seek).last?.media?["currentTime"]?.number == position)
  }

  @Test("Films have no range, and without a window live streams have none either")
  func none() {
    var receiver = Self.receiver()
    receiver.load(film)
    #expect(Self.range(&receiver) == nil && receiver.position() == 0)
    var other = Self.receiver(window: nil)
    other.load(Self.stream)
    #expect(Self.range(&other) == nil && other.position() == 0)
  }

  @Test("Statuses of a video that plays tell the size of its picture; those of music and of a load do not")
  func videoInfo() {
    var receiver = MediaBehaviorTests.receiver { $0.videoSize = .init(width: 1_280, height: 720) }
    let heard = receiver.load(film)
    let info: JSONValue = ["width": 1_280, "height": 720, "hdrType": "sdr"]
    #expect(heard.map { $0.media?["videoInfo"] } == [nil, nil, info])
    #expect(receiver.status()?["videoInfo"] == info)
    let music: JSONValue = ["contentId": "a.mp3", "contentType": "audio/mpeg"]
    #expect(receiver.load(music).last?.media?["videoInfo"] == nil)
  }

  @Test("A receiver that knows no relative time takes the absolute one beside it, and refuses a seek without")
  func relative() {
    var receiver = MediaBehaviorTests.receiver { $0.takesRelativeTime = false }
    receiver.load(film)
    #expect(receiver.media("SEEK", ["relativeTime": 10]).summary == ["INVALID_REQUEST INVALID_PARAMS #102"])
    _ = receiver.media("SEEK", ["relativeTime": 10, "currentTime": 40])
    #expect(receiver.position() == 40)
  }
}
