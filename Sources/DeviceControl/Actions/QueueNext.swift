import CastClient
package import CastProtocol
import RunReporting
import ScenarioLanguage

/// `queueNext`: one item stands behind the one that plays, and the player fetches it before that ends.
package struct QueueNext: DeviceVerb {
  package var media: MediaInformation
  /// How long before the end of what plays the player begins to fetch it.
  package var preload: Duration

  package init(_ media: MediaInformation, preload: Duration) {
    self.media = media
    self.preload = preload
  }

  func perform(on device: isolated DeviceSession, in scope: ActionScope) async throws(StepFailure) {
    var item = QueueItem(media: try await device.served(device.secrets.revealed(media)))
    item.autoplay = true
    item.preloadTime = preload.seconds
    let session = try device.requireMedia(scope)
    let old = Set(try await device.queueItems(needsItems: false, scope).compactMap(\.itemID))
    try await device.command(MediaRequest(.queueInsert(.init(items: [item])), session: session), scope)
    var new: Int?
    try await device.waitForQueue(scope, for: "the next item to be in the queue") { items in
      new = items.compactMap(\.itemID).last { !old.contains($0) }
      return new != nil
    }
    device.changeOwn { $0.setNextItem(new) }
  }
}

/// `unqueueNext`: what plays is the last item again.
struct UnqueueNext: DeviceVerb {
  func perform(on device: isolated DeviceSession, in scope: ActionScope) async throws(StepFailure) {
    guard let next = device.own.loaded?.nextItemID else { return }
    device.changeOwn { $0.setNextItem(nil) }
    let session = try device.requireMedia(scope)
    try await device.command(MediaRequest(.queueRemove(itemIDs: [next]), session: session), scope)
  }
}

/// `continueWithNext`: the item behind the one that played is on, as far as it is asked for.
struct ContinueWithNext: DeviceVerb {
  let until: Plan.LoadAction.Until

  func perform(on device: isolated DeviceSession, in scope: ActionScope) async throws(StepFailure) {
    guard let next = device.own.loaded?.nextItemID else {
      throw StepFailure(.invalidState, "nothing was put behind what played")
    }
    // Whatever comes of it, it is not the next one any more.
    defer { device.changeOwn { $0.setNextItem(nil) } }
    try await device.waitForItem(scope, for: "item \(next) to be the current one") { $0 == next }
    let wanted = until.players
    try await device.wait(scope, for: "the player to be \(wanted.joined(separator: " or "))") {
      view, _ throws(StepFailure) in
      try view.checkEnd()
      return wanted.contains(view.player)
    }
  }
}

extension Plan.LoadAction.Until {
  /// The states of the player that are as far as is asked for.
  var players: [String] {
    switch self {
    case .playing: ["playing"]
    case .paused: ["paused"]
    case .accepted, .loaded: ["playing", "paused", "buffering"]
    }
  }
}

extension StatusView {
  /// Whether the player has left what it played for the item that this session put behind it.
  package var isAtNextItem: Bool {
    guard let next = loaded?.nextItemID, let media else { return false }
    return media.currentItemID == next || media.loadingItemID == next
  }
}
