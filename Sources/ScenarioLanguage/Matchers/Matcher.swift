package import CastProtocol

/// What an expectation says about one value, compiled. Pure: the same two values always give the same answer.
///
/// Values are JSON: durations in seconds, percentages in percent points, absent as `nil`. A new matcher is a case here
/// and in ``MatcherName``, and its judging in DeviceControl.
package indirect enum Matcher: Codable, Hashable, Sendable {
  case equals(Operand)
  case not(Matcher)
  case oneOf([JSONValue])
  /// All bounds that are given must hold; `min` and `max` are inclusive.
  case range(min: Operand?, max: Operand?, above: Operand?, below: Operand?)
  /// Within `tolerance` of the reference, in the field's unit.
  case about(Operand, tolerance: Double)
  /// Found anywhere in the text.
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

    /// The value to compare with, `plus` added to a number.
    package func value(_ resolve: SavedValues) -> JSONValue? {
      let value: JSONValue? =
        switch base {
        case .literal(let value): value
        case .saved(let name): resolve(name)
        }
      if plus != 0, let number = value?.number { return .double(number + plus) }
      return value
    }

    /// The value as a number; `nil` when it is none.
    package func number(_ resolve: SavedValues) -> Double? { value(resolve)?.number }
  }

  /// The value of a name that an earlier step saved; `nil` when it was absent then.
  package typealias SavedValues = (String) -> JSONValue?

  /// The seconds over which `advances`, or its negation, compares.
  package var advanceSpan: Double? {
    if case .not(let inner) = self { return inner.advanceSpan }
    guard case .advances(_, let over) = self else { return nil }
    return over
  }
}

/// The matchers by the names that documents give them, in the order in which people read of them.
package enum MatcherName: String, CaseIterable, Sendable {
  case not
  case oneOf = "one_of"
  case min, max, above, below, about, tolerance, plus, matches, contains
  case startsWith = "starts_with"
  case endsWith = "ends_with"
  case has, only, count, exists, changed, advances

  /// All that is said of a matcher, but how it is written and judged.
  var spec: MatcherSpec { Self.specs[self] ?? made }

  /// Each made once: documents may name thousands.
  private static let specs = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.made) })

  private var made: MatcherSpec {
    switch self {
    case .not: MatcherSpec("Negation of any matcher.", .matcher, synonyms: ["ne", "neq", "is_not"])
    case .oneOf: MatcherSpec("Any of these values.", .values(Matcher.oneOf), synonyms: ["in", "any_of"])
    case .min: MatcherSpec("At least, inclusive.", for: .ordered, .reference, synonyms: ["gte", "ge", "at_least"])
    case .max: MatcherSpec("At most, inclusive.", for: .ordered, .reference, synonyms: ["lte", "le", "at_most"])
    case .above: MatcherSpec("More than.", for: .ordered, .reference, synonyms: ["gt", "greater_than"])
    case .below: MatcherSpec("Less than.", for: .ordered, .reference, synonyms: ["lt", "less_than"])
    case .about: MatcherSpec("Close to.", for: .ordered, .reference, synonyms: ["approx", "near", "around"])
    case .tolerance: MatcherSpec("How close `about` means.", for: .ordered, .tolerance)
    case .plus: MatcherSpec("Added to the reference of min, max, above, below and about.", for: .ordered, .offset)
    case .matches:
      MatcherSpec(
        "Regular expression, found anywhere.", for: .text, .pattern,
        synonyms: ["regex", "regexp", "match", "pattern"])
    case .contains: MatcherSpec("Text found anywhere.", for: .text, .text(Matcher.contains), synonyms: ["includes"])
    case .startsWith: MatcherSpec("How the text begins.", for: .text, .text(Matcher.startsWith), synonyms: ["prefix"])
    case .endsWith: MatcherSpec("How the text ends.", for: .text, .text(Matcher.endsWith), synonyms: ["suffix"])
    case .has: MatcherSpec("The list holds all of these.", for: .lists, .elements(Matcher.has))
    case .only: MatcherSpec("The list holds these and nothing else.", for: .lists, .elements(Matcher.only))
    case .count: MatcherSpec("Length of the list or map.", for: .lengths, .count, synonyms: ["length", "size"])
    case .exists: MatcherSpec("Whether the field is there.", .bool(Matcher.exists), synonyms: ["present"])
    case .changed:
      MatcherSpec("Differs from its value when the last action started.", for: .statusFields, .bool(Matcher.changed))
    case .advances: MatcherSpec("The position really moves.", for: .positions, .advance)
    }
  }

  /// Those that compare with a value, to which `plus` can add.
  static let references = allCases.filter { if case .reference = $0.spec.operand { true } else { false } }
}

extension Matcher {
  /// The matcher as it is written: its names, each with what stands behind it. A plain value has no name.
  var parts: [(name: MatcherName, part: Part)] {
    switch self {
    case .equals: return []
    case .not(let inner): return [(.not, .matcher(inner))]
    case .oneOf(let choices): return [(.oneOf, .values(choices))]
    case .range(let min, let max, let above, let below):
      let bounds: [(MatcherName, Operand?)] = [(.min, min), (.max, max), (.above, above), (.below, below)]
      return bounds.compactMap { name, operand in operand.map { (name, .reference($0, isRounded: false)) } }
    case .about(let operand, let tolerance):
      return [(.about, .reference(operand, isRounded: true)), (.tolerance, .tolerance(tolerance))]
    case .matches(let pattern): return [(.matches, .text(pattern.source))]
    case .contains(let part): return [(.contains, .text(part))]
    case .startsWith(let part): return [(.startsWith, .text(part))]
    case .endsWith(let part): return [(.endsWith, .text(part))]
    case .has(let wanted): return [(.has, .elements(wanted))]
    case .only(let wanted): return [(.only, .elements(wanted))]
    case .count(let inner): return [(.count, .count(inner))]
    case .exists(let wanted): return [(.exists, .bool(wanted, words: wanted ? "present" : "absent"))]
    case .changed(let wanted): return [(.changed, .bool(wanted, words: wanted ? "changed" : "as before"))]
    case .advances(let atLeast, let over): return [(.advances, .advance(atLeast: atLeast, over: over))]
    }
  }
}
