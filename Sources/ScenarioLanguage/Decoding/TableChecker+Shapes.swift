/// What to write instead of a value of the wrong shape (T210).
extension TableChecker {
  /// The keys of the maps that a list holds, where it holds maps alone.
  static func keys(of item: FieldType) -> MapSpec? { if case .map(let spec) = item { spec } else { nil } }

  /// `en: { … }` in a list of maps with an `id` is an item with that id; anything else lacks its dash.
  func itemLabel(_ pairs: [YAMLNode.Pair], _ keys: MapSpec?) -> String {
    guard let keys, keys.contains("id"), let first = pairs.first, !keys.contains(first.key.text),
      pairs.allSatisfy({ $0.value.pairs != nil })
    else { return "add `- ` in front" }
    return "write `- { id: \(ScalarText.shown(first.key.text)), … }`"
  }

  /// For names that were written as a list.
  func namesCure(_ node: YAMLNode) -> String? {
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
  func bareCure(_ verb: VerbSpec, _ value: YAMLNode) -> String {
    let plain = "write `- \(verb.name)`"
    guard let text = value.text else { return plain }
    if verb.name == "play", names[.media].places[text] != nil || URLScalar.looksLikeURL(text) {
      return "`load: \(ScalarText.shown(text))` loads it and plays it"
    }
    return (try? DurationScalar.read(text)) == nil
      ? plain : "\(plain), and `- wait: \(ScalarText.shown(text))` to let time pass"
  }

  /// For a verb that needs a map: the one that what was written stands for.
  func mapCure(_ verb: VerbSpec, _ spec: MapSpec, _ value: YAMLNode) -> String {
    let needed = spec.keys.filter(\.isRequired).map(\.name) + spec.needsOneOf.compactMap(\.first)
    var parts: [String] = []
    if let items = value.items {
      let isSteps = items.allSatisfy { item in
        item.text.map { Language.verb($0) != nil } ?? item.pairs.map { DecodedStep.verbIndex($0) != nil } ?? false
      }
      if isSteps, spec.contains("steps") {
        parts = needed.map { $0 == "steps" ? "steps: […]" : "\($0): …" }
        if !needed.contains("steps") { parts.append("steps: […]") }
      }
    } else if let text = value.text, ScalarText.int(text) != nil, spec.contains("times") {
      parts = ["times: \(text)", "steps: […]"]
    }
    if parts.isEmpty {
      parts = needed.map { $0 == "steps" || $0 == "items" || $0 == "item" ? "\($0): […]" : "\($0): …" }
    }
    return "`\(verb.name): { \(parts.joined(separator: ", ")) }`"
  }

  /// For a condition that is no map.
  func conditionCure(_ node: YAMLNode) -> String {
    if let text = node.text, let word = Suggestions.choice(text, among: MediaStates.all) ?? MediaStates.same(text) {
      return "`{ player: \(word) }`"
    }
    if node.items != nil { return "all of them: `{ player: playing, rate: 1 }`, any of them: `{ any: […] }`" }
    return "such as `{ player: playing }`"
  }

  private enum MediaStates {
    static let all = ["idle", "loading", "buffering", "playing", "paused"]
    static func same(_ text: String) -> String? { all.first { $0 == text } }
  }
}
