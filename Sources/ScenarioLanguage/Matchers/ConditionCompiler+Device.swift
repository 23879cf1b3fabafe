import CastProtocol

extension ConditionCompiler {
  /// The facts about a device that a condition may ask for.
  static let deviceFacts = ["name", "id", "model", "ip"]

  /// `device: { model: matcher }`: facts that the run knows once it has found the device.
  mutating func facts(_ pair: YAMLNode.Pair) -> Condition? {
    guard let pairs = pair.value.pairs, !pairs.isEmpty else {
      problems.report(
        .error, .t210, "expected a map of facts about the device", at: .init(pair.key.span, "no fact here"),
        footers: [.help("such as `device: { model: Chromecast }`")])
      return nil
    }
    return pairs.allOrNil { fact($0) }.map(Condition.joined)
  }

  private mutating func fact(_ pair: YAMLNode.Pair) -> Condition? {
    guard Self.deviceFacts.contains(pair.key.text) else {
      let suggestion = Suggestions.nearest(to: pair.key.text, among: Self.deviceFacts)
      problems.report(
        .error, .k101, "unknown fact \(ScalarText.quoted(pair.key.text)) about a device",
        at: .init(pair.key.span, Suggestions.label(suggestion)),
        footers: [.help("facts: \(Self.deviceFacts.joined(separator: ", "))")])
      return nil
    }
    var compiler = MatcherCompiler(
      path: FieldPath(["device", pair.key.text]), type: .text, entry: pair.span, saved: saved, problems: problems)
    return compiler.condition(pair.value)
  }
}
