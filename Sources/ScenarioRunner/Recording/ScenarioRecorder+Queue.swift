import CastProtocol

/// What statuses and QUEUE_CHANGE tell of a queue (docs/protocol.md 6.4).
extension ScenarioRecorder {
  /// Takes the window of a queue that a status shows.
  mutating func noteItems(of status: MediaStatus, in queue: Int) {
    guard queues.indices.contains(queue), let items = status.queueItems?.prefix(Self.itemLimit) else { return }
    var window: [(id: Int, media: Int?)] = []
    for item in items {
      guard let id = item.itemID, !window.contains(where: { $0.id == id }) else { continue }
      // What plays is told best by its own status.
      let content = id == status.currentItemID ? status.media ?? item.media : item.media
      window.append((id, content.flatMap { media.remember($0) }))
    }
    queues[queue].merge(window, limit: Self.itemLimit)
  }

  mutating func take(_ change: QueueChange, at time: Duration) {
    guard let queue = playing?.queue, queues.indices.contains(queue), let ids = change.itemIDs?.prefix(Self.itemLimit),
      !ids.isEmpty
    else { return }
    switch change.kind.known {
    case .insert:
      for id in ids {
        if let known = queues[queue].items.firstIndex(where: { $0.id == id }) {
          queues[queue].items[known].isInserted = true
        } else if queues[queue].items.count < Self.itemLimit {
          let place = change.insertBefore.flatMap { next in queues[queue].items.firstIndex { $0.id == next } }
          queues[queue].items.insert(
            .init(id: id, media: nil, isInserted: true), at: place ?? queues[queue].items.count)
        }
      }
      add(.insert(Array(ids), before: change.insertBefore, into: queue), at: time)
    case .remove: add(.remove(Array(ids), from: queue), at: time)
    case .update: add(.reorder(Array(ids), of: queue), at: time)
    case .items, .some(.none), nil: break
    }
  }
}
