extension FieldReader {
  mutating func readSteps(_ node: inout YAMLNode) -> Bool {
    var isSound = true
    for index in 0..<(node.items?.count ?? 0) where diagnostics.budget.isSpent || !readStep(&node[item: index]) {
      isSound = false
    }
    return isSound
  }

  mutating func readStep(_ node: inout YAMLNode) -> Bool {
    readUnlessRead(&node) { $0.readForm(&$1) }
  }

  private mutating func readForm(_ node: inout YAMLNode) -> Bool {
    switch node.content {
    case .scalar(let scalar):
      if !alreadyReported.isEmpty, isAlreadyReported(node) { return false }
      if scalar.deferred != nil || node.substitutedAt != nil {
        return report(
          ScalarProblem(.t219, "a step cannot come from a variable", help: "blocks are for steps: `use:`"),
          at: YAMLNode(node.content, span: node.place))
      }
      if scalar.text.isEmpty { return reportEmptyStep(node.span) }
      guard let verb = LanguageSchema.verb(scalar.text) else {
        return reportUnknownStep(scalar.text, node.span, notes: Self.continuation(node))
      }
      if !verb.isBareAllowed { return reportMissingValue(verb, node.span) }
      return true
    case .sequence(let items):
      let help =
        items.count == 1
        ? "one dash begins a step\(items[0].pairs?.first.map { ": `- \(brief($0))`" } ?? "")"
        : "steps within a step are `- group: { steps: […] }`"
      return reportShape(node, expected: "a step", Field(name: "steps"), help: help)
    case .mapping: return readStepMap(&node)
    }
  }

  private mutating func readStepMap(_ node: inout YAMLNode) -> Bool {
    guard let index = node.pairs.flatMap(StepFields.verbIndex), let key = node.pairs?[index].key,
      let verb = LanguageSchema.verb(key.text)
    else {
      let pairs = node.pairs ?? []
      let verbs = StepFields.verbIndices(pairs)
      return verbs.count > 1 ? reportTwoVerbs(pairs[verbs[0]], pairs[verbs[1]]) : reportNoVerb(pairs, node.span)
    }
    var isSound = readVerb(verb, key, &node[value: index])
    let isMisplaced = !isSound && Self.isShapeWrong(node[value: index], of: verb)
    for position in 0..<(node.pairs?.count ?? 0) where position != index {
      guard let name = node.pairs?[position].key.text else { break }
      // What belongs inside the verb's map is part of the message about that map.
      if isMisplaced, case .keys(let spec, _) = verb.form, spec.contains(name), !LanguageSchema.modifiers.contains(name)
      {
        continue
      }
      if !readModifier(position, of: &node, verb) { isSound = false }
    }
    return isSound
  }

  /// Whether a verb that needs a map has something else.
  private static func isShapeWrong(_ value: YAMLNode, of verb: VerbSpec) -> Bool {
    guard case .keys(_, nil) = verb.form else { return false }
    return value.pairs == nil && !value.isEmpty
  }

  private mutating func readVerb(_ verb: VerbSpec, _ key: YAMLNode.Key, _ value: inout YAMLNode) -> Bool {
    var field = Field(name: verb.name, keySpan: key.span)
    if !alreadyReported.isEmpty, isAlreadyReported(value) {
      if value.text != nil { return false }
      field.skipsRequired = true
    }
    switch verb.form {
    case .bare:
      if value.isEmpty || value.pairs?.isEmpty == true { return true }
      return reportShape(value, expected: "nothing after `\(verb.name):`", field, help: bareHint(verb, value))
    case .value(let type):
      if value.isEmpty, commentSpan(of: value, field) == nil { return reportMissingValue(verb, key.span) }
      return read(&value, as: type, field: field)
    case .keys(let spec, let short):
      if value.pairs != nil {
        return verb.verb == .forEach ? readLoop(&value, spec, field) : readPairs(of: &value, spec, field)
      }
      if value.isEmpty, verb.isBareAllowed { return true }
      if value.isEmpty, commentSpan(of: value, field) == nil { return reportMissingValue(verb, key.span) }
      guard let short else {
        return reportShape(value, expected: "a map of keys", field, help: mapHint(verb, spec, value))
      }
      return read(&value, as: short.type, field: field)
    }
  }

  private mutating func readModifier(_ index: Int, of step: inout YAMLNode, _ verb: VerbSpec) -> Bool {
    guard let written = step.pairs?[index].key else { return true }
    let name = written.text
    guard let type = LanguageSchema.modifiers.type(of: name) else {
      if let pair = step.pairs?[index] { reportUnknownModifier(pair, of: verb) }
      return false
    }
    if LanguageSchema.expectationModifiers.contains(name), !verb.modifiers.contains(name) {
      let owners = LanguageSchema.verbs.filter { $0.modifiers.contains(name) }.map { "`\($0.name)`" }
      diagnostics.report(
        .error, .k103, "`\(name)` belongs to \(owners.joined(separator: ", ")), this step is `\(verb.name)`",
        at: .init(written.span, "not for `\(verb.name)`"), footers: judgingHint(name, verb).map { [.help($0)] } ?? []
      )
      return false
    }
    return read(&step[value: index], as: type, field: Field(name: name, keySpan: written.span))
  }

