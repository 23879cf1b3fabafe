import CastClient
package import CastProtocol
package import RunReporting
package import ScenarioLanguage

/// An item of a queue, as a person names it.
package enum QueueItemName: Hashable, Sendable {
  /// The device's number of it.
  case number(Int)
  /// The document's media id, and its content as the document writes it.
  case media(id: String, content: String)

  /// An item as a command line names it; `nil` for one that a scenario saved.
  package init?(typed item: Plan.QueueItemReference) {
    switch item {
    case .number(let number): self = .number(number)
    case .media(let id, let content): self = .media(id: id, content: content)
    case .saved: return nil
    }
  }

  /// Whether it is known by its content.
  var needsItems: Bool { if case .media = self { true } else { false } }

  /// The device's id of the item.
  func id(in queue: [QueueItem], _ secrets: Secrets) throws(StepFailure) -> Int {
    switch self {
    case .number(let number):
      if queue.contains(where: { $0.itemID == number }) { return number }
      throw StepFailure(
        .invalidRequest, "the queue has no item \(number)", help: Self.contents(of: queue, secrets))
    case .media(let id, let content):
      let content = try secrets.revealed(content)
      let found = queue.first { $0.media?.contentID == content || $0.media?.contentURL == content }
      if let number = found?.itemID { return number }
      throw StepFailure(.invalidRequest, "`\(id)` is not in the queue", help: Self.contents(of: queue, secrets))
    }
  }

  private static func contents(of queue: [QueueItem], _ secrets: Secrets) -> String {
    let items = queue.prefix(8).map { item in
      let title = item.media?.metadata?["title"]?.string ?? item.media?.contentID
      return "\(item.itemID.map(String.init) ?? "?")\(title.map { " (\(secrets.hidden($0)))" } ?? "")"
    }
    return "it holds \(items.isEmpty ? "nothing" : items.joined(separator: ", "))\(queue.count > 8 ? ", …" : "")"
  }
}

extension DeviceSession {
  /// All items of the queue that plays, in their order; none where nothing plays.
  package func queue(_ scope: ActionScope) async throws(StepFailure) -> [QueueItem] {
    guard own.session != nil, view(scope).media != nil else { return [] }
    return try await queueItems(needsItems: true, scope)
  }

  /// The device's own list.
  func queueItems(needsItems: Bool, _ scope: ActionScope) async throws(StepFailure) -> [QueueItem] {
    let connection = try requireConnection()
    let session = try requireApp()
    _ = try requireMedia(scope)
    do {
      return try await connection.queue(in: session, needsItems: needsItems, until: scope.deadline)
    } catch { throw StepFailure(error) }
  }

  /// Asks for the queue until it is as it should be: again with every news, and once a second.
  /// - Parameter mayEnd: Whether the end of the queue fits, too: behind the last item there is no queue to ask for.
  func waitForQueue(
    _ scope: ActionScope, for waitingFor: String, needsItems: Bool = false, mayEnd: Bool = false,
    _ isDone: ([QueueItem]) -> Bool
  ) async throws(StepFailure) {
    while true {
      await catchUp(scope)
      if mayEnd, view(scope).media.map({ $0.playerState == .idle && $0.loadingItemID == nil }) ?? true { return }
      let items = try await queueItems(needsItems: needsItems, scope)
      if isDone(items) { return await catchUp(scope) }
      await catchUp(scope)
      let connection = try requireConnection()
      _ = await connection.nextObservations(after: link.observed, until: min(scope.deadline, now + .seconds(1)))
      if Task.isCancelled { throw .cancelled }
      if now >= scope.deadline { throw StepFailure(.timeout, "waited for \(waitingFor)") }
    }
  }

  func waitForItem(
    _ scope: ActionScope, for waitingFor: String, _ isThere: (Int) -> Bool
  ) async throws(StepFailure) {
    try await wait(scope, for: waitingFor) { view, _ throws(StepFailure) in
      guard let media = view.media, media.loadingItemID == nil, let current = media.currentItemID else { return false }
      try view.checkEnd()
      return isThere(current)
    }
  }
}
