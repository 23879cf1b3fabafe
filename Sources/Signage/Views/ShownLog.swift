/// What screens have shown lately, in stretches in which one line of the playlist decided: a week of records is too much
/// to be kept, and its stretches are few.
package struct ShownLog: Hashable, Sendable {
  package struct Stretch: Hashable, Sendable {
    package var start: Double
    package var end: Double
    /// `program[1] breakfast`, or why nothing was on.
    package var name: String
    package var isGap: Bool
    /// Seconds in which the receiver said that it was on.
    package var shown: Double
    package var plays: Int
  }

  /// Of one screen; of more the oldest are forgotten.
  package static let mostStretches = 2_000
  /// Seconds by which records of one screen may lie apart and still follow each other.
  private static let tolerance = 1.0

  package private(set) var stretches: [String: [Stretch]] = [:]

  package init() {}

  /// Takes a record; those of a screen come in the order in which they happened.
  package mutating func add(_ record: LedgerRecord) {
    switch record.kind {
    case .play(let play):
      add(
        .init(start: play.start, end: play.end, name: play.rule, isGap: false, shown: play.shown, plays: 1),
        of: record.screen)
    case .gap(let gap):
      add(
        .init(start: gap.start, end: gap.end, name: gap.reason.rawValue, isGap: true, shown: 0, plays: 0),
        of: record.screen)
    case .skip: break
    }
  }

  private mutating func add(_ new: Stretch, of screen: String) {
    var list = stretches[screen] ?? []
    // Not copied each time.
    stretches[screen] = nil
    defer { stretches[screen] = list }
    // What comes into a line belongs to it, or each interrupt of a day would be a stretch.
    let isInside = !new.isGap && ScreenCursor.Part(ledgerName: new.name)?.comesBetween ?? false
    if let last = list.last, last.isGap == new.isGap, last.name == new.name || isInside,
      abs(new.start - last.end) <= Self.tolerance
    {
      list[list.count - 1].end = max(last.end, new.end)
      list[list.count - 1].shown += new.shown
      list[list.count - 1].plays += new.plays
      return
    }
    list.append(new)
    if list.count > Self.mostStretches { list.removeFirst(Self.mostStretches / 4) }
  }

  /// Forgets what was over before a Unix time.
  package mutating func forget(before time: Double) {
    for (screen, list) in stretches where list.first.map({ $0.end < time }) ?? false {
      stretches[screen] = list.filter { $0.end >= time }
    }
  }

  /// The same with what no record is about yet: an item may be on for days.
  package func including(_ sights: [String: ScreenSight], at time: Double) -> ShownLog {
    var log = self
    for (screen, sight) in sights {
      guard let since = sight.unrecordedSince, since < time else { continue }
      if let reason = sight.gapReason {
        log.add(.init(start: since, end: time, name: reason.rawValue, isGap: true, shown: 0, plays: 0), of: screen)
      } else if let showing = sight.showing {
        log.add(
          .init(start: since, end: time, name: showing.decidedBy, isGap: false, shown: sight.shown, plays: 0),
          of: screen)
      }
    }
    return log
  }

  /// What came before all this.
  package mutating func prepend(_ earlier: ShownLog) {
    for (screen, list) in earlier.stretches { stretches[screen] = list + (stretches[screen] ?? []) }
  }
}
