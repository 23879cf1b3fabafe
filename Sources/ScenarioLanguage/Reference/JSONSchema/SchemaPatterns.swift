/// Regular expressions of the editor schema, in the part of the syntax that all validators share.
enum SchemaPatterns {
  /// `${name}`, alone or inside text.
  static let substitution = #"\$\{[a-z0-9_.]+\}"#

  private static let decimals = #"(\.[0-9]+(?=[a-z]+$))?"#
  static let duration: String = {
    let units = ["d", "h", "m(?!s)", "s", "ms"].map { "([0-9]+\(decimals)\($0))?" }
    return "(?=[0-9])" + units.joined()
  }()
  static let clock = "(([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?|24:00(:00)?)"
  private static let day = "(mon|tue|wed|thu|fri|sat|sun)"
  static let days = "(daily|weekdays|weekends|\(day)(-\(day))?)"
  private static let monthAndDay = "(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
  static let date = "[0-9]{4}-\(monthAndDay)"
  static let someDay = "([0-9]{4}-)?\(monthAndDay)"

  /// What the whole of a scalar of a type looks like; `nil` where any text will do.
  static func whole(_ type: FieldType) -> String? {
    switch type {
    case .scalar(.percent, let limits): "\(NumberPattern.decimal(in: limits.decimal))%"
    case .scalar(let kind, _): kind.spec.pattern
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
}
