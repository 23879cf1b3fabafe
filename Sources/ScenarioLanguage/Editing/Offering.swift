/// What may stand at a place of a document, from the tables and the names that it defines.
struct Offering {
  typealias Candidate = EditedDocument.Candidate

  let symbols: DocumentSymbols?
  let place: CursorPlace

  var candidates: [Candidate] {
    switch place.part {
    case .key(let type, let taken): keys(of: type, taken)
    case .value(let type): values(of: type)
    }
  }

  // MARK: Keys

  private func keys(of type: CursorType, _ taken: [String]) -> [Candidate] {
    switch type {
    case .field(let field): keys(of: field, taken)
    case .map(let spec): keys(of: spec, taken)
    case .step: stepKeys(taken)
    case .status(let path): fields(below: path, taken)
    case .matchers(let path, let type): matchers(path, type, taken)
    case .operand, .unknown: []
    }
  }

  private func keys(of type: FieldType, _ taken: [String]) -> [Candidate] {
    switch type {
    case .map(let spec): return keys(of: spec, taken)
    case .savable(let inner), .oneOrMany(let inner, _): return keys(of: inner, taken)
    case .byShape(_, _, let map?): return keys(of: map, taken)
    case .condition: return fields(below: FieldPath([]), taken)
    // The entries of `vars` in a condition, of `set`: names of variables.
    case .matchers where place.path.last == "vars", .mapOf where place.path.last == "set":
      return (symbols?.variables ?? []).filter { !$0.name.contains(".") && !taken.contains($0.name) }.map {
        Candidate(kind: .variable, label: $0.name, text: $0.name + ": ")
      }
    default: return []
    }
  }

  private func keys(of spec: MapSpec, _ taken: [String]) -> [Candidate] {
    spec.keys.filter { key in
      let isExcluded = spec.exclusive.contains { $0.contains(key.name) && $0.contains(where: taken.contains) }
      let isKind = DocumentKind(rawValue: key.name) != nil && taken.contains { DocumentKind(rawValue: $0) != nil }
      return !taken.contains(key.name) && !isExcluded && !isKind && key.replacement == nil
    }.map { Self.key($0) }
  }

  private static func key(_ key: KeySpec) -> Candidate {
    let row = TopicPage.Row(key)
    var detail = row.type
    if let text = row.defaultText { detail += " = \(text)" }
    if row.isRequired { detail += " (required)" }
    return Candidate(kind: .key, label: key.name, text: key.name + ": ", detail: detail, summary: row.summary)
  }

  private func stepKeys(_ taken: [String]) -> [Candidate] {
    let verb = taken.lazy.compactMap { LanguageSchema.verb($0) }.first
    let modifiers = LanguageSchema.modifiers.keys.filter { key in
      guard !taken.contains(key.name) else { return false }
      guard let verb else { return !LanguageSchema.expectationModifiers.contains(key.name) }
      if key.name == "timeout" { return verb.takesTimeout }
      return !LanguageSchema.expectationModifiers.contains(key.name)
        || verb.modifiers.contains { $0.rawValue == key.name }
    }
    return (verb == nil ? verbs : []) + modifiers.map { Self.key($0) }
  }

  private var verbs: [Candidate] {
    LanguageSchema.verbs.map { verb in
      let row = Topics.row(of: verb)
      let text = if case .bare = verb.form { verb.name } else { verb.name + ": " }
      return Candidate(kind: .verb, label: verb.name, text: text, detail: row.type, summary: row.summary)
    }
  }

  private func fields(below path: FieldPath, _ taken: [String]) -> [Candidate] {
    let names = StatusField.names(below: path).filter { !taken.contains($0) }
    let fields = names.map { name in
      let field = StatusField.find(FieldPath(path.parts + [name]))
      return Candidate(
        kind: .field, label: name, text: name + ": ", detail: field.map { TypeText.words($0.type) } ?? "structure",
        summary: field.map { Topics.sentence($0.summary) } ?? "")
    }
    guard path.parts.isEmpty else { return fields }
    return fields + LanguageSchema.conditionKeys.filter { !taken.contains($0.name) }.map { Self.key($0) }
  }

  private func matchers(_ path: FieldPath, _ type: StatusField.ValueType, _ taken: [String]) -> [Candidate] {
    let subject = MatcherSubject(
      type: type, canAdvance: MatcherCompiler.canAdvance(path), isStatusField: path.variable == nil)
    return MatcherName.allCases.filter { $0.spec.fit.takes(subject) && !taken.contains($0.rawValue) }.map { name in
      Candidate(
        kind: .matcher, label: name.rawValue, text: name.rawValue + ": ", detail: name.spec.operand.spelled,
        summary: name.spec.summary)
    }
  }

  // MARK: Values

  private func values(of type: CursorType) -> [Candidate] {
    switch type {
    case .field(let field): values(of: field)
    case .step: verbs
    case .operand(let type): values(of: type)
    case .map, .status, .matchers, .unknown: []
    }
  }

  private func values(of type: FieldType) -> [Candidate] {
    switch type {
    case .scalar(.bool, _): return Self.words(["true", "false"], type)
    case .scalar(.statusPath, _):
      return StatusField.all.filter { !$0.isWildcard }.map { field in
        Candidate(
          kind: .field, label: field.path.text, text: field.path.text, detail: TypeText.words(field.type),
          summary: Topics.sentence(field.summary))
      }
    case .scalar(.text, _): return place.isDevice ? names(.inventory) : []
    case .scalar(let kind, _):
      return kind.spec.examples.prefix(3).map { Candidate(kind: .value, label: $0, text: $0, detail: kind.spec.name) }
    case .choice(_, let values): return Self.words(values, type)
    case .words(let words, let other): return Self.words(words, type) + values(of: other)
    case .reference(.role): return names(.role) + Self.words(["all"], type)
    case .reference(.daypart): return names(.daypart) + Self.words(["any_time"], type)
    case .reference(.app): return names(.app) + Self.words(["default"], type)
    case .reference(let kind): return names(kind)
    case .savable(let inner), .oneOrMany(let inner, _), .byShape(let inner?, _, _): return values(of: inner)
    case .list, .byShape, .map, .mapOf, .steps, .condition, .matchers, .anyValue, .anyMap: return []
    }
  }

  private func values(of type: StatusField.ValueType) -> [Candidate] {
    switch type {
    case .bool: Self.words(["true", "false"])
    case .choice(let choice): Self.words(choice.values)
    case .durationOrLive: Self.words(["live"])
    case .structure(let isNoneAllowed): isNoneAllowed ? Self.words(["none"]) : []
    case .list(let element): values(of: element)
    case .text, .int, .number, .duration, .percent, .color, .record, .free: []
    }
  }

  private func names(_ kind: FieldType.Reference) -> [Candidate] {
    let noun = DefinedNames.keys.first { $0.0 == (kind == .mediaOrURL ? .media : kind) }?.noun ?? kind.rawValue
    return (symbols?.symbols(of: kind) ?? []).map {
      Candidate(kind: .name, label: $0.name, text: $0.name, detail: noun)
    }
  }

  private static func words(_ words: [String], _ type: FieldType? = nil) -> [Candidate] {
    words.map { Candidate(kind: .value, label: $0, text: $0, detail: type.map { TypeText.words($0) } ?? "") }
  }
}

extension CursorPlace {
  /// Whether a device is named there, which may be one of the inventory.
  var isDevice: Bool {
    guard let last = path.last else { return false }
    return ["device", "devices"].contains(last) || path.count == 2 && path[0] == "roles"
  }
}
