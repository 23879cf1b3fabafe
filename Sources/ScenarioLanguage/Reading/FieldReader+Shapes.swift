/// What to write instead of a value of the wrong shape (T210).
extension FieldReader {
  /// Reports a node whose shape its field does not take; true only where the value may be left empty.
  mutating func reportUnfit(_ node: YAMLNode, _ type: FieldType, _ field: Field) -> Bool {
    switch type {
    case .oneOrMany(let item, _): return reportUnfit(node, item, field)
    case .mapOf(let value, _):
      if node.isEmpty { return true }
      return reportShape(
        node, expected: type.described, field, help: savedHint(node, value, field) ?? namesHint(node))
    case .byShape:
      if let fitting = type.form(of: node) { return reportUnfit(node, fitting, field) }
    case .steps:
      if let pairs = node.pairs {
        reportStepsAsMap(pairs, node, field)
        return false
      }
    default: break
    }
    if isEmptyOrDeferred(node, type, field) { return false }
    var help: String?
    var list: FieldType?
    switch type {
    case .byShape(_, let items, _):
      list = items == nil ? nil : type
      if field.name == "device", node.items != nil { help = "several devices are `devices: […]`" }
    case .list, .steps: list = type
    case .map(let spec): help = spec === LanguageSchema.block ? nil : entryHint(node, spec)
    case .condition, .matchers: help = conditionHint(node)
    case .anyMap where field.name == "message":
      help = "a message is a JSON object: `message: { type: \(node.text.map { ScalarText.shown($0) } ?? "…") }`"
    default: help = daysHint(node, type)
    }
    return reportShape(node, expected: type.described, field, list: list, help: help)
  }

  /// `[sat, sun]` where days are one text.
  private func daysHint(_ node: YAMLNode, _ type: FieldType) -> String? {
    guard type.kind == .days, let items = node.items else { return nil }
    let days = items.compactMap(\.text).joined(separator: ",")
    return (try? TimeScalar.days(days)) == nil ? "such as `\"sat,sun\"`" : "write `\"\(days)\"`"
  }

  /// For one map where a list is needed: `en: { … }` in a list of maps with an `id` is an item with that id; anything
  /// else lacks its dash.
  func itemLabel(_ pairs: [YAMLNode.Pair], _ type: FieldType) -> String {
    guard case .list(.map(let keys), _) = type, keys.contains("id"), let first = pairs.first,
      !keys.contains(first.key.text),
      pairs.allSatisfy({ $0.value.pairs != nil })
    else { return "add `- ` in front" }
    let name = ScalarText.shown(first.key.text)
    if pairs.count == 1, let inner = flowText(first.value) { return "write `- { id: \(name), \(inner) }`" }
    // Its keys stand two columns further right already, under the new one.
    return "write `- id: \(name)`"
  }

  /// What stands between the braces of a map that is written in one line.
  func flowText(_ node: YAMLNode) -> String? {
    guard node.pairs?.isEmpty == false, node.span.line == node.span.endLine, let written = text?.text(at: node.span),
      written.hasPrefix("{"), written.hasSuffix("}"), written.count <= 120
    else { return nil }
    var inner = written.dropFirst().dropLast()
    while inner.first == " " { inner.removeFirst() }
    while inner.last == " " { inner.removeLast() }
    return ScalarText.whole(inner)
  }

  /// For names that were written as a list.
  func namesHint(_ node: YAMLNode) -> String? {
    guard let first = node.items?.first?.pairs?.first else { return nil }
    if first.value.pairs != nil || node.items?.first?.pairs?.count == 1 {
      return "a map has no dashes: `\(ScalarText.shown(first.key.text)): …`"
    }
    guard ["id", "name"].contains(first.key.text), let name = first.value.text,
      (try? NameScalar.id(name)) != nil
    else { return nil }
    return "the name comes first, without a dash: `\(ScalarText.shown(name)): { … }`"
  }

  /// For a value behind a verb that takes none.
  func bareHint(_ verb: VerbSpec, _ value: YAMLNode) -> String {
    let plain = "write `- \(verb.name)`"
    guard let text = value.text else { return plain }
    if verb.name == "play", names[.media].places[text] != nil || URLScalar.looksLikeURL(text) {
      return "`load: \(ScalarText.shown(text))` loads it and plays it"
    }
    return (try? DurationScalar.read(text)) == nil
      ? plain : "\(plain), and `- wait: \(ScalarText.shown(text))` to let time pass"
  }

