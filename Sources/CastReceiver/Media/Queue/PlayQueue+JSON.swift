import CastProtocol

/// What messages show of a queue.
extension PlayQueue {
  /// `queueData` of a status; `nil` for a plain LOAD.
  var dataJSON: JSONValue? {
    guard var data else { return nil }
    data["repeatMode"] = .string(repeatMode.rawValue)
    data["shuffle"] = .bool(isShuffled)
    return .object(data)
  }

  /// The queue as a LOAD says it, with as many items around the one that is on as fit.
  func transferJSON(bytes: Int) -> JSONValue {
    var json = data ?? [:]
    let range = windowRange(bytes: bytes)
    json["repeatMode"] = .string(repeatMode.rawValue)
    // Asking to shuffle would mix them once more.
    json["shuffle"] = false
    json["startIndex"] = .int(index - range.lowerBound)
    json["items"] = .array(range.map { items[$0].loadJSON })
    return .object(json)
  }

  /// The items around the one that is on, as many as fit: it, then what comes next, then what was before. Nothing when
  /// it alone is too long to be told twice.
  func window(bytes: Int, neighboursOnly: Bool) -> [JSONValue] {
    guard current.media.isShort else { return [] }
    let range = windowRange(bytes: bytes)
    return (neighboursOnly ? range.clamped(to: neighbours) : range).map { items[$0].json(orderID: $0) }
  }

  /// The same items without what plays.
  func bareWindow(neighboursOnly: Bool) -> [JSONValue] {
    (neighboursOnly ? neighbours : 0..<min(items.count, Self.bareItems)).map { items[$0].bareJSON }
  }

  /// How many items fit a status without what plays.
  private static let bareItems = 200

  /// The item that is on, the one before and the one behind it.
  private var neighbours: Range<Int> { max(0, index - 1)..<min(items.count, index + 2) }

  private func windowRange(bytes: Int) -> Range<Int> {
    var room = bytes - entryLength(index)
    var range = index..<index + 1
    while range.upperBound < items.count, room >= entryLength(range.upperBound) {
      room -= entryLength(range.upperBound)
      range = range.lowerBound..<range.upperBound + 1
    }
    while range.lowerBound > 0, room >= entryLength(range.lowerBound - 1) {
      room -= entryLength(range.lowerBound - 1)
      range = range.lowerBound - 1..<range.upperBound
    }
    return range
  }

  /// The items `ids` in that order, as many as fit one message; those it has not are left out.
  func entries(of ids: [Int], bytes: Int) -> [JSONValue] {
    let places = Dictionary(items.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    var room = bytes
    var entries: [JSONValue] = []
    for place in ids.compactMap({ places[$0] }) {
      room -= entryLength(place)
      if room < 0 { break }
      entries.append(items[place].json(orderID: place))
    }
    return entries
  }

  /// What an entry takes up in a message, rather too much than too little.
  private func entryLength(_ index: Int) -> Int { items[index].length + 128 }
}
