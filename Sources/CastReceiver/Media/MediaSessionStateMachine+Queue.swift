import CastProtocol

/// The queue's requests, and what follows the end of an item. Source: docs/protocol.md 4.2 and 6.4.
extension MediaSessionStateMachine {
  mutating func queueLoad(_ request: JSONObject, _ requestID: Int, at now: Duration) throws(Refusal) {
    var queue = try makeQueue(request["items"], startIndex: request["startIndex"])
    let data = request["queueData"]?.object ?? [:]
    let wholeMode = try Self.repeatMode(data["repeatMode"])
    queue.repeatMode = try Self.repeatMode(request["repeatMode"]) ?? wholeMode ?? .off
    try describe(&queue, data, startIndex: queue.index)
    let start = try Self.time(request["currentTime"])
    begin(queue, Beginning(start: start), loader: requestID, at: now)
  }

  mutating func queueInsert(_ request: JSONObject, at now: Duration) throws(Refusal) {
    guard let session else { return }
    let new = try makeItems(request["items"])
    let before = try Self.integer(request["insertBefore"])
    let currentID = try Self.integer(request["currentItemId"])
    let currentIndex = try Self.integer(request["currentItemIndex"])
    let start = try Self.time(request["currentTime"])
    var queue = session.queue
    guard !new.isEmpty, queue.insert(new, before: before), currentID == nil || currentIndex == nil else {
      throw .invalidParameters
    }
    if let currentIndex, !new.indices.contains(currentIndex) { throw .invalidParameters }
    let target = try Self.target(currentID ?? currentIndex.map { new[$0].id }, in: queue)
    lastItemID = max(lastItemID, new.last?.id ?? 0)
    let isAppended = before.flatMap { session.queue.index(of: $0) } == nil
    announceChange(
      "INSERT", ["itemIds": Self.json(new.map(\.id))] + (isAppended ? [:] : ["insertBefore": .int(before ?? 0)]))
    apply(queue, target: target, start: start, saying: .all, at: now)
  }

  mutating func queueUpdate(_ request: JSONObject, at now: Duration) throws(Refusal) {
    guard let session else { return }
    let currentID = try Self.integer(request["currentItemId"])
    let step = try Self.integer(request["jump"])
    let start = try Self.time(request["currentTime"])
    var queue = session.queue
    if let mode = try Self.repeatMode(request["repeatMode"]) { queue.repeatMode = mode }
    let changedIDs = try Self.isAbsent(request["items"]) ? [] : replaceItems(request["items"], in: &queue)
    guard Self.isAbsent(request["shuffle"]) || request["shuffle"]?.flag != nil else { throw .invalidParameters }
    var target = try Self.target(currentID, in: queue)
    if let shuffle = request["shuffle"]?.flag {
      if shuffle { queue.shuffle(using: &random) } else { queue.isShuffled = false }
    }
    // The item to go to may have moved.
    if let currentID { target = queue.index(of: currentID) }
    if !changedIDs.isEmpty { announceChange("ITEMS_CHANGE", ["itemIds": Self.json(changedIDs)]) }
    if queue.ids != session.queue.ids { announceChange("UPDATE", ["itemIds": Self.json(queue.ids)]) }
    if target == nil, let step {
      self.session?.queue = queue
      jump(by: step, start: start, at: now)
    } else {
      let isReordered = queue.ids != session.queue.ids || !changedIDs.isEmpty
      let parts = isReordered || request["shuffle"]?.flag != nil ? Parts(items: .whole) : Parts()
      apply(queue, target: target, start: start, saying: parts, at: now)
    }
  }

  /// QUEUE_REMOVE. Ids that the queue has not are passed over; where none is left, there is no answer at all.
  mutating func queueRemove(_ request: JSONObject, at now: Duration) throws(Refusal) {
    guard let session else { return }
    let ids = try Self.itemIDs(request["itemIds"])
    let currentID = try Self.integer(request["currentItemId"])
    let start = try Self.time(request["currentTime"])
    let gone = ids.filter { session.queue.index(of: $0) != nil }
    if gone.isEmpty, currentID == nil { return }
    guard let (queue, next) = session.queue.removing(Set(gone)) else {
      announceChange("REMOVE", ["itemIds": Self.json(gone)])
      finish(.interrupted, at: now)
      return
    }
    let target = try Self.target(currentID, in: queue) ?? next
    if !gone.isEmpty { announceChange("REMOVE", ["itemIds": Self.json(gone)]) }
    apply(queue, target: target, start: start, at: now)
  }

