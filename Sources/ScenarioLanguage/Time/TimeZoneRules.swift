/// What the clocks of one zone show: offsets from UTC and the moments they change.
package struct TimeZoneRules: Hashable, Sendable {
  /// Clocks go on by another offset from here on.
  package struct Change: Hashable, Sendable {
    /// Unix time.
    package var at: Int
    /// Seconds east of Greenwich before and after.
    package var before: Int
    package var after: Int

    /// The readings that no clock shows when clocks jump forwards; empty else.
    package var skipped: Range<WallTime> { before < after ? at + before..<at + after : 0..<0 }
    /// The readings that clocks show twice when they go back; empty else.
    package var repeated: Range<WallTime> { after < before ? at + after..<at + before : 0..<0 }
  }

  /// When a wall clock shows a reading.
  package enum Moments: Hashable, Sendable {
    case once(Int)
    case twice(Int, Int)
    /// Never: clocks jump over it.
    case never(Change)
  }

  let firstOffset: Int
  /// Unix times, ascending, with the offset from then on.
  let table: [Entry]
  /// What holds after the table.
  let footer: PosixTimeZone?

  struct Entry: Hashable, Sendable {
    var at: Int
    var offset: Int
  }

  package static let utc = TimeZoneRules(firstOffset: 0, table: [], footer: nil)

  init(firstOffset: Int, table: [Entry], footer: PosixTimeZone?) {
    self.firstOffset = firstOffset
    self.table = table
    self.footer = footer
  }

  /// Reads the rule that a computer may have in place of a zone's name, such as `CET-1CEST,M3.5.0,M10.5.0/3`; `nil` for
  /// what is none, or does not say when clocks change.
  package init?(posix text: String) {
    // No clock is a day or more away from Greenwich.
    let day = 24 * 3_600
    guard let rule = PosixTimeZone(Array(text.utf8)[...]), abs(rule.standard) <= day,
      abs(rule.daylight?.offset ?? 0) <= day
    else { return nil }
    self.init(firstOffset: rule.standard, table: [], footer: rule)
  }

  /// Seconds east of Greenwich at a moment.
  package func offset(at time: Int) -> Int {
    guard let last = table.last, time < last.at else { return offsetAfterTable(at: time) }
    let count = table.sortedIndex(where: { $0.at > time })
    return count == 0 ? firstOffset : table[count - 1].offset
  }

  private func offsetAfterTable(at time: Int) -> Int {
    let known = table.last?.offset ?? firstOffset
    guard let footer else { return known }
    guard footer.daylight != nil else { return footer.standard }
    let year = CivilDate(at: time).year
    guard Self.years.contains(year) else { return footer.standard }
    let changes = (year - 1...year + 1).flatMap { footer.changes(in: $0) }
    return changes.last { $0.at <= time }?.offset ?? footer.standard
  }

  /// No document means other years; the bounds keep the arithmetic far from overflow.
  private static let years = 1_900...2_400

  /// The changes in a stretch of Unix time.
  package func changes(in range: Range<Int>) -> [Change] {
    let start = table.sortedIndex(where: { $0.at >= range.lowerBound })
    var moments = table[start..<table.sortedIndex(where: { $0.at >= range.upperBound })].map(\.at)
    if let footer, footer.daylight != nil {
      let end = table.last?.at ?? .min
      let first = max(CivilDate(at: range.lowerBound).year - 1, Self.years.lowerBound)
      let last = min(CivilDate(at: range.upperBound).year + 1, Self.years.upperBound)
      if first <= last {
        moments += (first...last).flatMap { footer.changes(in: $0).map(\.at) }.filter { $0 > end && range.contains($0) }
      }
    }
    return moments.sorted().compactMap { at in
      let change = Change(at: at, before: offset(at: at - 1), after: offset(at: at))
      return change.before == change.after ? nil : change
    }
  }

  /// The moments at which clocks show `wall`.
  package func moments(of wall: WallTime) -> Moments {
    // No offset is more than 26 hours, so that all that matters lies within 30 hours.
    let reach = 30 * 3_600
    let near = changes(in: wall - reach..<wall + reach)
    var found: [Int] = []
    var start = Int.min
    var offset = near.first?.before ?? self.offset(at: wall)
    for change in near {
      let moment = wall - offset
      if moment >= start, moment < change.at { found.append(moment) }
      start = change.at
      offset = change.after
    }
    if wall - offset >= start { found.append(wall - offset) }
    if let first = found.first { return found.count > 1 ? .twice(first, found[1]) : .once(first) }
    let jump = near.first { $0.skipped.contains(wall) }
    return jump.map { .never($0) } ?? .once(wall - offset)
  }

  /// What clocks show at a moment.
  package func wallTime(at time: Int) -> WallTime { time + offset(at: time) }
}
