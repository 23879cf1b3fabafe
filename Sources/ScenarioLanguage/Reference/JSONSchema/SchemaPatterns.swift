/// Regular expressions of the editor schema, in the part of the syntax that all validators share.
enum SchemaPatterns {
  /// `${name}`, alone or inside text.
  static let substitution = #"\$\{[a-z0-9_.]+\}"#

  private static let decimals = #"(\.[0-9]+(?=[a-z]+$))?"#
  static let duration: String = {
    let units = ["d", "h", "m(?!s)", "s", "ms"].map { "([0-9]+\(decimals)\($0))?" }
    return "(?=[0-9])" + units.joined()
  }()
  private static let clock = "(([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?|24:00(:00)?)"
  private static let day = "(mon|tue|wed|thu|fri|sat|sun)"
  private static let days = "(daily|weekdays|weekends|\(day)(-\(day))?)"
  private static let monthAndDay = "(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
  private static let date = "[0-9]{4}-\(monthAndDay)"
  private static let someDay = "([0-9]{4}-)?\(monthAndDay)"
  private static let colors = "white|black|red|green|blue|yellow|cyan|magenta|gray|transparent"

  /// What the whole of a scalar of a type looks like; `nil` where any text will do.
  static func whole(_ type: FieldType) -> String? {
    switch type {
    case .percent(let range): "\(NumberPattern.decimal(in: range))%"
    case .duration: duration
    case .signedDuration: "[+-]\(duration)"
    case .position: "(start|end|\(duration))"
    case .factor: "\(positive(NumberPattern.decimal(in: 0 ... .infinity)))x?"
    case .time: clock
    case .hours: "(all-day|\(clock)-\(clock))"
    case .days: "\(days)(,\(days))*"
    case .date: date
    case .dates: #"\#(someDay)(\.\.\#(someDay))?"#
    case .timestamp: #"\#(date)[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})"#
    case .url: #"([Hh][Tt][Tt][Pp][Ss]?://[^\s/][^\s]*|[Ff][Ii][Ll][Ee]:[^\s/][^\s]*)"#
    case .color:
      "(#[0-9A-Fa-f]{8}|(#[0-9A-Fa-f]{6}|\(colors))(/0*(100(\\.0+)?|[0-9]{1,2}(\\.[0-9]+)?)%)?)"
    case .language: "[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*"
    case .mime: #"[^\s/;]+/[^\s/;]+(;.*)?"#
    case .urn: #"urn:[^\s]{5,}"#
    case .timeZone: "[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*"
    case .cron: #"\s*[^\s]+([ \t]+[^\s]+){4}\s*"#
    default: nil
    }
  }

  /// A pattern for a typed scalar, or for a text that a variable gives in whole or in part.
  static func typed(_ pattern: String) -> String { "^\(pattern)$|\(substitution)" }

  /// A variable that gives the whole value.
  static let wholeSubstitution = "^\(substitution)$"

  /// A truth value or a number in quotes, which change no type; or text from a variable.
  static let bool = typed("(true|false)")
  static func int(in range: ClosedRange<Int>) -> String { typed(NumberPattern.whole(in: range)) }
  static func number(in range: ClosedRange<Double>) -> String { typed(NumberPattern.decimal(in: range)) }

  /// What is more than nothing: some digit of it is no zero.
  static func positive(_ pattern: String) -> String { "(?=.*[1-9])\(pattern)" }

  /// A name that a document gives to something.
  static let id = "^[a-z_][a-z0-9_-]*$"

  /// An example or two for hover texts.
  static func examples(_ type: FieldType) -> [String] {
    switch type {
    case .percent: ["40%"]
    case .duration: ["30s", "1m30s", "500ms"]
    case .signedDuration: ["+30s", "-10s"]
    case .position: ["1m30s", "start", "end"]
    case .factor: ["1.1x"]
    case .time: ["07:00"]
    case .hours: ["07:00-11:30", "17:00-01:00", "all-day"]
    case .days: ["mon-fri", "sat,sun", "daily"]
    case .date: ["2026-12-24"]
    case .dates: ["2026-12-24..2026-12-26", "12-24..12-26"]
    case .timestamp: ["2026-12-24T18:30:00+01:00"]
    case .url: ["https://cdn.example.com/film.mp4", "file:assets/logo.png"]
    case .color: ["#FFFF00FF", "yellow", "black/75%"]
    case .language: ["en", "pt-BR"]
    case .mime: ["video/mp4"]
    case .urn: ["urn:x-cast:com.example.app"]
    case .timeZone: ["Europe/Paris"]
    case .cron: ["*/15 6-22 * * *"]
    case .appID: ["CC1AD845"]
    case .hostAndPort: ["192.0.2.14", "192.0.2.14:8009"]
    case .statusPath: ["position", "break.clip_time"]
    default: []
    }
  }
}
