/// Looks at what is known of a run for one sort of wrong.
package protocol Checker: Sendable {
  /// In a word or two, such as `false pass`.
  var name: String { get }
  /// What is wrong, a sentence each; none where all is well.
  func problems(in trace: Trace) -> [String]
}

/// The checkers, each in a file of its own.
package enum Checkers {
  package static let all: [any Checker] = [
    HangChecker(), LeakChecker(), OrderChecker(), VerdictChecker(), EvidenceChecker(), RequestChecker(), PlayChecker(),
    LedgerClockChecker(),
  ]

  /// The first that finds something, and what.
  package static func finding(in trace: Trace) -> Finding? {
    for checker in all {
      if let problem = checker.problems(in: trace).first { return Finding(checker: checker.name, problem: problem) }
    }
    return nil
  }
}

/// What a checker found.
package struct Finding: Hashable, Sendable, CustomStringConvertible {
  package var checker: String
  package var problem: String

  package init(checker: String, problem: String) {
    self.checker = checker
    self.problem = problem
  }

  package var description: String { "\(checker): \(problem)" }
}
