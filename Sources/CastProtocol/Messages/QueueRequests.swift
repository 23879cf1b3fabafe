/// What follows the end of a queue's item. Source: docs/protocol.md 5.8.
package enum QueueRepeatMode: String, Codable, Hashable, Sendable {
  case off = "REPEAT_OFF"
  case all = "REPEAT_ALL"
  case single = "REPEAT_SINGLE"
  case allAndShuffle = "REPEAT_ALL_AND_SHUFFLE"
}

/// The fields of QUEUE_LOAD. Source: docs/protocol.md 4.2.
package struct QueueLoadRequest: Hashable, Sendable {
  /// Without item ids.
  package var items: [QueueItem]
  /// From 0.
  package var startIndex: Int?
  package var repeatMode: QueueRepeatMode?
  /// Seconds, of the first item only.
  package var currentTime: Double?
  /// What the queue is as a whole, without items.
  package var queueData: QueueData?
  package var customData: JSONValue?

  package init(items: [QueueItem]) { self.items = items }
}

/// The fields of QUEUE_INSERT. Source: docs/protocol.md 4.2.
package struct QueueInsertRequest: Hashable, Sendable {
  /// Without item ids.
  package var items: [QueueItem]
  /// An item id; `nil`: at the end.
  package var insertBefore: Int?
  /// The item to go to; not together with ``currentItemIndex``.
  package var currentItemID: Int?
  /// The new item to go to, from 0.
  package var currentItemIndex: Int?
  /// Seconds, of the item to go to.
  package var currentTime: Double?
  package var customData: JSONValue?

  package init(items: [QueueItem], insertBefore: Int? = nil) {
    self.items = items
    self.insertBefore = insertBefore
  }
}

/// The fields of QUEUE_UPDATE. Source: docs/protocol.md 4.2.
package struct QueueUpdateRequest: Hashable, Sendable {
  /// The item to go to.
  package var currentItemID: Int?
  /// How many items on, or back where negative.
  package var jump: Int?
  /// Seconds, of the item to go to.
  package var currentTime: Double?
  package var repeatMode: QueueRepeatMode?
  package var shuffle: Bool?
  /// New contents of items that keep their place, each with its item id.
  package var items: [QueueItem]?
  package var customData: JSONValue?

  package init() {}
}

extension QueueLoadRequest {
  func append(to object: inout JSONObject) {
    object.append("startIndex", startIndex)
    object.append("repeatMode", repeatMode?.rawValue)
    object.append("currentTime", currentTime)
    object.append("customData", customData)
    object.append("queueData", queueData?.json)
    object.append("items", .array(items.map(\.json)))
  }

  /// Reads a QUEUE_LOAD, leniently; `nil` when it has no list of items.
  package init?(_ json: JSONValue) {
    guard let items = json["items"]?.lenientList({ QueueItem($0) }) else { return nil }
    self.init(items: items)
    queueData = json["queueData"].flatMap { QueueData($0) }
    customData = json["customData"]?.unlessNull
    startIndex = json["startIndex"]?.lenientInteger
    repeatMode = json["repeatMode"]?.string.flatMap { QueueRepeatMode(rawValue: $0) }
    currentTime = json["currentTime"]?.lenientSeconds
  }
}

extension QueueInsertRequest {
  func append(to object: inout JSONObject) {
    object.append("insertBefore", insertBefore)
    object.append("currentItemId", currentItemID)
    object.append("currentItemIndex", currentItemIndex)
    object.append("currentTime", currentTime)
    object.append("customData", customData)
    object.append("items", .array(items.map(\.json)))
  }

  /// Reads a QUEUE_INSERT, leniently; `nil` when it has no list of items.
  package init?(_ json: JSONValue) {
    guard let items = json["items"]?.lenientList({ QueueItem($0) }) else { return nil }
    self.init(items: items, insertBefore: json["insertBefore"]?.lenientInteger)
    currentItemID = json["currentItemId"]?.lenientInteger
    currentItemIndex = json["currentItemIndex"]?.lenientInteger
    currentTime = json["currentTime"]?.lenientSeconds
    customData = json["customData"]?.unlessNull
  }
}

extension QueueUpdateRequest {
  func append(to object: inout JSONObject) {
    object.append("currentItemId", currentItemID)
    object.append("jump", jump)
    object.append("currentTime", currentTime)
    object.append("repeatMode", repeatMode?.rawValue)
    object.append("shuffle", shuffle)
    object.append("customData", customData)
    object.append("items", items.map { .array($0.map(\.json)) })
  }

  /// Reads a QUEUE_UPDATE, leniently; `nil` when it is no object.
  package init?(_ json: JSONValue) {
    guard case .object = json else { return nil }
    currentItemID = json["currentItemId"]?.lenientInteger
    jump = json["jump"]?.lenientInteger
    currentTime = json["currentTime"]?.lenientSeconds
    customData = json["customData"]?.unlessNull
    repeatMode = json["repeatMode"]?.string.flatMap { QueueRepeatMode(rawValue: $0) }
    shuffle = json["shuffle"]?.lenientFlag
    items = json["items"]?.lenientList { QueueItem($0) }
  }
}
