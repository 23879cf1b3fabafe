/// How the value of a key is spelled (docs/language/values.md "Spellings"). The reader of fields, `explain` and the editor
/// schema read it.
package indirect enum FieldType: Sendable {
  case scalar(ScalarKind, ScalarLimits)
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

  static let text = FieldType.scalar(.text, .none)
  static let bool = FieldType.scalar(.bool, .none)
  static let textOrBool = FieldType.scalar(.textOrBool, .none)
  static let duration = FieldType.scalar(.duration, .none)
  static let signedDuration = FieldType.scalar(.signedDuration, .none)
  static let position = FieldType.scalar(.position, .none)
  static let factor = FieldType.scalar(.factor, .none)
  static let time = FieldType.scalar(.time, .none)
  static let hours = FieldType.scalar(.hours, .none)
  static let days = FieldType.scalar(.days, .none)
  static let date = FieldType.scalar(.date, .none)
  static let dates = FieldType.scalar(.dates, .none)
  static let timestamp = FieldType.scalar(.timestamp, .none)
  static let url = FieldType.scalar(.url, .none)
  static let color = FieldType.scalar(.color, .none)
  static let id = FieldType.scalar(.id, .none)
  static let language = FieldType.scalar(.language, .none)
  static let mime = FieldType.scalar(.mime, .none)
  static let urn = FieldType.scalar(.urn, .none)
  static let timeZone = FieldType.scalar(.timeZone, .none)
  static let cron = FieldType.scalar(.cron, .none)
  static let appID = FieldType.scalar(.appID, .none)
  static let hostAndPort = FieldType.scalar(.hostAndPort, .none)
  static let path = FieldType.scalar(.path, .none)
  static let statusPath = FieldType.scalar(.statusPath, .none)

  static func int(_ range: ClosedRange<Int>) -> FieldType { .scalar(.int, .whole(range)) }
  static func number(_ range: ClosedRange<Double>) -> FieldType { .scalar(.number, .decimal(range)) }
  /// Percent points.
  static func percent(_ range: ClosedRange<Double>) -> FieldType { .scalar(.percent, .decimal(range)) }

  /// One of an enum's words, in its order.
  static func choice<Word: CaseIterable & RawRepresentable<String>>(_ noun: String, of words: Word.Type) -> FieldType {
    .choice(noun, words.allCases.map(\.rawValue))
  }
  /// One of the words of a status field.
  static func choice(of words: StatusField.Choice) -> FieldType { .choice(words.name, words.values) }

  static let anyInteger = FieldType.int(Int.min...Int.max)
  static let nonNegativeInteger = FieldType.int(0...1_000_000)
  static let anyNumber = FieldType.number(-Double.infinity...Double.infinity)
  static let fraction = FieldType.percent(0...100)

  /// Whether values are names that are declared, which no variable can bring.
  var isID: Bool { kind == .id }

  /// The kind of a single value, where the type is one kind of it and no more.
  var kind: ScalarKind? { if case .scalar(let kind, _) = self { kind } else { nil } }

  /// Whether no table says what a value of this type is: it may be read as something else, where it is put in.
  var isFree: Bool {
    switch self {
    case .anyValue, .anyMap: true
    default: false
    }
  }

  /// Whether a single value can be one of this type.
  var takesScalar: Bool {
    switch self {
    case .list, .map, .mapOf, .steps, .condition, .matchers, .anyMap: false
    case .byShape(let scalar, _, _): scalar != nil
    default: true
    }
  }
}
