import CastProtocol

/// Asks an app for its whole queue: the ids of all items in their order, then the items that are not known yet.
///
/// Statuses show only a window of a long queue (docs/protocol.md 5.1). Apps that know neither request are taken at
/// their word of the status.
struct QueueFetchStateMachine: OperationStateMachine {
  /// How many items are asked for at once: a message holds 64 KiB.
  static let chunk = 16

  private let target: AppSession
  private let mediaSessionID: Int
  private let replyTimeout: Duration
  private let needsItems: Bool
  private var ids: [Int] = []
  private var known: [Int: QueueItem] = [:]
  private var missing: [Int] = []
  private let shown: [QueueItem]

  /// - Parameters:
  ///   - status: What the app says now; its items count as known.
  ///   - needsItems: Else the ids are all that is wanted.
  init(_ target: AppSession, status: MediaStatus, needsItems: Bool, replyTimeout: Duration) {
    self.target = target
    self.replyTimeout = replyTimeout
    self.needsItems = needsItems
    mediaSessionID = status.mediaSessionID
    var shown = status.queueItems
    // The item that plays is known by what plays.
    if let current = status.currentItemID, let media = status.media {
      if let index = shown.firstIndex(where: { $0.itemID == current }) {
        if shown[index].media == nil { shown[index].media = media }
      } else {
        var item = QueueItem(media: media)
        item.itemID = current
        shown.append(item)
      }
    }
    self.shown = shown
    for item in shown where item.media != nil { if let id = item.itemID { known[id] = item } }
  }

  var session: AppSession? { target }
  var needsMedia: Bool { true }
  var timeout: ClientError { ClientError(.timeout, "the app does not say what is in its queue") }

  mutating func begin(at now: Duration) -> [OperationEffect] { ask("QUEUE_GET_ITEM_IDS", [:]) }

  mutating func receive(_ event: OperationEvent, at now: Duration) -> [OperationEffect] {
    switch event {
    case .news(.queueItemIDs(_, let all), _, target.transportID, .own):
      ids = Array(all.prefix(MediaMessage.itemLimit))
      if ids.isEmpty { return finish(shown) }
      missing = needsItems ? ids.filter { known[$0] == nil } : []
      return next()
    case .news(.queueItems(_, let items), _, target.transportID, .own):
      for item in items { if let id = item.itemID { known[id] = item } }
      return next()
    // It knows the one or the other request not: what is known is all there is.
    case .refused(_, target.transportID, .own): return finishAsKnown()
    // Neither no answer nor the wrong one says that there is no queue.
    case .expired: return isNothingKnown ? [.finish(.failure(unanswered))] : finishAsKnown()
    case .mediaStatus(let status, target.transportID, .own(.queueInformation)):
      if isNothingKnown, status?.items?.isEmpty ?? true {
        let message = "QUEUE_GET_ITEM_IDS was answered by a MEDIA_STATUS that shows no queue"
        return [.finish(.failure(ClientError(.protocol, message)))]
      }
      return isNothingKnown ? finish(status?.queueItems ?? []) : finishAsKnown()
    default: return []
    }
  }

  private var isNothingKnown: Bool { ids.isEmpty && shown.isEmpty }
  private var unanswered: ClientError { ClientError(.timeout, "no reply to QUEUE_GET_ITEM_IDS") }

  private func finishAsKnown() -> [OperationEffect] {
    ids.isEmpty ? finish(shown) : finish(ids.map { known[$0] ?? Self.item($0) })
  }

  /// Asks for the next items, or is done.
  private mutating func next() -> [OperationEffect] {
    if missing.isEmpty { return finish(ids.map { known[$0] ?? Self.item($0) }) }
    let chunk = missing.prefix(Self.chunk)
    missing.removeFirst(chunk.count)
    return ask("QUEUE_GET_ITEMS", ["itemIds": .array(chunk.map { .int($0) })])
  }

  private static func item(_ id: Int) -> QueueItem {
    var item = QueueItem()
    item.itemID = id
    return item
  }

  private func ask(_ type: String, _ more: JSONObject) -> [OperationEffect] {
    var object: JSONObject = ["type": .string(type), "mediaSessionId": .int(mediaSessionID)]
    object.members += more.members
    return [.request(.raw(.queueInformation, object, to: target.transportID), within: replyTimeout)]
  }

  private func finish(_ items: [QueueItem]) -> [OperationEffect] { [.finish(.success(.queue(items)))] }
}

extension MediaStatus {
  /// The window of the queue that the status shows.
  var queueItems: [QueueItem] { (items ?? []).compactMap { QueueItem($0) } }
}
