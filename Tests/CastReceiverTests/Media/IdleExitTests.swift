import CastProtocol
import Testing

@testable import CastReceiver

/// Apps that end themselves when nothing plays for long.
@Suite struct IdleExitTests {
  private static func receiver(_ limit: Duration? = .seconds(300)) -> ReceiverHarness {
    MediaBehaviorTests.receiver { $0.idleExit = limit }
  }

  private static func isGone(_ heard: [ReceiverHarness.Heard]) -> Bool {
    heard.contains { $0.type == "RECEIVER_STATUS" && $0.json["status"]?["applications"] == nil }
      && heard.contains { $0.type == "CLOSE" }
  }

  @Test("Without media the app ends after the time; a status and CLOSE say so, and there is no answer any more")
  func empty() {
    var receiver = Self.receiver()
    #expect(receiver.advance(by: .seconds(299)) == [])
    #expect(Self.isGone(receiver.advance(by: .seconds(1))))
    #expect(receiver.machine.application == nil)
    #expect(receiver.advance(by: .seconds(3_600)) == [])
  }

  @Test("The time begins anew when media end, and paused media keep the app four times as long")
  func paused() {
    var receiver = Self.receiver()
    _ = receiver.advance(by: .seconds(200))
    receiver.load(film)
    #expect(!Self.isGone(receiver.advance(by: .seconds(590))))
    _ = receiver.media("PAUSE")
    #expect(!Self.isGone(receiver.advance(by: .seconds(1_199))))
    _ = receiver.media("PLAY")
    #expect(!Self.isGone(receiver.advance(by: .seconds(10 + 299))))
    #expect(Self.isGone(receiver.advance(by: .seconds(1))))
  }

  @Test("What is paused for four times as long ends with the app")
  func pausedForLong() {
    var receiver = Self.receiver()
    receiver.load(film)
    _ = receiver.media("PAUSE")
    #expect(Self.isGone(receiver.advance(by: .seconds(1_200))))
  }

  @Test("Without a time the app stays")
  func stays() {
    var receiver = Self.receiver(nil)
    #expect(receiver.advance(by: .seconds(1_000_000)) == [])
  }
}
