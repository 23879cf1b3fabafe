/// A place in media: `90s`, `start` or `end`.
package enum PositionScalar: Hashable, Sendable {
  case start, end
  case at(Duration)

  /// - Parameter allowsClock: Whether it may be written as players show it, too: `1:05`, `1:02:03`.
  package static func read(_ text: String, allowsClock: Bool = false) throws(ScalarProblem) -> PositionScalar {
    switch text {
    case "start": return .start
    case "end": return .end
    default:
      do { return .at(try DurationScalar.read(text, allowsClock: allowsClock)) } catch {
        var problem = error
        let isBeginning = text.lowercased().hasPrefix("begin")
        if problem.code == .t203,
          let word = isBeginning ? "start" : Suggestions.nearest(to: text, among: ["start", "end"])
        {
          problem = ScalarProblem(.t203, "\(ScalarText.quoted(text)) is not a position", label: Suggestions.label(word))
        }
        throw problem
      }
    }
  }
}

extension ScalarSpec {
  static let position = ScalarSpec(
    "position", "a position", "a duration from the beginning, `start` or `end`", refused: "`1:02:03`",
    pattern: "(start|end|\(SchemaPatterns.duration))", examples: ["1m30s", "start", "end"],
    isOrdered: true, variable: .init("position", .position, .free)
  ) { text, context throws(ScalarProblem) in
    .position(try PositionScalar.read(text, allowsClock: context.isTyped))
  }
}