  /// For a verb that needs a map: the one that what was written stands for.
  func mapHint(_ verb: VerbSpec, _ spec: MapSpec, _ value: YAMLNode) -> String {
    if spec.contains("command"), let words = commandWords(value) {
      return "`\(verb.name): { command: [\(words.joined(separator: ", "))] }`"
    }
    let needed = spec.keys.filter(\.isRequired).map(\.name) + spec.needsOneOf.compactMap(\.first)
    var parts: [String] = []
    if let items = value.items {
      let isSteps = items.allSatisfy { item in
        item.text.map { LanguageSchema.verb($0) != nil } ?? item.pairs.map { StepFields.verbIndex($0) != nil } ?? false
      }
      if isSteps, spec.contains("steps") {
        parts = needed.map { $0 == "steps" ? "steps: […]" : "\($0): …" }
        if !needed.contains("steps") { parts.append("steps: […]") }
      }
    } else if let text = value.text, ScalarText.int(text) != nil, spec.contains("times") {
      parts = ["times: \(text)", "steps: […]"]
    }
    if parts.isEmpty, needed.isEmpty, verb.isBareAllowed { return "write `\(verb.name)` alone" }
    if parts.isEmpty {
      parts = needed.map { $0 == "steps" || $0 == "items" || $0 == "item" ? "\($0): […]" : "\($0): …" }
    }
    return "`\(verb.name): { \(parts.joined(separator: ", ")) }`"
  }

  /// A program and its arguments as they are written, where they are all there is.
  private func commandWords(_ value: YAMLNode) -> [String]? {
    if let items = value.items {
      let words = items.compactMap { item in item.text == nil ? nil : text?.text(at: item.span) }
      let isPlain = words.allSatisfy { !$0.isEmpty && !$0.contains("\n") && ($0.first == "\"" || !$0.contains(",")) }
      return words.count == items.count && isPlain && !items.isEmpty ? words.map { ScalarText.shown($0) } : nil
    }
    let words = (value.text ?? "").split(separator: " ").map(String.init)
    // What a shell would do with quotes and the like, a list of words does not.
    let isPlain = ScalarText.isPlain(words.joined(), besides: "-/._=")
    return words.isEmpty || !isPlain ? nil : words.map { ScalarText.shown($0) }
  }

  /// For a time that only judging verbs have: the one that this verb takes instead.
  func judgingHint(_ name: String, _ verb: VerbSpec) -> String? {
    guard ["within", "for", "during"].contains(name) else { return nil }
    if verb.modifiers.contains("during") { return "the window of `\(verb.name)` is `during:`" }
    if verb.modifiers.contains("within") { return "how long it may take is `within:`" }
    // What neither acts nor waits for a status, nor holds steps, takes no time limit.
    return verb.takesTimeout ? "the time one try may take is `timeout:`" : nil
  }

  /// For one value where a list is needed: the list, if an item of it can be one value.
  func listLabel(_ word: String, _ type: FieldType) -> String {
    switch type {
    case .steps:
      guard LanguageSchema.verb(word)?.isBareAllowed == true else { return "" }
    case .list(let item, let what):
      guard item.takesScalar else { return "" }
      if what.contains("track"), ["off", "none", "no", "false"].contains(word) { return "write `[]` for none" }
      let words = word.split(separator: " ")
      guard what == "arguments", words.count > 1 else { break }
      // What a shell would do with quotes and the like, a list of words does not.
      return ScalarText.isPlain(word, besides: " -/._=")
        ? "write `[\(ScalarText.shown(words.joined(separator: ", ")))]`" : "one item for each argument"
    case .byShape(_, let list?, let map):
      // A file where dates could stand, too.
      if case .list(.scalar(.dates, _), _) = list, map?.mapSpec?.contains("file") == true,
        (try? TimeScalar.dates(word)) == nil
      {
        guard let file = ScalarText.flowWord(word) else { return "" }
        return word.contains(".") || word.contains("/") ? "write `{ file: \(file) }`" : ""
      }
      return listLabel(word, list)
    default: return ""
    }
    return "write `[\(ScalarText.shown(word))]`"
  }

  /// For a condition that is no map.
  func conditionHint(_ node: YAMLNode) -> String {
    let states = StatusField.player.values
    if let text = node.text, let word = states.contains(text) ? text : Suggestions.choice(text, among: states) {
      return "`{ player: \(word) }`"
    }
    if node.items != nil { return "all of them: `{ player: playing, rate: 1 }`, any of them: `{ any: […] }`" }
    return "such as `{ player: playing }`"
  }
}
