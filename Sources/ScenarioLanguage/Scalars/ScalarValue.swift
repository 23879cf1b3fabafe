import CastProtocol

/// What a scalar says, by its kind.
enum ScalarValue: Hashable, Sendable {
  /// As written: texts, names, paths, URLs.
  case text
  case bool(Bool)
  case int(Int)
  /// A number, a factor, percent points.
  case number(Double)
  case duration(Duration)
  indirect case position(PositionScalar)
  /// `#RRGGBBAA`.
  case color(String)
  /// Seconds since midnight.
  case time(Int)
  indirect case hours(TimeWindow)
  /// 0 is Monday.
  case days(Set<Int>)
  indirect case date(YearDay)
  indirect case dates(DateRange)
  /// Seconds since 1970.
  case moment(Double)
  indirect case cron(CronExpression)
  indirect case host(HostAndPort)

  /// Where it stands among values of its kind; `nil` for kinds without an order.
  var order: Double? {
    switch self {
    case .int(let number): Double(number)
    case .number(let number), .moment(let number): number
    case .duration(let duration): duration.seconds
    case .position(.start): 0
    case .position(.at(let time)): time.seconds
    case .position(.end): .infinity
    case .time(let second): Double(second)
    case .date(let day):
      day.year.map { Double(CivilDate(year: $0, month: day.month, day: day.day).dayNumber) }
    case .text, .bool, .color, .hours, .days, .dates, .cron, .host: nil
    }
  }

  /// The value as the run keeps it: durations in seconds, percentages in percent points, others as `text`.
  func json(_ text: String) -> JSONValue {
    switch self {
    case .bool(let isTrue): .bool(isTrue)
    case .int(let number): .int(number)
    case .number(let number): JSONValue(number)
    case .duration(let duration): JSONValue(duration.seconds)
    case .position(.at(let time)): JSONValue(time.seconds)
    case .color(let color): .string(color)
    case .text, .position, .time, .hours, .days, .date, .dates, .moment, .cron, .host: .string(text)
    }
  }
}

extension ScalarValue {
  var bool: Bool? { if case .bool(let isTrue) = self { isTrue } else { nil } }
  var int: Int? { if case .int(let number) = self { number } else { nil } }
  var number: Double? { if case .number(let number) = self { number } else { nil } }
  var duration: Duration? { if case .duration(let duration) = self { duration } else { nil } }
  var position: PositionScalar? { if case .position(let position) = self { position } else { nil } }
  var moment: Double? { if case .moment(let seconds) = self { seconds } else { nil } }
  var color: String? { if case .color(let color) = self { color } else { nil } }
  var host: HostAndPort? { if case .host(let host) = self { host } else { nil } }
  var time: Int? { if case .time(let second) = self { second } else { nil } }
  var hours: TimeWindow? { if case .hours(let hours) = self { hours } else { nil } }
  var days: Set<Int>? { if case .days(let days) = self { days } else { nil } }
  var dates: DateRange? { if case .dates(let dates) = self { dates } else { nil } }
  var cron: CronExpression? { if case .cron(let cron) = self { cron } else { nil } }
}