  /// QUEUE_REORDER. The item that is on, alone and to no place, stays where it is, as in the SDK.
  mutating func queueReorder(_ request: JSONObject, at now: Duration) throws(Refusal) {
    guard let session else { return }
    let ids = try Self.itemIDs(request["itemIds"]).filter { session.queue.index(of: $0) != nil }
    let before = try Self.integer(request["insertBefore"])
    let currentID = try Self.integer(request["currentItemId"])
    let start = try Self.time(request["currentTime"])
    if let before, ids.contains(before) { throw .invalidParameters }
    var queue = session.queue
    if ids != [session.itemID] || before != nil { queue.reorder(ids, before: before) }
    let target = try Self.target(currentID, in: queue)
    var change: JSONObject = ["itemIds": Self.json(queue.ids), "reorderItemIds": Self.json(ids)]
    if let before, queue.index(of: before) != nil { change["insertBefore"] = .int(before) }
    announceChange("UPDATE", change)
    apply(queue, target: target, start: start, saying: Parts(items: .bare), at: now)
  }

  mutating func shuffleQueue(at now: Duration) {
    guard let session else { return }
    var queue = session.queue
    queue.shuffle(using: &random)
    if queue.ids != session.queue.ids { announceChange("UPDATE", ["itemIds": Self.json(queue.ids)]) }
    apply(queue, target: nil, start: nil, at: now)
  }

  mutating func queueItemIDs(_ requestID: Int) {
    guard let session else { return }
    reply([
      "type": "QUEUE_ITEM_IDS", "requestId": .int(requestID), "itemIds": Self.json(session.queue.ids),
      "sequenceNumber": .int(queueSequence),
    ])
  }

  mutating func queueItems(_ request: JSONObject, _ requestID: Int) throws(Refusal) {
    guard let session else { return }
    let ids = try Self.itemIDs(request["itemIds"])
    let entries = session.queue.entries(of: ids, bytes: ReceiverLimits.itemsPerMessageLength)
    reply([
      "type": "QUEUE_ITEMS", "requestId": .int(requestID), "items": .array(entries),
      "sequenceNumber": .int(queueSequence),
    ])
  }

  // MARK: from item to item

  /// Goes on or back by some items; past the end the session is over.
  mutating func jump(by step: Int, start: Duration? = nil, at now: Duration) {
    guard let session else { return }
    var queue = session.queue
    guard let target = queue.index(jumping: step) else {
      finish(.interrupted, at: now)
      return
    }
    if step > 0 && target <= queue.index && queue.repeatMode == .allAndShuffle {
      reshuffle(&queue)
      apply(queue, target: queue.index, start: start, at: now)
    } else {
      apply(queue, target: target, start: start, at: now)
    }
  }

  /// Goes on to what follows an item that has come to its end, or ends the session.
  mutating func itemEnded(at now: Duration) {
    guard let session, let next = session.queue.indexAtEnd else {
      finish(.finished, at: now)
      return
    }
    guard changes.admit(at: now) else {
      tellEveryone(["type": "ERROR", "detailedErrorCode": 100, "itemId": .int(session.itemID)])
      finish(.failed, at: now)
      return
    }
    var queue = session.queue.moved(to: next)
    if session.queue.repeatMode == .allAndShuffle && session.queue.isAtLastItem { reshuffle(&queue) }
    step(to: queue, .finished, at: now)
    awaitContent(at: now)
  }

  /// Makes `queue` the session's, with the item at its present place on; that item is not played yet.
  mutating func step(to queue: PlayQueue, _ reason: IdleReason, start: Duration? = nil, at now: Duration) {
    guard let session else { return }
    let queue = queue.loadingCurrent
    broadcastStep(to: queue, reason, at: now)
    self.session = MediaSession(
      id: session.id, queue: queue, start: start, rate: playerRate, followsItem: true,
      liveWindow: behavior.liveWindow, at: now)
  }

  /// Makes `queue` the session's: goes to the item at `target`, ends the session where there is none, and without a
  /// target just says what the queue is now.
  private mutating func apply(
    _ queue: PlayQueue, target: Int?, start: Duration?, saying parts: Parts = Parts(items: .whole), at now: Duration
  ) {
    guard let target else {
      session?.queue = queue
      broadcastStatus(parts, at: now)
      return
    }
    guard queue.items.indices.contains(target) else {
      finish(.interrupted, at: now)
      return
    }
    step(to: queue.moved(to: target), .interrupted, start: start, at: now)
    awaitContent(at: now)
  }

