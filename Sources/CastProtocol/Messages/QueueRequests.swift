/// What follows the end of a queue's item. Source: cast-protocol.md 5.8.
package enum QueueRepeatMode: String, Hashable, Sendable {
  case off = "REPEAT_OFF"
  case all = "REPEAT_ALL"
  case single = "REPEAT_SINGLE"
  case allAndShuffle = "REPEAT_ALL_AND_SHUFFLE"
}

/// The fields of QUEUE_LOAD. Source: cast-protocol.md 4.2.
package struct QueueLoadRequest: Hashable, Sendable {
  /// Without item ids.
  package var items: [QueueItem]
  /// From 0.
  package var startIndex: Int?
  package var repeatMode: QueueRepeatMode?
  /// Seconds, of the first item only.
  package var currentTime: Double?

  package init(items: [QueueItem]) { self.items = items }
}

/// The fields of QUEUE_INSERT. Source: cast-protocol.md 4.2.
package struct QueueInsertRequest: Hashable, Sendable {
  /// Without item ids.
  package var items: [QueueItem]
  /// An item id; `nil`: at the end.
  package var insertBefore: Int?

  package init(items: [QueueItem], insertBefore: Int? = nil) {
    self.items = items
    self.insertBefore = insertBefore
  }
}

/// The fields of QUEUE_UPDATE. Source: cast-protocol.md 4.2.
package struct QueueUpdateRequest: Hashable, Sendable {
  /// The item to go to.
  package var currentItemID: Int?
  /// How many items on, or back where negative.
  package var jump: Int?
  package var repeatMode: QueueRepeatMode?
  package var shuffle: Bool?
  /// New contents of items that keep their place, each with its item id.
  package var items: [QueueItem]?

  package init() {}
}

extension QueueLoadRequest {
  func append(to object: inout JSONObject) {
    object.append("startIndex", startIndex)
    object.append("repeatMode", repeatMode?.rawValue)
    object.append("currentTime", currentTime)
    object.append("items", .array(items.map(\.json)))
  }

  /// Reads a QUEUE_LOAD, leniently; `nil` when it has no list of items.
  package init?(_ json: JSONValue) {
    guard let items = json["items"]?.lenientList({ QueueItem($0) }) else { return nil }
    self.init(items: items)
    startIndex = json["startIndex"]?.lenientInteger
    repeatMode = json["repeatMode"]?.string.flatMap { QueueRepeatMode(rawValue: $0) }
    currentTime = json["currentTime"]?.lenientNumber
  }
}

extension QueueInsertRequest {
  func append(to object: inout JSONObject) {
    object.append("insertBefore", insertBefore)
    object.append("items", .array(items.map(\.json)))
  }

  /// Reads a QUEUE_INSERT, leniently; `nil` when it has no list of items.
  package init?(_ json: JSONValue) {
    guard let items = json["items"]?.lenientList({ QueueItem($0) }) else { return nil }
    self.init(items: items, insertBefore: json["insertBefore"]?.lenientInteger)
  }
}

extension QueueUpdateRequest {
  func append(to object: inout JSONObject) {
    object.append("currentItemId", currentItemID)
    object.append("jump", jump)
    object.append("repeatMode", repeatMode?.rawValue)
    object.append("shuffle", shuffle)
    object.append("items", items.map { .array($0.map(\.json)) })
  }

  /// Reads a QUEUE_UPDATE, leniently; `nil` when it is no object.
  package init?(_ json: JSONValue) {
    guard case .object = json else { return nil }
    currentItemID = json["currentItemId"]?.lenientInteger
    jump = json["jump"]?.lenientInteger
    repeatMode = json["repeatMode"]?.string.flatMap { QueueRepeatMode(rawValue: $0) }
    shuffle = json["shuffle"]?.lenientFlag
    items = json["items"]?.lenientList { QueueItem($0) }
  }
}

extension MediaRequest {
  /// Reads one of the queue's requests, leniently; `nil` for any other, and where what it cannot do without is missing.
  package init?(queueRequest json: JSONValue) {
    let session = json["mediaSessionId"]?.lenientInteger ?? 0
    func itemIDs() -> [Int]? { json["itemIds"]?.lenientList(\.lenientInteger) }
    switch json["type"]?.string {
    case "QUEUE_LOAD":
      guard let queue = QueueLoadRequest(json) else { return nil }
      self = .queueLoad(queue)
    case "QUEUE_INSERT":
      guard let insertion = QueueInsertRequest(json) else { return nil }
      self = .queueInsert(mediaSessionID: session, insertion)
    case "QUEUE_UPDATE":
      guard let update = QueueUpdateRequest(json) else { return nil }
      self = .queueUpdate(mediaSessionID: session, update)
    case "QUEUE_REMOVE":
      guard let itemIDs = itemIDs() else { return nil }
      self = .queueRemove(mediaSessionID: session, itemIDs: itemIDs)
    case "QUEUE_REORDER":
      guard let itemIDs = itemIDs() else { return nil }
      self = .queueReorder(
        mediaSessionID: session, itemIDs: itemIDs, insertBefore: json["insertBefore"]?.lenientInteger)
    default: return nil
    }
  }
}
