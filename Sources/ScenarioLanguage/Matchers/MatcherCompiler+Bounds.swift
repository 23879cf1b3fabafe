import CastProtocol

/// Bounds between which no value lies: an expectation with them can never pass, whatever the device does.
extension MatcherCompiler {
  /// The values that the field can have at all, where the language knows them.
  var limits: ClosedRange<Double>? {
    guard !isOfMessage, path.variable == nil else { return nil }
    return Self.limits(of: path)
  }

  static func limits(of path: FieldPath) -> ClosedRange<Double>? {
    ["volume.level", "stream_volume.level"].contains(path.text) ? 0...100 : nil
  }

  /// T213 where no value fits; what only the run knows may be anything.
  mutating func checkBounds(_ references: [MatcherName: Matcher.Operand], plus: Double, _ pairs: [YAMLNode.Pair]) {
    if references.isEmpty { return }
    func number(_ name: MatcherName) -> Double? { references[name]?.number { _ in nil }.map { $0 + plus } }
    func node(_ name: MatcherName) -> YAMLNode? { pairs.first { $0.key.text == name.rawValue }?.value }
    if let limits, plus == 0 {
      for (name, isOutside) in [
        (MatcherName.min, { (value: Double) in value > limits.upperBound }), (.above, { $0 >= limits.upperBound }),
        (.max, { $0 < limits.lowerBound }), (.below, { $0 <= limits.lowerBound }),
        (.about, { !limits.contains($0) }),
      ] {
        if let value = number(name), isOutside(value), let node = node(name) {
          reportLimits(limits, at: node)
          return
        }
      }
    }
    for (low, high, isEmpty) in [
      (MatcherName.min, MatcherName.max, { (low: Double, high: Double) in low > high }), (.min, .below, { $0 >= $1 }),
      (.above, .max, { $0 >= $1 }), (.above, .below, { $0 >= $1 }),
    ] {
      guard let least = number(low), let most = number(high), isEmpty(least, most), let place = node(high),
        let other = node(low)
      else { continue }
      problems.report(
        .error, .t213,
        "no value of `\(path.text)` is \(Self.words(low)) \(ScalarText.shown(other.text ?? ""))"
          + " and \(Self.words(high)) \(ScalarText.shown(place.text ?? ""))",
        at: .init(place.place, "can never match"), related: [.init(other.place)])
      return
    }
  }

  mutating func reportLimits(_ limits: ClosedRange<Double>, at node: YAMLNode) {
    problems.report(
      .error, .t213, "`\(path.text)` is from \(limits.lowerBound.decimals(2))% to \(limits.upperBound.decimals(2))%",
      at: .init(node.place, "can never match"))
  }

  private static func words(_ bound: MatcherName) -> String {
    switch bound {
    case .min: "at least"
    case .max: "at most"
    default: bound.rawValue
    }
  }
}
