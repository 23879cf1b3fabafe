import CastProtocol

extension MatcherCompiler {
  /// A value to compare with, of the field's type, or one that an earlier step saved.
  mutating func operand(_ node: YAMLNode, as type: StatusField.ValueType) -> Matcher.Operand? {
    if let name = node.savedName {
      guard saved.check(name, fits: type, of: path.text, at: node, reportingTo: problems) else { return nil }
      return Matcher.Operand(.saved(name))
    }
    return literal(node, as: type).map { Matcher.Operand(.literal($0)) }
  }

  mutating func literal(_ node: YAMLNode, as type: StatusField.ValueType) -> JSONValue? {
    if case .list(let element) = type, let items = node.items {
      return items.allOrNil { literal($0, as: element == .record ? .text : element) }.map { .array($0) }
    }
    if case .free = type, node.planText?.isLiteral ?? true {
      let before = problems.diagnostics.count
      let value = FreeData.json(node, reportingTo: problems)
      return problems.diagnostics.count == before ? value : Optional<JSONValue>.none
    }
    guard let text = plainText(node) else { return Optional<JSONValue>.none }
    do { return try read(text, as: type) } catch {
      problems.report(error, at: node)
      return Optional<JSONValue>.none
    }
  }

  private func read(_ text: String, as type: StatusField.ValueType) throws(ScalarProblem) -> JSONValue {
    switch type {
    case .text, .free, .record: return .string(text)
    case .bool: return .bool(try NumberScalar.bool(text))
    case .int: return .int(try NumberScalar.int(text, in: .min ... .max))
    case .number: return JSONValue(try NumberScalar.number(text, in: -.infinity ... .infinity))
    case .duration: return .double(try DurationScalar.read(text).seconds)
    case .durationOrLive: return text == "live" ? "live" : .double(try DurationScalar.read(text).seconds)
    case .percent: return JSONValue(try NumberScalar.percent(text, in: -.infinity ... .infinity, field: path.text))
    case .color: return .string(try ColorScalar.read(text))
    case .choice(let choice):
      if choice.isOpen || choice.values.contains(text) { return .string(text) }
      throw FieldType.notAChoice(text, choice.name, choice.values)
    case .structure(let isNoneAllowed):
      if isNoneAllowed, text == "none" { return .null }
      let fields = StatusField.names(below: path).prefix(6).joined(separator: ", ")
      let isLevel = path.parts.last?.hasSuffix("volume") == true && text.hasSuffix("%")
      throw ScalarProblem(
        .t220, "`\(path.text)` is a structure\(isNoneAllowed ? " or `none`" : "")",
        label: isLevel ? "write `{ level: \(ScalarText.shown(text)) }`" : "",
        help: fields.isEmpty ? nil : "name its fields: \(fields)")
    case .list(let element):
      let name = element == .record || element == .text ? "ids" : "values"
      throw ScalarProblem(
        .t210, "`\(path.text)` is a list of \(name)",
        help: "`{ has: [\(ScalarText.shown(text))] }` or `{ only: [\(ScalarText.shown(text))] }`")
    }
  }

  /// A number to add or to allow, in the field's unit.
  mutating func distance(_ node: YAMLNode, isSigned: Bool) -> Double? {
    guard let text = plainText(node) else { return nil }
    do {
      switch type.sort {
      case .duration:
        let isWithSign = text.hasPrefix("+") || text.hasPrefix("-")
        return try DurationScalar.read(text, signed: isSigned && isWithSign).seconds
      case .percent:
        return try NumberScalar.percent(
          text, in: isSigned ? -.infinity ... .infinity : 0 ... .infinity, field: path.text)
      default: return try NumberScalar.number(text, in: isSigned ? -.infinity ... .infinity : 0 ... .infinity)
      }
    } catch {
      problems.report(error, at: node)
      return nil
    }
  }

  /// `[a, b]` as `{ one_of: [a, b] }`.
  private func oneOf(_ node: YAMLNode) -> String? {
    guard let items = node.items, !items.isEmpty, items.count <= 6 else { return nil }
    let words = items.compactMap(\.text)
    return words.count == items.count
      ? "{ one_of: [\(words.map { ScalarText.shown($0) }.joined(separator: ", "))] }" : nil
  }

  /// The text of a scalar that is known now.
  mutating func plainText(_ node: YAMLNode) -> String? {
    guard node.pairs == nil, node.items == nil else {
      problems.report(
        .error, .t210, "`\(path.text)` wants one value, found a \(node.items == nil ? "map" : "list")", at: node,
        footers: oneOf(node).map { [.help("one of several is `\($0)`")] } ?? [])
      return nil
    }
    guard let text = node.text else {
      if saved.hasPlaceholder(node) { return nil }
      problems.report(.error, .t220, "only a whole value can come from the run", at: node, "mixed with text")
      return nil
    }
    if node.hasRefused { return nil }
    if node.isEmpty {
      problems.report(.error, .t210, "`\(path.text)` has no value", at: .init(entry, "no value here"))
      return nil
    }
    return text
  }

  /// Whether a matcher makes sense for the field; T220 otherwise.
  mutating func fits(_ spec: MatcherSpec, at key: YAMLNode.Key) -> Bool {
    if spec.fit.takes(subject) { return true }
    var footers: [Diagnostic.Footer] = []
    if case .choice(let choice) = type, choice.values.count > 1 {
      footers = [
        .help(
          "`\(path.text): \(choice.values[0])`, or `\(path.text): { one_of: [\(choice.values.prefix(2).joined(separator: ", "))] }`"
        )
      ]
    }
    let noun = isOfMessage && type.sort == .any ? "part of a message" : type.noun
    problems.report(
      .error, .t220, "`\(key.text)` is for \(spec.fit.noun), `\(path.text)` is \(noun)", at: .init(key.span),
      footers: footers)
    return false
  }

  /// Whether a field is one whose progress can be judged.
  static func canAdvance(_ path: FieldPath) -> Bool {
    path.parts == ["position"] || path.parts == ["position_reported"]
  }

  /// `tolerance` belongs to `about`, `plus` to a reference.
  mutating func checkCompanions(_ pairs: [YAMLNode.Pair]) {
    if let index = pairs.index(of: "tolerance"), pairs.index(of: "about") == nil {
      problems.report(.error, .k105, "`tolerance` needs `about`", at: .init(pairs[index].key.span))
    }
    guard let index = pairs.index(of: "plus") else { return }
    let references = MatcherName.references.map(\.rawValue)
    if references.allSatisfy({ pairs.index(of: $0) == nil }) {
      problems.report(
        .error, .k105, "`plus` needs something to be added to", at: .init(pairs[index].key.span),
        footers: [.help("one of \(references.joined(separator: ", "))")])
    }
  }

  mutating func reportUnknown(_ pair: YAMLNode.Pair) {
    let key = pair.key
    if key.text == "between" || key.text == "range", let ends = pair.value.items?.compactMap(\.text), ends.count == 2 {
      let (low, high) = (ScalarText.shown(ends[0]), ScalarText.shown(ends[1]))
      problems.report(
        .error, .k101, "unknown matcher \(ScalarText.quoted(key.text))", at: .init(key.span),
        footers: [.help("write `min: \(low), max: \(high)`")])
      return
    }
    let names = MatcherName.allCases.map(\.rawValue)
    let suggestion = Suggestions.matcher(key.text)
    problems.report(
      .error, .k101, "unknown matcher \(ScalarText.quoted(key.text))",
      at: .init(key.span, Suggestions.label(suggestion)),
      footers: [.help("matchers: \(names.sorted().prefix(6).joined(separator: ", ")), …")])
  }
}
