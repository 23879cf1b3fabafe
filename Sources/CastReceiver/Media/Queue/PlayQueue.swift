import CastProtocol

/// The items of one media session in the order of play, and which of them is on. Source: docs/protocol.md 4.2 and 6.4.
///
/// There is always at least one item; a plain LOAD makes a queue of one.
struct PlayQueue: Hashable, Sendable {
  private(set) var items: [PlayQueueItem]
  private(set) var index: Int
  var repeatMode = QueueRepeatMode.off
  var isShuffled = false
  /// What the sender said of the whole queue, without its items; `nil` for a plain LOAD.
  var data: JSONObject?

  /// `nil` without items or with a start that is none of them.
  init?(_ items: [PlayQueueItem], startIndex: Int = 0) {
    guard items.indices.contains(startIndex), Self.isWithinLimits(items) else { return nil }
    self.items = items
    index = startIndex
  }

  var current: PlayQueueItem { items[index] }

  /// The queue with the item that is on known as far as that, or further.
  private func knowingCurrent(_ stage: LoadedMedia.Stage) -> PlayQueue {
    var queue = self
    if queue.items[index].stage != .played { queue.items[index].stage = stage }
    return queue
  }

  mutating func learnCurrent(_ outcome: MediaFetch.Outcome) { items[index].media.learn(outcome) }

  /// The queue while the item that is on is loaded.
  var loadingCurrent: PlayQueue { knowingCurrent(.loading) }

  /// The queue once the item that is on plays.
  var playingCurrent: PlayQueue { knowingCurrent(.played) }

  var ids: [Int] { items.map(\.id) }

  func index(of id: Int) -> Int? { items.firstIndex { $0.id == id } }

  // MARK: where to go

  /// Where a jump of `step` items leads; `nil`: past the end. Before the first item there is the first item.
  func index(jumping step: Int) -> Int? {
    switch repeatMode {
    case .all, .allAndShuffle:
      let target = (index + step % items.count) % items.count
      return target < 0 ? target + items.count : target
    case .off, .single:
      let (target, isTooFar) = index.addingReportingOverflow(step)
      if isTooFar { return step < 0 ? 0 : nil }
      return target < items.count ? max(0, target) : nil
    }
  }

  /// What follows when the present item has come to its end; `nil`: nothing.
  var indexAtEnd: Int? { repeatMode == .single ? index : index(jumping: 1) }

  /// Whether going on from the present item begins a new round.
  var isAtLastItem: Bool { index == items.count - 1 }

  /// The queue with another item on.
  func moved(to index: Int) -> PlayQueue {
    guard items.indices.contains(index) else { return self }
    var queue = self
    queue.index = index
    return queue
  }

  // MARK: changes

  /// Puts `new` before item `before`, or at the end when that is `nil` or unknown.
  /// - Returns: False when the queue would become too long.
  mutating func insert(_ new: [PlayQueueItem], before: Int?) -> Bool {
    let place = before.flatMap { index(of: $0) } ?? items.count
    guard Self.isWithinLimits(items + new) else { return false }
    items.insert(contentsOf: new, at: place)
    if place <= index { index += new.count }
    return true
  }

  /// The queue without some items; `nil` when nothing is left.
  ///
  /// `next` is where to go when the item that is on went: to the one behind it, and where there is none past the end.
  func removing(_ gone: Set<Int>) -> (queue: PlayQueue, next: Int?)? {
    let before = items[..<index].count { !gone.contains($0.id) }
    let isCurrentGone = gone.contains(current.id)
    var queue = self
    queue.items.removeAll { gone.contains($0.id) }
    guard !queue.items.isEmpty else { return nil }
    if !isCurrentGone {
      queue.index = before
      return (queue, nil)
    }
    let repeats = repeatMode == .all || repeatMode == .allAndShuffle
    queue.index = min(before, queue.items.count - 1)
    if before < queue.items.count { return (queue, before) }
    return (queue, repeats ? 0 : queue.items.count)
  }

  /// Puts the items `ids`, in that order, before item `before` or at the end; the others keep their order.
  mutating func reorder(_ ids: [Int], before: Int?) {
    let currentID = current.id
    let places = Dictionary(items.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let moved = ids.compactMap { places[$0] }
    let movedIDs = Set(ids)
    items.removeAll { movedIDs.contains($0.id) }
    items.insert(contentsOf: moved, at: before.flatMap { index(of: $0) } ?? items.count)
    index = index(of: currentID) ?? 0
  }

  /// Replaces items by others of the same ids, each at its place.
  /// - Returns: False when the queue would become too long.
  mutating func replace(_ replacements: [Int: PlayQueueItem]) -> Bool {
    let changed = items.map { replacements[$0.id] ?? $0 }
    guard Self.isWithinLimits(changed) else { return false }
    items = changed
    return true
  }

  /// Mixes the items around the one that is on, which keeps its place; with fewer than three there is nothing to mix.
  mutating func shuffle(using random: inout SeededGenerator) {
    isShuffled = true
    guard items.count >= 3 else { return }
    let current = items.remove(at: index)
    let old = items.map(\.id)
    items.shuffle(using: &random)
    // A shuffle that changes nothing would look like a failure.
    if items.map(\.id) == old { items.append(items.removeFirst()) }
    items.insert(current, at: index)
  }

  /// Mixes all items for another round, the first of which is on.
  mutating func reshuffle(using random: inout SeededGenerator) {
    isShuffled = true
    items.shuffle(using: &random)
    index = 0
  }

  private static func isWithinLimits(_ items: [PlayQueueItem]) -> Bool {
    items.count <= ReceiverLimits.queueItems && items.reduce(0) { $0 + $1.length } <= ReceiverLimits.queueLength
  }
}
