import CastProtocol
import DeviceControl
import RunReporting

/// How a step ended.
enum StepResult: String, Hashable, Sendable {
  case passed, flaky, failed, error, skipped
  case notRun = "not_run"
}

/// How the steps of a scenario ended, counted.
struct StepTally: Hashable, Sendable {
  private(set) var passed = 0
  private(set) var flaky = 0
  private(set) var failed = 0
  private(set) var errors = 0
  private(set) var skipped = 0
  private(set) var notRun = 0
  /// Failed with `if_fails: ignore`.
  private(set) var ignored = 0
  private(set) var firstFailure: String?

  mutating func count(_ result: StepResult, of step: String, isIgnored: Bool = false) {
    if isIgnored {
      ignored += 1
      return
    }
    switch result {
    case .passed: passed += 1
    case .flaky: flaky += 1
    case .failed: failed += 1
    case .error: errors += 1
    case .skipped: skipped += 1
    case .notRun: notRun += 1
    }
    if result == .failed || result == .error { firstFailure = firstFailure ?? step }
  }

  /// The fields of `scenario.finished`.
  var fields: JSONObject {
    var object: JSONObject = [
      "passed": .int(passed), "flaky": .int(flaky), "failed": .int(failed), "errors": .int(errors),
      "skipped": .int(skipped), "notRun": .int(notRun),
    ]
    if ignored > 0 { object["ignored"] = .int(ignored) }
    return object
  }
}
