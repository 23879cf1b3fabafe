import CastProtocol
import Testing

@testable import CastReceiver

@Suite struct PositionTests {
  @Test("Position is exact over any number of rate changes and pauses")
  func exact() {
    var receiver = ReceiverHarness()
    receiver.start()
    receiver.load(["contentId": "a.mp4", "streamType": "LIVE"])
    var expected = 0  // microseconds
    for round in 0..<1000 {
      let rate = [1.0, 1.1, 1.3, 1.7, 0.7, 2.0, 0.5][round % 7]
      _ = receiver.media("SET_PLAYBACK_RATE", ["playbackRate": JSONValue(rate)])
      _ = receiver.advance(by: .milliseconds(10 * (round % 13)))
      expected += 10 * (round % 13) * Int((rate * 1000).rounded())
      if round % 3 == 0 {
        _ = receiver.media("PAUSE")
        _ = receiver.advance(by: .seconds(7))
        _ = receiver.media("PLAY")
      }
      #expect(receiver.position() == Double(expected) / 1e6)
    }
  }

  @Test("A timer that comes late moves nothing: what was due happened at its own time")
  func late() {
    var late = ReceiverHarness()
    var prompt = ReceiverHarness()
    let media: JSONValue = [
      "contentId": "a.mp4", "duration": 100, "breakClips": [["id": "c", "duration": 7, "whenSkippable": 2]],
      "breaks": [["id": "b", "position": 10, "breakClipIds": ["c", "c"]]],
    ]
    for step in [1.0, 1.5, 0.75] {
      late.start()
      prompt.start()
      late.load(media, ["playbackRate": JSONValue(step)])
      prompt.load(media, ["playbackRate": JSONValue(step)])
      let told = prompt.advance(by: .seconds(40))
      late.now += .seconds(40)
      let toldLate = late.input(.timerFired)
      #expect(toldLate.map(\.media) == told.map(\.media))
      #expect(late.position() == prompt.position())
    }
  }

  static let events: [(rate: Double, position: Double, due: Duration)] = [
    (1, 10, .seconds(10)), (2, 10, .seconds(5)), (0.5, 10, .seconds(20)), (1.5, 9, .seconds(6)),
  ]
  @Test("A break is due when the rate has brought content there", arguments: events)
  func due(rate: Double, position: Double, due: Duration) {
    var receiver = ReceiverHarness()
    receiver.start()
    receiver.load(
      [
        "contentId": "a.mp4", "duration": 100, "breakClips": [["id": "c"]],
        "breaks": [["id": "b", "position": JSONValue(position), "breakClipIds": ["c"]]],
      ], ["playbackRate": JSONValue(rate)])
    #expect(receiver.machine.nextDeadline == due)
  }

  @Test(
    "A timeline never shows a position before it is reached, nor reaches one late", arguments: [1.0, 1.1, 0.7, 1.9])
  func consistent(rate: Double) throws {
    let rate = try #require(PlaybackRate(rate))
    let timeline = PlaybackTimeline(position: .seconds(1), rate: rate, isRunning: true, at: .seconds(5))
    for step in 1...500 {
      let target = Duration.seconds(1) + .nanoseconds(step * 7_919_333)
      let time = try #require(timeline.time(reaching: target))
      let before = time - Duration(secondsComponent: 0, attosecondsComponent: 1)
      #expect(timeline.position(at: time) >= target && timeline.position(at: before) < target)
    }
    #expect(timeline.time(reaching: .zero) == .seconds(5))
    #expect(timeline.position(at: .zero) == .seconds(1), "time does not go back")
  }

  static let numbers: [(json: JSONValue, duration: Duration?, printed: JSONValue)] = [
    (0.3, .milliseconds(300), 0.3), (10, .seconds(10), 10), (2.006414, .nanoseconds(2_006_414_000), 2.006414),
    (0.1234567, .nanoseconds(123_456_700), 0.123456), (1e300, .seconds(3_155_760_000), 3_155_760_000),
    ("3", .seconds(3), 3), ("soon", nil, .null), (.null, nil, .null), (true, nil, .null),
  ]
  @Test("Seconds come in to the nanosecond, within a century, and go out to the microsecond", arguments: numbers)
  func seconds(json: JSONValue, duration: Duration?, printed: JSONValue) {
    #expect(Duration(json: json) == duration)
    #expect(duration.map(\.json) ?? .null == printed)
  }
}
