/// A playlist as docs/language/playlist.md has it, told in the plainest way: what is on at a reading of the clock is
/// looked up rule by rule, window by window.
struct PlainPlaylist {
  final class Time {
    var days: Set<Int> = Set(0...6)
    /// Seconds of the day; the end may be on the next.
    var hours: [(start: Int, end: Int)] = []
    var dates: [Dates]?
    var isHoliday = false
    var not: Time?
  }

  /// `nil` for a year: every year.
  struct Dates {
    var year: Int?
    var first: (month: Int, day: Int)
    var last: (month: Int, day: Int)
  }

  struct Rule {
    var daypart: Int?
    /// Of each item the days on which it is valid.
    var valid: [Dates?]
  }

  var zone = ""
  var holidays: [Dates] = []
  var dayparts: [Time] = []
  var rules: [Rule] = []
  var quiet: Time?
  var quietScreen = "stop"
  var hasFallback = false

  /// What is on when the clock shows so many seconds since 1970-01-01 00:00.
  func isOn(at wall: Int) -> String {
    let day = wall / 86_400
    let isQuiet = quiet.map { has($0, wall) } ?? false
    if isQuiet, quietScreen != "keep" { return quietScreen }
    let suffix = isQuiet ? " quiet" : ""
    for (index, rule) in rules.enumerated() {
      if let daypart = rule.daypart, !has(dayparts[daypart], wall) { continue }
      // An item is shown on its own days only, whenever its window began.
      if rule.valid.contains(where: { $0.map { contains($0, day) } ?? true }) { return "rule \(index)" + suffix }
    }
    return (hasFallback ? "fallback" : "nothing") + suffix
  }

  /// Whether a window holds that began today or, across midnight, yesterday.
  private func has(_ time: Time, _ wall: Int) -> Bool {
    let today = wall / 86_400
    for start in [today, today - 1] where holds(time, on: start) {
      if let not = time.not, namesDaysOnly(not), holdsAsDay(not, start) { continue }
      if let not = time.not, !namesDaysOnly(not), has(not, wall) { continue }
      let second = wall - start * 86_400
      for (from, to) in time.hours.isEmpty ? [(0, 86_400)] : time.hours {
        let end = to > from ? to : to + 86_400
        if second >= from, second < end { return true }
      }
    }
    return false
  }

  private func holds(_ time: Time, on day: Int) -> Bool {
    guard time.days.contains(PlainDays.all[day].weekday) else { return false }
    if let dates = time.dates, !dates.contains(where: { contains($0, day) }) { return false }
    return !time.isHoliday || holidays.contains { contains($0, day) }
  }

  private func holdsAsDay(_ time: Time, _ day: Int) -> Bool {
    guard holds(time, on: day) else { return false }
    return time.not.map { !holdsAsDay($0, day) } ?? true
  }

  private func namesDaysOnly(_ time: Time) -> Bool {
    time.hours.isEmpty && time.not.map { namesDaysOnly($0) } ?? true
  }

  private func contains(_ dates: Dates, _ number: Int) -> Bool {
    let day = PlainDays.all[number]
    if let year = dates.year, year != day.year { return false }
    let (first, last) = (dates.first.month * 31 + dates.first.day, dates.last.month * 31 + dates.last.day)
    let this = day.month * 31 + day.day
    if first <= last { return this >= first && this <= last }
    return this >= first || this <= last
  }

  // MARK: As YAML

  var yaml: String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    func clock(_ second: Int) -> String {
      "\(two(second / 3_600)):\(two(second / 60 % 60))" + (second % 60 == 0 ? "" : ":\(two(second % 60))")
    }
    func text(_ dates: Dates) -> String {
      let year = dates.year.map { "\($0)-" } ?? ""
      let first = "\(year)\(two(dates.first.month))-\(two(dates.first.day))"
      let last = "\(year)\(two(dates.last.month))-\(two(dates.last.day))"
      return first == last ? first : "\(first)..\(last)"
    }
    func text(_ time: Time) -> String {
      var parts: [String] = []
      let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
      if time.days.count < 7 {
        parts.append("days: \"\(time.days.sorted().map { names[$0] }.joined(separator: ","))\"")
      }
      if !time.hours.isEmpty {
        parts.append("hours: [\(time.hours.map { "\(clock($0.start))-\(clock($0.end))" }.joined(separator: ", "))]")
      }
      if let dates = time.dates { parts.append("dates: [\(dates.map(text).joined(separator: ", "))]") }
      if time.isHoliday { parts.append("calendar: holidays") }
      if let not = time.not {
        let index = dayparts.firstIndex { $0 === not }
        parts.append("not: \(index.map { "d\($0)" } ?? text(not))")
      }
      return "{ \(parts.joined(separator: ", ")) }"
    }
    var lines = ["calendars: { holidays: [\(holidays.map(text).joined(separator: ", "))] }"]
    if !dayparts.isEmpty {
      lines.append("dayparts:")
      for (index, time) in dayparts.enumerated() { lines.append("  d\(index): \(text(time))") }
    }
    lines.append("program:")
    for rule in rules {
      let items = rule.valid.map { $0.map { "{ media: a, valid: \(text($0)) }" } ?? "a" }
      let during = rule.daypart.map { "during: d\($0), " } ?? ""
      lines.append("  - { \(during)play: [\(items.joined(separator: ", "))] }")
    }
    if let quiet { lines.append("quiet: \(text(quiet).dropLast(2)), screen: \(quietScreen) }") }
    if hasFallback { lines.append("fallback: b") }
    return lines.joined(separator: "\n")
  }
}
