/// When an item of a playlist may be on: on its own days, and when its rule is.
package struct PlayTimes: Hashable, Sendable {
  private static let chunk = 31 * 86_400
  /// Of a day's reading on a clock and its time by Greenwich.
  private static let widestZone = 86_400

  /// `nil`: on all days.
  package var valid: DateRange?
  package var during: TimeCondition
  package var zone: TimeZoneRules

  package init(valid: DateRange? = nil, during: TimeCondition = .anyTime, zone: TimeZoneRules = .utc) {
    self.valid = valid
    self.during = during
    self.zone = zone
  }

  /// Whether it is on certain dates only.
  package var isDated: Bool { valid != nil || during.isDated }

  /// Whether all its dates lie before a moment in Unix time, wherever on Earth the screen is.
  package func isOver(at time: Int) -> Bool {
    let today = CivilDate(at: time - 14 * 3_600)
    if case .once(_, let last)? = valid?.days, last < today { return true }
    return during.isOver(on: today)
  }

  /// The first moment in a stretch of Unix time when it may be on; `nil`: there is none.
  package func first(in range: Range<Int>) -> Int? {
    var start = range.lowerBound - Self.widestZone
    let end = range.upperBound + Self.widestZone
    while start < end {
      let chunk = start..<min(end, start + Self.chunk)
      for stretch in during.stretches(in: chunk).ranges {
        if let found = first(of: stretch, in: range) { return found }
      }
      start = chunk.upperBound
    }
    return nil
  }

  /// - Parameter stretch: Readings of the clock.
  private func first(of stretch: Range<WallTime>, in range: Range<Int>) -> Int? {
    for day in CivilDate.dayNumber(at: stretch.lowerBound)...CivilDate.dayNumber(at: stretch.upperBound - 1) {
      guard valid?.contains(CivilDate(dayNumber: day)) ?? true else { continue }
      let readings = stretch.clamped(to: day * WeeklyIntervals.day..<(day + 1) * WeeklyIntervals.day)
      let (begin, end) = (time(of: readings.lowerBound), time(of: readings.upperBound))
      if begin < range.upperBound, end > range.lowerBound, begin < end {
        return max(begin, range.lowerBound)
      }
    }
    return nil
  }

  /// A moment at which the clock shows this, or would.
  private func time(of wall: WallTime) -> Int { wall - zone.offset(at: wall - zone.offset(at: wall)) }
}
