/// An event of an iCalendar text: when it begins, how long it goes on and when it comes again.
struct ICalendarEvent {
  var start: ICalendarTime
  var length: ICalendarLength
  var rules: [ICalendarRule] = []
  /// `RDATE`, which may have a length of its own.
  var additions: [(start: ICalendarTime, length: ICalendarLength?)] = []
  /// `EXDATE`.
  var exceptions: [ICalendarTime] = []
  var uid: String?
  /// `RECURRENCE-ID`: the start of the one it takes the place of.
  var replaced: ICalendarTime?
  var isCancelled = false

  /// Adds every day on which the event lies by the clocks of `zone`.
  /// - Parameter others: Starts that other events take the place of.
  func mark(
    _ days: inout ICalendarDays, without others: [ICalendarTime], in zone: TimeZoneRules,
    budget: inout ICalendarDays.Budget
  ) throws(ICalendar.Failure) {
    try budget.spend(1 + exceptions.count + others.count)
    // Days are those of the playlist, so a time counts for the day that its clock shows then.
    let clock = start.isDay ? zone : start.clock
    let left = LeftOut(exceptions + others, areDays: start.isDay, on: clock)
    if !left.contains(start.wall) { try mark(start, length, &days, in: zone, budget: &budget) }
    for addition in additions where !left.contains(addition.start.wall(on: clock)) {
      try mark(addition.start, addition.length ?? length, &days, in: zone, budget: &budget)
    }
    for rule in rules { try mark(rule, left, &days, in: zone, budget: &budget) }
  }

  private func mark(
    _ rule: ICalendarRule, _ left: LeftOut, _ days: inout ICalendarDays, in zone: TimeZoneRules,
    budget: inout ICalendarDays.Budget
  ) throws(ICalendar.Failure) {
    // A long event, or one of another zone, reaches days after its start: begin that much earlier.
    let reach = length.days + length.seconds / WeeklyIntervals.day + 3
    var source = ICalendarRuleDays(rule, from: start.day, first: ICalendarDays.range.lowerBound - reach)
    let second = CivilDate.secondOfDay(at: start.wall)
    var count = 1
    while let found = source.nextPeriod() {
      try budget.spend(source.cost)
      for day in found where day > start.day {
        var time = start
        time.wall = day * WeeklyIntervals.day + second
        switch rule.end {
        case .never: break
        case .count(let most): if count >= most { return }
        case .until(let last):
          // A day as the last means all of it, and a time as the last of whole days its day.
          let isOver = last.isDay || start.isDay ? day > last.day : time.wall > last.wall(on: start.clock)
          if isOver { return }
        }
        count += 1
        if !left.contains(time.wall) { try mark(time, length, &days, in: zone, budget: &budget) }
      }
    }
  }

  private func mark(
    _ start: ICalendarTime, _ length: ICalendarLength, _ days: inout ICalendarDays, in zone: TimeZoneRules,
    budget: inout ICalendarDays.Budget
  ) throws(ICalendar.Failure) {
    if start.isDay {
      let count = length.days + (length.seconds + WeeklyIntervals.day - 1) / WeeklyIntervals.day
      try days.insert(start.day, through: start.day + max(1, count) - 1, budget: &budget)
      return
    }
    // Changes of clocks do not move what ends hours before midnight to another day.
    let end = CivilDate.secondOfDay(at: start.wall) + length.seconds
    if length.days == 0, end < 20 * 3_600, start.clock == zone {
      try days.insert(start.day, through: start.day, budget: &budget)
      return
    }
    // Going from clock to clock costs as much as ten days.
    try budget.spend(10)
    let begins = start.moment(of: start.wall)
    let ends = start.moment(of: start.wall + length.days * WeeklyIntervals.day) + length.seconds
    let first = CivilDate.dayNumber(at: zone.wallTime(at: begins))
    let last = ends > begins ? CivilDate.dayNumber(at: zone.wallTime(at: ends - 1)) : first
    try days.insert(first, through: max(first, last), budget: &budget)
  }

  /// Starts that do not count.
  private struct LeftOut {
    private var days: Set<Int> = []
    private var walls: Set<WallTime> = []

    init(_ times: [ICalendarTime], areDays: Bool, on clock: TimeZoneRules) {
      for time in times {
        let wall = time.wall(on: clock)
        if time.isDay || areDays { days.insert(CivilDate.dayNumber(at: wall)) } else { walls.insert(wall) }
      }
    }

    func contains(_ wall: WallTime) -> Bool {
      walls.contains(wall) || !days.isEmpty && days.contains(CivilDate.dayNumber(at: wall))
    }
  }
}
