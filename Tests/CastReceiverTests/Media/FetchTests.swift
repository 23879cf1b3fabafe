import CastProtocol
import Testing

@testable import CastReceiver

/// Receivers that look whether content is there before they play it.
@Suite struct FetchTests {
  /// A receiver on which fetches find nothing until the test says so.
  static func receiver(_ files: [String: MediaFetch.Outcome]) -> ReceiverHarness {
    var receiver = ReceiverHarness { $0.fetch = { _, _ in } }
    receiver.fetched = { files[$0] ?? .missing }
    receiver.start()
    return receiver
  }

  @Test("What is found plays, for as long as it says, whatever the sender said")
  func found() {
    var receiver = Self.receiver(["a.mp4": .found(duration: .seconds(5))])
    let heard = receiver.load(["contentId": "a.mp4", "duration": 600])
    #expect(heard.summary == ["IDLE/LOADING", "BUFFERING", "PLAYING #101"])
    #expect(heard.last?.media?["media"]?["duration"] == 5)
    #expect(receiver.advance(by: .seconds(5)).summary == ["IDLE/FINISHED"])
  }

  @Test("What does not say how long it lasts lasts as long as the sender says")
  func foundWithout() {
    var receiver = Self.receiver(["a.mp4": .found(duration: nil)])
    #expect(receiver.load(["contentId": "a.mp4", "duration": 7]).last?.media?["media"]?["duration"] == 7)
  }

  @Test("What is known of content decides how long it lasts, and takes nothing from the time that a load takes")
  func known() {
    let known = ContentDurations(byAddress: ["http://h/a.mp4": .seconds(5)], byFile: ["b": .seconds(6)])
    let cases = [("http://h/a.mp4", 5), ("http://h/x/b.mp4?q=1", 6), ("b", 6), ("http://h/c.mp4", 600)]
    for (address, duration) in cases {
      var receiver = LatencyTests.receiver { $0.durations = known }
      #expect(receiver.load(["contentId": .string(address), "duration": 600]).summary == ["IDLE/LOADING"])
      let heard = receiver.advance(by: .milliseconds(500))
      #expect(heard.last?.media?["media"]?["duration"] == .int(duration), "\(address) \(heard.summary)")
    }
  }

  @Test("What is not found fails: LOAD_FAILED with the request's id, then IDLE with ERROR")
  func missing() {
    var receiver = Self.receiver([:])
    let heard = receiver.load(film)
    #expect(heard.summary == ["IDLE/LOADING", "LOAD_FAILED #101", "IDLE/ERROR"])
    #expect(heard[1].json["detailedErrorCode"] == 104 && heard[1].destination == "sender-0")
    #expect(receiver.status() == nil)
  }

  @Test("An item of a queue that is not found is passed over")
  func queue() {
    var receiver = Self.receiver(["b": .found(duration: .seconds(4))])
    let heard = receiver.media("QUEUE_LOAD", ["items": QueueTests.items("a", "b", "c")])
    #expect(heard.summary == ["IDLE/LOADING", "ERROR", "IDLE/ERROR/LOADING", "BUFFERING", "PLAYING #101"])
    #expect(heard.last?.media?["currentItemId"] == 2)
    #expect(receiver.advance(by: .seconds(4)).summary == ["IDLE/FINISHED/LOADING", "ERROR", "IDLE/ERROR"])
  }

  @Test("A post-roll stands where the content that was found ends")
  func postRoll() {
    var receiver = Self.receiver(["a.mp4": .found(duration: .seconds(5))])
    receiver.load([
      "contentId": "a.mp4", "breakClips": [["id": "c", "duration": 3]],
      "breaks": [["id": "b", "position": 8, "breakClipIds": ["c"]]],
    ])
    #expect(receiver.advance(by: .seconds(5)).summary == ["BUFFERING b/c", "PLAYING b/c"])
  }

  @Test("What is not there within half a minute is missing; what comes of another load's fetch changes nothing")
  func slow() throws {
    var receiver = ReceiverHarness { $0.fetch = { _, _ in } }
    receiver.start()
    let sent = receiver.machine.receive(
      .message(
        ConnectionID(rawValue: 1),
        CastMessage(
          source: EndpointID("sender-0"), destination: EndpointID(receiver.transport), namespace: .media,
          json: ["type": "LOAD", "requestId": 9, "media": film])), at: receiver.now)
    let fetches = sent.compactMap { if case .fetch(let request) = $0 { request } else { nil } }
    let request = try #require(fetches.first)
    #expect(request.media.address == "https://cdn.example.com/film.mp4")
    #expect(receiver.media("PAUSE") == [])
    #expect(receiver.advance(by: .seconds(29.9)) == [])
    #expect(
      receiver.advance(by: .seconds(1)).summary == [
        "LOAD_FAILED #9", "IDLE/ERROR", "INVALID_REQUEST INVALID_MEDIA_SESSION_ID #101",
      ])
    #expect(receiver.input(.fetched(request, .found(duration: nil))) == [])
  }
}
