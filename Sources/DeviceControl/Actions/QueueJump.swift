import CastClient
import CastProtocol
import RunReporting
package import ScenarioLanguage

/// `queue_jump`: another item is the current one.
package struct QueueJump: DeviceVerb {
  package enum Target: Hashable, Sendable {
    case next, previous
    case item(QueueItemName)
  }

  let target: Target

  func perform(on device: isolated DeviceSession, in scope: ActionScope) async throws(StepFailure) {
    var request = QueueUpdateRequest()
    switch target {
    case .next: try await device.move(by: 1, &request, scope)
    case .previous: try await device.move(by: -1, &request, scope)
    case .item(let item):
      let queue = try await device.queueItems(needsItems: item.needsItems, scope)
      let id = try item.id(in: queue, device.secrets)
      request.currentItemID = id
      let media = try device.requireMedia(scope)
      try await device.command(MediaRequest(.queueUpdate(request), session: media), scope)
      try await device.waitForItem(scope, for: "item \(id) to be the current one") { $0 == id }
    }
  }
}

/// `queue_update`: order, repeating and contents are as asked.
package struct QueueUpdate: DeviceVerb {
  /// How many items forward, or back where negative.
  package var jump: Int?
  package var repeatMode: Plan.RepeatMode?
  package var shuffle: Bool?
  /// New contents of items that are there.
  package var items: [(item: QueueItemName, media: Plan.QueueItem)]

  package init(
    jump: Int? = nil, repeatMode: Plan.RepeatMode? = nil, shuffle: Bool? = nil,
    items: [(item: QueueItemName, media: Plan.QueueItem)] = []
  ) {
    self.jump = jump
    self.repeatMode = repeatMode
    self.shuffle = shuffle
    self.items = items
  }

  func perform(on device: isolated DeviceSession, in scope: ActionScope) async throws(StepFailure) {
    var request = QueueUpdateRequest()
    request.repeatMode = repeatMode?.wire
    request.shuffle = shuffle
    var contents: [Int: String] = [:]
    if !items.isEmpty {
      let queue = try await device.queueItems(needsItems: items.contains { $0.item.needsItems }, scope)
      var sent: [QueueItem] = []
      for replacement in items {
        var item = QueueItem(media: try device.secrets.revealed(replacement.media.media))
        let id = try replacement.item.id(in: queue, device.secrets)
        item.itemID = id
        sent.append(item)
        contents[id] = item.media?.contentID
        if let content = item.media?.contentID {
          device.changeOwn { $0.nameTracks(replacement.media.trackNames, of: content) }
        }
      }
      request.items = sent
    }
    if let jump, jump != 0 {
      try await device.move(by: jump, &request, scope)
    } else {
      let media = try device.requireMedia(scope)
      try await device.command(MediaRequest(.queueUpdate(request), session: media), scope)
    }
    if let mode = request.repeatMode {
      try await device.wait(scope, for: "the repeat mode to be \(repeatMode?.rawValue ?? "")") {
        view, _ throws(StepFailure) in
        view.media?.repeatMode == mode.rawValue
      }
    }
    guard !contents.isEmpty else { return }
    try await device.waitForQueue(scope, for: "the new contents to be in the queue", needsItems: true) { now in
      contents.allSatisfy { id, content in
        now.contains { $0.itemID == id && ($0.media == nil || $0.media?.contentID == content) }
      }
    }
  }
}

extension DeviceSession {
  /// Goes some items on or back. Past the last item a queue ends, and its media session with it.
  fileprivate func move(
    by distance: Int, _ request: inout QueueUpdateRequest, _ scope: ActionScope
  ) async throws(StepFailure) {
    let ids = try await queueItems(needsItems: false, scope).compactMap(\.itemID)
    let view = view(scope)
    let before = view.media?.currentItemID
    let mode = request.repeatMode?.rawValue ?? view.media?.repeatMode ?? QueueRepeatMode.off.rawValue
    let wraps = mode == QueueRepeatMode.all.rawValue || mode == QueueRepeatMode.allAndShuffle.rawValue
    let index = before.flatMap { ids.firstIndex(of: $0) }
    if let index, !wraps, index + distance >= ids.count {
      let again = policies.cures == .documents ? "queue_update: { repeat: all }" : "showcaller queue repeat all"
      throw StepFailure(
        .invalidState,
        index == ids.count - 1 ? "the last item of the queue plays" : "the queue ends before that item",
        help: "`\(again)` makes it begin again")
    }
    request.jump = distance
    let media = try requireMedia(scope)
    try await command(MediaRequest(.queueUpdate(request), session: media), scope)
    // Back from the first item is its beginning; once around is the same item.
    let isSame =
      index.map { !wraps && $0 + distance <= 0 && $0 == 0 || wraps && distance % max(1, ids.count) == 0 } ?? false
    if isSame { return }
    try await waitForItem(scope, for: "the current item to change") { $0 != before }
  }
}