  private mutating func reportUnknownModifier(_ pair: YAMLNode.Pair, of verb: VerbSpec) {
    let name = pair.key.text
    var label = ""
    var footers: [Diagnostic.Footer] = []
    let allowed = LanguageSchema.modifiers.keys.map(\.name).filter {
      !LanguageSchema.expectationModifiers.contains($0) || verb.modifiers.contains($0)
    }.sorted()
    if case .keys(let spec, _) = verb.form, spec.contains(name) {
      label = "belongs inside `\(verb.name):`"
      footers = [.help("`\(verb.name): { …, \(brief(pair)) }`")]
    } else if diagnostics.budget.allowsSuggestions,
      let suggestion = Suggestions.other(name, among: allowed)
        ?? Suggestions.nearest(to: name, among: allowed + LanguageSchema.verbNames)
    {
      label = Suggestions.label(suggestion)
    }
    if footers.isEmpty { footers = [.help(allowedKeys(allowed, topic: "steps"))] }
    diagnostics.report(
      .error, .k101, "unknown key \(ScalarText.quoted(name)) in a step", at: .init(pair.key.span, label),
      footers: footers)
  }

  // MARK: Messages

  private mutating func reportEmptyStep(_ span: SourceSpan) -> Bool {
    diagnostics.report(
      .error, .k105, "a step without a verb", at: .init(span, "nothing after the dash"),
      footers: [.help("steps are: " + listed(LanguageSchema.verbNames, topic: "steps"))])
    return false
  }

  private mutating func reportMissingValue(_ verb: VerbSpec, _ span: SourceSpan) -> Bool {
    diagnostics.report(
      .error, .k105, "`\(verb.name)` needs a value", at: .init(span, "nothing after it"),
      footers: [.help("`showcaller explain \(verb.name)` shows what it takes")])
    return false
  }

  private mutating func reportUnknownStep(
    _ name: String, _ span: SourceSpan, notes: [Diagnostic.Footer] = []
  ) -> Bool {
    let suggestion = diagnostics.budget.allowsSuggestions ? Suggestions.verb(name) : nil
    let help =
      name.hasPrefix("${")
      ? "verbs and keys are written out, never put in by a variable"
      : "steps are: " + listed(LanguageSchema.verbNames, topic: "steps")
    diagnostics.report(
      .error, .k101, "unknown step \(ScalarText.quoted(name))",
      at: .init(span, Suggestions.label(suggestion)),
      footers: (suggestion == nil ? [.help(help)] : []) + notes)
    return false
  }

  private mutating func reportNoVerb(_ pairs: [YAMLNode.Pair], _ span: SourceSpan) -> Bool {
    let verbs = LanguageSchema.verbNames
    let unknownKeys = pairs.filter { !LanguageSchema.modifiers.contains($0.key.text) }
    // The unknown key most like a verb is the one that was meant as one.
    let likeliest =
      diagnostics.budget.allowsSuggestions
      ? unknownKeys.prefix(20).first { Suggestions.nearest(to: $0.key.text, among: verbs) != nil } : nil
    let pick = likeliest ?? unknownKeys.first
    if let pick { return reportUnknownStep(pick.key.text, pick.key.span) }
    diagnostics.report(
      .error, .k105, "a step without a verb", at: .init(pairs.first?.key.span ?? span, "says how, but not what"),
      footers: [
        .help("steps are: " + listed(LanguageSchema.verbNames, topic: "steps"))
      ])
    return false
  }

  private mutating func reportTwoVerbs(_ first: YAMLNode.Pair, _ second: YAMLNode.Pair) -> Bool {
    diagnostics.report(
      .error, .k102, "one step, two verbs: `\(first.key.text)` and `\(second.key.text)`",
      at: .init(second.key.span, "second verb"), related: [.init(first.key.span, "first verb")],
      footers: [.help("a step does one thing; start a new step:\n  - \(brief(first))\n  - \(brief(second))")])
    return false
  }

  mutating func reportStepsAsMap(_ pairs: [YAMLNode.Pair], _ node: YAMLNode, _ field: Field) {
    let verbs = pairs.filter { LanguageSchema.verb($0.key.text) != nil }
    if pairs.count == 1, node.span.line == node.span.endLine, sourceScalar(at: node.span) == "{" {
      reportShape(node, expected: "a list of steps", field, list: .steps)
      return
    }
    let lines = (verbs.isEmpty ? Array(pairs.prefix(3)) : verbs).prefix(6).map { "  - \(brief($0))" }
    let example = lines.isEmpty ? "" : "\n\(field.name):\n" + lines.joined(separator: "\n")
    diagnostics.report(
      .error, .t210, "expected a list of steps, found one map",
      at: .init(pairs.first?.key.span ?? node.span, "add `- ` in front"),
      footers: [.help("every step starts with a dash:\(example)")])
  }

  /// A pair as short as an example can show it: `seek: 1m30s`, `play`, `load: …`.
  func brief(_ pair: YAMLNode.Pair) -> String {
    let key = ScalarText.shown(pair.key.text)
    switch pair.value.content {
    case .scalar(let scalar):
      return scalar.text.isEmpty ? key : "\(key): \(ScalarText.shown(text?.text(at: pair.value.span) ?? scalar.text))"
    case .sequence(let items): return items.isEmpty ? "\(key): []" : "\(key): […]"
    case .mapping(let pairs): return pairs.isEmpty ? key : "\(key): { … }"
    }
  }
}
