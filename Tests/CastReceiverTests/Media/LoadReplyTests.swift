import CastProtocol
import Testing

@testable import CastReceiver

/// Which of a load's messages carries its request id (docs/protocol.md 6.2).
@Suite struct LoadReplyTests {
  static let preroll: JSONValue = [
    "contentId": "a.mp4", "duration": 60, "breakClips": [["id": "c", "duration": 5]],
    "breaks": [["id": "b", "position": 0, "breakClipIds": ["c"]]],
  ]
  static let loads: [(media: JSONValue, members: JSONObject, summary: [String])] = [
    (film, [:], ["IDLE/LOADING", "BUFFERING", "PLAYING #101"]),
    (film, ["autoplay": false], ["IDLE/LOADING", "BUFFERING", "PAUSED #101"]),
    (preroll, [:], ["IDLE/LOADING", "BUFFERING b/c", "PLAYING b/c #101"]),
    (["contentId": "a", "contentType": "text/html"], [:], ["IDLE/LOADING", "LOAD_FAILED #101", "IDLE/ERROR"]),
  ]
  @Test("The status that ends a load has its id, those before it have none", arguments: loads)
  func atTheEnd(media: JSONValue, members: JSONObject, summary: [String]) {
    var receiver = ReceiverHarness()
    receiver.start()
    #expect(receiver.load(media, members).summary == summary)
    #expect(receiver.media("GET_STATUS").first?.requestID == 102)
  }

  static let rare: [(media: JSONValue, summary: [String])] = [
    (film, ["IDLE/LOADING #101", "BUFFERING", "PLAYING"]),
    (["contentId": "a", "contentType": "text/html"], ["IDLE/LOADING #101", "LOAD_FAILED #101", "IDLE/ERROR"]),
  ]
  @Test("Where a device answers by the first status, that has the id", arguments: rare)
  func atTheBeginning(media: JSONValue, summary: [String]) {
    var receiver = ReceiverHarness { $0.media.loadReply = .first }
    receiver.start()
    #expect(receiver.load(media).summary == summary)
  }

  @Test("A load over running media and one of a queue that begins with what cannot be played, alike")
  func others() {
    var receiver = ReceiverHarness()
    receiver.start()
    receiver.load(film)
    #expect(receiver.load(film).summary == ["IDLE/INTERRUPTED/LOADING", "BUFFERING", "PLAYING #102"])
    let bad: JSONValue = ["media": ["contentId": "x", "contentType": "text/html"]]
    #expect(
      receiver.media("QUEUE_LOAD", ["items": [bad, QueueTests.item("b")]]).summary == [
        "IDLE/INTERRUPTED/LOADING", "ERROR", "IDLE/ERROR/LOADING", "BUFFERING", "PLAYING #103",
      ])
  }

  @Test("QUEUE_CHANGE comes first and has no request id; the status behind it has")
  func queueChange() {
    var receiver = QueueTests.playing(["a", "b"])
    let heard = receiver.media("QUEUE_INSERT", ["items": QueueTests.items("c")])
    #expect(heard.summary == ["QUEUE_CHANGE", "PLAYING #102"])
    #expect(heard.first?.json["requestId"] == nil)
  }

  @Test("Each app session shuffles in its own way, and the same seed in the same one")
  func shuffles() {
    func orders(seed: UInt64) -> [[Int]] {
      var receiver = ReceiverHarness { $0.seed = seed }
      receiver.start()
      return (0..<4).map { round in
        if round > 0 {
          _ = receiver.send(["type": "STOP", "requestId": .int(20 + round)])
          _ = receiver.send(["type": "LAUNCH", "appId": "CC1AD845", "requestId": .int(30 + round)])
          _ = receiver.connect(to: receiver.transport)
        }
        _ = receiver.media("QUEUE_LOAD", ["items": .array((0..<12).map { QueueTests.item("\($0)") })])
        _ = receiver.media("QUEUE_SHUFFLE")
        return QueueTests.integers(receiver.media("QUEUE_GET_ITEM_IDS").first?.json["itemIds"])
      }
    }
    let first = orders(seed: 7)
    #expect(Set(first).count == 4)
    #expect(first == orders(seed: 7))
  }

  static let places: [(from: Duration, to: Int, summary: [String])] = [
    (.zero, 20, ["BUFFERING b/c #102", "PLAYING b/c"]),
    (.seconds(19), 20, ["BUFFERING b/c #102", "PLAYING b/c"]),
    (.seconds(5), 19, ["PLAYING #102"]),
  ]
  @Test(
    "A seek to the very place of a break plays the break at once, one to just before it does not", arguments: places)
  func seekToBreak(from: Duration, to: Int, summary: [String]) {
    var receiver = ReceiverHarness()
    receiver.start()
    receiver.load([
      "contentId": "a.mp4", "duration": 60, "breakClips": [["id": "c", "duration": 5]],
      "breaks": [["id": "b", "position": 20, "breakClipIds": ["c"]]],
    ])
    _ = receiver.advance(by: from)
    #expect(receiver.media("SEEK", ["currentTime": .int(to)]).summary == summary)
  }

  @Test("A seek away from the very place of a break, paused there, plays the break first")
  func seekFromBreak() {
    var receiver = ReceiverHarness()
    receiver.start()
    receiver.load(
      [
        "contentId": "a.mp4", "duration": 60, "breakClips": [["id": "c", "duration": 5]],
        "breaks": [["id": "b", "position": 20, "breakClipIds": ["c"]]],
      ], ["currentTime": 20, "autoplay": false])
    #expect(receiver.media("SEEK", ["currentTime": 30]).summary == ["BUFFERING b/c #102", "PAUSED b/c"])
  }
}
