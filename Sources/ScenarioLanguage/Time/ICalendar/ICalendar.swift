/// The days on which the events of an iCalendar text lie (RFC 5545), from 1970 to 2099.
struct ICalendar: Sendable {
  enum Limit {
    static let events = 20_000
    /// Problems that are told; more are only counted.
    static let problems = 5
    /// Names of zones that are looked up.
    static let zones = 100
  }

  /// Why a text has no days at all.
  enum Failure: Error, Hashable {
    /// The line that should begin a calendar.
    case notCalendar(line: Int)
    /// It ends within what begins in a line: most likely it was not copied to its end.
    case cutOff(line: Int)
    case tooManyEvents(Int)
    case tooManyDays(Int)
  }

  /// Something that is not understood, or wrong.
  struct Problem: Hashable, Sendable {
    /// Of the file, from 1.
    var line: Int
    /// A lowercase fragment.
    var message: String
  }

  /// Ascending, days in a row as one.
  var days: [DateRange] = []
  /// The first ones.
  var problems: [Problem] = []
  var problemCount = 0

  /// Reads a text.
  /// - Parameters:
  ///   - zone: Whose clock says on which day a moment is, and shows times of no zone.
  ///   - zones: Knows the zones that events name.
  ///   - budget: What expanding rules may cost yet.
  static func read(
    _ bytes: [UInt8], in zone: TimeZoneRules, zones: inout TimeZoneDatabase, budget: inout ICalendarDays.Budget
  ) throws(Failure) -> ICalendar {
    var reader = ICalendarReader(zone: zone, zones: zones)
    try reader.read(bytes)
    zones = reader.zones
    var days = ICalendarDays()
    try reader.mark(&days, budget: &budget)
    return ICalendar(days: days.ranges, problems: reader.problems, problemCount: reader.problemCount)
  }
}
