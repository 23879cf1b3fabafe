import CastProtocol
import Testing

/// The order of a queue, put together from what is fetched and what is told.
@Suite struct QueueOrderTests {
  static func playing() throws -> TrackedDevice {
    var device = try TrackedDevice()
    try device.media(#"{"mediaSessionId":1,"playerState":"PLAYING","currentItemId":1,"items":[{"itemId":1}]}"#)
    return device
  }

  static let changes: [(text: String, order: [Int]?)] = [
    (#""changeType":"INSERT","itemIds":[4,5],"insertBefore":2,"sequenceNumber":8"#, [1, 4, 5, 2, 3]),
    (#""changeType":"INSERT","itemIds":[4],"sequenceNumber":8"#, [1, 2, 3, 4]),
    (#""changeType":"INSERT","itemIds":[4],"insertBefore":99,"sequenceNumber":8"#, [1, 2, 3, 4]),
    (#""changeType":"REMOVE","itemIds":[2,9],"sequenceNumber":8"#, [1, 3]),
    (#""changeType":"UPDATE","itemIds":[3,1,2],"reorderItemIds":[3],"insertBefore":1,"sequenceNumber":8"#, [3, 1, 2]),
    (#""changeType":"ITEMS_CHANGE","itemIds":[2],"sequenceNumber":8"#, [1, 2, 3]),
    (#""changeType":"NO_CHANGE","sequenceNumber":7"#, [1, 2, 3]),
    (#""changeType":"TURN","sequenceNumber":8"#, [1, 2, 3]),
    (#""changeType":"INSERT","itemIds":[4]"#, [1, 2, 3, 4]),
    // One was missed.
    (#""changeType":"REMOVE","itemIds":[2],"sequenceNumber":9"#, nil),
    (#""changeType":"INSERT","itemIds":[4],"sequenceNumber":9"#, nil),
    // The whole order is said, so it does not matter.
    (#""changeType":"UPDATE","itemIds":[3,1],"sequenceNumber":12"#, [3, 1]),
  ]
  @Test("A change of the queue is followed; after one that was missed the order is unknown", arguments: changes)
  func change(text: String, order: [Int]?) throws {
    var device = try Self.playing()
    #expect(try device.message(#"{"type":"QUEUE_CHANGE","changeType":"NO_CHANGE","sequenceNumber":7}"#) == .queue)
    #expect(try device.message(#"{"type":"QUEUE_ITEM_IDS","requestId":5,"itemIds":[1,2,3]}"#) == .queue)
    #expect(device.media?.queueItemIDs == [1, 2, 3])
    try device.message(#"{"type":"QUEUE_CHANGE","requestId":0,\#(text)}"#)
    #expect(device.media?.queueItemIDs == order)
    #expect(device.media?.items?.count == 1)
  }

  @Test("A new media session has a new queue")
  func newSession() throws {
    var device = try Self.playing()
    try device.message(#"{"type":"QUEUE_ITEM_IDS","requestId":5,"itemIds":[1,2,3]}"#)
    try device.media(#"{"mediaSessionId":1,"playerState":"PAUSED"}"#)
    #expect(device.media?.queueItemIDs == [1, 2, 3])
    try device.media(#"{"mediaSessionId":2,"playerState":"PLAYING"}"#)
    #expect(device.media?.queueItemIDs == nil)
  }

  @Test("Without a session, or from an app that is not shown, queue news change nothing")
  func elsewhere() throws {
    var device = try TrackedDevice()
    try device.message(#"{"type":"QUEUE_ITEM_IDS","requestId":5,"itemIds":[1]}"#)
    #expect(device.media == nil)
    device = try Self.playing()
    #expect(try device.message(#"{"type":"QUEUE_ITEM_IDS","itemIds":[7]}"#, from: EndpointID("other")) == nil)
    #expect(device.media?.queueItemIDs == nil)
  }

  @Test("A device that inserts without end does not fill the memory")
  func flood() throws {
    var device = try Self.playing()
    try device.message(#"{"type":"QUEUE_ITEM_IDS","itemIds":[]}"#)
    let ids = Array(repeating: "1", count: 5000).joined(separator: ",")
    for _ in 0..<20 { try device.message(#"{"type":"QUEUE_CHANGE","changeType":"INSERT","itemIds":[\#(ids)]}"#) }
    #expect(device.media?.queueItemIDs == nil)
  }

  @Test("What a status says of the queue stays until it says otherwise; what comes next is only said once")
  func merging() throws {
    var device = try Self.playing()
    try device.media(
      #"""
      {"mediaSessionId":1,"playerState":"PLAYING","queueData":{"name":"Q"},"shuffle":true,"preloadedItemId":2,
      "extendedStatus":{"playerState":"LOADING","mediaSessionId":2,"media":{"contentId":"b"}},
      "breakStatus":{"breakId":"s","seekBreak":{"id":"seek-5","position":5}}}
      """#)
    #expect(device.media?.queueData?.name == "Q" && device.media?.shuffle == true)
    #expect(device.media?.extendedMediaSessionID == 2 && device.media?.media == nil)
    #expect(device.media?.breakStatus?.seekBreak?.id == "seek-5")
    try device.media(#"{"mediaSessionId":1,"playerState":"PLAYING"}"#)
    #expect(device.media?.queueData?.name == "Q" && device.media?.shuffle == true)
    #expect(device.media?.preloadedItemID == nil && device.media?.extendedMediaSessionID == nil)
    #expect(device.media?.queueItems?.map(\.itemID) == [1])
  }

  @Test("Times that cannot be are brought to what can: none before the start, none beyond a century")
  func times() throws {
    var device = try TrackedDevice()
    try device.media(#"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":-5}"#)
    #expect(device.media?.currentTime == 0)
    try device.media(
      #"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":1e300,"media":{"contentId":"a","duration":1e300}}"#)
    #expect(device.media?.currentTime == 3_155_760_000 && device.media?.media?.duration == 3_155_760_000)
  }
}
