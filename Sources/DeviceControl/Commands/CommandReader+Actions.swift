import CastProtocol
package import ScenarioLanguage

/// Words as what a device is asked to do.
extension CommandReader {
  /// A seek to a position, or with a sign from where it is.
  package mutating func seek(_ word: String, then: String?, tolerance: String?) -> DeviceAction? {
    let target = seekTarget(word)
    var seek = target.map { Seek($0) }
    if let then {
      if let state = resumeState(then) { seek?.then = state } else { seek = nil }
    }
    if let tolerance {
      if let duration = duration(tolerance) { seek?.tolerance = duration } else { seek = nil }
    }
    return seek.map { .seek($0) }
  }

  private mutating func seekTarget(_ word: String) -> Seek.Target? {
    if word.hasPrefix("+") || word.hasPrefix("-") { return offset(word).map { .by($0.seconds) } }
    return switch position(word) {
    case .start: .toStart
    case .end: .toEnd
    case .at(let time): .to(time.seconds)
    case nil: nil
    }
  }

  /// Several items of the queue, each named once.
  package mutating func itemNames(_ words: [String]) -> [QueueItemName]? {
    items(words).map { $0.compactMap(QueueItemName.init(typed:)) }
  }

  /// Items that move to the end of the queue, or before another.
  package mutating func reorder(_ words: [String], before place: String?) -> DeviceAction? {
    guard let items = items(words) else { return nil }
    let anchor = place.flatMap { item($0, behind: items) }
    if place != nil, anchor == nil { return nil }
    return .queueReorder(
      items: items.compactMap(QueueItemName.init(typed:)), before: anchor.flatMap(QueueItemName.init(typed:)))
  }

  /// Another item of the queue, or with a sign how many items to go.
  package mutating func queueJump(_ word: String) -> DeviceAction? {
    if word.hasPrefix("+") || word.hasPrefix("-") { return distance(word).map { .queueUpdate(QueueUpdate(jump: $0)) } }
    switch jump(word) {
    case .next: return .queueJump(.next)
    case .previous: return .queueJump(.previous)
    case .item(let item): return QueueItemName(typed: item).map { .queueJump(.item($0)) }
    case nil: return nil
    }
  }
}
