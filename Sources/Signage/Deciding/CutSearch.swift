import ScenarioLanguage

/// Looks for the next moment at which an interrupt is due, no further than it is.
struct CutSearch {
  private static let hour = 3_600
  private static let furthest = 41 * 366 * 24 * hour
  /// At first the rest of a day, then months: of a long look all is worked out, and only its first stretch is used.
  private static let looks = (first: 6 * hour, longest: 64 * 24 * hour)

  private let program: Program
  private let index: Int
  private let interrupt: PlaylistPlan.Interrupt
  /// Seconds of the clock that were looked through for open stretches.
  private(set) var looked = 0
  /// Seconds of which all that is due was worked out.
  private(set) var worked = 0

  /// - Parameter index: Of an interrupt that the program has.
  init(_ program: Program, of index: Int) {
    self.program = program
    self.index = index
    interrupt = program.plan.interrupts[index]
  }

  mutating func next(after time: Int) -> Int? {
    let zone = program.zone
    var start = Program.clamped(time) + 1
    let limit = min(start + Self.furthest, Program.times.upperBound)
    let dated = interrupt.during.condition.datedReadings
    while start < limit {
      let walls = zone.wallTime(at: start) - shift(at: start)..<zone.wallTime(at: limit) + shift(at: limit)
      guard let reading = firstReading(in: dated.map { walls.clamped(to: $0) } ?? walls) else { return nil }
      // Before this reading nothing is due.
      let about = reading - zone.offset(at: reading)
      start = max(start, about - shift(at: about))
      let end = min(start + Self.hour, limit)
      guard start < end else { return nil }
      worked += end - start
      if let first = program.moments(of: index, in: start..<end).first { return first }
      start = end
    }
    return nil
  }

  private func shift(at time: Int) -> Int { program.zone.shift(around: time..<time) }

  /// The first reading in a range that the interrupt names in one of its open stretches.
  private mutating func firstReading(in walls: Range<WallTime>) -> WallTime? {
    guard let recurrence = interrupt.recurrence else { return nil }
    var start = walls.lowerBound
    var length = Self.looks.first
    while start < walls.upperBound {
      let end = min(start + length, walls.upperBound)
      looked += end - start
      for stretch in program.openStretches(of: interrupt, in: start..<end).ranges {
        if let first = recurrence.firstTime(in: stretch) { return first }
      }
      start = end
      length = min(length * 4, Self.looks.longest)
    }
    return nil
  }
}
