import CastProtocol

extension PlainPlaylist {
  /// A playlist that a seed makes up, with windows where clocks change at night.
  init(seed: UInt64, zone: String) {
    var dice = SeededGenerator(seed: seed)
    self.zone = zone
    holidays = (0..<1 + dice.next(below: 3)).map { _ in Self.dates(&dice) }
    for _ in 0..<1 + dice.next(below: 4) {
      let time = Self.time(&dice)
      if dice.next(below: 3) == 0 {
        time.not =
          dayparts.isEmpty || dice.next(below: 2) == 0 ? Self.time(&dice) : dayparts.randomElement(using: &dice)
      }
      dayparts.append(time)
    }
    for _ in 0..<1 + dice.next(below: 5) {
      let isAnyTime = dice.next(below: 6) == 0
      let items = (0..<1 + dice.next(below: 2)).map { _ in dice.next(below: 4) == 0 ? Self.dates(&dice) : nil }
      rules.append(Rule(daypart: isAnyTime ? nil : dice.next(below: dayparts.count), valid: items))
    }
    if dice.next(below: 2) == 0 {
      let time = Time()
      time.hours = (0..<1 + dice.next(below: 2)).map { _ in Self.window(&dice) }
      if dice.next(below: 2) == 0 { time.days = Self.days(&dice) }
      quiet = time
      quietScreen = ["stop", "blank", "keep"][dice.next(below: 3)]
    }
    hasFallback = dice.next(below: 2) == 0
  }

  /// A midnight in one year at which some of the dates begin or end; `nil` where that year has no such day.
  func edge(in year: Int, _ dice: inout SeededGenerator) -> Int? {
    let times = dayparts + dayparts.compactMap(\.not)
    let dates = holidays + times.flatMap { $0.dates ?? [] } + rules.flatMap { $0.valid.compactMap(\.self) }
    guard let one = dates.randomElement(using: &dice) else { return nil }
    let isFirst = dice.next(below: 2) == 0
    let day = isFirst ? one.first : one.last
    return PlainDays.number(one.year ?? year, day.month, day.day).map { ($0 + (isFirst ? 0 : 1)) * 86_400 }
  }

  private static func time(_ dice: inout SeededGenerator) -> Time {
    let time = Time()
    if dice.next(below: 2) == 0 { time.days = days(&dice) }
    if dice.next(below: 4) > 0 { time.hours = (0..<1 + dice.next(below: 3)).map { _ in window(&dice) } }
    if dice.next(below: 3) == 0 { time.dates = (0..<1 + dice.next(below: 2)).map { _ in dates(&dice) } }
    time.isHoliday = dice.next(below: 6) == 0
    return time
  }

  private static func days(_ dice: inout SeededGenerator) -> Set<Int> {
    var days: Set<Int> = [dice.next(below: 7)]
    for _ in 0..<dice.next(below: 5) { days.insert(dice.next(below: 7)) }
    return days
  }

  private static func window(_ dice: inout SeededGenerator) -> (start: Int, end: Int) {
    // Half of them begin or end between one and three at night.
    func second(_ dice: inout SeededGenerator) -> Int {
      dice.next(below: 2) == 0 ? 3_600 + dice.next(below: 25) * 300 : dice.next(below: 288) * 300 + dice.next(below: 2)
    }
    let start = second(&dice)
    var end = second(&dice)
    if end == start { end = (start + 1_800) % 86_400 }
    return (start, end)
  }

  private static func dates(_ dice: inout SeededGenerator) -> Dates {
    let year = dice.next(below: 2) == 0 ? nil : 2_025 + dice.next(below: 5)
    func day(_ dice: inout SeededGenerator) -> (month: Int, day: Int) {
      let month = 1 + dice.next(below: 12)
      // 29 February is a date of every year only.
      let length = month == 2 ? (year == nil ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
      return (month, 1 + dice.next(below: length))
    }
    let first = day(&dice)
    var last = dice.next(below: 3) == 0 ? first : day(&dice)
    // Only dates of every year go around New Year.
    if year != nil, (last.month, last.day) < (first.month, first.day) { last = (12, 31) }
    return Dates(year: year, first: first, last: last)
  }
}