  /// Mixes a queue that begins another round.
  private mutating func reshuffle(_ queue: inout PlayQueue) {
    queue.reshuffle(using: &random)
    announceChange("UPDATE", ["itemIds": Self.json(queue.ids)])
  }

  /// Tells a change of the queue; nobody's id is on it, or senders would take it for the answer.
  private mutating func announceChange(_ type: String, _ members: JSONObject) {
    queueSequence += 1
    guard behavior.sendsQueueChange else { return }
    tellEveryone(
      .object(
        ["type": "QUEUE_CHANGE", "changeType": .string(type)] + members
          + ["sequenceNumber": .int(queueSequence)]))
  }

  // MARK: reading requests

  /// A queue of new items, of which the one at `startIndex` is on.
  func makeQueue(_ items: JSONValue?, startIndex: JSONValue?) throws(Refusal) -> PlayQueue {
    let start = try Self.integer(startIndex) ?? 0
    guard let queue = PlayQueue(try makeItems(items), startIndex: start) else { throw .invalidParameters }
    return queue
  }

  /// Keeps what a sender says of a queue as a whole, and shuffles it if asked to.
  mutating func describe(_ queue: inout PlayQueue, _ data: JSONObject, startIndex: Int? = nil) throws(Refusal) {
    var data = data
    for name in ["items", "startTime"] { data[name] = nil }
    data["startIndex"] = .int(startIndex ?? queue.index)
    let json = JSONValue.object(data)
    guard json.isNested(atMost: ReceiverLimits.mediaDepth),
      json.serialized().utf8.count <= ReceiverLimits.queueDataLength
    else { throw .invalidParameters }
    queue.data = data
    if data["shuffle"]?.flag == true { queue.shuffle(using: &random) }
  }

  /// The items of a request with fresh ids; one that has an id already is refused.
  private func makeItems(_ value: JSONValue?) throws(Refusal) -> [PlayQueueItem] {
    guard let values = value?.array, values.count <= ReceiverLimits.queueItems else { throw .invalidParameters }
    var items: [PlayQueueItem] = []
    for value in values {
      guard Self.isAbsent(value["itemId"]) else { throw .invalidParameters }
      items.append(try PlayQueueItem(value, id: lastItemID + items.count + 1))
    }
    return items
  }

  /// Replaces the contents of items; unknown ones are left out, one that is named twice is refused.
  /// - Returns: The ids of the items that changed.
  private func replaceItems(_ value: JSONValue?, in queue: inout PlayQueue) throws(Refusal) -> [Int] {
    guard let values = value?.array, values.count <= ReceiverLimits.queueItems else { throw .invalidParameters }
    let known = Dictionary(queue.items.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var replacements: [Int: PlayQueueItem] = [:]
    var ids: [Int] = []
    var seen: Set<Int> = []
    for value in values {
      guard let id = value["itemId"]?.whole, seen.insert(id).inserted else { throw .invalidParameters }
      guard let old = known[id] else { continue }
      replacements[id] = try PlayQueueItem(value, id: id, replacing: old)
      ids.append(id)
    }
    guard queue.replace(replacements) else { throw .invalidParameters }
    return ids
  }

  /// The place of an item to go to; `nil` when none is named.
  private static func target(_ id: Int?, in queue: PlayQueue) throws(Refusal) -> Int? {
    guard let id else { return nil }
    guard let index = queue.index(of: id) else { throw .invalidParameters }
    return index
  }

  /// A list of item ids, none of them twice.
  private static func itemIDs(_ value: JSONValue?) throws(Refusal) -> [Int] {
    guard let values = value?.array else { throw .invalidParameters }
    let ids = values.compactMap(\.whole)
    guard ids.count == values.count, Set(ids).count == ids.count else { throw .invalidParameters }
    return ids
  }

  private static func integer(_ value: JSONValue?) throws(Refusal) -> Int? {
    if isAbsent(value) { return nil }
    guard let number = value?.whole else { throw .invalidParameters }
    return number
  }

  static func repeatMode(_ value: JSONValue?) throws(Refusal) -> QueueRepeatMode? {
    if isAbsent(value) { return nil }
    guard let mode = value?.string.flatMap({ QueueRepeatMode(rawValue: $0) }) else { throw .invalidParameters }
    return mode
  }
}
