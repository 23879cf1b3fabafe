package import CastProtocol

/// What an expectation says about one value. Pure: the same two values always give the same answer.
///
/// Values are JSON: durations in seconds, percentages in percent points, absent as `nil`.
package indirect enum Matcher: Codable, Hashable, Sendable {
  case equals(Operand)
  case not(Matcher)
  case oneOf([JSONValue])
  /// All bounds that are given must hold; `min` and `max` are inclusive.
  case range(min: Operand?, max: Operand?, above: Operand?, below: Operand?)
  /// Within `tolerance` of the reference, in the field's unit.
  case about(Operand, tolerance: Double)
  /// Found anywhere in the text; compiled at check time.
  case matches(TextPattern)
  case contains(String)
  case startsWith(String)
  case endsWith(String)
  /// The list holds all of these.
  case has([JSONValue])
  /// The list holds these and nothing else, in any order.
  case only([JSONValue])
  /// The length of the list or map.
  case count(Matcher)
  case exists(Bool)
  /// Whether the value differs from the one when the last action started.
  case changed(Bool)
  /// The reported position grows by at least `atLeast` seconds over `over` seconds.
  case advances(atLeast: Double, over: Double)

  /// A value to compare with, known now or saved by an earlier step; `plus` is added to numbers.
  package struct Operand: Codable, Hashable, Sendable {
    package enum Base: Codable, Hashable, Sendable {
      case literal(JSONValue)
      case saved(String)
    }
    package var base: Base
    package var plus: Double

    package init(_ base: Base, plus: Double = 0) {
      self.base = base
      self.plus = plus
    }
  }
}

/// A map of fields to matchers, all of which must hold (docs/language/conditions.md "Conditions").
package indirect enum Condition: Codable, Hashable, Sendable {
  /// `span` is the entry's place in the document, key and value.
  case field(FieldPath, Matcher, span: SourceSpan)
  case all([Condition])
  case any([Condition])
  case not(Condition)
}

/// A status field by its parts: `break.clip_time` is `["break", "clip_time"]`.
package struct FieldPath: Codable, Hashable, Sendable {
  package var parts: [String]

  package init(_ parts: [String]) { self.parts = parts }
  package var text: String { parts.joined(separator: ".") }
}
