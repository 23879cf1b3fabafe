import CastClient
import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// Conditions that decide what is run: `if`, `choose`, `repeat.until`. What cannot be judged is an error, never a no.
extension StepRunner {
  enum Answer {
    case yes
    /// With the fields that do not fit.
    case no([FieldMismatch])
    case unknown(StepFailure)
  }

  /// Judges a condition by the merged status as of now.
  func answer(to condition: Condition, _ scope: StepScope) async -> Answer {
    let device = device(scope)
    let action = action(scope, on: device)
    await device.catchUp(action)
    let obstacle = await device.connectionProblem
    return Answering(view: await device.view(since: action.mark), saved: values(scope), obstacle: obstacle)
      .answer(to: condition)
  }
}

/// Judges conditions at one moment.
private struct Answering {
  let view: StatusView
  let saved: [String: JSONValue]
  /// Why nothing can be asked of the device; `nil` while it is connected.
  let obstacle: StepFailure?

  /// Three-valued: what is certainly false stays so whatever the rest may be.
  func answer(to condition: Condition) -> StepRunner.Answer {
    switch condition {
    case .field(let path, let matcher, _):
      if let failure = obstacle(to: matcher, of: path) { return .unknown(failure) }
      let judge = ConditionJudge(condition: condition, saved: saved)
      let mismatches = judge.mismatches(in: view)
      return mismatches.isEmpty ? .yes : .no(mismatches)
    case .all(let conditions):
      var unknown: StepFailure?
      var mismatches: [FieldMismatch] = []
      for condition in conditions {
        switch answer(to: condition) {
        case .yes: continue
        case .no(let found): mismatches += found
        case .unknown(let failure): unknown = unknown ?? failure
        }
      }
      if !mismatches.isEmpty { return .no(mismatches) }
      return unknown.map { .unknown($0) } ?? .yes
    case .any(let conditions):
      var unknown: StepFailure?
      var mismatches: [FieldMismatch] = []
      for condition in conditions {
        switch answer(to: condition) {
        case .yes: return .yes
        case .no(let found): mismatches += found
        case .unknown(let failure): unknown = unknown ?? failure
        }
      }
      return unknown.map { .unknown($0) } ?? .no(mismatches)
    case .not(let inner):
      switch answer(to: inner) {
      case .yes:
        return .no(
          inner.leaves.map { path, matcher, span in
            FieldMismatch(
              path: path, mismatch: Mismatch(expected: .not(matcher), actual: view.value(of: path)), span: span)
          })
      case .no: return .yes
      case .unknown(let failure): return .unknown(failure)
      }
    }
  }

  /// Why a field cannot be judged now; `nil` when it can.
  private func obstacle(to matcher: Matcher, of path: FieldPath) -> StepFailure? {
    if matcher.advanceSpan != nil {
      return StepFailure(
        .invalidState, "`advances` cannot be judged at one moment", help: "`expect` takes the time it needs")
    }
    for name in matcher.savedNames where ConditionJudge.value(of: name, in: saved) == nil {
      return StepFailure(.invalidState, "`\(name)` has no value")
    }
    if let name = path.variable {
      return ConditionJudge.value(of: name, in: saved) == nil
        ? StepFailure(.invalidState, "`\(name)` has no value") : nil
    }
    switch path.parts.first {
    case "connection": return nil
    case "vars":
      let name = path.parts.dropFirst().joined(separator: ".")
      if ConditionJudge.value(of: name, in: saved) != nil || matcher.isAboutPresence { return nil }
      return StepFailure(.invalidState, "`\(name)` has no value")
    case "app", "volume", "active_input", "standby", "raw":
      if let obstacle { return obstacle }
      if view.snapshot.receiver != nil { return nil }
    default:
      if let obstacle { return obstacle }
      // Nothing loaded is a state of its own for these.
      if view.media != nil || path.parts == ["player"] || matcher.isAboutPresence { return nil }
      return StepFailure(.invalidState, "`\(path.text)` cannot be judged: nothing is loaded")
    }
    return StepFailure(.invalidState, "`\(path.text)` cannot be judged: the device has not told it")
  }
}

extension Matcher {
  /// Whether it only asks if there is a value: `exists`, or `none`.
  fileprivate var isAboutPresence: Bool {
    switch self {
    case .exists: true
    case .equals(let operand): operand.base == .literal(.null)
    case .not(let inner): inner.isAboutPresence
    default: false
    }
  }

  /// The names of earlier values that it compares with.
  var savedNames: [String] {
    func names(_ operands: [Operand?]) -> [String] {
      operands.compactMap { operand in
        if case .saved(let name)? = operand?.base { name } else { nil }
      }
    }
    return switch self {
    case .equals(let operand), .about(let operand, _): names([operand])
    case .range(let min, let max, let above, let below): names([min, max, above, below])
    case .not(let inner): inner.savedNames
    default: []
    }
  }
}
