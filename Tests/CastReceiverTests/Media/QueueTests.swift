import CastProtocol
import Testing

@testable import CastReceiver

/// Queues over the whole receiver: what a sender asks and what everyone hears. Times are in items of ten seconds.
@Suite struct QueueTests {
  /// An item of ten seconds.
  static func item(_ name: String, _ members: JSONObject = [:]) -> JSONValue {
    var item: JSONObject = ["media": ["contentId": .string(name), "contentType": "video/mp4", "duration": 10]]
    for member in members.members { item[member.name] = member.value }
    return .object(item)
  }

  static func items(_ names: String...) -> JSONValue { .array(names.map { item($0) }) }

  /// A receiver that plays a queue of `names`; the request ids go on from 102.
  static func playing(
    _ names: [String], _ members: JSONObject = [:], _ change: (inout ReceiverConfiguration) -> Void = { _ in }
  ) -> ReceiverHarness {
    var receiver = ReceiverHarness(change)
    receiver.start()
    var request: JSONObject = ["items": .array(names.map { item($0) })]
    request.members += members.members
    _ = receiver.media("QUEUE_LOAD", request)
    return receiver
  }

  static func integers(_ json: JSONValue?, _ member: String? = nil) -> [Int] {
    (json?.array ?? []).compactMap { value in member.map { value[$0]?.int } ?? value.int }
  }

