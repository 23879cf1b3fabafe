import CastProtocol

/// Compiles a map of status fields to matchers (docs/language/conditions.md "Conditions"). Every problem is reported,
/// then `nil` returned.
struct ConditionCompiler {
  let saved: SavedNames
  let problems: DiagnosticCollector
  /// The variables that conditions look at, or parts of them: `n`, `kit.n`, `server.port`.
  private(set) var readVariables: Set<String> = []

  init(saved: SavedNames, problems: DiagnosticCollector) {
    self.saved = saved
    self.problems = problems
  }

  /// Conditions nest as deep as YAML allows, which is bounded.
  mutating func condition(_ node: YAMLNode) -> Condition? {
    guard let pairs = node.pairs else {
      problems.report(
        .error, .t210, "expected a map of status fields", at: node, footers: [.help("such as `{ player: playing }`")])
      return nil
    }
    guard !pairs.isEmpty else {
      problems.report(
        .error, .k105, "an expectation without a field", at: node, footers: [.help("such as `{ player: playing }`")])
      return nil
    }
    return pairs.allOrNil { entry($0) }.map(Condition.joined)
  }

  private mutating func entry(_ pair: YAMLNode.Pair) -> Condition? {
    switch pair.key.text {
    case "all", "any":
      guard let items = pair.value.items, !items.isEmpty else {
        problems.report(.error, .t210, "expected a list of conditions", at: pair.value)
        return nil
      }
      return items.allOrNil { condition($0) }.map { pair.key.text == "all" ? .all($0) : .any($0) }
    case "not": return condition(pair.value).map { .not($0) }
    case "vars": return variables(pair)
    case "device": return facts(pair)
    default: return field(pair, below: FieldPath([]))
    }
  }

  /// `vars: { n: { min: 3 } }`: variables and saved values, by name.
  private mutating func variables(_ pair: YAMLNode.Pair) -> Condition? {
    guard let pairs = pair.value.pairs, !pairs.isEmpty else {
      problems.report(
        .error, .t210, "expected a map of variables", at: .init(pair.key.span, "no variable here"),
        footers: [.help("such as `vars: { n: { min: 3 } }`")])
      return nil
    }
    return pairs.allOrNil { inner in
      let name = inner.key.text
      let key = YAMLNode(.scalar(.init(text: name, style: .plain)), span: inner.key.span)
      guard saved.isReadable(name, at: key, reportingTo: problems) else { return nil }
      readVariables.insert(name)
      var compiler = MatcherCompiler(
        path: FieldPath(["vars", name]), type: saved.type(of: name) ?? .free, entry: inner.span, saved: saved,
        problems: problems)
      return compiler.condition(inner.value)
    }.map(Condition.joined)
  }

  /// One field, with its value, matchers or fields of its own.
  private mutating func field(_ pair: YAMLNode.Pair, below prefix: FieldPath) -> Condition? {
    let path = FieldPath(parsing: pair.key.text, below: prefix)
    guard path.parts.count <= FieldPath.longest else {
      problems.report(.tooLongPath(at: pair.key.span))
      return nil
    }
    guard let field = StatusField.find(path) else {
      problems.report(.unknownStatusField(path, below: prefix, at: pair.key.span))
      return nil
    }
    let value = pair.value
    let isMatcherMap = value.pairs.map { holdsMatchers($0, at: path) } ?? false
    switch field.type {
    case .structure, .free:
      guard let pairs = value.pairs, !isMatcherMap else { break }
      return members(pairs, of: path, in: value)
    default: break
    }
    var compiler = MatcherCompiler(path: path, type: field.type, entry: pair.span, saved: saved, problems: problems)
    return compiler.condition(value)
  }

  private mutating func members(_ pairs: [YAMLNode.Pair], of path: FieldPath, in node: YAMLNode) -> Condition? {
    guard !pairs.isEmpty else {
      problems.report(
        .error, .k105, "`\(path.text)` without a field", at: node,
        footers: [.help("its fields: \(StatusField.names(below: path).joined(separator: ", "))")])
      return nil
    }
    return pairs.allOrNil { field($0, below: path) }.map(Condition.joined)
  }

  /// Whether a map says what a structure must be instead of naming its fields.
  private func holdsMatchers(_ pairs: [YAMLNode.Pair], at path: FieldPath) -> Bool {
    guard let name = pairs.first?.key.text, MatcherName(rawValue: name) != nil else { return false }
    return !StatusField.isName(name, below: path)
  }
}

extension Diagnostic {
  /// Y311 for a path with more parts than anything has.
  static func tooLongPath(at span: SourceSpan) -> Diagnostic {
    Diagnostic(.error, .y311, "a path has at most \(FieldPath.longest) parts", at: .init(span, "too many"))
  }

  /// K101 for a name that is no status field where it stands.
  static func unknownStatusField(_ path: FieldPath, below prefix: FieldPath, at span: SourceSpan) -> Diagnostic {
    // The first part that nobody knows, and what could stand there.
    var known = prefix
    for part in path.parts.dropFirst(prefix.parts.count) {
      let next = FieldPath(known.parts + [part])
      guard StatusField.find(next) != nil || StatusField.hasMembers(next) else { break }
      known = next
    }
    let unknown = path.parts.dropFirst(known.parts.count).joined(separator: ".")
    let names = StatusField.names(below: known)
    let suggestion = Suggestions.spaced(unknown, among: names) ?? Suggestions.nearest(to: unknown, among: names)
    let place = known.parts.isEmpty ? "the status" : "`\(known.text)`"
    let isModifier = known.parts.isEmpty && LanguageSchema.modifiers.contains(unknown)
    let misplaced = isModifier ? "goes next to the verb, not inside its map" : nil
    return Diagnostic(
      .error, .k101, "unknown field \(ScalarText.quoted(unknown)) in \(place)",
      at: Label(span, Suggestions.label(suggestion, else: misplaced ?? "")),
      footers: [
        .help(names.isEmpty ? "`\(known.text)` has no fields" : "fields here: \(ScalarText.listed(names.sorted()))")
      ])
  }
}
