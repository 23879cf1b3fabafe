import ScenarioLanguage

extension Program {
  /// A moment at which an interrupt is due.
  package struct Cut: Hashable, Sendable {
    /// The index of the interrupt in `interrupts`.
    package var interrupt: Int
    /// Unix time in seconds.
    package var at: Int
  }

  /// The next moment after `time` at which an interrupt is due; `nil` where that is never, or more than 41 years away.
  ///
  /// A reading that clocks jump over is due at the jump, one that they show twice the first time; what comes in every
  /// hour alike is due whenever a clock shows its minute. In quiet hours nothing is due unless the screen keeps on.
  package func nextCut(of interrupt: Int, after time: Int) -> Cut? {
    guard plan.interrupts.indices.contains(interrupt), plan.interrupts[interrupt].recurrence != nil else { return nil }
    var search = CutSearch(self, of: interrupt)
    return search.next(after: time).map { Cut(interrupt: interrupt, at: $0) }
  }

  /// The next that is due after `time`, and of several at the same moment the one that goes first.
  package func nextCut(after time: Int) -> Cut? {
    plan.interrupts.indices.compactMap { nextCut(of: $0, after: time) }.min(by: goesFirst)
  }

  /// All that are due in a range of Unix times, in the order in which they go.
  package func cuts(in range: Range<Int>) -> [Cut] {
    plan.interrupts.indices.flatMap { index in
      moments(of: index, in: range.clamped(to: Self.times)).map { Cut(interrupt: index, at: $0) }
    }.sorted(by: goesFirst)
  }

  /// Of two in the same moment the one that cuts immediately, then the first of the list.
  private func goesFirst(_ left: Cut, _ right: Cut) -> Bool {
    func waits(_ cut: Cut) -> Int { plan.interrupts[cut.interrupt].cut == .immediately ? 0 : 1 }
    return (left.at, waits(left), left.interrupt) < (right.at, waits(right), right.interrupt)
  }

  /// When an interrupt is due in a range, ascending.
  func moments(of index: Int, in range: Range<Int>) -> [Int] {
    let interrupt = plan.interrupts[index]
    guard !range.isEmpty, let recurrence = interrupt.recurrence else { return [] }
    let shift = zone.shift(around: range)
    let walls = zone.wallTime(at: range.lowerBound) - shift..<zone.wallTime(at: range.upperBound) + shift
    let open = openStretches(of: interrupt, in: walls)
    let isPlain = recurrence.ignoresClockChanges
    let quiet = darkHours
    var found: Set<Int> = []
    for wall in open.ranges.flatMap({ recurrence.times(in: $0) }) {
      if shift == 0 {
        found.insert(wall - zone.offset(at: range.lowerBound))
        continue
      }
      switch zone.moments(of: wall) {
      case .once(let moment): found.insert(moment)
      case .twice(let first, let second): found.formUnion(isPlain ? [first, second] : [first])
      case .never(let change):
        // It was due in quiet hours where those begin in between.
        let isHeard = quiet?.isOn(at: zone.wallTime(at: change.at)) != true
        if !isPlain, isHeard { found.insert(change.at) }
      }
    }
    return found.filter { range.contains($0) }.sorted()
  }

  /// The readings in a range at which an interrupt may cut in.
  func openStretches(of interrupt: PlaylistPlan.Interrupt, in walls: Range<WallTime>) -> TimeRanges {
    let open = interrupt.during.condition.stretches(in: walls)
    guard !open.isEmpty, let quiet = darkHours else { return open }
    return open.subtracting(quiet.stretches(in: walls))
  }

  /// Quiet hours in which nothing cuts in.
  private var darkHours: TimeCondition? { plan.quiet.flatMap { $0.screen == .keep ? nil : $0.condition } }
}

extension TimeZoneRules {
  /// How far the readings of a range, and those that are due in it, may lie outside of what clocks show at its ends: as
  /// far as clocks change near it, which is not at all on most days.
  func shift(around range: Range<Int>) -> Int {
    // No change of clocks is longer than a day, and what comes twice may have come a day before.
    let reach = 50 * 3_600
    return changes(in: range.lowerBound - reach..<range.upperBound + reach).reduce(0) { $0 + abs($1.after - $1.before) }
  }
}
