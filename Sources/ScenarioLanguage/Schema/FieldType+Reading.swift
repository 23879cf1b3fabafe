extension FieldType {
  /// Reads a single value of this type.
  func read(_ text: String, in context: inout ScalarContext) throws(ScalarProblem) -> ScalarValue {
    switch self {
    case .scalar(let kind, let limits):
      context.limits = limits
      return try kind.spec.read(text, &context)
    case .choice(let noun, let values):
      if values.contains(text) { return .text }
      throw Self.notAChoice(text, noun, values)
    case .words(let words, let other):
      if words.contains(text) { return .text }
      do { return try other.read(text, in: &context) } catch {
        guard let word = Suggestions.choice(text, among: words) else { throw error }
        throw ScalarProblem(.t205, "\(ScalarText.quoted(text)) is not \(described)", label: Suggestions.label(word))
      }
    case .savable(let inner), .oneOrMany(let inner, _), .byShape(let inner?, _, _):
      return try inner.read(text, in: &context)
    case .reference, .list, .byShape, .map, .mapOf, .steps, .condition, .matchers, .anyValue, .anyMap: return .text
    }
  }

  /// What a sound text of this type says; `nil` for one that is not sound.
  func value(of text: String, isTyped: Bool = false) -> ScalarValue? {
    var context = ScalarContext(isTyped: isTyped, allowsSuggestions: false)
    return try? read(text, in: &context)
  }

  /// A word that is not in a closed list (T205).
  static func notAChoice(_ text: String, _ noun: String, _ values: [String]) -> ScalarProblem {
    let suggestion = Suggestions.choice(text, among: values)
    return ScalarProblem(
      .t205, "\(ScalarText.quoted(text)) is not \(ScalarText.article(noun))",
      label: Suggestions.label(suggestion), help: values.joined(separator: ", "))
  }
}

extension FieldType {
  /// A type in words: "a duration", "a list of tags".
  var described: String {
    switch self {
    case .scalar(let kind, _): kind.spec.noun
    case .choice(let noun, _): ScalarText.article(noun)
    case .words(let words, let other):
      (words.map { "`\($0)`" } + [other.described]).joined(separator: " or ")
    case .reference(let kind): kind.described
    case .list(_, let what): "a list of \(what)"
    case .oneOrMany(let inner, let what): "\(inner.described) or a list of \(what)"
    case .byShape(let scalar, let list, let map):
      [scalar, list, map].compactMap { $0?.described }.joined(separator: " or ")
    case .map: "a map"
    case .mapOf(_, let what): "a map of \(what)"
    case .steps: "a list of steps"
    case .condition, .matchers: "a map of status fields"
    case .anyValue: "a value"
    case .anyMap: "a map"
    case .savable(let inner): inner.described
    }
  }

}

extension FieldType.Reference {
  fileprivate var described: String {
    switch self {
    case .mediaOrURL: "a media id or a URL"
    case .media: "a media id"
    case .track: "a track id"
    case .clip: "a clip id"
    case .step: "a step id"
    default: ScalarText.article(DefinedNames.keys.first { $0.0 == self }?.noun ?? "name")
    }
  }
}
