/// One step of the document, taken apart: verb, what it says, and the modifiers next to it.
package struct StepFields: Sendable {
  package let verb: VerbSpec
  package let verbSpan: SourceSpan
  /// The whole step.
  package let span: SourceSpan
  /// The verb's keys: `load: film` reads as `load: { media: film }`. Empty for verbs without keys.
  package let body: FieldMap
  /// What stands after `verb:` as written; `nil` for a bare verb. The value itself for `mute`, `mark`, `log`, `fail`,
  /// `text_style`, `wait_until`, `expect`, `always`, `never` and `expect_sequence`.
  package let value: YAMLNode?
  package let modifiers: FieldMap

  /// Takes a node apart; `nil` when it is no step with exactly one verb, which checking has then reported.
  package init?(_ node: YAMLNode) {
    span = node.span
    if let name = node.text, let verb = LanguageSchema.verb(name) {
      self.verb = verb
      verbSpan = node.span
      value = nil
      body = FieldMap([], span: node.span, as: Self.bodySpec(verb))
      modifiers = FieldMap([], span: node.span, as: LanguageSchema.modifiers)
      return
    }
    guard let pairs = node.pairs, let index = Self.verbIndex(pairs) else { return nil }
    let pair = pairs[index]
    guard let verb = LanguageSchema.verb(pair.key.text) else { return nil }
    self.verb = verb
    verbSpan = pair.key.span
    value = pair.value.isEmpty ? nil : pair.value
    body = Self.body(verb, pair)
    var rest: [YAMLNode.Pair] = []
    if pairs.count > 1 {
      rest = pairs
      rest.remove(at: index)
    }
    modifiers = FieldMap(rest, span: node.span, as: LanguageSchema.modifiers)
  }

  /// Why the step is always skipped; `nil` for one that is not.
  var skip: String? {
    guard let node = modifiers.node("skip"), let value = node.value, value.bool != false else { return nil }
    return value.bool == true ? "skipped" : node.text
  }

  /// Where the one verb stands; `nil` for none or several. `save` is a verb only where no other is.
  static func verbIndex(_ pairs: [YAMLNode.Pair]) -> Int? {
    if pairs.count == 1 { return LanguageSchema.verb(pairs[0].key.text) == nil ? nil : 0 }
    let indices = verbIndices(pairs)
    return indices.count == 1 ? indices[0] : nil
  }

  static func verbIndices(_ pairs: [YAMLNode.Pair]) -> [Int] {
    let verbs = pairs.indices.filter { LanguageSchema.verb(pairs[$0].key.text) != nil }
    if verbs.count == 1 { return verbs }
    let others = verbs.filter { !LanguageSchema.modifiers.contains(pairs[$0].key.text) }
    return others.isEmpty ? verbs : others
  }

  private static let noKeys = MapSpec("a step", topic: "steps", [])

  private static func bodySpec(_ verb: VerbSpec) -> MapSpec {
    if case .keys(let spec, _) = verb.form { spec } else { noKeys }
  }

  private static func body(_ verb: VerbSpec, _ pair: YAMLNode.Pair) -> FieldMap {
    guard case .keys(let spec, let short) = verb.form else { return FieldMap([], span: pair.key.span, as: noKeys) }
    if let pairs = pair.value.pairs { return FieldMap(pairs, span: pair.value.span, as: spec) }
    guard let short, !pair.value.isEmpty else { return FieldMap([], span: pair.key.span, as: spec) }
    // The short form's key is the verb itself, so that a label under it has a place.
    let key = YAMLNode.Key(text: short.key, span: pair.key.span)
    return FieldMap([YAMLNode.Pair(key: key, value: pair.value)], span: pair.value.span, as: spec)
  }
}
