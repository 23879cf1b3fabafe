import CastProtocol

/// Why a condition cannot come true, by what the document itself declares.
package struct Contradiction {
  /// What rules it out; positions and durations are film seconds.
  package enum Reason {
    /// The film must be at this position first, for a break where `breakID` says so.
    case tooEarly(position: Double, breakID: String?)
    case beyondEnd(duration: Double)
    case unknownBreak(String)
    /// No break of the film plays the clip; `breakID`: that break does not.
    case unknownClip(String, breakID: String?)
    case clipTooShort(String, duration: Double)
    case neverSkippable(String)
    case tracksNotActive([String], StaticDeviceState.Fact)
    case otherRate(StaticDeviceState.Fact)
    case otherDuration(Double)
    /// A break that plays before the one of the entry above it.
    case wrongOrder(breakID: String, after: String)
    /// `always` or `never`: the break comes within the window.
    case breakComes(id: String, position: Double)
  }

  package var reason: Reason
  /// The field's place.
  var span: SourceSpan

  /// How far a measured position may be from the reckoned one.
  static let slack = 2.0

  /// Looks for a reason why `condition` cannot hold at any moment from `state` on for `window`.
  static func find(in condition: Condition, for window: Duration, from state: StaticDeviceState) -> Contradiction? {
    switch condition {
    case .not: return nil
    case .any(let choices):
      let found = choices.map { find(in: $0, for: window, from: state) }
      return found.allSatisfy { $0 != nil } ? found.first ?? nil : nil
    case .field, .all:
      let conjunction = Conjunction(condition)
      for choice in conjunction.choices {
        if let found = find(in: choice, for: window, from: state) { return found }
      }
      let reach = state.isPaused ? state.furthest : state.furthest + state.fastest * window.seconds
      return inBreaks(conjunction, reach: reach, state) ?? inPosition(conjunction, reach: reach, state)
        ?? inFacts(conjunction, state)
    }
  }

  private static func inPosition(_ all: Conjunction, reach: Double, _ state: StaticDeviceState) -> Contradiction? {
    guard let film = state.film else { return nil }
    for (path, matcher, span) in all.leaves where path.text == "position" || path.text == "position_reported" {
      guard let least = matcher.leastNumber else { continue }
      if let duration = film.duration, least > duration + slack / 2 {
        return Contradiction(reason: .beyondEnd(duration: duration), span: span)
      }
      if least > reach + slack {
        return Contradiction(reason: .tooEarly(position: least, breakID: nil), span: span)
      }
    }
    for (path, matcher, span) in all.leaves where path.text == "duration" {
      guard let duration = film.duration, matcher.isOff(duration, by: 1) else { continue }
      return Contradiction(reason: .otherDuration(duration), span: span)
    }
    return nil
  }

  /// What steps have set and seen stays until another step changes it.
  private static func inFacts(_ all: Conjunction, _ state: StaticDeviceState) -> Contradiction? {
    guard state.film != nil else { return nil }
    for (path, matcher, span) in all.leaves {
      if path.text == "rate", let fact = state.facts["rate"], let rate = fact.value.number {
        // In breaks devices report 0; some start anew at 1.
        if [rate, 0, 1].allSatisfy({ matcher.isOff($0, by: 0.01) }) {
          return Contradiction(reason: .otherRate(fact), span: span)
        }
      }
      if path.text == "active_tracks", let fact = state.facts["active_tracks"] {
        let missing = matcher.wantedElements.filter { want in fact.value.array?.contains(.string(want)) == false }
        if !missing.isEmpty { return Contradiction(reason: .tracksNotActive(missing, fact), span: span) }
      }
    }
    return nil
  }
}

/// The fields that must all hold for a condition to hold.
struct Conjunction {
  private(set) var leaves: [(path: FieldPath, matcher: Matcher, span: SourceSpan)] = []
  /// Conditions within it of which one must hold.
  private(set) var choices: [Condition] = []

  init(_ condition: Condition) { add(condition) }

  private mutating func add(_ condition: Condition) {
    switch condition {
    case .field(let path, let matcher, let span): leaves.append((path, matcher, span))
    case .all(let conditions): for condition in conditions { add(condition) }
    case .any: choices.append(condition)
    case .not: break
    }
  }

  /// The text a field must equal.
  func text(_ path: String) -> (value: String, span: SourceSpan)? {
    for leaf in leaves where leaf.path.text == path {
      if case .equals(let operand) = leaf.matcher, case .literal(.string(let value)) = operand.base {
        return (value, leaf.span)
      }
    }
    return nil
  }
}

extension Matcher {
  /// The least number that it lets through; `nil` where it has none, or only the run knows it.
  var leastNumber: Double? {
    func literal(_ operand: Operand?) -> Double? { operand.flatMap(self.literal) }
    return switch self {
    case .equals(let operand): literal(operand)
    case .oneOf(let choices): choices.allSatisfy { $0.number != nil } ? choices.compactMap(\.number).min() : nil
    case .range(let min, _, let above, _): [literal(min), literal(above)].compactMap { $0 }.max()
    case .about(let operand, let tolerance): literal(operand).map { $0 - tolerance }
    default: nil
    }
  }

  private func literal(_ operand: Operand) -> Double? { operand.number { _ in nil } }

  /// Whether a number is refused by more than rounding or an estimate could explain.
  func isOff(_ number: Double, by least: Double) -> Bool {
    switch self {
    case .equals(let operand):
      guard case .literal(let value) = operand.base, let wanted = value.number else { return false }
      return Swift.abs(wanted + operand.plus - number) > least
    case .oneOf(let choices):
      let numbers = choices.compactMap(\.number)
      return numbers.count == choices.count && numbers.allSatisfy { Swift.abs($0 - number) > least }
    case .range(let min, let max, let above, let below):
      let bounds = [(min, 1.0), (above, 1), (max, -1), (below, -1)].compactMap { operand, sign in
        operand.map { (value: literal($0), sign: sign) }
      }
      guard bounds.allSatisfy({ $0.value != nil }) else { return false }
      return bounds.contains { bound, sign in
        bound.map { ($0 - number) * sign > least && !number.isClose(to: $0) } ?? false
      }
    case .about(let operand, let tolerance):
      guard let wanted = literal(operand) else { return false }
      let off = Swift.abs(number - wanted)
      return off - tolerance > least && !off.isClose(to: tolerance)
    default: return false
    }
  }

  /// Texts that a list must hold.
  var wantedElements: [String] {
    switch self {
    case .has(let wanted), .only(let wanted): wanted.compactMap(\.string)
    case .equals(let operand):
      if case .literal(let value) = operand.base { value.array?.compactMap(\.string) ?? [] } else { [] }
    default: []
    }
  }
}
