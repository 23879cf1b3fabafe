/// How a step ended.
package enum StepResult: String, Hashable, Sendable, CaseIterable {
  /// At the first try.
  case passed
  /// At a later try.
  case flaky
  /// An expectation did not hold.
  case failed
  /// It went wrong for another reason.
  case error
  case skipped
  case notRun = "not_run"

  /// Whether it passed, at whatever try.
  package var isGood: Bool { self == .passed || self == .flaky }
  /// Whether it did not do what it should.
  package var isBad: Bool { self == .failed || self == .error }
}

/// What a scenario, or all scenarios of a run, came to.
package enum RunVerdict: String, Hashable, Sendable, CaseIterable {
  case passed, flaky, failed, error

  /// Whether it passed, at whatever try.
  package var isGood: Bool { self == .passed || self == .flaky }
}

/// Where a step stands in its document.
package enum StepSection: String, Hashable, Sendable, CaseIterable {
  case setup, steps
  case onFailure = "on_failure"
  case finally
}
