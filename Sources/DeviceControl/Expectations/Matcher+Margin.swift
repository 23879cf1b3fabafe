import CastProtocol
import RunReporting
import ScenarioLanguage

extension Matcher {
  /// How near a value that fits is to not fitting: what is left to the nearest limit, and what there is at most, in the
  /// value's unit. `nil` of matchers without a distance, and of values that do not fit.
  func margin(of actual: JSONValue?, resolve: SavedValues = { _ in nil }) -> (left: Double, room: Double?)? {
    switch self {
    case .range(let min, let max, let above, let below):
      guard let number = actual?.number else { return nil }
      let lower = [min, above].compactMap { $0?.number(resolve) }.max()
      let upper = [max, below].compactMap { $0?.number(resolve) }.min()
      guard let left = [lower.map { number - $0 }, upper.map { $0 - number }].compactMap(\.self).min() else {
        return nil
      }
      let room = lower.flatMap { lower in upper.map { ($0 - lower) / 2 } }
      return Self.margin(left, room)
    case .about(let operand, let tolerance):
      guard let number = actual?.number, let reference = operand.number(resolve) else { return nil }
      return Self.margin(tolerance - abs(number - reference), tolerance)
    case .count(let inner):
      let count = actual?.array?.count ?? actual?.object?.members.count
      return count.flatMap { inner.margin(of: .int($0), resolve: resolve) }
    case .equals, .not, .oneOf, .matches, .contains, .startsWith, .endsWith, .has, .only, .exists, .changed, .advances:
      return nil
    }
  }

  /// The limit of a range of one side, as the document writes it; `nil` where it depends on what was saved.
  var onlyLimit: Double? {
    switch self {
    case .range(let min, let max, let above, let below):
      let limits = [min, max, above, below].compactMap(\.self)
      guard limits.count == 1, case .literal(let value) = limits[0].base else { return nil }
      return value.number.map { $0 + limits[0].plus }.flatMap { $0.magnitude < EventKind.Margin.tooLarge ? $0 : nil }
    case .count(let inner): return inner.onlyLimit
    case .about, .equals, .not, .oneOf, .matches, .contains, .startsWith, .endsWith, .has, .only, .exists, .changed,
      .advances:
      return nil
    }
  }

  /// Limits without any room say nothing of how near a value is.
  private static func margin(_ left: Double, _ room: Double?) -> (left: Double, room: Double?)? {
    let tooLarge = EventKind.Margin.tooLarge
    guard left < tooLarge, room.map({ $0 < tooLarge && $0 > 0 }) ?? true else { return nil }
    // A number may be just outside by what rounding on the way does.
    guard left >= 0 || left.isClose(to: 0) else { return nil }
    return (max(0, left), room)
  }
}

extension Condition {
  /// The margins of its fields, where all of them have to fit; of alternatives and negations there is none.
  func margins(value: (FieldPath) -> JSONValue?, resolve: Matcher.SavedValues = { _ in nil }) -> [EventKind.Margin] {
    switch self {
    case .field(let path, let matcher, _):
      let actual = path.variable.map(resolve) ?? value(path)
      guard let margin = matcher.margin(of: actual, resolve: resolve) else { return [] }
      return [.init(.field(path), left: margin.left, of: margin.room, limit: matcher.onlyLimit)]
    case .all(let conditions): return conditions.flatMap { $0.margins(value: value, resolve: resolve) }
    case .any, .not: return []
    }
  }
}

/// The least margin of each subject so far.
struct LeastMargins: Sendable {
  private(set) var all: [EventKind.Margin] = []
  private var indices: [EventKind.Margin.Subject: Int] = [:]

  mutating func keepLeast(_ margins: [EventKind.Margin]) {
    for margin in margins {
      if let index = indices[margin.subject] {
        if margin.left < all[index].left { all[index] = margin }
      } else {
        indices[margin.subject] = all.count
        all.append(margin)
      }
    }
  }
}

/// How near a rule that must hold all the time comes to being broken.
struct RuleMarginTracker: Sendable {
  private let isNever: Bool
  private let forAtLeast: Duration?
  private var least = LeastMargins()
  private var longest = Duration.zero
  /// Since when the rule is broken; `nil` while it holds.
  private(set) var brokenSince: Duration?

  init(isNever: Bool, forAtLeast: Duration?) { (self.isNever, self.forAtLeast) = (isNever, forAtLeast) }

  /// A status that was not asked for, and with which the rule holds.
  mutating func noteStatus(_ view: StatusView, _ judge: ConditionJudge) {
    if !isNever { return least.keepLeast(judge.margins(in: view)) }
    // What must not fit is as near as its number is to fitting; several fields have no common measure.
    guard judge.condition.leaves.count == 1, let mismatch = judge.mismatches(in: view).first,
      let distance = mismatch.mismatch.distance, distance < EventKind.Margin.tooLarge
    else { return }
    least.keepLeast([.init(.field(mismatch.path), left: distance, limit: mismatch.mismatch.expected.onlyLimit)])
  }

  /// The rule is broken, maybe since an earlier moment.
  mutating func noteBroken(at time: Duration) { brokenSince = min(brokenSince ?? time, time) }

  /// The rule holds; it was not broken for too long.
  mutating func noteHeld(at time: Duration) {
    if let brokenSince { longest = max(longest, time - brokenSince) }
    brokenSince = nil
  }

  func margins(at now: Duration) -> [EventKind.Margin] {
    guard let forAtLeast else { return least.all }
    let longest = min(forAtLeast, max(longest, brokenSince.map { now - $0 } ?? .zero))
    return [.init(.timeBrokenInARow, left: (forAtLeast - longest).seconds, of: forAtLeast.seconds)] + least.all
  }
}
