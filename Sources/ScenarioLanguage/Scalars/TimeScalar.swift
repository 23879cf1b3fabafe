/// Times of day, days and dates as documents write them (language.md 2.1).
package enum TimeScalar {
  package struct Window: Hashable, Sendable {
    /// Seconds since midnight.
    package var start: Int
    /// Seconds since midnight, up to 86400; at or below `start`: on the next day.
    package var end: Int
  }

  package struct Day: Hashable, Sendable {
    /// `nil`: every year.
    package var year: Int?
    package var month: Int
    package var day: Int
  }

  static let dayNames = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

  /// Seconds since midnight; `24:00` is the end of the day.
  package static func time(_ text: String) throws(ScalarProblem) -> Int {
    if let value = seconds(text) { return value }
    throw ScalarProblem(
      "T214", "\(ScalarText.quoted(text)) is not a time of day",
      label: repaired(text).map { "did you mean `\($0)`?" } ?? "", help: "two digits each: `07:00`, `23:59:30`, `24:00`"
    )
  }

  private static func seconds(_ text: some StringProtocol) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), parts.allSatisfy({ $0.utf8.count == 2 }) else { return nil }
    let numbers = parts.compactMap { ScalarText.int($0) }
    guard numbers.count == parts.count else { return nil }
    let second = numbers.count == 3 ? numbers[2] : 0
    let isMidnight = numbers[0] == 24 && numbers[1] == 0 && second == 0
    guard numbers[0] < 24 || isMidnight, numbers[1] < 60, second < 60 else { return nil }
    return numbers[0] * 3_600 + numbers[1] * 60 + second
  }

  /// `7:00` and `7am` as `07:00`.
  private static func repaired(_ text: some StringProtocol) -> String? {
    var body = text.lowercased()
    var shift = 0
    for (suffix, hours) in [("am", 0), ("pm", 12)] where body.hasSuffix(suffix) {
      body = String(body.dropLast(2))
      while body.last == " " { body.removeLast() }
      shift = hours
    }
    let parts = body.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.count == 2 || body.utf8.count < text.utf8.count else { return nil }
    let numbers = parts.compactMap { ScalarText.int($0, upTo: 2) }
    guard numbers.count == parts.count else { return nil }
    let hour = (shift == 12 ? numbers[0] % 12 : numbers[0]) + shift
    let minute = numbers.count == 2 ? numbers[1] : 0
    guard hour < 24, minute < 60 else { return nil }
    return two(hour) + ":" + two(minute)
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// `07:00-11:30`, `17:00-01:00` or `all-day`.
  package static func hours(_ text: String) throws(ScalarProblem) -> Window {
    if text == "all-day" { return Window(start: 0, end: 86_400) }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    if parts.count == 2, let start = seconds(parts[0]), let end = seconds(parts[1]) {
      guard start != end, start < 86_400 else {
        throw ScalarProblem("T214", "\(ScalarText.quoted(text)) is an empty window", help: "the whole day is `all-day`")
      }
      return Window(start: start, end: end)
    }
    let tight = text.filter { !$0.isWhitespace }.split(separator: "-", omittingEmptySubsequences: false)
    let ends = tight.compactMap { seconds($0) == nil ? repaired($0) : String($0) }
    throw ScalarProblem(
      "T214", "\(ScalarText.quoted(text)) is not a stretch of hours",
      label: tight.count == 2 && ends.count == 2 ? "did you mean `\(ends[0])-\(ends[1])`?" : "",
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
        let numbers = ends.compactMap { name in dayNames.firstIndex { $0 == name } }
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
    let suggestion = Suggestions.nearest(to: part, among: dayNames + ["daily", "weekdays", "weekends"])
    return ScalarProblem(
      "T214", "\(ScalarText.quoted(part)) is not a day", label: suggestion.map { "did you mean `\($0)`?" } ?? "",
      at: part == text || part.isEmpty ? nil : offset..<offset + part.unicodeScalars.count,
      help: "`mon-fri`, `sat,sun`, `daily`, `weekdays`, `weekends`")
  }

  package static func date(_ text: String) throws(ScalarProblem) -> Day {
    if let day = day(text), day.year != nil { return day }
    throw dateProblem(text)
  }

  /// One day, or the first and the last of several; with or without year, but alike.
  package static func dates(_ text: String) throws(ScalarProblem) -> (first: Day, last: Day) {
    if let single = day(text) { return (single, single) }
    let dots = text.firstRange(of: "..")
    guard let dots, let first = day(text[..<dots.lowerBound]), let last = day(text[dots.upperBound...]) else {
      throw dateProblem(text)
    }
    guard (first.year == nil) == (last.year == nil) else {
      throw ScalarProblem("T214", "one date of \(ScalarText.quoted(text)) has a year, the other has not")
    }
    if let from = first.year, let to = last.year, (from, first.month, first.day) > (to, last.month, last.day) {
      throw ScalarProblem("T214", "\(ScalarText.quoted(text)) ends before it begins")
    }
    return (first, last)
  }

  private static func day(_ text: some StringProtocol) -> Day? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let lengths = parts.map(\.utf8.count)
    let numbers = parts.compactMap { ScalarText.int($0) }
    guard numbers.count == parts.count else { return nil }
    let result: Day
    switch lengths {
    case [4, 2, 2]: result = Day(year: numbers[0], month: numbers[1], day: numbers[2])
    case [2, 2]: result = Day(year: nil, month: numbers[0], day: numbers[1])
    default: return nil
    }
    guard (1...12).contains(result.month), result.day >= 1 else { return nil }
    return result.day <= length(of: result.month, in: result.year ?? 2000) ? result : nil
  }

  private static func length(of month: Int, in year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }

  private static func dateProblem(_ text: String) -> ScalarProblem {
    let parts = text.split { "/.".contains($0) }
    var label = ""
    if parts.count == 3, parts[2].utf8.count == 4 {
      let turned = "\(parts[2])-\(padded(parts[1]))-\(padded(parts[0]))"
      if day(turned) != nil { label = "did you mean `\(turned)`?" }
    }
    return ScalarProblem(
      "T214", "\(ScalarText.quoted(text)) is not a date", label: label,
      help: "`2026-12-24`, `2026-12-24..2026-12-26`, or every year `12-24..12-26`")
  }

  private static func padded(_ text: Substring) -> String { text.utf8.count == 1 ? "0" + text : String(text) }

  /// RFC 3339 with an offset; checked, and kept as text.
  package static func timestamp(_ text: String) throws(ScalarProblem) -> String {
    let problem = ScalarProblem(
      "T214", "\(ScalarText.quoted(text)) is not a moment in time",
      help: "date, time and offset: `2026-12-24T18:30:00+01:00`, or `Z` for UTC")
    let halves = text.split(maxSplits: 1, omittingEmptySubsequences: false) { "Tt".contains($0) }
    guard text.utf8.count <= 40, halves.count == 2, let date = day(halves[0]), date.year != nil else { throw problem }
    let clock = halves[1].prefix(8)
    guard clock.utf8.count == 8, let second = seconds(clock), second < 86_400 else { throw problem }
    var rest = halves[1].dropFirst(8)
    if rest.first == "." {
      let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
      guard !digits.isEmpty else { throw problem }
      rest = rest.dropFirst(1 + digits.count)
    }
    if rest == "Z" || rest == "z" { return text }
    guard let sign = rest.first, "+-".contains(sign), rest.utf8.count == 6, seconds(rest.dropFirst()) != nil else {
      throw problem
    }
    return text
  }
}
