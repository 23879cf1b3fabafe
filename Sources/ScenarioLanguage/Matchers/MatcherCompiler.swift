import CastProtocol

/// Compiles what one status field must be: a plain value, or a map of matchers.
struct MatcherCompiler {
  let path: FieldPath
  let type: StatusField.ValueType
  /// Key and value together, where failures point.
  let entry: SourceSpan
  let saved: SavedNames
  let problems: DiagnosticCollector
  /// A part of a message, not a status field: nothing can be said of how it moves.
  var isOfMessage = false

  mutating func condition(_ node: YAMLNode) -> Condition? {
    guard let pairs = node.pairs else {
      guard let operand = operand(node, as: type) else { return nil }
      if let number = operand.number({ _ in nil }), let limits, !limits.contains(number) {
        reportLimits(limits, at: node)
      }
      return .field(path, .equals(operand), span: entry)
    }
    return matchers(pairs, in: node)
  }

  /// What the matchers are asked of.
  var subject: MatcherSubject {
    MatcherSubject(
      type: type, canAdvance: !isOfMessage && Self.canAdvance(path),
      isStatusField: !isOfMessage && path.variable == nil)
  }

  /// Several matchers of one field must all hold.
  private mutating func matchers(_ pairs: [YAMLNode.Pair], in node: YAMLNode) -> Condition? {
    let before = problems.diagnostics.count
    var references: [MatcherName: Matcher.Operand] = [:]
    var tolerance: Double?
    var plus: Double?
    var others: [Condition] = []
    let names = pairs.map { MatcherName(rawValue: $0.key.text) }
    let hasReference = names.contains { $0.map(MatcherName.references.contains) ?? false }
    for (name, pair) in zip(names, pairs) {
      guard let name else {
        reportUnknown(pair)
        continue
      }
      if case .scalar(let scalar) = pair.value.content, scalar.isRefused { continue }
      // For a field without an order the message about `min` or `about` is enough.
      if hasReference, !type.isOrdered, name == .tolerance || name == .plus { continue }
      let spec = name.spec
      guard fits(spec, at: pair.key) else { continue }
      var matcher: Matcher?
      switch spec.operand {
      case .reference: references[name] = operand(pair.value, as: type)
      case .tolerance: tolerance = distance(pair.value, isSigned: false)
      case .offset: plus = distance(pair.value, isSigned: true)
      case .matcher: if let inner = negation(pair.value) { others.append(inner) }
      case .count: if let inner = count(pair.value) { others.append(inner) }
      case .values(let make): matcher = choices(pair).map(make)
      case .elements(let make): matcher = values(pair, as: elementType).map(make)
      case .text(let make): matcher = plainText(pair.value).map(make)
      case .bool(let make): matcher = bool(pair.value).map(make)
      case .pattern: matcher = pattern(pair.value).map { .matches($0) }
      case .advance: matcher = advance(pair)
      }
      if let matcher { others.append(.field(path, matcher, span: entry)) }
    }
    checkCompanions(pairs)
    checkBounds(references, plus: plus ?? 0, pairs)
    guard problems.diagnostics.count == before else { return nil }
    func shifted(_ name: MatcherName) -> Matcher.Operand? {
      guard var operand = references[name] else { return nil }
      operand.plus = plus ?? 0
      return operand
    }
    if let reference = shifted(.about) {
      let tolerance = tolerance ?? type.defaultTolerance ?? 0
      others.insert(.field(path, .about(reference, tolerance: tolerance), span: entry), at: 0)
    }
    if references.keys.contains(where: { $0 != .about }) {
      let range = Matcher.range(min: shifted(.min), max: shifted(.max), above: shifted(.above), below: shifted(.below))
      others.insert(.field(path, range, span: entry), at: 0)
    }
    guard !others.isEmpty else {
      if saved.hasPlaceholder(node) || node.hasRefused { return nil }
      problems.report(.error, .k105, "`\(path.text)` without a matcher", at: node)
      return nil
    }
    return .joined(others)
  }

  private mutating func negation(_ node: YAMLNode) -> Condition? {
    guard let inner = condition(node) else { return nil }
    if case .field(let path, let matcher, let span) = inner { return .field(path, .not(matcher), span: span) }
    return .not(inner)
  }

