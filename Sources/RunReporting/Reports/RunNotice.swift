import ScenarioLanguage

/// What a report says in place of a run's own: why there is no run, or that it is not over.
package struct RunNotice: Sendable {
  package enum Reason: String, Sendable {
    /// The run has not come to its end: it still runs, it was killed, or it was interrupted.
    case notFinished = "not_finished"
    /// The run could not begin.
    case notRun = "not_run"
    /// Nothing is wrong with it, but its turn never came.
    case notBegun = "not_begun"
  }

  /// The document.
  package let file: String
  package let reason: Reason
  /// One line.
  package let message: String
  /// Any number of lines.
  package let detail: String
  /// Unix seconds.
  package let time: Double

  package init(of file: String, _ reason: Reason, _ message: String, detail: String = "", at time: Double) {
    self.file = file
    self.reason = reason
    self.message = message
    self.detail = detail
    self.time = time
  }

  /// Of a run that has not come to its end.
  /// - Parameter report: The command that tells more of it later.
  package static func notFinished(
    _ file: String, _ fate: RunFate = .unknown, report: String? = nil, at time: Double
  ) -> RunNotice {
    let more = report.map { ": `\($0)` tells which" } ?? ""
    return RunNotice(of: file, .notFinished, fate.message, detail: fate.detail + more, at: time)
  }

  /// Of a run that was ended before it began all that it was to run.
  package static func cut(_ file: String, because reason: String, at time: Double) -> RunNotice {
    RunNotice(
      of: file, .notFinished, "the run was \(reason)",
      detail: "it ended before all that it was to run had begun", at: time)
  }

  /// Of one of several documents whose turn did not come.
  package static func notBegun(_ file: String, because reason: String, at time: Double) -> RunNotice {
    RunNotice(of: file, .notBegun, "not run: \(reason)", at: time)
  }

  /// `a.yaml: not run: interrupted`.
  var consoleLine: String { TerminalText.escaped("\(file): \(message)") }
}
