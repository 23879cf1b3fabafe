extension LanguageSchema {
  /// All verbs, in the order of docs/language/steps.md "Steps".
  package static let verbs: [VerbSpec] = Verb.allCases.map(\.spec)

  package static func verb(_ name: String) -> VerbSpec? { verbTable[name].map { verbs[$0] } }

  /// Alphabetical.
  static let verbNames = verbs.map(\.name).sorted()

  private static let verbTable = NameTable(verbs.map(\.name))

  // MARK: Types of values that several verbs take

  static let mediaItem = FieldType.byShape(scalar: .reference(.mediaOrURL), map: .map(media))
  static let repeatMode = FieldType.choice("repeat mode", of: Plan.RepeatMode.self)
  static let until = FieldType.choice("load state", of: Plan.LoadAction.Until.self)
  static let trackIDs = FieldType.list(.reference(.track), of: "track ids")
  /// An item of the queue that plays: a media id, a URL or an item's number.
  static let queueItem = FieldType.savable(.text)
}
