extension LanguageSchema {
  /// What may stand in a condition besides status fields.
  package static let conditionKeys: [KeySpec] = [
    KeySpec("all", .list(.condition, of: "conditions"), "All of these."),
    KeySpec("any", .list(.condition, of: "conditions"), "At least one of these."),
    KeySpec("not", .condition, "The conditions in it must not hold."),
    KeySpec("vars", .matchers, "Variables and saved values, by name."),
    KeySpec("device", .matchers, "Facts about the device: `name`, `id`, `model`, `ip`."),
  ]

  /// The matchers of docs/language/conditions.md "Matchers", besides the plain value.
  package static let matchers: [MatcherSpec] = [
    MatcherSpec("not", "Negation of any matcher."),
    MatcherSpec("one_of", "Any of these values."),
    MatcherSpec("min", "At least, inclusive."),
    MatcherSpec("max", "At most, inclusive."),
    MatcherSpec("above", "More than."),
    MatcherSpec("below", "Less than."),
    MatcherSpec("about", "Close to."),
    MatcherSpec("tolerance", "How close `about` means."),
    MatcherSpec("plus", "Added to the reference of min, max, above, below and about."),
    MatcherSpec("matches", "Regular expression, found anywhere."),
    MatcherSpec("contains", "Text found anywhere."),
    MatcherSpec("starts_with", "How the text begins."),
    MatcherSpec("ends_with", "How the text ends."),
    MatcherSpec("has", "The list holds all of these."),
    MatcherSpec("only", "The list holds these and nothing else."),
    MatcherSpec("count", "Length of the list or map."),
    MatcherSpec("exists", "Whether the field is there."),
    MatcherSpec("changed", "Differs from its value when the last action started."),
    MatcherSpec("advances", "The position really moves."),
  ]
}
