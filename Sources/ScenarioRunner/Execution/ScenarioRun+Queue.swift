import CastClient
import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// The verbs of the queue. Each is done when the device's own list shows it.
extension ScenarioRun {
  func loadQueue(_ action: Plan.QueueAction, until deadline: Duration) async throws(StepFailure) {
    var request = action.request
    for index in request.items.indices {
      if let media = request.items[index].media { request.items[index].media = try secrets.revealed(media) }
    }
    var names: [String: [Int: String]] = [:]
    for (item, sent) in zip(action.items, request.items) {
      if let content = sent.media?.contentID { names[content] = item.trackNames }
    }
    let first =
      action.items.indices.contains(action.startAt - 1) ? action.items[action.startAt - 1] : action.items.first
    let app = action.appID ?? app?.appID ?? action.defaultAppID
    let isKept = try await loadMedia(app, trackNames: first?.trackNames ?? [:], until: deadline, done: action.until) {
      [request] connection, session throws(ClientError) in
      try await connection.load(request, in: session, until: deadline)
    }
    target.trackNames = names
    if action.until != .accepted {
      let index = max(0, min(action.startAt, request.items.count) - 1)
      let playing = request.items.indices.contains(index) ? request.items[index] : nil
      try await requireTracks(playing?.activeTrackIDs ?? [], asks: isKept, until: deadline)
    }
  }

  func insert(_ action: Plan.QueueInsertAction, until deadline: Duration) async throws(StepFailure) {
    var items: [QueueItem] = []
    for item in action.items { items.append(QueueItem(media: try secrets.revealed(item.media))) }
    let before = try await queueItems(needsItems: action.before.map(\.needsItems) ?? false, until: deadline)
    let place = try action.before.map { item throws(StepFailure) in try id(of: item, in: before) }
    let old = Set(before.compactMap(\.itemID))
    try await command(.queueInsert(mediaSessionID: requireMedia(), .init(items: items, insertBefore: place)), deadline)
    for (item, sent) in zip(action.items, items) {
      if let content = sent.media?.contentID { target.trackNames[content] = item.trackNames }
    }
    try await waitForQueue(until: deadline, for: "the new items to be in the queue") { now in
      let ids = now.compactMap(\.itemID)
      return ids.count { !old.contains($0) } >= items.count
    }
  }

  func remove(_ items: [Plan.QueueItemReference], until deadline: Duration) async throws(StepFailure) {
    let before = try await queueItems(needsItems: items.contains(where: \.needsItems), until: deadline)
    let ids = try items.map { item throws(StepFailure) in try id(of: item, in: before) }
    try await command(.queueRemove(mediaSessionID: requireMedia(), itemIDs: ids), deadline)
    try await waitForQueue(until: deadline, for: "the items to be gone", mayEnd: true) { now in
      !now.contains { $0.itemID.map(ids.contains) ?? false }
    }
  }

  func jump(_ jump: Plan.QueueJump, until deadline: Duration) async throws(StepFailure) {
    var request = QueueUpdateRequest()
    switch jump {
    case .next: try await move(by: 1, &request, until: deadline)
    case .previous: try await move(by: -1, &request, until: deadline)
    case .item(let item):
      let queue = try await queueItems(needsItems: item.needsItems, until: deadline)
      let id = try id(of: item, in: queue)
      request.currentItemID = id
      try await command(.queueUpdate(mediaSessionID: requireMedia(), request), deadline)
      try await waitForItem(until: deadline, for: "item \(id) to be the current one") { $0 == id }
    }
  }

  func update(_ action: Plan.QueueUpdateAction, until deadline: Duration) async throws(StepFailure) {
    var request = QueueUpdateRequest()
    request.repeatMode = action.repeatMode?.wire
    request.shuffle = action.shuffle
    var contents: [Int: String] = [:]
    if !action.items.isEmpty {
      let queue = try await queueItems(needsItems: action.items.contains { $0.item.needsItems }, until: deadline)
      var items: [QueueItem] = []
      for replacement in action.items {
        var item = QueueItem(media: try secrets.revealed(replacement.media.media))
        let id = try id(of: replacement.item, in: queue)
        item.itemID = id
        items.append(item)
        contents[id] = item.media?.contentID
        if let content = item.media?.contentID { target.trackNames[content] = replacement.media.trackNames }
      }
      request.items = items
    }
    if let jump = action.jump, jump != 0 {
      try await move(by: jump, &request, until: deadline)
    } else {
      try await command(.queueUpdate(mediaSessionID: requireMedia(), request), deadline)
    }
    if let mode = request.repeatMode {
      let word = action.repeatMode?.rawValue ?? ""
      try await wait(until: deadline, for: "the repeat mode to be \(word)") { view, _ throws(StepFailure) in
        view.media?.repeatMode == mode.rawValue
      }
    }
    guard !contents.isEmpty else { return }
    try await waitForQueue(until: deadline, for: "the new contents to be in the queue", needsItems: true) { now in
      contents.allSatisfy { id, content in
        now.contains { $0.itemID == id && ($0.media == nil || $0.media?.contentID == content) }
      }
    }
  }

  func reorder(_ action: Plan.QueueReorderAction, until deadline: Duration) async throws(StepFailure) {
    let references = action.items + [action.before].compactMap { $0 }
    let queue = try await queueItems(needsItems: references.contains(where: \.needsItems), until: deadline)
    let ids = try action.items.map { item throws(StepFailure) in try id(of: item, in: queue) }
    let place = try action.before.map { item throws(StepFailure) in try id(of: item, in: queue) }
    if let place, ids.contains(place) {
      throw StepFailure(.invalidRequest, "item \(place) cannot stand before itself")
    }
    try await command(.queueReorder(mediaSessionID: requireMedia(), itemIDs: ids, insertBefore: place), deadline)
    let others = queue.compactMap(\.itemID).filter { !ids.contains($0) }
    let index = place.flatMap { others.firstIndex(of: $0) } ?? others.endIndex
    let wanted = Array(others[..<index]) + ids + Array(others[index...])
    try await waitForQueue(until: deadline, for: "the queue to be in the new order") { now in
      now.compactMap(\.itemID) == wanted
    }
  }

