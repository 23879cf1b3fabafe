extension LanguageSchema {
  /// What may stand in a condition besides status fields.
  package static let conditionKeys: [KeySpec] = [
    KeySpec("all", .list(.condition, of: "conditions"), "All of these."),
    KeySpec("any", .list(.condition, of: "conditions"), "At least one of these."),
    KeySpec("not", .condition, "The conditions in it must not hold."),
    KeySpec("vars", .matchers, "Variables and saved values, by name."),
    KeySpec("device", .matchers, "Facts about the device: `name`, `id`, `model`, `ip`."),
  ]
}
