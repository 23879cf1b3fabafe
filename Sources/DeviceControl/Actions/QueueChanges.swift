import CastClient
import CastProtocol
import RunReporting
import ScenarioLanguage

/// `queue_insert`: the items are in the device's own list.
struct QueueInsert: DeviceVerb {
  let items: [Plan.QueueItem]
  let before: QueueItemName?

  func perform(on device: isolated DeviceSession, in scope: ActionScope) async throws(StepFailure) {
    var sent: [QueueItem] = []
    for item in items {
      sent.append(QueueItem(media: try await device.served(device.secrets.revealed(item.media))))
    }
    let queue = try await device.queueItems(needsItems: before?.needsItems ?? false, scope)
    let place = try before.map { item throws(StepFailure) in try item.id(in: queue, device.secrets) }
    let old = Set(queue.compactMap(\.itemID))
    let media = try device.requireMedia(scope)
    try await device.command(MediaRequest(.queueInsert(.init(items: sent, insertBefore: place)), session: media), scope)
    for (item, sent) in zip(items, sent) {
      if let content = sent.media?.contentID { device.changeOwn { $0.nameTracks(item.trackNames, of: content) } }
    }
    try await device.waitForQueue(scope, for: "the new items to be in the queue") { now in
      let ids = now.compactMap(\.itemID)
      return ids.count { !old.contains($0) } >= sent.count
    }
  }
}

/// `queue_remove`: the items are gone from it.
struct QueueRemove: DeviceVerb {
  let items: [QueueItemName]

  func perform(on device: isolated DeviceSession, in scope: ActionScope) async throws(StepFailure) {
    let queue = try await device.queueItems(needsItems: items.contains(where: \.needsItems), scope)
    let ids = try items.map { item throws(StepFailure) in try item.id(in: queue, device.secrets) }
    let media = try device.requireMedia(scope)
    try await device.command(MediaRequest(.queueRemove(itemIDs: ids), session: media), scope)
    try await device.waitForQueue(scope, for: "the items to be gone", mayEnd: true) { now in
      !now.contains { $0.itemID.map(ids.contains) ?? false }
    }
  }
}

/// `queue_reorder`: it is in the new order.
struct QueueReorder: DeviceVerb {
  let items: [QueueItemName]
  let before: QueueItemName?

  func perform(on device: isolated DeviceSession, in scope: ActionScope) async throws(StepFailure) {
    let references = items + [before].compactMap { $0 }
    let queue = try await device.queueItems(needsItems: references.contains(where: \.needsItems), scope)
    let ids = try items.map { item throws(StepFailure) in try item.id(in: queue, device.secrets) }
    let place = try before.map { item throws(StepFailure) in try item.id(in: queue, device.secrets) }
    if let place, ids.contains(place) {
      throw StepFailure(.invalidRequest, "item \(place) cannot stand before itself")
    }
    let media = try device.requireMedia(scope)
    try await device.command(MediaRequest(.queueReorder(itemIDs: ids, insertBefore: place), session: media), scope)
    let others = queue.compactMap(\.itemID).filter { !ids.contains($0) }
    let index = place.flatMap { others.firstIndex(of: $0) } ?? others.endIndex
    let wanted = Array(others[..<index]) + ids + Array(others[index...])
    try await device.waitForQueue(scope, for: "the queue to be in the new order") { now in
      now.compactMap(\.itemID) == wanted
    }
  }
}
