import ScenarioLanguage

extension Program {
  /// A moment at which an interrupt is due.
  package struct Cut: Hashable, Sendable {
    /// The index of the interrupt in `interrupts`.
    package var interrupt: Int
    /// Unix time in seconds.
    package var at: Int
  }

  private static let hour = 3_600

  /// The next moment after `time` at which an interrupt is due; `nil` where that is never, or more than 41 years away.
  ///
  /// A reading that clocks jump over is due at the jump, one that they show twice the first time; what comes in every
  /// hour alike is due whenever a clock shows its minute. In quiet hours nothing is due unless the screen keeps on.
  package func nextCut(of interrupt: Int, after time: Int) -> Cut? {
    guard plan.interrupts.indices.contains(interrupt) else { return nil }
    var start = Self.clamped(time) + 1
    let limit = min(start + Self.lookaheadDays * 24 * Self.hour, Self.times.upperBound)
    var length = 6 * Self.hour
    while start < limit {
      let end = min(start + length, limit)
      if let first = moments(of: interrupt, in: start..<end).first { return Cut(interrupt: interrupt, at: first) }
      start = end
      length *= 4
    }
    return nil
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
  private func moments(of index: Int, in range: Range<Int>) -> [Int] {
    guard !range.isEmpty else { return [] }
    let interrupt = plan.interrupts[index]
    // No change of clocks is longer than a day: a reading further off is due outside of the range.
    let reach = 25 * Self.hour
    let walls = zone.wallTime(at: range.lowerBound) - reach..<zone.wallTime(at: range.upperBound) + reach
    let quiet = plan.quiet.flatMap { $0.screen == .keep ? nil : $0.condition }
    var open = interrupt.during.condition.stretches(in: walls)
    if let quiet { open = open.subtracting(quiet.stretches(in: walls)) }
    let isPlain = interrupt.recurrence.ignoresClockChanges
    let changes = zone.changes(in: range.lowerBound - 2 * reach..<range.upperBound + 2 * reach)
    var found: Set<Int> = []
    for wall in open.ranges.flatMap({ interrupt.recurrence.times(in: $0) }) {
      if changes.isEmpty {
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
}
