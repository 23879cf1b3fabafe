package import CastProtocol

/// A long queue in messages that each fit into a frame: the first loads the item to play and what follows it, the others
/// add the rest behind and before it. Source: docs/protocol.md 1.2 and 4.2.
package struct QueueChunks: Hashable, Sendable {
  /// What the items of one message may take; the rest of the frame of 64 KiB is for the envelope.
  package static let byteLimit = 56 * 1024
  /// More are asked for less often than they are a mistake.
  package static let itemLimit = 2_000

  /// What QUEUE_LOAD carries; the item to play is the first.
  package private(set) var loaded: [QueueItem] = []
  /// To be appended, in this order.
  package private(set) var following: [[QueueItem]] = []
  /// To be put before the item that plays, in this order.
  package private(set) var preceding: [[QueueItem]] = []

  /// - Parameters:
  ///   - items: All of them; their ids and places are left out, because the receiver gives new ones.
  ///   - current: The index of the one to play.
  /// - Returns: `nil` when there is no such item, or one alone is too long for a frame.
  package init?(_ items: [QueueItem], current: Int) {
    guard items.indices.contains(current), items.count <= Self.itemLimit else { return nil }
    let plain = items.map { item in
      var item = item
      (item.itemID, item.orderID) = (nil, nil)
      return item
    }
    guard var after = Self.chunks(plain[current...]), let before = Self.chunks(plain[..<current]) else { return nil }
    loaded = after.removeFirst()
    following = after
    preceding = before
  }

  /// `nil` when an item alone is too long.
  private static func chunks(_ items: ArraySlice<QueueItem>) -> [[QueueItem]]? {
    var chunks: [[QueueItem]] = []
    var size = byteLimit
    for item in items {
      let length = item.json.serialized().utf8.count + 1
      if length > byteLimit { return nil }
      if size + length > byteLimit {
        chunks.append([])
        size = 0
      }
      size += length
      chunks[chunks.count - 1].append(item)
    }
    return chunks
  }
}
