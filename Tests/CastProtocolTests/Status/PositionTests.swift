import CastProtocol
import Testing

@Suite struct PositionTests {
  static let positions: [(element: String, after: Double, position: Double?)] = [
    (#""playerState":"PLAYING","currentTime":10,"playbackRate":1"#, 5, 15),
    (#""playerState":"PLAYING","currentTime":10,"playbackRate":1.5"#, 4, 16),
    (#""playerState":"PLAYING","currentTime":10"#, 5, 15),
    (#""playerState":"PLAYING","currentTime":10,"playbackRate":0"#, 5, 10),
    (#""playerState":"PAUSED","currentTime":10,"playbackRate":1"#, 5, 10),
    (#""playerState":"BUFFERING","currentTime":10,"playbackRate":1"#, 5, 10),
    (#""playerState":"IDLE","currentTime":10,"playbackRate":1"#, 5, 10),
    (#""playerState":"X","currentTime":10,"playbackRate":1"#, 5, 10),
    (#""playerState":"PLAYING","playbackRate":1"#, 5, nil),
    (#""playerState":"PLAYING","currentTime":58,"media":{"duration":60}"#, 5, 60),
    (#""playerState":"PAUSED","currentTime":70,"media":{"duration":60}"#, 5, 60),
    (#""playerState":"PLAYING","currentTime":70,"media":{"duration":-1}"#, 5, 75),
    (#""playerState":"PAUSED","currentTime":-3"#, 5, 0),
    (#""playerState":"PLAYING","currentTime":1,"playbackRate":1e308"#, 500, 1),
    (#""playerState":"PLAYING","currentTime":10,"playbackRate":-2"#, 100, 0),
    (#""playerState":"PLAYING","currentTime":10,"breakStatus":{"breakId":"b"}"#, 5, 10),
    // What the receiver SDK says when a break is over.
    (#""playerState":"PLAYING","currentTime":10,"breakStatus":{}"#, 5, 15),
    (#""playerState":"PLAYING","currentTime":90,"playbackRate":2,"liveSeekableRange":{"start":0,"end":100}"#, 20, 120),
    (#""playerState":"PLAYING","currentTime":90,"liveSeekableRange":{"end":100,"isLiveDone":true}"#, 20, 100),
  ]
  @Test("The position moves while playing, with the rate, within the content", arguments: positions)
  func position(element: String, after seconds: Double, position: Double?) throws {
    var device = try TrackedDevice()
    try device.media(#"{"mediaSessionId":1,\#(element)}"#, at: 100)
    #expect(device.snapshot.position(at: .seconds(100 + seconds)) == position)
    // A clock that seems to run backwards moves nothing.
    let start = device.snapshot.position(at: .seconds(100))
    #expect(device.snapshot.position(at: .seconds(99)) == start)
  }

  @Test("No media session has no position")
  func none() {
    #expect(DeviceSnapshot().position(at: .seconds(1)) == nil)
    #expect(DeviceSnapshot().breakClipTime(at: .seconds(1)) == nil)
    #expect(DeviceSnapshot().breakTime(at: .seconds(1)) == nil)
    #expect(!DeviceSnapshot().isSkippable(at: .seconds(1)))
  }

  @Test("A status without a time goes on from the estimate, and the reported time stays the reported one")
  func carried() throws {
    var device = try TrackedDevice()
    try device.media(#"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":10,"playbackRate":2}"#, at: 0)
    try device.media(#"{"mediaSessionId":1,"playerState":"PAUSED"}"#, at: 5)
    #expect(device.snapshot.position(at: .seconds(9)) == 20)
    try device.media(#"{"mediaSessionId":1,"playerState":"PLAYING","playbackRate":1}"#, at: 10)
    #expect(device.snapshot.position(at: .seconds(12)) == 22)
    #expect(device.media?.currentTime == 10)
    #expect(device.snapshot.mediaTimeReceivedAt == .zero)
    try device.media(#"{"mediaSessionId":1,"currentTime":21}"#, at: 13)
    #expect(device.snapshot.position(at: .seconds(14)) == 22)
    #expect(device.snapshot.mediaTimeReceivedAt == .seconds(13))
  }

  @Test("The end of a live range grows from when it was received, not from when the position was")
  func liveRange() throws {
    var device = try TrackedDevice()
    try device.media(
      #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":95,"liveSeekableRange":{"start":0,"end":100}}"#, at: 0
    )
    try device.media(#"{"mediaSessionId":1,"currentTime":145}"#, at: 50)
    #expect(device.snapshot.position(at: .seconds(52)) == 147)
    try device.media(#"{"mediaSessionId":1,"currentTime":190}"#, at: 60)
    #expect(device.snapshot.position(at: .seconds(60)) == 160)
  }

  /// A break whose clip is skippable from 5 s on, as docs/protocol.md 6.5 has it: rate 0, content time still.
  static func inBreak(_ state: String, clipTime: Double, breakTime: Double) -> String {
    #"""
    {"mediaSessionId":1,"playerState":"\#(state)","currentTime":30,"playbackRate":0,
    "media":{"contentId":"c","breaks":[{"id":"b","position":30,"breakClipIds":["x","y"],"duration":25}],
    "breakClips":[{"id":"x","duration":10},{"id":"y","duration":15}]},
    "breakStatus":{"breakId":"b","breakClipId":"x","currentBreakTime":\#(breakTime),
    "currentBreakClipTime":\#(clipTime),"whenSkippable":5}}
    """#
  }

  @Test("In a break the break's times move with real time although the rate is 0, and content stands still")
  func breakTimes() throws {
    var device = try TrackedDevice()
    try device.media(Self.inBreak("PLAYING", clipTime: 1, breakTime: 2), at: 100)
    #expect(device.snapshot.breakClipTime(at: .seconds(103)) == 4)
    #expect(device.snapshot.breakTime(at: .seconds(103)) == 5)
    #expect(device.snapshot.position(at: .seconds(103)) == 30)
    #expect(!device.snapshot.isSkippable(at: .seconds(103.9)))
    #expect(device.snapshot.isSkippable(at: .seconds(104)))
    // No further than the clip and the break last.
    #expect(device.snapshot.breakClipTime(at: .seconds(200)) == 10)
    #expect(device.snapshot.breakTime(at: .seconds(200)) == 25)
  }

  @Test("In a break that is paused or loads nothing moves", arguments: ["PAUSED", "BUFFERING"])
  func breakAtRest(state: String) throws {
    var device = try TrackedDevice()
    try device.media(Self.inBreak(state, clipTime: 6, breakTime: 7), at: 100)
    #expect(device.snapshot.breakClipTime(at: .seconds(105)) == 6)
    #expect(device.snapshot.breakTime(at: .seconds(105)) == 7)
    #expect(device.snapshot.isSkippable(at: .seconds(100)))
  }

  @Test("A clip that does not say from when is never skippable", arguments: ["", #","whenSkippable":-1"#])
  func neverSkippable(member: String) throws {
    var device = try TrackedDevice()
    try device.media(
      #"{"mediaSessionId":1,"playerState":"PLAYING","breakStatus":{"currentBreakClipTime":9\#(member)}}"#)
    #expect(!device.snapshot.isSkippable(at: .seconds(100)))
  }

  @Test("After a break content goes on from where it stood")
  func afterBreak() throws {
    var device = try TrackedDevice()
    try device.media(Self.inBreak("PLAYING", clipTime: 0, breakTime: 0), at: 0)
    try device.media(#"{"mediaSessionId":1,"playerState":"PLAYING","playbackRate":1}"#, at: 25)
    #expect(device.snapshot.position(at: .seconds(27)) == 32)
    #expect(device.snapshot.breakClipTime(at: .seconds(27)) == nil)
  }
}
