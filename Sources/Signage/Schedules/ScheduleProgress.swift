import CastProtocol
import ScenarioLanguage

/// How far one schedule has been dealt with, and what it wants next.
struct ScheduleProgress: Sendable {
  typealias Occurrence = ScheduleKeeper.Occurrence

  var entry: ScheduleEntry
  /// Everything up to this moment was dealt with.
  private(set) var mark: Int
  /// The mark before the clock was set back far.
  var oldMark: Int?
  private var next: (time: Int, begin: Double)?
  private var isSearched = false

  init(entry: ScheduleEntry, mark: Int, oldMark: Int? = nil) {
    self.entry = entry
    self.mark = mark
    self.oldMark = oldMark
  }

  /// The time after the mark, and when its run begins.
  mutating func search() -> (time: Int, begin: Double)? {
    if !isSearched {
      next = entry.next(after: mark).map { ($0, entry.begin(of: $0)) }
      isSearched = true
    }
    return next
  }

  mutating func deal(upTo time: Int) { (mark, isSearched) = (time, false) }

  /// Sees to it that a clock that was set takes nothing away and brings nothing twice.
  mutating func follow(_ now: Double, jump: Double) {
    if Double(mark) - now > ScheduleKeeper.correction {
      oldMark = max(mark, oldMark ?? mark)
      deal(upTo: Int(now.rounded(.down)))
    }
    // The clock is right again: what it showed before it was wrong was dealt with.
    if jump > 1, let old = oldMark, Double(old) <= now {
      oldMark = nil
      if old > mark { deal(upTo: old) }
    }
  }

  /// The next time whose run begins now.
  /// - Parameters:
  ///   - start: From where the clock was set forward just now; `nil`: it was not.
  ///   - effects: Gets what is passed over.
  mutating func take(
    _ now: Double, tolerance: Double, jumpedFrom start: Double?, _ effects: inout [ScheduleKeeper.Effect]
  ) -> Occurrence? {
    guard let first = search(), first.begin <= now else { return nil }
    let line = entry.schedule.span.line
    if first.begin >= now - tolerance {
      deal(upTo: first.time)
      return Occurrence(time: first.time, line: line)
    }
    // Of all that should have begun meanwhile one run is enough, the last.
    guard let last = entry.last(after: mark, notAfter: Int(now.rounded(.down))) else { return nil }
    let begin = entry.begin(of: last)
    if begin >= now - tolerance {
      if last > first.time { effects.append(.skip(Occurrence(time: first.time, line: line, isLate: true), .missed)) }
      deal(upTo: last - 1)
      return begin <= now ? take(now, tolerance: tolerance, jumpedFrom: start, &effects) : nil
    }
    deal(upTo: last)
    let occurrence = Occurrence(time: last, line: line, isLate: true)
    let wasJumpedOver = start.map { begin > $0 } ?? false
    let isWorthIt = entry.schedule.missedWithin.map { now - begin <= $0.seconds } ?? false
    if wasJumpedOver || isWorthIt { return occurrence }
    effects.append(.skip(occurrence, .missed))
    return nil
  }
}
