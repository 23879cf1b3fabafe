import CastProtocol
import Testing

@Suite struct QueueRequestTests {
  static func item(_ url: String, id: Int? = nil) -> QueueItem {
    var media = MediaInformation()
    media.contentID = url
    var item = QueueItem(media: media)
    item.itemID = id
    return item
  }

  static func load() -> QueueLoadRequest {
    var request = QueueLoadRequest(items: [item("a"), item("b")])
    request.startIndex = 1
    request.repeatMode = .allAndShuffle
    return request
  }

  static func update() -> QueueUpdateRequest {
    var request = QueueUpdateRequest()
    request.jump = -1
    request.repeatMode = .single
    request.shuffle = false
    request.items = [item("c", id: 4)]
    return request
  }

  static func everything() -> QueueLoadRequest {
    var item = item("a")
    item.autoplay = false
    item.startTime = 1.5
    item.playbackDuration = -10
    item.preloadTime = 20
    item.activeTrackIDs = [1, 2]
    item.customData = ["a": [1]]
    item.orderID = 3
    var request = QueueLoadRequest(items: [item])
    request.repeatMode = .off
    request.currentTime = 2
    return request
  }

  static let requests: [(request: MediaRequest, text: String)] = [
    (
      .queueLoad(load()),
      #"{"type":"QUEUE_LOAD","requestId":7,"startIndex":1,"repeatMode":"REPEAT_ALL_AND_SHUFFLE","items":[{"media":{"contentId":"a"}},{"media":{"contentId":"b"}}]}"#
    ),
    (
      .queueLoad(everything()),
      #"{"type":"QUEUE_LOAD","requestId":7,"repeatMode":"REPEAT_OFF","currentTime":2,"items":[{"autoplay":false,"startTime":1.5,"playbackDuration":-10,"preloadTime":20,"activeTrackIds":[1,2],"orderId":3,"customData":{"a":[1]},"media":{"contentId":"a"}}]}"#
    ),
    (
      MediaRequest(.queueInsert(QueueInsertRequest(items: [item("a")], insertBefore: 2)), session: 3),
      #"{"type":"QUEUE_INSERT","requestId":7,"mediaSessionId":3,"insertBefore":2,"items":[{"media":{"contentId":"a"}}]}"#
    ),
    (
      MediaRequest(.queueUpdate(update()), session: 3),
      #"{"type":"QUEUE_UPDATE","requestId":7,"mediaSessionId":3,"jump":-1,"repeatMode":"REPEAT_SINGLE","shuffle":false,"items":[{"itemId":4,"media":{"contentId":"c"}}]}"#
    ),
    (
      MediaRequest(.queueRemove(itemIDs: [1, 2]), session: 3),
      #"{"type":"QUEUE_REMOVE","requestId":7,"mediaSessionId":3,"itemIds":[1,2]}"#
    ),
    (
      MediaRequest(.queueReorder(itemIDs: [2, 1], insertBefore: nil), session: 3),
      #"{"type":"QUEUE_REORDER","requestId":7,"mediaSessionId":3,"itemIds":[2,1]}"#
    ),
    (
      .queueLoad(described()),
      #"{"type":"QUEUE_LOAD","requestId":7,"customData":{"k":"v"},"queueData":{"name":"Morning","queueType":"PLAYLIST"},"items":[{"media":{"contentId":"a"}}]}"#
    ),
    (
      MediaRequest(.queueInsert(insertion()), session: 3),
      #"{"type":"QUEUE_INSERT","requestId":7,"mediaSessionId":3,"currentItemIndex":0,"currentTime":3,"customData":1,"items":[{"media":{"contentId":"a"}}]}"#
    ),
    (
      MediaRequest(.queueRemove(itemIDs: [1], goingTo: .init(itemID: 2, currentTime: 5)), session: 3),
      #"{"type":"QUEUE_REMOVE","requestId":7,"mediaSessionId":3,"currentItemId":2,"currentTime":5,"itemIds":[1]}"#
    ),
    (
      MediaRequest(.queueReorder(itemIDs: [1], insertBefore: nil, goingTo: .init(itemID: 2)), session: 3),
      #"{"type":"QUEUE_REORDER","requestId":7,"mediaSessionId":3,"currentItemId":2,"itemIds":[1]}"#
    ),
    (MediaRequest(.queueNext, session: 3), #"{"type":"QUEUE_NEXT","requestId":7,"mediaSessionId":3}"#),
    (MediaRequest(.queuePrevious, session: 3), #"{"type":"QUEUE_PREV","requestId":7,"mediaSessionId":3}"#),
    (MediaRequest(.queueShuffle, session: 3), #"{"type":"QUEUE_SHUFFLE","requestId":7,"mediaSessionId":3}"#),
    (MediaRequest(.queueGetItemIDs, session: 3), #"{"type":"QUEUE_GET_ITEM_IDS","requestId":7,"mediaSessionId":3}"#),
    (
      MediaRequest(.queueGetItems(itemIDs: [4, 5]), session: 3),
      #"{"type":"QUEUE_GET_ITEMS","requestId":7,"mediaSessionId":3,"itemIds":[4,5]}"#
    ),
    (
      MediaRequest(.queueGetItemRange(itemID: 4, next: 10, previous: 0), session: 3),
      #"{"type":"QUEUE_GET_ITEM_RANGE","requestId":7,"mediaSessionId":3,"itemId":4,"nextCount":10,"prevCount":0}"#
    ),
    (
      MediaRequest(.queueReorder(itemIDs: [2], insertBefore: 1), session: 3),
      #"{"type":"QUEUE_REORDER","requestId":7,"mediaSessionId":3,"insertBefore":1,"itemIds":[2]}"#
    ),
  ]

  static func insertion() -> QueueInsertRequest {
    var request = QueueInsertRequest(items: [item("a")])
    request.currentItemIndex = 0
    request.currentTime = 3
    request.customData = 1
    return request
  }

  static func described() -> QueueLoadRequest {
    var request = QueueLoadRequest(items: [item("a")])
    request.queueData = QueueData()
    request.queueData?.name = "Morning"
    request.queueData?.queueType = "PLAYLIST"
    request.customData = ["k": "v"]
    return request
  }

  @Test("A queue request is written with its members in order, and read back as the same", arguments: requests)
  func roundTrip(request: MediaRequest, text: String) throws {
    #expect(request.json(requestID: 7).serialized() == text)
    #expect(MediaRequest(try JSONValue(parsing: text)) == request)
  }

  @Test("Going to an item is a QUEUE_UPDATE that names it")
  func jump() {
    var update = QueueUpdateRequest()
    update.currentItemID = 9
    #expect(
      MediaRequest(.queueUpdate(update), session: 1).json(requestID: 2).serialized()
        == #"{"type":"QUEUE_UPDATE","requestId":2,"mediaSessionId":1,"currentItemId":9}"#)
  }

  @Test(
    "What is no queue request is none",
    arguments: [
      "[]", #"{"type":"LOAD"}"#, #"{"type":"QUEUE_LOAD"}"#, #"{"type":"QUEUE_INSERT","items":1}"#,
      #"{"type":"QUEUE_REMOVE"}"#, #"{"type":"QUEUE_REORDER","itemIds":{}}"#,
    ])
  func none(text: String) throws {
    #expect(MediaRequest(try JSONValue(parsing: text)) == nil)
  }

  @Test(
    "Recorded queue requests of other senders are read, and what is written again says the same",
    .enabled(if: Reference.has(Recording.folder)))
  func recordings() throws {
    var types: [String: Int] = [:]
    for file in try Recording.files() {
      for recording in try Recording.all(in: file) {
        let payload = recording.payload
        guard recording.type?.hasPrefix("QUEUE_") == true, let request = MediaRequest(payload) else { continue }
        types[request.command.type, default: 0] += 1
        #expect(payload["type"]?.string == request.command.type)
        #expect(MediaRequest(request.json(requestID: 1)) == request)
        let written = request.json(requestID: 1)["items"]?.array ?? []
        let recorded = payload["items"]?.array ?? []
        #expect(written.count == recorded.count)
        #expect(written.map { $0["media"]?["contentId"] } == recorded.map { $0["media"]?["contentId"] })
        #expect(written.map { $0["itemId"] } == recorded.map { $0["itemId"] })
      }
    }
    #expect(types == ["QUEUE_LOAD": 2, "QUEUE_UPDATE": 1, "QUEUE_INSERT": 1])
  }
}
