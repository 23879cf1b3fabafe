import Testing

@testable import ScenarioLanguage

/// Calendars for tests.
enum ICalendarText {
  /// A calendar of one event, whose lines begin in line 3.
  static func read(event: String, zone: String = "Europe/Paris") throws -> ICalendar {
    try read("BEGIN:VCALENDAR\nBEGIN:VEVENT\n\(event)\nEND:VEVENT\nEND:VCALENDAR\n", zone: zone)
  }

  static func read(
    _ text: String, zone: String = "Europe/Paris", budget: ICalendarDays.Budget = .init()
  ) throws -> ICalendar {
    try read(Array(text.utf8), zone: zone, budget: budget)
  }

  static func read(
    _ bytes: [UInt8], zone: String = "Europe/Paris", budget: ICalendarDays.Budget = .init()
  ) throws -> ICalendar {
    var zones = TimeZoneDatabase(ZoneFiles.read)
    var budget = budget
    let rules = try #require(ZoneFiles.rules(zone))
    return try ICalendar.read(bytes, in: rules, zones: &zones, budget: &budget)
  }
}

extension ICalendar {
  /// Its days one by one.
  var singleDays: [String] {
    days.flatMap { range -> [String] in
      guard case .once(let first, let last) = range.days else { return [] }
      return (first.dayNumber...last.dayNumber).map { CivilDate(dayNumber: $0).iso }
    }
  }
}