  /// The length of a list or map: a whole number with matchers of its own.
  private mutating func count(_ node: YAMLNode) -> Condition? {
    var compiler = MatcherCompiler(path: path, type: .int, entry: entry, saved: saved, problems: problems)
    compiler.isOfMessage = true
    let condition = compiler.condition(node)
    return condition.map { Self.counting($0) }
  }

  private static func counting(_ condition: Condition) -> Condition {
    switch condition {
    case .field(let path, let matcher, let span): .field(path, .count(matcher), span: span)
    case .all(let conditions): .all(conditions.map { counting($0) })
    case .any(let conditions): .any(conditions.map { counting($0) })
    case .not(let inner): .not(counting(inner))
    }
  }

  private mutating func choices(_ pair: YAMLNode.Pair) -> [JSONValue]? {
    if let items = pair.value.items, items.isEmpty {
      problems.report(
        .error, .k105, "`\(pair.key.text)` needs at least one value",
        at: .init(pair.key.span, "nothing is one of none"))
      return nil
    }
    guard let found = values(pair, as: type) else { return nil }
    if let limits,
      let wrong = zip(pair.value.items ?? [], found).first(where: { _, value in
        value.number.map { !limits.contains($0) } ?? false
      })
    {
      reportLimits(limits, at: wrong.0)
      return nil
    }
    return found
  }

  private mutating func bool(_ node: YAMLNode) -> Bool? {
    guard let text = plainText(node) else { return nil }
    do { return try NumberScalar.bool(text) } catch {
      problems.report(error, at: node)
      return nil
    }
  }

  private mutating func pattern(_ node: YAMLNode) -> TextPattern? {
    guard let text = plainText(node) else { return nil }
    do { return try TextPattern(text) } catch {
      problems.report(
        .error, .t216, "this is not a regular expression", at: node,
        part: error.offset..<error.offset + 1, error.message)
      return nil
    }
  }

  private mutating func advance(_ pair: YAMLNode.Pair) -> Matcher? {
    guard let pairs = pair.value.pairs else {
      problems.report(
        .error, .t210, "`advances` takes a map", at: pair.value,
        footers: [.help("`advances: { at_least: 4s, over: 5s }`")])
      return nil
    }
    var found: [String: Double] = [:]
    var isSound = true
    for inner in pairs {
      guard ["at_least", "over"].contains(inner.key.text) else {
        let suggestion = Suggestions.nearest(to: inner.key.text, among: ["at_least", "over"])
        problems.report(
          .error, .k101, "unknown key \(ScalarText.quoted(inner.key.text)) in `advances`",
          at: .init(inner.key.span, Suggestions.label(suggestion)),
          footers: [.help("keys allowed here: at_least, over")])
        isSound = false
        continue
      }
      if let value = operand(inner.value, as: .duration), let number = value.number({ _ in nil }) {
        found[inner.key.text] = number
      } else {
        isSound = false
      }
    }
    guard isSound else { return nil }
    guard let atLeast = found["at_least"], let over = found["over"], over > 0 else {
      let missing = found["at_least"] == nil ? "at_least" : "over"
      problems.report(
        .error, .k105, "`advances` needs `\(missing)`", at: .init(pair.key.span),
        footers: [.help("`advances: { at_least: 4s, over: 5s }`")])
      return nil
    }
    return .advances(atLeast: atLeast, over: over)
  }

  private mutating func values(_ pair: YAMLNode.Pair, as type: StatusField.ValueType) -> [JSONValue]? {
    guard let items = pair.value.items else {
      problems.report(
        .error, .t210, "`\(pair.key.text)` takes a list", at: pair.value,
        footers: [.help("`\(pair.key.text): [\(pair.value.text.map { ScalarText.shown($0) } ?? "…")]`")])
      return nil
    }
    return items.allOrNil { literal($0, as: type) }
  }

  /// What a list's elements are written as; records are known by their ids.
  private var elementType: StatusField.ValueType {
    guard case .list(let element) = type else { return .free }
    return element == .record ? .text : element
  }
}
