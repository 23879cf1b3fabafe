import CastProtocol

/// Compiles what an app's message must say: a map of its members to matchers (docs/language/steps.md "expect_message").
///
/// A map of matchers is a matcher, any other map names members of a member; a key with points is a path. So
/// `{ limits: { min: 3 } }` asks for a number, and `{ limits.min: 3 }` for a member called `min`.
struct MessagePatternCompiler {
  let saved: SavedNames
  let problems: DiagnosticCollector

  mutating func pattern(_ node: YAMLNode) -> Plan.MessagePattern? {
    guard let pairs = node.pairs, !pairs.isEmpty else {
      problems.report(
        .error, .k105, "a message without a member to look at", at: node,
        footers: [.help("such as `{ type: SCORE, points: { min: 3 } }`")])
      return nil
    }
    return members(pairs, below: []).map { Plan.MessagePattern($0) }
  }

  private mutating func members(_ pairs: [YAMLNode.Pair], below prefix: [String]) -> Condition? {
    pairs.allOrNil { member($0, below: prefix) }.map(Condition.joined)
  }

  private mutating func member(_ pair: YAMLNode.Pair, below prefix: [String]) -> Condition? {
    let path = prefix + pair.key.text.split(separator: ".", omittingEmptySubsequences: true).map(String.init)
    guard path.count > prefix.count else {
      problems.report(.error, .k101, "\(ScalarText.quoted(pair.key.text)) names no member", at: .init(pair.key.span))
      return nil
    }
    guard path.count <= FieldPath.longest else {
      problems.report(.tooLongPath(at: pair.key.span))
      return nil
    }
    if let inner = pair.value.pairs, !inner.isEmpty,
      !inner.contains(where: { MatcherName(rawValue: $0.key.text) != nil })
    {
      return members(inner, below: path)
    }
    var compiler = MatcherCompiler(
      path: FieldPath(path), type: .free, entry: pair.span, saved: saved, problems: problems, isOfMessage: true)
    return compiler.condition(pair.value)
  }
}
