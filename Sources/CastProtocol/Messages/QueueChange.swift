/// QUEUE_CHANGE: what became of a queue's items. Source: docs/protocol.md 4.3.
package struct QueueChange: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    case insert = "INSERT"
    case remove = "REMOVE"
    /// The order is another one.
    case update = "UPDATE"
    /// Items are something else now, at their old places.
    case items = "ITEMS_CHANGE"
    case none = "NO_CHANGE"
  }

  package var kind: WireWord<Kind>
  /// The items it is about; for a new order all of them.
  package var itemIDs: [Int]?
  /// The item that those inserted are before; `nil`: at the end.
  package var insertBefore: Int?
  /// Counts changes; a gap means that one was missed.
  package var sequenceNumber: Int?

  package init(_ kind: Kind, itemIDs: [Int]? = nil, sequenceNumber: Int? = nil) {
    self.kind = .known(kind)
    self.itemIDs = itemIDs
    self.sequenceNumber = sequenceNumber
  }

  init(_ object: JSONObject) {
    kind = WireWord(object["changeType"]?.lenientText ?? "")
    itemIDs = object["itemIds"]?.itemIDs
    insertBefore = object["insertBefore"]?.lenientInteger
    sequenceNumber = object["sequenceNumber"]?.lenientInteger
  }
}

extension JSONValue {
  /// How many ids of queue items are read: as many as a message of 64 KiB can hold.
  private static let itemIDLimit = 32_768

  /// A list of item ids. Unlike other lists it is read whole: an id is small, and an order with a hole is none.
  var itemIDs: [Int]? {
    guard case .array(let elements) = self else { return nil }
    return elements.prefix(Self.itemIDLimit).compactMap(\.lenientInteger)
  }
}