  @Test("QUEUE_LOAD is a LOAD of the first item; the status that plays it lists all items with ids from 1")
  func load() throws {
    var receiver = ReceiverHarness()
    receiver.start()
    let heard = receiver.media(
      "QUEUE_LOAD",
      [
        "items": [Self.item("a", ["customData": ["n": 1]]), Self.item("b", ["preloadTime": 3, "startTime": 2])],
        "repeatMode": "REPEAT_ALL",
      ])
    #expect(heard.summary == ["IDLE/LOADING", "BUFFERING", "PLAYING #101"])
    let playing = try #require(heard.last?.media)
    #expect(playing["currentItemId"] == 1 && playing["mediaSessionId"] == 1)
    #expect(playing["repeatMode"] == "REPEAT_ALL")
    #expect(playing["queueData"] == ["startIndex": 0, "repeatMode": "REPEAT_ALL", "shuffle": false])
    #expect(
      playing["items"] == [
        [
          "itemId": 1, "autoplay": true, "orderId": 0, "customData": ["n": 1],
          "media": ["contentId": "a", "contentType": "video/mp4", "duration": 10, "mediaCategory": "VIDEO"],
        ],
        [
          "itemId": 2, "autoplay": true, "orderId": 1, "startTime": 2, "preloadTime": 3,
          "media": ["contentId": "b", "contentType": "video/mp4", "duration": 10],
        ],
      ])
  }

  static let starts: [(members: JSONObject, current: Int, position: Double, state: String)] = [
    (["startIndex": 1], 2, 0, "PLAYING"),
    (["startIndex": 2], 3, 4, "PLAYING"),
    (["startIndex": 2, "currentTime": 1.5], 3, 1.5, "PLAYING"),
    (["startIndex": 2, "currentTime": .null], 3, 4, "PLAYING"),
    (["startIndex": 3], 4, 0, "PAUSED"),
  ]
  @Test("A queue starts with the item, at the time and in the state that is asked for", arguments: starts)
  func start(members: JSONObject, current: Int, position: Double, state: String) {
    var receiver = ReceiverHarness()
    receiver.start()
    var request: JSONObject = [
      "items": [
        Self.item("a"), Self.item("b"), Self.item("c", ["startTime": 4]), Self.item("d", ["autoplay": false]),
      ]
    ]
    request.members += members.members
    let last = receiver.media("QUEUE_LOAD", request).last?.media
    #expect(last?["currentItemId"]?.int == current && last?["currentTime"]?.number == position)
    #expect(last?["playerState"]?.string == state)
  }

  static let refused: [(name: String, type: String, members: JSONObject)] = [
    ("no items", "QUEUE_LOAD", [:]),
    ("an empty queue", "QUEUE_LOAD", ["items": []]),
    ("items are no list", "QUEUE_LOAD", ["items": "a"]),
    ("an item is no object", "QUEUE_LOAD", ["items": [1]]),
    ("an item without media", "QUEUE_LOAD", ["items": [["autoplay": true]]]),
    ("an item with an id", "QUEUE_LOAD", ["items": [item("x", ["itemId": 4])]]),
    ("autoplay is no flag", "QUEUE_LOAD", ["items": [item("x", ["autoplay": 2])]]),
    ("a start time in words", "QUEUE_LOAD", ["items": [item("x", ["startTime": "soon"])]]),
    ("a preload time in words", "QUEUE_LOAD", ["items": [item("x", ["preloadTime": "soon"])]]),
    ("an active track that is none", "QUEUE_LOAD", ["items": [item("x", ["activeTrackIds": [1]])]]),
    ("a start behind the end", "QUEUE_LOAD", ["items": items("x"), "startIndex": 1]),
    ("a start before the beginning", "QUEUE_LOAD", ["items": items("x"), "startIndex": -1]),
    ("a start in words", "QUEUE_LOAD", ["items": items("x"), "startIndex": "one"]),
    ("an unknown way to repeat", "QUEUE_LOAD", ["items": items("x"), "repeatMode": "none"]),
    ("nothing to insert", "QUEUE_INSERT", ["items": []]),
    ("an inserted item with an id", "QUEUE_INSERT", ["items": [item("x", ["itemId": 4])]]),
    ("two places to go to", "QUEUE_INSERT", ["items": items("x"), "currentItemId": 1, "currentItemIndex": 0]),
    ("an inserted item that is none", "QUEUE_INSERT", ["items": items("x"), "currentItemIndex": 1]),
    ("an item to go to that is none", "QUEUE_INSERT", ["items": items("x"), "currentItemId": 9]),
    ("a jump to no item", "QUEUE_UPDATE", ["currentItemId": 9]),
    ("a jump in words", "QUEUE_UPDATE", ["jump": "next"]),
    ("half a jump", "QUEUE_UPDATE", ["jump": 0.5]),
    ("shuffle is no flag", "QUEUE_UPDATE", ["shuffle": 2]),
    ("an item changed twice", "QUEUE_UPDATE", ["items": [item("x", ["itemId": 1]), item("y", ["itemId": 1])]]),
    ("a changed item without id", "QUEUE_UPDATE", ["items": items("x")]),
    ("no ids to remove", "QUEUE_REMOVE", [:]),
    ("an id twice", "QUEUE_REMOVE", ["itemIds": [1, 1]]),
    ("ids are no numbers", "QUEUE_REMOVE", ["itemIds": ["a"]]),
    ("removed and yet to go to", "QUEUE_REMOVE", ["itemIds": [2], "currentItemId": 2]),
    ("no order", "QUEUE_REORDER", [:]),
    ("an order that names one twice", "QUEUE_REORDER", ["itemIds": [2, 2]]),
    ("moved before itself", "QUEUE_REORDER", ["itemIds": [2], "insertBefore": 2]),
    ("no ids to fetch", "QUEUE_GET_ITEMS", [:]),
  ]
  @Test("A queue's request with wrong parameters gets INVALID_PARAMS and changes nothing", arguments: refused)
  func parameters(name: String, type: String, members: JSONObject) {
    var receiver = Self.playing(["a", "b"])
    #expect(receiver.media(type, members).summary == ["INVALID_REQUEST INVALID_PARAMS #102"], "\(name)")
    #expect(receiver.media("QUEUE_GET_ITEM_IDS").first?.json["itemIds"] == [1, 2])
    #expect(receiver.status()?["mediaSessionId"] == 1)
  }

  @Test("A queue's request without a session, or with another one's id, is refused as any other", arguments: [nil, 9])
  func session(id: Int?) {
    var receiver = ReceiverHarness()
    receiver.start()
    if id != nil { receiver.load(film) }
    for type in ["QUEUE_INSERT", "QUEUE_UPDATE", "QUEUE_REMOVE", "QUEUE_REORDER", "QUEUE_NEXT", "QUEUE_GET_ITEMS"] {
      let heard = receiver.media(type, id.map { ["mediaSessionId": .int($0)] } ?? [:])
      #expect(heard.first?.json["reason"] == "INVALID_MEDIA_SESSION_ID", "\(type)")
    }
  }

  // MARK: the end of an item

  @Test("The end of an item is IDLE, FINISHED with what is loaded next, then that item plays: the session goes on")
  func nextItem() throws {
    var receiver = Self.playing(["a", "b"])
    let heard = receiver.advance(by: .seconds(10))
    #expect(heard.summary == ["IDLE/FINISHED/LOADING", "BUFFERING", "PLAYING"])
    let (step, buffering, playing) = (
      try #require(heard[0].media), try #require(heard[1].media), try #require(heard[2].media)
    )
    #expect(step["currentItemId"] == 1 && step["loadingItemId"] == 2 && step["currentTime"] == 0)
    #expect(step["extendedStatus"]?["media"]?["contentId"] == "b")
    #expect(buffering["currentItemId"] == 2 && buffering["media"]?["contentId"] == "b")
    #expect(playing["currentItemId"] == 2 && playing["currentTime"] == 0 && playing["loadingItemId"] == nil)
    #expect(heard.allSatisfy { $0.media?["mediaSessionId"] == 1 && $0.destination == "*" })
    let last = receiver.advance(by: .seconds(10))
    #expect(last.summary == ["IDLE/FINISHED"])
    #expect(last.first?.media?["loadingItemId"] == nil && last.first?.media?["extendedStatus"] == nil)
    #expect(receiver.media("GET_STATUS").summary == ["[] #102"])
  }

  static let repeats: [(mode: String, order: [Int])] = [
    ("REPEAT_OFF", [1, 2, 3]), ("REPEAT_SINGLE", [1, 1, 1, 1, 1]), ("REPEAT_ALL", [1, 2, 3, 1, 2]),
  ]
  @Test("What follows the end of an item is what the repeat mode says", arguments: repeats)
  func repeating(mode: String, order: [Int]) {
    var receiver = Self.playing(["a", "b", "c"], ["repeatMode": .string(mode)])
    var played = [1]
    for _ in 0..<4 {
      if let id = receiver.advance(by: .seconds(10)).last?.media?["currentItemId"]?.int,
        receiver.machine.application?.media?.session != nil
      {
        played.append(id)
      }
    }
    #expect(played == order)
  }

  @Test("REPEAT_ALL_AND_SHUFFLE plays every item once a round, mixes them for the next one and says so")
  func shuffledRounds() throws {
    var receiver = Self.playing(["a", "b", "c", "d", "e"], ["repeatMode": "REPEAT_ALL_AND_SHUFFLE"]) { $0.seed = 4 }
    var heard = receiver.advance(by: .seconds(49))
    #expect(heard.compactMap { $0.json["loadingItemId"]?.int ?? $0.media?["loadingItemId"]?.int } == [2, 3, 4, 5])
    heard = receiver.advance(by: .seconds(1))
    #expect(heard.summary == ["QUEUE_CHANGE", "IDLE/FINISHED/LOADING", "BUFFERING", "PLAYING"])
    let order = Self.integers(heard[0].json["itemIds"])
    #expect(order.sorted() == [1, 2, 3, 4, 5] && order != [1, 2, 3, 4, 5])
    #expect(heard[1].media?["loadingItemId"]?.int == order.first)
    let round = receiver.advance(by: .seconds(45)).compactMap { $0.media?["loadingItemId"]?.int }
    #expect(round == Array(order.dropFirst()))
  }

  @Test("An item ends where its playback duration says: from its start, or before the end of the content")
  func playbackDuration() {
    var receiver = ReceiverHarness()
    receiver.start()
    let picture: JSONValue = ["media": ["contentId": "p.png", "contentType": "image/png"], "playbackDuration": 8]
    _ = receiver.media(
      "QUEUE_LOAD",
      [
        "items": [
          Self.item("a", ["startTime": 2, "playbackDuration": 3]), Self.item("b", ["playbackDuration": -4]),
          Self.item("c", ["playbackDuration": 99]), picture,
        ]
      ])
    var ends: [Double] = []
    while let deadline = receiver.machine.nextDeadline {
      ends.append(deadline.seconds)
      _ = receiver.advance(by: deadline - receiver.now)
    }
    #expect(ends == [3, 9, 19, 27])
  }

  @Test("The item that comes next is loaded ahead by its preload time; a seek back takes that back")
  func preload() {
    var receiver = ReceiverHarness()
    receiver.start()
    _ = receiver.media("QUEUE_LOAD", ["items": [Self.item("a"), Self.item("b", ["preloadTime": 3])]])
    #expect(receiver.advance(by: .seconds(6)) == [])
    let heard = receiver.advance(by: .seconds(1))
    #expect(heard.summary == ["PLAYING"])
    #expect(heard.first?.media?["preloadedItemId"] == 2)
    #expect(receiver.media("PAUSE").first?.media?["preloadedItemId"] == 2)
    #expect(receiver.media("SEEK", ["currentTime": 1]).last?.media?["preloadedItemId"] == nil)
    _ = receiver.media("PLAY")
    let again = receiver.advance(by: .seconds(9))
    #expect(again.summary == ["PLAYING", "IDLE/FINISHED/LOADING", "BUFFERING", "PLAYING"])
    #expect(again.map { $0.media?["preloadedItemId"]?.int } == [2, nil, nil, nil])
  }

  @Test("A preload time of 0 loads the next item ahead at once, also one that is inserted while another plays")
  func preloadAtOnce() {
    var receiver = Self.playing(["a"])
    _ = receiver.advance(by: .seconds(4))
    let heard = receiver.media("QUEUE_INSERT", ["items": [Self.item("b", ["preloadTime": 0])]])
    #expect(heard.summary == ["QUEUE_CHANGE", "PLAYING #102", "PLAYING"])
    #expect(heard[1].media?["preloadedItemId"] == nil && heard[2].media?["preloadedItemId"] == 2)
    #expect(heard[2].media?["currentTime"] == 4)
  }

  @Test("Breaks of an item play within it, and the next item after its post-roll")
  func breaks() {
    var receiver = ReceiverHarness()
    receiver.start()
    let media: JSONValue = [
      "contentId": "a", "duration": 10, "breakClips": [["id": "c", "duration": 2]],
      "breaks": [
        ["id": "mid", "position": 5, "breakClipIds": ["c"]], ["id": "post", "position": -1, "breakClipIds": ["c"]],
      ],
    ]
    _ = receiver.media("QUEUE_LOAD", ["items": [["media": media], Self.item("b")]])
    let heard = receiver.advance(by: .seconds(14))
    #expect(
      heard.summary == [
        "BUFFERING mid/c", "PLAYING mid/c", "PLAYING", "BUFFERING post/c", "PLAYING post/c", "IDLE/FINISHED/LOADING",
        "BUFFERING", "PLAYING",
      ])
  }

  @Test("An item that no device plays is passed over; with nothing left the load fails")
  func failing() throws {
    var receiver = ReceiverHarness()
    receiver.start()
    let bad: JSONValue = ["media": ["contentId": "x", "contentType": "text/html"]]
    let heard = receiver.media("QUEUE_LOAD", ["items": [bad, Self.item("b"), bad]])
    #expect(heard.summary == ["IDLE/LOADING", "ERROR", "IDLE/ERROR/LOADING", "BUFFERING", "PLAYING #101"])
    #expect(heard[1].json["detailedErrorCode"] == 104 && heard[1].json["itemId"] == 1)
    #expect(heard[2].media?["loadingItemId"] == 2 && heard[4].media?["currentItemId"] == 2)
    let end = receiver.advance(by: .seconds(10))
    #expect(end.summary == ["IDLE/FINISHED/LOADING", "ERROR", "IDLE/ERROR"])
    #expect(end[2].media?["loadingItemId"] == nil)
    let none = receiver.media("QUEUE_LOAD", ["items": [bad, bad], "repeatMode": "REPEAT_ALL"])
    #expect(none.summary == ["IDLE/LOADING", "ERROR", "IDLE/ERROR/LOADING", "LOAD_FAILED #102", "IDLE/ERROR"])
    #expect(none[3].destination == "sender-0" && none[3].json["itemId"] == 5)
  }

  @Test("Of a long queue that no device plays only so many items are tried at once")
  func failingForLong() {
    var receiver = ReceiverHarness()
    receiver.start()
    let bad: JSONValue = ["media": ["contentId": "x", "contentType": "text/html"]]
    let heard = receiver.media("QUEUE_LOAD", ["items": .array(Array(repeating: bad, count: 500))])
    #expect(heard.count < 200)
    #expect(heard.summary.suffix(2) == ["LOAD_FAILED #101", "IDLE/ERROR"])
  }

  @Test("Items without length that repeat do not keep the receiver busy for ever")
  func loop() {
    var receiver = ReceiverHarness()
    receiver.start()
    let instant = Self.item("a", ["playbackDuration": 0])
    let heard = receiver.media("QUEUE_LOAD", ["items": [instant, instant], "repeatMode": "REPEAT_ALL"])
    #expect(heard.count < 400)
    #expect(heard.summary.last == "IDLE/ERROR")
    #expect(receiver.machine.nextDeadline == nil)
  }

  // MARK: jumps

  static let jumps: [(mode: String, from: Int, jump: Int, to: Int?)] = [
    ("REPEAT_OFF", 1, 1, 2), ("REPEAT_OFF", 1, 2, 3), ("REPEAT_OFF", 2, -1, 1), ("REPEAT_OFF", 1, -1, 1),
    ("REPEAT_OFF", 3, 1, nil), ("REPEAT_OFF", 1, .max, nil), ("REPEAT_OFF", 2, .min, 1), ("REPEAT_OFF", 2, 0, 2),
    ("REPEAT_SINGLE", 1, 1, 2), ("REPEAT_SINGLE", 3, 1, nil), ("REPEAT_SINGLE", 1, -1, 1),
    ("REPEAT_ALL", 3, 1, 1), ("REPEAT_ALL", 1, -1, 3), ("REPEAT_ALL", 2, 7, 3), ("REPEAT_ALL", 2, -8, 3),
    ("REPEAT_ALL", 1, .max, 2), ("REPEAT_ALL", 1, .min, 2),
  ]
  @Test(
    "A jump leaves the item as INTERRUPTED with the request's id, and ends the queue past its end", arguments: jumps)
  func jump(mode: String, from: Int, jump: Int, to: Int?) {
    var receiver = Self.playing(
      ["a", "b", "c"], ["repeatMode": .string(mode), "startIndex": .int(from - 1)])
    let heard = receiver.media("QUEUE_UPDATE", ["jump": .int(jump)])
    if let to {
      #expect(heard.summary == ["IDLE/INTERRUPTED/LOADING #102", "BUFFERING", "PLAYING"])
      #expect(heard[0].media?["currentItemId"]?.int == from && heard[0].media?["loadingItemId"]?.int == to)
      #expect(heard[2].media?["currentItemId"]?.int == to)
    } else {
      #expect(heard.summary == ["IDLE/INTERRUPTED #102"])
      #expect(receiver.media("PLAY").summary == ["INVALID_REQUEST INVALID_MEDIA_SESSION_ID #103"])
    }
  }

  @Test("QUEUE_NEXT and QUEUE_PREV are jumps by one; currentItemId goes to an item, at a time if one is said")
  func goingTo() {
    var receiver = Self.playing(["a", "b", "c"])
    #expect(receiver.media("QUEUE_NEXT").last?.media?["currentItemId"] == 2)
    #expect(receiver.media("QUEUE_NEXT").last?.media?["currentItemId"] == 3)
    #expect(receiver.media("QUEUE_PREV").last?.media?["currentItemId"] == 2)
    let heard = receiver.media("QUEUE_UPDATE", ["currentItemId": 1, "currentTime": 4, "jump": 1])
    #expect(heard.last?.media?["currentItemId"] == 1 && heard.last?.media?["currentTime"] == 4)
    #expect(receiver.media("QUEUE_UPDATE", ["currentItemId": 1]).last?.media?["currentTime"] == 0)
  }

  @Test(
    "A plain LOAD is a queue of one that can grow; a jump behind it ends it; the next LOAD begins with item 1 again")
  func plainLoad() {
    var receiver = ReceiverHarness()
    receiver.start()
    receiver.load(film)
    let heard = receiver.media("QUEUE_INSERT", ["items": Self.items("b")])
    #expect(heard.summary == ["QUEUE_CHANGE", "PLAYING #102"])
    #expect(Self.integers(heard[1].media?["items"], "itemId") == [1, 2])
    #expect(heard[1].media?["queueData"] == nil)
    #expect(receiver.media("QUEUE_NEXT").last?.media?["currentItemId"] == 2)
    #expect(receiver.media("QUEUE_NEXT").summary == ["IDLE/INTERRUPTED #104"])
    #expect(receiver.load(film).last?.media?["currentItemId"] == 1)
  }

  @Test("LOAD with queueData plays its items; repeat, start and names are those of the queue")
  func loadWithQueue() {
    var receiver = ReceiverHarness()
    receiver.start()
    let data: JSONValue = [
      "name": "Morning", "queueType": "PLAYLIST", "items": Self.items("a", "b"), "startIndex": 1, "startTime": 3,
      "repeatMode": "REPEAT_ALL",
    ]
    let last = receiver.media("LOAD", ["queueData": data, "autoplay": false]).last?.media
    #expect(last?["currentItemId"] == 2 && last?["currentTime"] == 3 && last?["playerState"] == "PAUSED")
    #expect(
      last?["queueData"] == [
        "name": "Morning", "queueType": "PLAYLIST", "startIndex": 1, "repeatMode": "REPEAT_ALL", "shuffle": false,
      ])
    let old = receiver.load(film, ["repeatMode": "REPEAT_SINGLE"]).last?.media
    #expect(old?["repeatMode"] == "REPEAT_SINGLE")
  }

  // MARK: changes

  @Test("QUEUE_INSERT says what came where, then lists the items; before an unknown item is at the end")
  func insert() throws {
    var receiver = Self.playing(["a", "b"])
    let heard = receiver.media("QUEUE_INSERT", ["items": Self.items("x", "y"), "insertBefore": 2])
    #expect(heard.summary == ["QUEUE_CHANGE", "PLAYING #102"])
    #expect(
      heard[0].json == [
        "type": "QUEUE_CHANGE", "changeType": "INSERT", "itemIds": [3, 4], "insertBefore": 2,
        "sequenceNumber": 1,
      ])
    #expect(heard.allSatisfy { $0.destination == "*" })
    #expect(Self.integers(heard[1].media?["items"], "itemId") == [1, 3])
    #expect(Self.integers(heard[1].media?["items"], "orderId") == [0, 1])
    let end = receiver.media("QUEUE_INSERT", ["items": Self.items("z"), "insertBefore": 77])
    #expect(end[0].json["insertBefore"] == nil && end[0].json["sequenceNumber"] == 2)
    #expect(receiver.media("QUEUE_GET_ITEM_IDS").first?.json["itemIds"] == [1, 3, 4, 2, 5])
  }

  @Test("What is inserted before the item that plays does not stop it; an insertion may go to one of its items")
  func insertBeforeCurrent() {
    var receiver = Self.playing(["a", "b"], ["startIndex": 1])
    _ = receiver.media("QUEUE_INSERT", ["items": Self.items("x"), "insertBefore": 1])
    #expect(receiver.status()?["currentItemId"] == 2)
    let heard = receiver.media("QUEUE_INSERT", ["items": Self.items("y", "z"), "currentItemIndex": 1])
    #expect(heard.summary == ["QUEUE_CHANGE", "IDLE/INTERRUPTED/LOADING #104", "BUFFERING", "PLAYING"])
    #expect(heard.last?.media?["currentItemId"] == 5)
    let known = receiver.media("QUEUE_INSERT", ["items": Self.items("w"), "currentItemId": 1, "currentTime": 2])
    #expect(known.last?.media?["currentItemId"] == 1 && known.last?.media?["currentTime"] == 2)
  }

  static let removals: [(ids: [Int], members: JSONObject, left: [Int], current: Int?)] = [
    ([1], [:], [2, 3, 4], 2), ([3], [:], [1, 2, 4], 2), ([2], [:], [1, 3, 4], 3), ([2, 3], [:], [1, 4], 4),
    ([1, 2, 3], [:], [4], 4), ([2, 3, 4], [:], [1], nil), ([9], [:], [1, 2, 3, 4], 2),
    ([1, 2, 3, 4], [:], [], nil), ([2], ["currentItemId": 1], [1, 3, 4], 1), ([4], ["currentItemId": 3], [1, 2, 3], 3),
  ]
  @Test(
    "QUEUE_REMOVE takes items out; the one that plays gives way to the next, or the queue ends", arguments: removals)
  func remove(ids: [Int], members: JSONObject, left: [Int], current: Int?) {
    var receiver = Self.playing(["a", "b", "c", "d"], ["startIndex": 1])
    var request: JSONObject = ["itemIds": .array(ids.map { .int($0) })]
    request.members += members.members
    let heard = receiver.media("QUEUE_REMOVE", request)
    let known = ids.filter { $0 < 9 }
    #expect(heard.filter { $0.type == "QUEUE_CHANGE" }.count == (known.isEmpty ? 0 : 1))
    if let current {
      #expect(receiver.status()?["currentItemId"]?.int == current)
      #expect(
        Self.integers(receiver.media("QUEUE_GET_ITEM_IDS").first?.json["itemIds"]) == left)
      let isMoved = current != 2
      #expect(heard.contains { $0.media?["idleReason"] == "INTERRUPTED" } == isMoved)
    } else {
      #expect(heard.summary.last == "IDLE/INTERRUPTED #102")
      #expect(receiver.status() == nil)
    }
  }

  @Test("The last item that is removed from a queue that repeats gives way to the first")
  func removeAndWrap() {
    var receiver = Self.playing(["a", "b"], ["startIndex": 1, "repeatMode": "REPEAT_ALL"])
    #expect(receiver.media("QUEUE_REMOVE", ["itemIds": [2]]).last?.media?["currentItemId"] == 1)
  }

  static let orders: [(ids: [Int], before: Int?, order: [Int])] = [
    ([4, 3, 2, 1], nil, [4, 3, 2, 1]), ([1], nil, [2, 3, 4, 1]), ([4], 1, [4, 1, 2, 3]), ([3, 1], 4, [2, 3, 1, 4]),
    ([], nil, [1, 2, 3, 4]), ([9, 2], 1, [2, 1, 3, 4]), ([1], 99, [2, 3, 4, 1]),
  ]
  @Test("QUEUE_REORDER moves items and says the whole new order; what plays goes on playing", arguments: orders)
  func reorder(ids: [Int], before: Int?, order: [Int]) {
    var receiver = Self.playing(["a", "b", "c", "d"], ["startIndex": 1])
    let heard = receiver.media(
      "QUEUE_REORDER",
      ["itemIds": .array(ids.map { .int($0) }), "insertBefore": before.map { .int($0) } ?? .null])
    #expect(heard.summary == ["QUEUE_CHANGE", "PLAYING #102"])
    #expect(heard[0].json["changeType"] == "UPDATE")
    #expect(Self.integers(heard[0].json["itemIds"]) == order)
    #expect(Self.integers(heard[0].json["reorderItemIds"]) == ids.filter { $0 < 9 })
    #expect(heard[1].media?["currentItemId"] == 2)
    let place = order.firstIndex(of: 2) ?? 0
    let neighbours = order[max(0, place - 1)..<min(order.count, place + 2)]
    #expect(Self.integers(heard[1].media?["items"], "itemId") == Array(neighbours))
    #expect(heard[1].media?["items"]?.array?.first?["media"] == nil && heard[1].media?["queueData"] == nil)
  }

  @Test("The item that is on, alone and to no place, stays where it is")
  func reorderCurrent() {
    var receiver = Self.playing(["a", "b", "c", "d"], ["startIndex": 1])
    let heard = receiver.media("QUEUE_REORDER", ["itemIds": [2], "insertBefore": .null])
    #expect(heard[0].json["itemIds"] == [1, 2, 3, 4] && heard[0].json["reorderItemIds"] == [2])
    #expect(receiver.media("QUEUE_REORDER", ["itemIds": [2], "insertBefore": 1])[0].json["itemIds"] == [2, 1, 3, 4])
  }

  @Test("QUEUE_REMOVE of ids that the queue has not gets no answer at all")
  func removeUnknown() {
    var receiver = Self.playing(["a", "b"])
    #expect(receiver.media("QUEUE_REMOVE", ["itemIds": [7, 8]]) == [])
    #expect(receiver.media("QUEUE_GET_ITEM_IDS").first?.json["itemIds"] == [1, 2])
  }

  @Test("QUEUE_UPDATE replaces what items are and keeps their places; ids it does not know are left out")
  func replace() {
    var receiver = Self.playing(["a", "b"])
    let heard = receiver.media(
      "QUEUE_UPDATE",
      ["items": [Self.item("new", ["itemId": 2]), Self.item("x", ["itemId": 7]), ["itemId": 1, "autoplay": false]]])
    #expect(heard.summary == ["QUEUE_CHANGE", "PLAYING #102"])
    #expect(heard[0].json["changeType"] == "ITEMS_CHANGE" && heard[0].json["itemIds"] == [2, 1])
    let items = heard[1].media?["items"]?.array ?? []
    #expect(items.compactMap { $0["media"]?["contentId"]?.string } == ["a", "new"])
    #expect(items.compactMap { $0["autoplay"]?.bool } == [false, true])
    _ = receiver.advance(by: .seconds(10))
    #expect(receiver.status()?["media"]?["contentId"] == "new")
  }

  @Test("Shuffling keeps what plays at its place and changes the order of the rest, if there are three")
  func shuffle() throws {
    for type in ["QUEUE_SHUFFLE", "QUEUE_UPDATE"] {
      var receiver = Self.playing(["a", "b", "c", "d"], ["startIndex": 1])
      let heard = receiver.media(type, ["shuffle": true])
      #expect(heard.summary == ["QUEUE_CHANGE", "PLAYING #102"])
      let order = Self.integers(heard[0].json["itemIds"])
      #expect(order.sorted() == [1, 2, 3, 4] && order != [1, 2, 3, 4] && order[1] == 2)
      #expect(heard[1].media?["queueData"]?["shuffle"] == true && heard[1].media?["currentItemId"] == 2)
    }
    var two = Self.playing(["a", "b"])
    #expect(two.media("QUEUE_SHUFFLE").summary == ["PLAYING #102"])
  }

  @Test("The same seed shuffles alike, another one differently")
  func seeds() {
    func order(_ seed: UInt64) -> JSONValue? {
      var receiver = Self.playing((0..<20).map { "\($0)" }) { $0.seed = seed }
      return receiver.media("QUEUE_SHUFFLE").first?.json["itemIds"]
    }
    #expect(order(1) == order(1) && order(1) != order(2))
  }

  @Test("Only the repeat mode changes: the reply says so")
  func repeatMode() {
    var receiver = Self.playing(["a", "b"])
    let heard = receiver.media("QUEUE_UPDATE", ["repeatMode": "REPEAT_SINGLE"])
    #expect(heard.summary == ["PLAYING #102"])
    #expect(heard[0].media?["repeatMode"] == "REPEAT_SINGLE")
  }

  @Test("A receiver set so tells changes by the status alone, as older devices do")
  func withoutQueueChange() {
    var receiver = Self.playing(["a", "b"]) { $0.media.sendsQueueChange = false }
    #expect(receiver.media("QUEUE_REMOVE", ["itemIds": [2]]).summary == ["PLAYING #102"])
  }

  // MARK: fetching

  @Test("Ids and items go to the one who asks; ids that are none are left out")
  func fetch() throws {
    var receiver = Self.playing(["a", "b", "c"])
    let ids = receiver.media("QUEUE_GET_ITEM_IDS")
    #expect(
      ids.map(\.json) == [["type": "QUEUE_ITEM_IDS", "requestId": 102, "itemIds": [1, 2, 3], "sequenceNumber": 0]])
    let items = try #require(receiver.media("QUEUE_GET_ITEMS", ["itemIds": [3, 9, 1]]).first)
    #expect(items.type == "QUEUE_ITEMS" && items.destination == "sender-0" && items.json["sequenceNumber"] == 0)
    #expect(Self.integers(items.json["items"], "itemId") == [3, 1])
    #expect(Self.integers(items.json["items"], "orderId") == [2, 0])
    #expect(
      receiver.media("QUEUE_GET_ITEM_RANGE", ["itemId": 1, "nextCount": 1, "prevCount": 0]).summary == [
        "INVALID_REQUEST INVALID_COMMAND #104"
      ])
  }

  @Test("A long queue is told by what plays and its neighbours; the ids are all to be had")
  func window() throws {
    var receiver = ReceiverHarness()
    receiver.start()
    let long = Self.item("x", ["customData": .string(String(repeating: "x", count: 5000))])
    _ = receiver.media("QUEUE_LOAD", ["items": .array(Array(repeating: long, count: 11)), "startIndex": 10])
    for _ in 0..<9 { _ = receiver.media("QUEUE_INSERT", ["items": .array(Array(repeating: long, count: 11))]) }
    let status = receiver.media("GET_STATUS")[0]
    let window = Self.integers(status.media?["items"], "itemId")
    #expect(window == [11, 12])
    #expect(status.json.serialized().utf8.count < 65_000)
    #expect(receiver.media("QUEUE_GET_ITEM_IDS").first?.json["itemIds"]?.array?.count == 110)
    let fetched = try #require(
      receiver.media("QUEUE_GET_ITEMS", ["itemIds": .array((1...110).map { .int($0) })]).first)
    #expect(fetched.json["items"]?.array?.count == 10 && fetched.json.serialized().utf8.count < 65_000)
    #expect(receiver.media("GET_STATUS", ["options": 2])[0].media?["items"] == nil)
  }

  @Test("A queue has at most 2,000 items")
  func limit() {
    var receiver = Self.playing(["a"])
    let many: JSONValue = .array(Array(repeating: ["media": ["contentId": "x"]], count: 1000))
    #expect(receiver.media("QUEUE_INSERT", ["items": many]).summary == ["QUEUE_CHANGE", "PLAYING #102"])
    #expect(receiver.media("QUEUE_INSERT", ["items": many]).summary == ["INVALID_REQUEST INVALID_PARAMS #103"])
  }

  // MARK: what else a queue changes

  static let offers: [(names: [String], members: JSONObject, bits: Int)] = [
    (["a"], [:], 0), (["a", "b"], [:], 64 + 256 + 3072), (["a", "b"], ["startIndex": 1], 128 + 256 + 3072),
    (["a", "b", "c"], ["startIndex": 1], 64 + 128 + 256 + 3072),
    (["a", "b"], ["repeatMode": "REPEAT_ALL"], 64 + 128 + 256 + 3072),
  ]
  @Test("Next, previous, shuffle and repeat are offered where they lead somewhere", arguments: offers)
  func commands(names: [String], members: JSONObject, bits: Int) {
    var receiver = Self.playing(names, members)
    let all = receiver.status()?["supportedMediaCommands"]?.int ?? 0
    #expect(all & (64 | 128 | 256 | 3072) == bits)
  }

  @Test("Rate and stream volume stay from item to item; STOP ends the whole queue")
  func stays() {
    var receiver = Self.playing(["a", "b"])
    _ = receiver.media("SET_PLAYBACK_RATE", ["playbackRate": 2])
    _ = receiver.media("SET_VOLUME", ["volume": ["level": 0.5]])
    let next = receiver.advance(by: .seconds(5)).last?.media
    #expect(next?["currentItemId"] == 2 && next?["playbackRate"] == 2 && next?["volume"]?["level"] == 0.5)
    #expect(receiver.media("STOP").summary == ["IDLE/CANCELLED #104"])
    #expect(receiver.machine.nextDeadline == nil)
  }

  @Test("A seek to the end of an item goes on with the next one; the reply is the step")
  func seekToEnd() {
    var receiver = Self.playing(["a", "b"])
    #expect(
      receiver.media("SEEK", ["currentTime": 10]).summary == [
        "IDLE/FINISHED/LOADING #102", "BUFFERING", "PLAYING",
      ])
  }
}
