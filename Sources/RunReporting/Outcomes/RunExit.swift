/// How a process ends that ran something, or could not (docs/reference.md "Exit codes").
package enum RunExit: Int32, CaseIterable, Sendable {
  case passed = 0
  /// What was expected did not come.
  case expectationFailed = 1
  case commandLineWrong = 2
  case documentInvalid = 3
  /// No device was found or connected.
  case noDevice = 4
  /// A step or a command failed for another reason.
  case stepFailed = 5
  case deadlinePassed = 6
  /// It passed only after retries, which were not to be.
  case flaky = 7
  case reportNotWritten = 8
  case bug = 70
  case busy = 75
  case interrupted = 130
  case terminated = 143

  /// What it means, in a few words (docs/reference.md "Exit codes").
  package var meaning: String {
    switch self {
    case .passed: "It did what it was asked to, and everything expected was so."
    case .expectationFailed: "An expectation failed, or a check found something wrong."
    case .commandLineWrong: "The command line, or a file that it names, is wrong."
    case .documentInvalid: "A document has errors."
    case .noDevice: "No device was found or connected."
    case .stepFailed: "A step or a command failed for another reason."
    case .deadlinePassed: "A deadline passed."
    case .flaky: "It passed only after retries, which were not to be."
    case .reportNotWritten: "A report, a ledger or another file could not be written."
    case .bug: "A mistake in this program."
    case .busy: "The device is busy; try later."
    case .interrupted: "It was interrupted (SIGINT)."
    case .terminated: "It was told to end (SIGTERM)."
    }
  }

  /// Several at once: the first of these that happened.
  private static let precedence: [RunExit] = [
    .bug, .commandLineWrong, .documentInvalid, .reportNotWritten, .interrupted, .terminated, .noDevice, .stepFailed,
    .deadlinePassed, .expectationFailed, .flaky, .busy, .passed,
  ]

  /// Its place among several at once: the lowest is chosen.
  package var rank: Int { Self.precedence.firstIndex(of: self) ?? Self.precedence.count }

  /// The exit of several at once; ``passed`` where there is none.
  package static func worst(of exits: some Sequence<RunExit>) -> RunExit {
    exits.min { $0.rank < $1.rank } ?? .passed
  }
}
