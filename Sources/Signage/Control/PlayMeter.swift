/// What a playlist's screens have shown since the process began, added up for monitors.
///
/// A value without I/O; what it counts never falls, and there is an end to how much it tells apart.
package struct PlayMeter: Hashable, Sendable {
  package struct Play: Hashable, Sendable, Comparable {
    package var screen: String
    /// The item's id; empty for one that has only an address, which is nothing for a label.
    package var item: String
    package var end: LedgerRecord.EndReason

    package static func < (left: Play, right: Play) -> Bool {
      (left.screen, left.item, left.end.rawValue) < (right.screen, right.item, right.end.rawValue)
    }
  }

  /// Why nothing of the program was seen.
  package struct Dark: Hashable, Sendable, Comparable {
    package var screen: String
    /// A gap's reason, or `unproven`: an item was on, and nothing that the receiver said proves it.
    package var reason: String

    package static func < (left: Dark, right: Dark) -> Bool {
      (left.screen, left.reason) < (right.screen, right.reason)
    }
  }

  /// How late items began.
  package struct Lateness: Hashable, Sendable {
    /// Upper bounds in seconds; above the last one there is one more bucket.
    package static let bounds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
    /// How many were at most as late as each bound, and after those how many there are.
    package private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
    package private(set) var sum = 0.0

    mutating func add(_ seconds: Double) {
      sum += seconds
      for index in counts.indices where index == Self.bounds.count || seconds <= Self.bounds[index] {
        counts[index] += 1
      }
    }
  }

  /// The most combinations of screen, item and ending that are counted apart.
  static let mostPlays = 10_000
  /// The item of all further ones.
  static let otherItems = "other"
  static let unproven = "unproven"

  package private(set) var plays: [Play: Int] = [:]
  package private(set) var shown: [String: Double] = [:]
  package private(set) var dark: [Dark: Double] = [:]
  package private(set) var lateness: [String: Lateness] = [:]

  package init() {}

  /// Takes what goes to the ledger.
  package mutating func take(_ record: LedgerRecord) {
    switch record.kind {
    case .play(let play):
      let item = play.item == play.content ? "" : play.item
      var key = Play(screen: record.screen, item: item, end: play.endReason)
      if plays[key] == nil, plays.count >= Self.mostPlays { key.item = Self.otherItems }
      plays[key, default: 0] += 1
      shown[record.screen, default: 0] += play.shown
      add(play.end - play.start - play.shown, to: Dark(screen: record.screen, reason: Self.unproven))
      if let playingAt = play.evidence.playingAt, !play.evidence.adopted {
        lateness[record.screen, default: Lateness()].add(max(0, playingAt - play.start))
      }
    case .gap(let gap): add(gap.end - gap.start, to: Dark(screen: record.screen, reason: gap.reason.rawValue))
    case .skip: break
    }
  }

  private mutating func add(_ seconds: Double, to key: Dark) {
    // What rounding to milliseconds leaves is nothing.
    if seconds > 0.000_5 { dark[key, default: 0] += seconds }
  }

  /// What a monitor is told: with what no record is about yet, and never less than it was told before.
  /// - Parameter told: What it was told last.
  package func reading(_ sights: [String: ScreenSight], at time: Double, after told: PlayMeter) -> PlayMeter {
    var reading = self
    for (screen, sight) in sights {
      guard let since = sight.unrecordedSince else { continue }
      if let reason = sight.gapReason {
        reading.add(time - since, to: Dark(screen: screen, reason: reason.rawValue))
      } else {
        reading.shown[screen, default: 0] += sight.shown
      }
    }
    reading.shown.merge(told.shown, uniquingKeysWith: max)
    reading.dark.merge(told.dark, uniquingKeysWith: max)
    return reading
  }
}
