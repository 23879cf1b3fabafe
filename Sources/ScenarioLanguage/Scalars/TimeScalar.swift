/// Times of day, days and dates as documents write them (docs/language/values.md "Spellings").
package enum TimeScalar {
  /// Seconds since midnight; `24:00` is the end of the day.
  package static func time(_ text: String) throws(ScalarProblem) -> Int {
    if let value = seconds(text) { return value }
    throw ScalarProblem(
      .t214, "\(ScalarText.quoted(text)) is not a time of day",
      label: Suggestions.label(repaired(text)),
      help: isOutOfRange(text)
        ? "hours are 00 to 24, minutes and seconds 00 to 59" : "two digits each: `07:00`, `23:59:30`, `24:00`")
  }

  /// `25:00`, which is written as a time is.
  private static func isOutOfRange(_ text: String) -> Bool {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    return (2...3).contains(parts.count) && parts.allSatisfy { $0.utf8.count == 2 && ScalarText.isDigits($0) }
  }

  static func seconds(_ text: some StringProtocol) -> Int? {
    guard let clock = ScalarText.groups(text, separatedBy: UInt8(ascii: ":")), clock.width == 2 else { return nil }
    let second = clock.third ?? 0
    let isMidnight = clock.first == 24 && clock.second == 0 && second == 0
    guard clock.first < 24 || isMidnight, clock.second < 60, second < 60 else { return nil }
    return clock.first * 3_600 + clock.second * 60 + second
  }

  /// `7:00`, `7am` and `7.30` as `07:00` and `07:30`; in a stretch of hours, where it can be nothing else, also `7`.
  private static func repaired(_ text: some StringProtocol, inStretch: Bool = false) -> String? {
    var body = text.lowercased()
    var suffix: String?
    for name in ["am", "pm", "uhr", "h"] where body.hasSuffix(name) {
      body = String(body.dropLast(name.count))
      while body.last == " " { body.removeLast() }
      suffix = name
      break
    }
    body = body.filter { !$0.isWhitespace }
    if suffix == nil, body.utf8.count == 4, ScalarText.isDigits(body) {
      body = "\(body.prefix(2)):\(body.suffix(2))"
    }
    let parts = body.split(omittingEmptySubsequences: false) { ":.h".contains($0) }
    guard (1...3).contains(parts.count), parts.count > 1 || suffix != nil || inStretch else { return nil }
    let numbers = parts.compactMap { ScalarText.int($0, upTo: 2) }
    guard numbers.count == parts.count, var hour = numbers.first else { return nil }
    if suffix == "am" || suffix == "pm" {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + (suffix == "pm" ? 12 : 0)
    }
    let result = ([hour] + numbers.dropFirst()).map(twoDigits).joined(separator: ":")
    let spelled = numbers.count == 1 ? result + ":00" : result
    return seconds(spelled) == nil ? nil : spelled
  }

  /// `07:00-11:30`, `17:00-01:00` or `all-day`.
  package static func hours(_ text: String) throws(ScalarProblem) -> TimeWindow {
    if text == "all-day" { return TimeWindow(start: 0, end: 86_400) }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    if parts.count == 2, let start = seconds(parts[0]), let end = seconds(parts[1]) {
      guard start < 86_400 else {
        throw ScalarProblem(
          .t214, "no window begins at `24:00`", label: Suggestions.label(end == 86_400 ? nil : "00:00-\(parts[1])"),
          help: "`24:00` is the end of a day")
      }
      guard start != end else {
        throw ScalarProblem(.t214, "\(ScalarText.quoted(text)) is an empty window", help: "the whole day is `all-day`")
      }
      return TimeWindow(start: start, end: end)
    }
    // A long dash, and `to` between the two.
    let plain = text.utf8.count > 60 ? "" : text.replacing("–", with: "-").replacing(" to ", with: "-")
    let tight = plain.filter { !$0.isWhitespace }.split(separator: "-", omittingEmptySubsequences: false)
    let ends = tight.compactMap { seconds($0) == nil ? repaired($0, inStretch: true) : String($0) }
    let several = text.utf8.count > 60 ? [] : text.split(separator: ",").map { String($0.filter { $0 != " " }) }
    let isList =
      several.count > 1
      && several.allSatisfy {
        let ends = $0.split(separator: "-", omittingEmptySubsequences: false)
        return ends.count == 2 && ends.allSatisfy { seconds($0) != nil }
      }
    let isAllDay = ["allday", "all day", "all_day", "always", "24h"].contains(text.lowercased())
    throw ScalarProblem(
      .t214, "\(ScalarText.quoted(text)) is not a stretch of hours",
      label: isAllDay
        ? Suggestions.label("all-day")
        : isList
          ? "several are a list: `[\(several.joined(separator: ", "))]`"
          : Suggestions.label(tight.count == 2 && ends.count == 2 ? "\(ends[0])-\(ends[1])" : nil),
      help: "`07:00-11:30`, across midnight `17:00-01:00`, or `all-day`")
  }

  /// Days of the week, 0 is Monday.
  package static func days(_ text: String) throws(ScalarProblem) -> Set<Int> {
    var result: Set<Int> = []
    var offset = 0
    guard text.utf8.count <= 200 else { throw dayProblem(text, text, 0) }
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      switch part {
      case "daily": result.formUnion(0...6)
      case "weekdays": result.formUnion(0...4)
      case "weekends": result.formUnion(5...6)
      default:
        let ends = part.split(separator: "-", omittingEmptySubsequences: false)
        let numbers = ends.compactMap { name in CivilDate.dayNames.firstIndex { $0 == name } }
        guard numbers.count == ends.count, let first = numbers.first, let last = numbers.last, numbers.count <= 2 else {
          throw dayProblem(text, String(part), offset)
        }
        var day = first
        result.insert(day)
        while day != last {
          day = (day + 1) % 7
          result.insert(day)
        }
      }
      offset += part.unicodeScalars.count + 1
    }
    return result
  }

  private static func dayProblem(_ text: String, _ part: String, _ offset: Int) -> ScalarProblem {
    let several = severalDays(text)
    return ScalarProblem(
      .t214, "\(ScalarText.quoted(several == nil ? part : text)) is not a day",
      label: Suggestions.label(several.map { "\"\($0)\"" } ?? repairedDays(part)),
      at: several != nil || part == text || part.isEmpty ? nil : offset..<offset + part.unicodeScalars.count,
      help: "`mon-fri`, `sat,sun`, `daily`, `weekdays`, `weekends`")
  }

  /// `sat sun` and `sat, sun` as `sat,sun`.
  private static func severalDays(_ text: String) -> String? {
    guard text.utf8.count <= 60 else { return nil }
    let parts = text.split { $0 == " " || $0 == "," }
    let joined = parts.joined(separator: ",")
    return parts.count > 1 && joined != text && (try? days(joined)) != nil ? joined : nil
  }

  /// `monday` as `mon`, `Mon-Friday` as `mon-fri`, `1-5` as `mon-fri`.
  private static func repairedDays(_ text: String) -> String? {
    guard text.utf8.count <= 40 else { return nil }
    if ["everyday", "every day", "all", "any"].contains(text.lowercased()) { return "daily" }
    let ends = text.lowercased().filter { !$0.isWhitespace }.split(separator: "-", omittingEmptySubsequences: false)
    let names = ends.compactMap { end -> String? in
      if let number = ScalarText.int(end, upTo: 1) { return number <= 7 ? CivilDate.dayNames[(number + 6) % 7] : nil }
      if ends.count == 1, let word = dayWords.first(where: { end == $0 }) { return word }
      let day = CivilDate.dayNames.first { end.hasPrefix($0) }
      return day ?? Suggestions.nearest(to: String(end), among: ends.count == 1 ? dayWords : CivilDate.dayNames)
    }
    guard names.count == ends.count, (1...2).contains(names.count) else { return nil }
    let result = names.joined(separator: "-")
    return result == text ? nil : result
  }

  private static let dayWords = ["daily", "weekdays", "weekends"] + CivilDate.dayNames

  package static func date(_ text: String) throws(ScalarProblem) -> YearDay {
    if let day = day(text), day.year != nil { return day }
    throw dateProblem(text)
  }

  /// One day, or the first and the last of several; with or without year, but alike.
  package static func dates(_ text: String) throws(ScalarProblem) -> (first: YearDay, last: YearDay) {
    if let single = day(text) { return (single, single) }
    let dots = text.firstRange(of: "..")
    guard let dots, let first = day(text[..<dots.lowerBound]), let last = day(text[dots.upperBound...]) else {
      throw dateProblem(text)
    }
    guard (first.year == nil) == (last.year == nil) else {
      let meant = first.year.map { "\($0)-\(text[dots.upperBound...])" }.map { "\(text[..<dots.upperBound])\($0)" }
      throw ScalarProblem(
        .t214, "one date of \(ScalarText.quoted(text)) has a year, the other has not",
        label: Suggestions.label(meant.flatMap { (try? dates($0)) == nil ? nil : $0 }))
    }
    if let from = first.year, let to = last.year, (from, first.month, first.day) > (to, last.month, last.day) {
      throw ScalarProblem(
        .t214, "\(ScalarText.quoted(text)) ends before it begins",
        label: Suggestions.label("\(text[dots.upperBound...])..\(text[..<dots.lowerBound])"))
    }
    return (first, last)
  }

  static func day(_ text: some StringProtocol) -> YearDay? {
    guard let groups = ScalarText.groups(text, separatedBy: UInt8(ascii: "-")) else { return nil }
    let result: YearDay
    switch (groups.width, groups.third) {
    case (4, let day?): result = YearDay(year: groups.first, month: groups.second, day: day)
    case (2, nil): result = YearDay(year: nil, month: groups.first, day: groups.second)
    default: return nil
    }
    guard (1...12).contains(result.month), result.day >= 1 else { return nil }
    return result.day <= CivilDate.length(of: result.month, in: result.year ?? 2000) ? result : nil
  }

  private static func dateProblem(_ text: String) -> ScalarProblem {
    ScalarProblem(
      .t214, "\(ScalarText.quoted(text)) is not a date",
      label: missingDay(text) ?? Suggestions.label(repairedDate(text) ?? repairedDates(text)),
      help: "`2026-12-24`, `2026-12-24..2026-12-26`, or every year `12-24..12-26`")
  }

  /// `24/12/2026`, `24.12.2026`, `12/24/2026`, `2026/12/24` and `2026-1-5` as `2026-12-24` and `2026-01-05`.
  private static func repairedDate(_ text: String) -> String? {
    guard text.utf8.count <= 20 else { return nil }
    let parts = text.split(omittingEmptySubsequences: false) { "/.-".contains($0) }.map(String.init)
    guard parts.count == 3 else { return nil }
    let readings =
      parts[0].utf8.count == 4
      ? [parts] : parts[2].utf8.count == 4 ? [[parts[2], parts[1], parts[0]], [parts[2], parts[0], parts[1]]] : []
    return readings.lazy.map { "\($0[0])-\(padded($0[1]))-\(padded($0[2]))" }.first { day($0) != nil }
  }

  /// Two dates with something else between them: ` .. `, `...`, ` - ` or ` to `.
  private static func repairedDates(_ text: String) -> String? {
    guard text.utf8.count <= 40 else { return nil }
    let scalars = text.filter { $0 != " " }
    for (first, last) in [(10, 10), (5, 5)] where scalars.utf8.count > first + last {
      let middle = scalars.dropFirst(first).dropLast(last)
      let ends = [String(scalars.prefix(first)), String(scalars.suffix(last))]
      // Only days: what is none would be looked at for two days once more, without end.
      guard ["..", "...", "-", "--", "–", "to", "/", ":"].contains(String(middle)), ends.allSatisfy({ day($0) != nil })
      else { continue }
      let joined = ends.joined(separator: "..")
      if (try? dates(joined)) != nil { return joined }
    }
    return nil
  }

  /// "February 2026 has 28 days", for a date that would be one.
  static func missingDay(_ text: String) -> String? {
    let numbers = text.split(separator: "-").compactMap { ScalarText.int($0, upTo: 4) }
    guard text.utf8.count == 10, numbers.count == 3, (1...12).contains(numbers[1]), (29...31).contains(numbers[2])
    else {
      return nil
    }
    let days = CivilDate.length(of: numbers[1], in: numbers[0])
    guard numbers[2] > days else { return nil }
    return "\(CivilDate.monthNames[numbers[1] - 1]) \(numbers[0]) has \(days) days"
  }

  private static func padded(_ text: String) -> String { text.utf8.count == 1 ? "0" + text : text }
}

