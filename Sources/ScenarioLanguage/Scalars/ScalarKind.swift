/// How a single value can be spelled (docs/language/values.md "Spellings"), in the order of its pages.
///
/// A new kind is a case here and its ``ScalarSpec``, which says all that there is to say about it.
package enum ScalarKind: CaseIterable, Sendable {
  case text, bool, textOrBool, int, number, percent
  case duration, signedDuration, position, factor
  case time, hours, days, date, dates, timestamp
  case url, color
  /// What declares a name: never substituted.
  case id
  case language, mime, urn, timeZone, cron, regularExpression, appID, hostAndPort, path
  /// A path into the merged status, such as `break.clip_time`.
  case statusPath

  package var spec: ScalarSpec {
    switch self {
    case .text: .text
    case .bool: .bool
    case .textOrBool: .textOrBool
    case .int: .int
    case .number: .number
    case .percent: .percent
    case .duration: .duration
    case .signedDuration: .signedDuration
    case .position: .position
    case .factor: .factor
    case .time: .time
    case .hours: .hours
    case .days: .days
    case .date: .date
    case .dates: .dates
    case .timestamp: .timestamp
    case .url: .url
    case .color: .color
    case .id: .id
    case .language: .language
    case .mime: .mime
    case .urn: .urn
    case .timeZone: .timeZone
    case .cron: .cron
    case .regularExpression: .regularExpression
    case .appID: .appID
    case .hostAndPort: .hostAndPort
    case .path: .path
    case .statusPath: .statusPath
    }
  }

  /// The kinds that have a row in the table of spellings.
  package static let documented = allCases.map(\.spec).filter { $0.spelled != nil }

  /// The documented kind that a page calls so.
  package static func named(_ name: String) -> ScalarSpec? { documented.first { $0.name == name } }
}

/// Everything that is said about one kind of scalar: how it is read, and what pages, schema and messages say of it.
package final class ScalarSpec: Sendable {
  /// In tables and pages: `signed duration`.
  package let name: String
  /// In messages, with its article: "expected a duration".
  let noun: String
  /// How it is spelled; `nil` for a kind without a row of its own.
  package let spelled: String?
  /// Spellings that are common elsewhere, and wrong here.
  package let refused: String
  /// A regular expression for all of it, for editors; `nil` where any text will do.
  let pattern: String?
  let examples: [String]
  /// Whether `min` and `max` can limit it.
  let isOrdered: Bool
  /// What `type:` of a variable calls it, and how such a variable is spelled; `nil`: no variable is of this kind.
  let variable: Variable?
  /// Reads a text, or says what is wrong with it.
  let read: @Sendable (String, inout ScalarContext) throws(ScalarProblem) -> ScalarValue

  struct Variable: Sendable {
    let name: String
    let type: FieldType
    /// As values of the run have it.
    let value: StatusField.ValueType

    init(_ name: String, _ type: FieldType, _ value: StatusField.ValueType = .text) {
      self.name = name
      self.type = type
      self.value = value
    }
  }

  init(
    _ name: String, _ noun: String, _ spelled: String? = nil, refused: String = "", pattern: String? = nil,
    examples: [String] = [], isOrdered: Bool = false,
    variable: Variable? = nil,
    read: @escaping @Sendable (String, inout ScalarContext) throws(ScalarProblem) -> ScalarValue
  ) {
    self.name = name
    self.noun = noun
    self.spelled = spelled
    self.refused = refused
    self.pattern = pattern
    self.examples = examples
    self.isOrdered = isOrdered
    self.variable = variable
    self.read = read
  }
}

/// What reading a scalar depends on besides its text.
struct ScalarContext {
  /// What messages call the value where its kind says too little.
  var field = ""
  var limits = ScalarLimits.none
  /// Whether it is a word of a command line, where times may be written as players show them.
  var isTyped = false
  var zones = TimeZoneDatabase()
  /// Whether looking for what was meant is still worth it.
  var allowsSuggestions = true
}

/// Between what a number must lie.
package enum ScalarLimits: Hashable, Sendable {
  case none
  case whole(ClosedRange<Int>)
  /// Infinite where there is no limit.
  case decimal(ClosedRange<Double>)

  var whole: ClosedRange<Int> { if case .whole(let range) = self { range } else { .min ... .max } }
  var decimal: ClosedRange<Double> { if case .decimal(let range) = self { range } else { -.infinity ... .infinity } }
}