  // MARK: parts

  func command(_ request: MediaRequest, _ deadline: Duration) async throws(StepFailure) {
    let connection = try requireConnection()
    do { try await connection.command(request, in: requireApp(), until: deadline) } catch let error as ClientError {
      throw StepFailure(error)
    } catch let error as StepFailure {
      throw error
    } catch {
      throw StepFailure(.protocol, "the request failed")
    }
    await catchUp()
  }

  /// Goes some items on or back. Past the last item a queue ends, and its media session with it.
  private func move(
    by distance: Int, _ request: inout QueueUpdateRequest, until deadline: Duration
  ) async throws(StepFailure) {
    let ids = try await queueItems(needsItems: false, until: deadline).compactMap(\.itemID)
    let before = view.media?.currentItemID
    let mode = request.repeatMode?.rawValue ?? view.media?.repeatMode ?? QueueRepeatMode.off.rawValue
    let wraps = mode == QueueRepeatMode.all.rawValue || mode == QueueRepeatMode.allAndShuffle.rawValue
    let index = before.flatMap { ids.firstIndex(of: $0) }
    if let index, !wraps, index + distance >= ids.count {
      throw StepFailure(
        .invalidState,
        index == ids.count - 1 ? "the last item of the queue plays" : "the queue ends before that item",
        help: "`queue_update: { repeat: all }` makes it begin again")
    }
    request.jump = distance
    try await command(.queueUpdate(mediaSessionID: requireMedia(), request), deadline)
    // Back from the first item is its beginning; once around is the same item.
    let isSame =
      index.map { !wraps && $0 + distance <= 0 && $0 == 0 || wraps && distance % max(1, ids.count) == 0 } ?? false
    if isSame { return }
    try await waitForItem(until: deadline, for: "the current item to change") { $0 != before }
  }

  private func waitForItem(
    until deadline: Duration, for waitingFor: String, _ isThere: (Int) -> Bool
  ) async throws(StepFailure) {
    try await wait(until: deadline, for: waitingFor) { view, _ throws(StepFailure) in
      guard let media = view.media, media.loadingItemID == nil, let current = media.currentItemID else { return false }
      if media.playerState == .idle { try Self.checkEnd(media, code: view.snapshot.detailedErrorCode) }
      return isThere(current)
    }
  }

  func queueItems(needsItems: Bool, until deadline: Duration) async throws(StepFailure) -> [QueueItem] {
    let connection = try requireConnection()
    let session = try requireApp()
    _ = try requireMedia()
    do {
      return try await connection.queue(in: session, needsItems: needsItems, until: deadline)
    } catch { throw StepFailure(error) }
  }

  /// Asks for the queue until it is as it should be: again with every news, and once a second.
  /// - Parameter mayEnd: Whether the end of the queue is what was wanted, too: behind the last item there is none to ask of.
  private func waitForQueue(
    until deadline: Duration, for waitingFor: String, needsItems: Bool = false,
    mayEnd: Bool = false, _ isDone: ([QueueItem]) -> Bool
  ) async throws(StepFailure) {
    while true {
      await catchUp()
      if mayEnd, view.media.map({ $0.playerState == .idle && $0.loadingItemID == nil }) ?? true { return }
      let items = try await queueItems(needsItems: needsItems, until: deadline)
      if isDone(items) { return await catchUp() }
      await catchUp()
      let connection = try requireConnection()
      _ = await connection.nextObservations(after: observed, until: min(deadline, now + .seconds(1)))
      if Task.isCancelled { throw .cancelled }
      if now >= deadline { throw StepFailure(.timeout, "waited for \(waitingFor)") }
    }
  }

  /// The device's id of an item.
  private func id(of item: Plan.QueueItemReference, in queue: [QueueItem]) throws(StepFailure) -> Int {
    switch item {
    case .number(let number): return try checked(number, queue)
    case .saved(let name):
      guard let number = value(of: name)?.int else {
        throw StepFailure(.invalidState, "`\(name)` was saved without an item's number")
      }
      return try checked(number, queue)
    case .media(let id, let content):
      let content = try secrets.revealed(content)
      let found = queue.first { $0.media?.contentID == content || $0.media?.contentURL == content }
      if let number = found?.itemID { return number }
      throw StepFailure(.invalidRequest, "`\(id)` is not in the queue", help: contents(of: queue))
    }
  }

  private func checked(_ number: Int, _ queue: [QueueItem]) throws(StepFailure) -> Int {
    if queue.contains(where: { $0.itemID == number }) { return number }
    throw StepFailure(.invalidRequest, "the queue has no item \(number)", help: contents(of: queue))
  }

  private func contents(of queue: [QueueItem]) -> String {
    let items = queue.prefix(8).map { item in
      let title = item.media?.metadata?["title"]?.string ?? item.media?.contentID
      return "\(item.itemID.map(String.init) ?? "?")\(title.map { " (\(secrets.hidden($0)))" } ?? "")"
    }
    return "it holds \(items.isEmpty ? "nothing" : items.joined(separator: ", "))\(queue.count > 8 ? ", …" : "")"
  }
}

extension Plan.QueueItemReference {
  /// Whether it is known by its content.
  var needsItems: Bool { if case .media = self { true } else { false } }
}