extension ScalarSpec {
  static let time = ScalarSpec(
    "time", "a time of day", "a time of day: `07:00`, `23:59:30`, `24:00`", refused: "`7:00`, `7am`",
    pattern: SchemaPatterns.clock, examples: ["07:00"], isOrdered: true, variable: .init("time", .time)
  ) { text, _ throws(ScalarProblem) in .time(try TimeScalar.time(text)) }

  static let hours = ScalarSpec(
    "hours", "a stretch of hours",
    "a stretch of the day: `07:00-11:30`, across midnight `17:00-01:00`, `all-day`", refused: "`07:00 - 11:30`",
    pattern: "(all-day|\(SchemaPatterns.clock)-\(SchemaPatterns.clock))",
    examples: ["07:00-11:30", "17:00-01:00", "all-day"], variable: .init("hours", .hours)
  ) { text, _ throws(ScalarProblem) in .hours(try TimeScalar.hours(text)) }

  static let days = ScalarSpec(
    "days", "days of the week", "`mon-fri`, `sat,sun`, `fri-mon`, `daily`, `weekdays`, `weekends`",
    refused: "`monday`, `1-5`", pattern: "\(SchemaPatterns.days)(,\(SchemaPatterns.days))*",
    examples: ["mon-fri", "sat,sun", "daily"], variable: .init("days", .days)
  ) { text, _ throws(ScalarProblem) in .days(try TimeScalar.days(text)) }

  static let date = ScalarSpec(
    "date", "a date", "`2026-12-24`", refused: "`24/12/2026`, `2026-02-30`", pattern: SchemaPatterns.date,
    examples: ["2026-12-24"], isOrdered: true, variable: .init("date", .date)
  ) { text, _ throws(ScalarProblem) in .date(try TimeScalar.date(text)) }

  static let dates = ScalarSpec(
    "dates", "a date", "`2026-12-24`, `2026-12-24..2026-12-26`, every year `12-24..12-26`", refused: "`24.12.`",
    pattern: #"\#(SchemaPatterns.someDay)(\.\.\#(SchemaPatterns.someDay))?"#,
    examples: ["2026-12-24..2026-12-26", "12-24..12-26"], variable: .init("dates", .dates)
  ) { text, _ throws(ScalarProblem) in
    .dates(DateRange(try TimeScalar.dates(text)))
  }
}
