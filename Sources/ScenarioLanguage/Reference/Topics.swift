/// Everything that `showcaller explain` knows by a word of the language.
package enum Topics {
  /// The words that `explain` lists: kinds and themes, then verbs.
  package static let names: [String] = {
    var names = general
    for name in LanguageSchema.maps.map(\.topic) + LanguageSchema.verbs.map(\.name) where !names.contains(name) {
      names.append(name)
    }
    return names
  }()

  /// Themes without a map of their own.
  static let general = ["conditions", "fields", "matchers", "types"]

  /// Every word that has a page, for suggestions.
  package static let words: [String] = {
    var words = Set(names)
    for map in LanguageSchema.maps { words.formUnion(map.keys.map(\.name)) }
    words.formUnion(StatusField.all.filter { !$0.isWildcard }.map(\.path.text))
    words.formUnion(MatcherName.allCases.map(\.rawValue) + ScalarKind.documented.map(\.name))
    return words.sorted()
  }()

  /// The page of a word; `nil` for a word the language does not have.
  package static func page(_ name: String) -> TopicPage? {
    var sections = themes(name)
    if let verb = LanguageSchema.verb(name) { sections += sectionsOfVerb(verb) }
    for map in LanguageSchema.maps where map.topic == name && !isVerb(map) { sections.append(section(of: map)) }
    if name == "steps" { sections.append(verbs) }
    if !sections.isEmpty { sections += otherMeanings(of: name) }
    if sections.isEmpty { sections += sectionsOfWord(name) }
    guard !sections.isEmpty else { return nil }
    var page = TopicPage(name: name, sections: sections)
    page.example = TopicExamples.text(of: name)
    page.related = related(to: sections, name)
    return page
  }

  /// The keys of a map.
  package static func section(of map: MapSpec) -> TopicPage.Section {
    var notes: [String] = []
    for group in map.exclusive where group.contains(where: map.contains) {
      let amount = map.needsOneOf.contains(group) ? "Exactly" : "Only"
      notes.append("\(amount) one of \(listed(group.filter(map.contains), "and")).")
    }
    for group in map.needsOneOf where !isSatisfied(group, by: map) && !map.exclusive.contains(group) {
      notes.append("At least one of \(listed(group.filter(map.contains), "and")).")
    }
    return TopicPage.Section(heading: "keys of \(map.place)", notes: notes, rows: map.keys.map { .init($0) })
  }

  /// A key that is a map in one kind of document and a word in another: what it is in the other.
  private static func otherMeanings(of name: String) -> [TopicPage.Section] {
    DocumentKind.allCases.compactMap { kind in
      guard let key = LanguageSchema.document(kind)[name], case .choice = key.type else { return nil }
      return TopicPage.Section(heading: "`\(name)` of a \(kind.rawValue)", rows: [TopicPage.Row(key)])
    }
  }

  private static func isSatisfied(_ group: [String], by map: MapSpec) -> Bool {
    group.contains { map[$0]?.isRequired ?? false }
  }

  /// Whether a map is the long form of a verb.
  static func isVerb(_ map: MapSpec) -> Bool {
    guard case .keys(let spec, _)? = LanguageSchema.verb(map.topic)?.form else { return false }
    return spec === map
  }

  static func listed(_ names: [String], _ word: String) -> String {
    let quoted = names.map { "`\($0)`" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "" }
    return quoted.dropLast().joined(separator: ", ") + " \(word) \(last)"
  }

  // MARK: Verbs

  private static func sectionsOfVerb(_ verb: VerbSpec) -> [TopicPage.Section] {
    var notes = [verb.summary]
    switch verb.form {
    case .bare: notes.append("It takes nothing: `- \(verb.name)`.")
    case .value(let type): notes.append("It takes: \(TypeText.words(type)).")
    case .keys(_, let short):
      if let short { notes.append("Short form `\(verb.name): …` for `\(short.key)`: \(TypeText.words(short.type)).") }
      if verb.isBareAllowed { notes.append("Alone, `- \(verb.name)`, it takes every default.") }
    }
    if let sends = verb.sends { notes.append("It sends \(sends).") }
    notes.append("Done when \(verb.done).")
    var sections = [TopicPage.Section(heading: "the step `\(verb.name)`", notes: notes)]
    if case .keys(let spec, _) = verb.form { sections.append(section(of: spec)) }
    if !verb.modifiers.isEmpty {
      let rows = verb.modifiers.map { TopicPage.Row($0.key) }
      sections.append(.init(heading: "next to `\(verb.name)`, besides what every step takes", rows: rows))
    }
    return sections
  }

  /// All verbs with what they take.
  package static let verbs = TopicPage.Section(heading: "verbs", rows: LanguageSchema.verbs.map(row))

  package static func row(of verb: VerbSpec) -> TopicPage.Row {
    switch verb.form {
    case .bare: TopicPage.Row(verb.name, "nothing", verb.summary)
    case .value(let type): TopicPage.Row(verb.name, TypeText.words(type), verb.summary)
    case .keys(let spec, let short?):
      TopicPage.Row(
        verb.name, spec.keys.count > 1 ? "\(TypeText.words(short.type)), or map" : TypeText.words(short.type),
        verb.summary)
    case .keys(_, nil): TopicPage.Row(verb.name, verb.isBareAllowed ? "nothing, or map" : "map", verb.summary)
    }
  }

  // MARK: Other words

  private static func themes(_ name: String) -> [TopicPage.Section] {
    switch name {
    case "conditions": [conditions, fields, matchers]
    case "fields": [fields]
    case "matchers": [matchers]
    case "types": [types]
    // Not of a document: the settings file.
    case "config":
      [LanguageSchema.settings, LanguageSchema.settingsDevice, LanguageSchema.settingsTimeout].map(section)
    default: []
    }
  }

  package static let conditions = TopicPage.Section(
    heading: "a condition",
    notes: [
      "A map of status fields to matchers, all of which must hold: `{ player: playing, position: { min: 5s } }`.",
      "Structured fields nest: `{ break: { id: mid, skippable: true } }`.",
    ], rows: LanguageSchema.conditionKeys.map { .init($0) })

  package static let fields = TopicPage.Section(
    heading: "status fields",
    rows: StatusField.all.map { TopicPage.Row($0.path.text, TypeText.words($0.type), sentence($0.summary)) })

  package static let matchers = TopicPage.Section(
    heading: "matchers",
    notes: ["A plain value must be equal. Several matchers of one field must all hold."],
    rows: MatcherName.allCases.map(TopicPage.Row.init))

  package static let types = TopicPage.Section(
    heading: "types",
    notes: ["The field decides how a value is read, never how it looks; quotes change nothing."],
    rows: ScalarKind.documented.map { type in
      TopicPage.Row(type.name, type.spelled ?? "", type.refused.isEmpty ? "" : "Refused: \(type.refused).")
    })

  /// A key, a field, a matcher or a type that has no page of its own.
  private static func sectionsOfWord(_ name: String) -> [TopicPage.Section] {
    var sections: [TopicPage.Section] = []
    let below = StatusField.all.filter { $0.path.text == name || $0.path.text.hasPrefix(name + ".") }
    if !below.isEmpty {
      sections.append(
        .init(
          heading: "the status field `\(name)`",
          rows: below.map { TopicPage.Row($0.path.text, TypeText.words($0.type), sentence($0.summary)) }))
    }
    if let matcher = MatcherName(rawValue: name) {
      sections.append(.init(heading: "the matcher `\(name)`", rows: [.init(matcher)]))
    }
    if let type = ScalarKind.named(name) {
      let refused = type.refused.isEmpty ? [] : ["Refused: \(type.refused)."]
      sections.append(.init(heading: "the type `\(name)`", notes: ["Spelled: \(type.spelled ?? "")."] + refused))
    }
    for map in LanguageSchema.maps {
      guard let key = map[name] else { continue }
      sections.append(.init(heading: "the key `\(name)` of \(map.place)", rows: [.init(key)]))
    }
    return sections
  }

  static func sentence(_ fragment: String) -> String {
    guard let first = fragment.first else { return "" }
    return first.uppercased() + fragment.dropFirst() + "."
  }

  /// Words for what the keys of a page hold.
  private static func related(to sections: [TopicPage.Section], _ name: String) -> [String] {
    var found: [String] = []
    var types = LanguageSchema.maps.filter { $0.topic == name }.flatMap { $0.keys.map(\.type) }
    if case .value(let type)? = LanguageSchema.verb(name)?.form { types.append(type) }
    for type in types { collectTopics(of: type, into: &found) }
    if name == "conditions" { found += ["fields", "matchers"] }
    return found.filter { $0 != name }
  }

  private static func collectTopics(of type: FieldType, into found: inout [String]) {
    func add(_ topic: String) { if !found.contains(topic) { found.append(topic) } }
    switch type {
    case .map(let spec): add(spec.topic)
    case .steps: add("steps")
    case .condition: add("conditions")
    case .matchers: add("matchers")
    default: for inner in type.inner { collectTopics(of: inner, into: &found) }
    }
  }
}
