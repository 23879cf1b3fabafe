import CastProtocol
import Testing

@testable import CastReceiver

/// What happens while an app starts and content loads, where that takes its time (docs/protocol.md 6.3).
@Suite struct LatencyTests {
  /// Apps start in one second, content loads in half of one.
  static func receiver(_ change: (inout ReceiverConfiguration) -> Void = { _ in }) -> ReceiverHarness {
    var receiver = ReceiverHarness { configuration in
      configuration.latency.launch = .seconds(1) ... .seconds(1)
      configuration.latency.load = .milliseconds(500) ... .milliseconds(500)
      change(&configuration)
    }
    _ = receiver.open(1) + receiver.connect()
    _ = receiver.send(["type": "LAUNCH", "appId": "CC1AD845", "requestId": 1])
    _ = receiver.advance(by: .seconds(1))
    _ = receiver.connect(to: receiver.transport)
    return receiver
  }

  @Test("An app that is started is not there before its time; the sender is told first that it may")
  func launch() {
    var receiver = ReceiverHarness { $0.latency.launch = .seconds(1) ... .seconds(1) }
    _ = receiver.open(1) + receiver.connect()
    #expect(
      receiver.send(["type": "LAUNCH", "appId": "CC1AD845", "requestId": 1]).map(\.type) == ["LAUNCH_STATUS"])
    #expect(receiver.send(["type": "GET_STATUS", "requestId": 2]).first?.json["status"]?["applications"] == nil)
    #expect(receiver.advance(by: .milliseconds(999)) == [])
    let heard = receiver.advance(by: .milliseconds(1))
    #expect(heard.summary == ["RECEIVER_STATUS #1"])
    #expect(heard.first?.json["status"]?["applications"]?.array?.count == 1)
  }

  @Test("Another LAUNCH or a STOP in between cancels the first; its sender going does not")
  func interruptedLaunch() {
    var receiver = ReceiverHarness { $0.latency.launch = .seconds(1) ... .seconds(1) }
    _ = receiver.open(1) + receiver.connect() + receiver.open(2) + receiver.connect("b", connection: 2)
    _ = receiver.send(["type": "LAUNCH", "appId": "CC1AD845", "requestId": 1])
    let second = receiver.send(
      ["type": "LAUNCH", "appId": "A1B2C3D4", "requestId": 2], from: "b", connection: 2)
    #expect(second.summary == ["LAUNCH_ERROR CANCELLED #1", "LAUNCH_STATUS"])
    _ = receiver.close(2)
    let heard = receiver.advance(by: .seconds(1))
    #expect(heard.first?.json["status"]?["applications"]?.array?.first?["appId"] == "A1B2C3D4")
  }

  @Test("LOADING comes at once, the content after its time and from its beginning, with the id of the load")
  func load() {
    var receiver = Self.receiver()
    #expect(receiver.load(film).summary == ["IDLE/LOADING"])
    #expect(receiver.media("GET_STATUS").summary == ["IDLE/LOADING #102"])
    #expect(receiver.advance(by: .milliseconds(499)) == [])
    #expect(receiver.advance(by: .milliseconds(1)).summary == ["BUFFERING", "PLAYING #101"])
    _ = receiver.advance(by: .seconds(3))
    #expect(receiver.position() == 3)
  }

  @Test("A device that answers by the first status does so at once, and not a second time")
  func firstReply() {
    var receiver = Self.receiver { $0.media.loadReply = .first }
    #expect(receiver.load(film).summary == ["IDLE/LOADING #101"])
    #expect(receiver.advance(by: .seconds(1)).summary == ["BUFFERING", "PLAYING"])
  }

  @Test("What cannot be played fails after its time, to the one who loads it, and is told to all")
  func failure() {
    var receiver = Self.receiver()
    #expect(receiver.load(["contentId": "a", "contentType": "text/html"]).summary == ["IDLE/LOADING"])
    let heard = receiver.advance(by: .seconds(1))
    #expect(heard.summary == ["LOAD_FAILED #101", "IDLE/ERROR"] && heard.first?.destination == "sender-0")
  }

  @Test("Commands wait until the content is there, and are then answered in their order, each to its sender")
  func held() {
    var receiver = Self.receiver()
    _ = receiver.open(2) + receiver.connect("b", to: receiver.transport, connection: 2)
    receiver.load(film)
    #expect(receiver.media("SEEK", ["currentTime": 60]) == [])
    #expect(receiver.media("PAUSE", from: "b", connection: 2) == [])
    #expect(receiver.media("SEEK", ["currentTime": "soon"], from: "b", connection: 2) == [])
    let heard = receiver.advance(by: .seconds(1)).filter { $0.connection == 1 || $0.destination == "b" }
    #expect(
      heard.summary == [
        "BUFFERING", "PLAYING #101", "PLAYING #102", "PAUSED #103", "INVALID_REQUEST INVALID_PARAMS #104",
      ])
    #expect(heard.last?.destination == "b" && receiver.position() == 60)
  }

  @Test("A LOAD or a STOP in between cancels the load, and what waited for it has no session any more")
  func cancelled() {
    for stops in [false, true] {
      var receiver = Self.receiver()
      receiver.load(film)
      _ = receiver.media("PAUSE")
      let heard = stops ? receiver.media("STOP") : receiver.load(film)
      let cancelled = ["LOAD_CANCELLED #101", "INVALID_REQUEST INVALID_MEDIA_SESSION_ID #102"]
      #expect(
        heard.summary
          == cancelled + (stops ? ["IDLE/CANCELLED #103"] : ["IDLE/INTERRUPTED/LOADING"]))
      #expect(receiver.advance(by: .seconds(1)).summary == (stops ? [] : ["BUFFERING", "PLAYING #103"]))
    }
  }

  @Test("So many commands wait and no more")
  func bounded() {
    var receiver = Self.receiver()
    receiver.load(film)
    let refused = (0..<200).count { _ in receiver.media("PAUSE").summary.first?.hasPrefix("INVALID_REQUEST") == true }
    #expect(refused == 200 - 64)
  }

  @Test("A seed repeats the times, and they stay within their bounds")
  func drawn() {
    func times(_ seed: UInt64) -> [Duration] {
      var random = SeededGenerator(seed: seed)
      return (0..<200).map { _ in ReceiverLatency.device.answer.drawn(using: &random) }
    }
    #expect(times(1) == times(1) && times(1) != times(2))
    #expect(times(3).allSatisfy { $0 >= .milliseconds(5) && $0 <= .milliseconds(20) } && Set(times(3)).count > 100)
    var random = SeededGenerator(seed: 1)
    #expect(ReceiverLatency.none.load.drawn(using: &random) == .zero && random == SeededGenerator(seed: 1))
  }
}
