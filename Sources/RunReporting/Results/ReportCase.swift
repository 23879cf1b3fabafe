/// One test of a run, as test systems know tests: a step, a broken rule of `watch`, or what failed apart from both.
package struct ReportCase: Sendable {
  /// The result of a test, and what explains it.
  package enum Outcome: Sendable {
    case passed
    /// It passed after tries that failed.
    case flaky
    /// An expectation or a rule of `watch` was not met.
    case failed(Finding)
    /// It failed for another reason.
    case error(Finding)
    /// Its condition did not hold; the text says why.
    case skipped(String)
    /// It never began; the text says why.
    case notRun(String)
    /// It failed, and that does not count; the text says how.
    case ignored(String)
    /// A broken rule of `watch`, which has a test of its own, ended it.
    case stopped(String)
    /// The events ended while it ran.
    case unfinished(Finding)
  }

  /// What went wrong.
  package struct Finding: Sendable {
    /// One line.
    package var message: String
    /// What kind it is of: an error class, or `expect.position`.
    package var type: String
    /// All there is to say, line by line: the place first, the command that runs it again last.
    package var lines: [String]

    /// What everything else is judged by: the place, what was expected and seen.
    package var text: String { lines.joined(separator: "\n") }
  }

  /// The part of the document that rules are in.
  package static let rules = "watch"

  /// A part of the document: `steps`, `setup`, `watch`, or `scenario` for what is of no part.
  package var section: String
  /// `s1 launch A1B2C3D4`, unique in its section.
  package var name: String
  package var place: SourcePlace
  /// Document seconds since the run began; `nil` where it is of no moment.
  package var startedAt: Double?
  /// Seconds.
  package var duration = 0.0
  /// The seconds that it was given; `nil` where it may take any time, or takes all of it when all is well.
  package var limit: Double?
  /// How many tries it had.
  package var attempts = 1
  /// The tries that failed, in order.
  package var failedAttempts: [EventKind.AttemptFailed] = []
  /// The faults of virtual receivers that came before it ended, a line each; only of one that did not pass at once.
  package var faultLines: [String] = []
  /// Seconds between the first and the last of several devices that came to what was expected of all of them.
  package var skew: Double?
  /// How near values that it expected were to their limits, and the fields that it waited for to the end.
  package var margins: [EventKind.Margin] = []
  package var waitedFor: [String] = []
  /// What a resumed run did with it, in words.
  package var resumedText: String?
  /// Where the cause of its failure stands: the step that failed within it, or the condition that did not hold.
  package var cause: SourcePlace
  package var outcome: Outcome
  /// Whether it is a step, and not a rule of `watch` or what failed apart from both.
  package var isStep = false
  /// Whether it was done by an earlier part of the run, and is only told again.
  package var isTaken = false
}

extension ReportCase.Outcome {
  /// The outcome in a word, one for each case.
  package enum Word: String, CaseIterable, Sendable {
    case passed, flaky, failed, error, skipped
    case notRun = "not_run"
    case ignored, stopped, unfinished

    /// Whether the run cannot be good with it.
    package var isBad: Bool {
      switch self {
      case .failed, .error, .unfinished: true
      case .passed, .flaky, .skipped, .notRun, .ignored, .stopped: false
      }
    }
  }

  package var word: Word {
    switch self {
    case .passed: .passed
    case .flaky: .flaky
    case .failed: .failed
    case .error: .error
    case .skipped: .skipped
    case .notRun: .notRun
    case .ignored: .ignored
    case .stopped: .stopped
    case .unfinished: .unfinished
    }
  }

  /// What went wrong, where it counts.
  package var finding: ReportCase.Finding? {
    switch self {
    case .failed(let finding), .error(let finding), .unfinished(let finding): finding
    case .passed, .flaky, .skipped, .notRun, .ignored, .stopped: nil
    }
  }

  /// Why it came to nothing, where that does not count.
  package var reason: String? {
    switch self {
    case .skipped(let reason), .ignored(let reason), .stopped(let reason): reason
    case .notRun(let reason): "not run: \(reason)"
    case .passed, .flaky, .failed, .error, .unfinished: nil
    }
  }
}
