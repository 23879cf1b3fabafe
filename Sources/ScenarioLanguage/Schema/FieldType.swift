/// How the value of a key is spelled (docs/language/values.md "Spellings"). The checker, `explain` and the editor
/// schema read it.
package indirect enum FieldType: Sendable {
  /// Any scalar, as written.
  case text
  case bool
  /// A text, or `true` or `false`; what looks like another spelling of these is neither.
  case textOrBool
  case int(ClosedRange<Int>)
  /// A number with its limits; infinite where there is none.
  case number(ClosedRange<Double>)
  /// Percent points.
  case percent(ClosedRange<Double>)
  case duration
  case signedDuration
  /// A duration, `start` or `end`.
  case position
  /// `1.1x` or a number.
  case factor
  case time, hours, days, date, dates, timestamp
  case url
  case color
  /// What declares a name: never substituted.
  case id
  case language, mime, urn, timeZone, cron, appID, hostAndPort, path
  /// A path into the merged status, such as `break.clip_time`.
  case statusPath
  /// One of a closed list; the first part names it in messages ("repeat mode").
  case choice(String, [String])
  /// Some words, else the other type.
  case words([String], else: FieldType)
  case reference(Reference)
  /// The second part names the entries in the plural ("steps").
  case list(FieldType, of: String)
  /// One value, or a list of them.
  case oneOrMany(FieldType, of: String)
  /// The node's shape decides; a shape without a type is not accepted.
  case byShape(scalar: FieldType? = nil, list: FieldType? = nil, map: FieldType? = nil)
  case map(MapSpec)
  /// Names of the document's choice, each with a value of this type; the second part names the entries.
  case mapOf(FieldType, of: String)
  case steps
  /// A map of status fields to matchers: its inside is checked where it is compiled.
  case condition
  /// A map of anything to matchers.
  case matchers
  /// Anything: YAML 1.2 core typing applies inside.
  case anyValue
  /// A map of anything.
  case anyMap
  /// As the other type, or a value saved by an earlier step or otherwise known only while the run is going.
  case savable(FieldType)

  /// What a scalar can name.
  package enum Reference: String, Sendable, CaseIterable {
    case media, textStyle, app, daypart, calendar, trigger, block, role, inventory, tag
    /// Checked where they are compiled, because what they may name depends on the media or the step.
    case track, clip, step
    /// A media id or a URL.
    case mediaOrURL
  }

  static let anyInteger = FieldType.int(Int.min...Int.max)
  static let nonNegativeInteger = FieldType.int(0...1_000_000)
  static let anyNumber = FieldType.number(-Double.infinity...Double.infinity)
  static let fraction = FieldType.percent(0...100)

  /// Whether values are names that are declared, which no variable can bring.
  var isID: Bool { if case .id = self { true } else { false } }

  /// Whether a single value can be one of this type.
  var takesScalar: Bool {
    switch self {
    case .list, .map, .mapOf, .steps, .condition, .matchers, .anyMap: false
    case .byShape(let scalar, _, _): scalar != nil
    default: true
    }
  }
}
