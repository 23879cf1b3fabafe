import ScenarioLanguage

extension Program {
  /// What is on from one Unix time to another.
  package struct Stretch: Hashable, Sendable {
    package var range: Range<Int>
    package var decision: Decision
  }

  /// What is on in a range of Unix times, one stretch after the other without holes; neighbours differ.
  /// - Parameter finished: Rules with `repeat: false` that are through in the window that is open at the start.
  package func stretches(in range: Range<Int>, finished: Set<Int> = []) -> [Stretch] {
    let range = range.clamped(to: Self.times)
    guard !range.isEmpty else { return [] }
    let clock = ClockPieces(zone, in: range)
    var free = TimeRanges([range])
    var found: [Stretch] = []
    for entry in entries where !free.isEmpty {
      var on = moments(of: entry, on: clock)
      if entry.isAmong(finished), let open = on.range(with: range.lowerBound) {
        on = on.subtracting(TimeRanges([open]))
      }
      let taken = free.intersection(on)
      found += taken.ranges.map { Stretch(range: $0, decision: entry.decision) }
      free = free.subtracting(taken)
    }
    found += free.ranges.map { Stretch(range: $0, decision: otherwise) }
    if let quiet = plan.quiet, let silentHours {
      found = Self.keepQuiet(quiet, clock.moments(of: silentHours), in: found)
    }
    found.sort { $0.range.lowerBound < $1.range.lowerBound }
    return Self.joined(found)
  }

  /// The Unix times at which an entry is on.
  func moments(of entry: Entry, on clock: ClockPieces) -> TimeRanges {
    let on = clock.moments(of: entry.time)
    guard let validity = entry.validity else { return on }
    return on.intersection(clock.moments(of: validity))
  }

  private static func keepQuiet(
    _ quiet: PlaylistPlan.Quiet, _ times: TimeRanges, in stretches: [Stretch]
  ) -> [Stretch] {
    stretches.flatMap { stretch in
      let whole = TimeRanges([stretch.range])
      var decision = stretch.decision
      decision.keepQuiet(quiet)
      return whole.intersection(times).ranges.map { Stretch(range: $0, decision: decision) }
        + whole.subtracting(times).ranges.map { Stretch(range: $0, decision: stretch.decision) }
    }
  }

  private static func joined(_ stretches: [Stretch]) -> [Stretch] {
    var result: [Stretch] = []
    for stretch in stretches {
      if let last = result.last, last.decision.isSame(as: stretch.decision) {
        result[result.count - 1].range = last.range.lowerBound..<stretch.range.upperBound
      } else {
        result.append(stretch)
      }
    }
    return result
  }
}

/// A range of Unix times, cut where the clocks of a zone change.
struct ClockPieces {
  /// Each with the seconds east of Greenwich that hold in it.
  let pieces: [(range: Range<Int>, offset: Int)]

  init(_ zone: TimeZoneRules, in range: Range<Int>) {
    var pieces: [(range: Range<Int>, offset: Int)] = []
    var start = range.lowerBound
    for change in zone.changes(in: range) where change.at > start {
      pieces.append((start..<change.at, change.before))
      start = change.at
    }
    if start < range.upperBound { pieces.append((start..<range.upperBound, zone.offset(at: start))) }
    self.pieces = pieces
  }

  /// The readings of the clock between the first and the last moment.
  var walls: Range<WallTime> {
    let starts = pieces.map { $0.range.lowerBound + $0.offset }
    let ends = pieces.map { $0.range.upperBound + $0.offset }
    guard let first = starts.min(), let last = ends.max(), first < last else { return 0..<0 }
    return first..<last
  }

  /// The Unix times at which a clock shows a reading at which `condition` is on.
  func moments(of condition: TimeCondition) -> TimeRanges {
    let walls = condition.stretches(in: walls)
    let parts = pieces.flatMap { range, offset in
      walls.clamped(to: range.lowerBound + offset..<range.upperBound + offset).ranges.map {
        $0.lowerBound - offset..<$0.upperBound - offset
      }
    }
    return TimeRanges(parts)
  }
}
