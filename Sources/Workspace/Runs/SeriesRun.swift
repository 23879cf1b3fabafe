package import CastProtocol
package import Dispatch
package import RunReporting
import ScenarioLanguage

/// Several documents, run one after the other, and what they come to together.
package struct SeriesRun {
  /// What came of the run of one document.
  package enum Ending: Sendable {
    /// It began; what its events say of its end, where they do.
    case ran(RunExit, RunReports.Ending?)
    /// It could not begin, and that has been told.
    case notRun(RunExit, message: String, help: String?)
  }

  /// The documents as the command line names them, in order.
  private let files: [String]
  private let reports: SeriesReportFiles
  private let surroundings: Surroundings
  /// The rows that were chosen of documents of which not all are run.
  package var rows: [String: [JSONObject]] = [:]
  /// What did not pass before and is left out now.
  package var left: [RunSeries.Left] = []
  /// Whether only what all come to is said.
  package var isQuiet = false
  /// Makes the id of the next run.
  package var makeID: () -> String
  /// How the process ends where somebody has asked for an end.
  package var interruption: () -> RunExit? = { nil }

  package init(
    _ files: [String], reportingTo reports: SeriesReportFiles, in surroundings: Surroundings,
    makeID: @escaping () -> String
  ) {
    self.files = files
    self.reports = reports
    self.surroundings = surroundings
    self.makeID = makeID
  }

  /// Runs all by `body`, which gets the place of a document among them, the id of its run, and what is run together;
  /// those whose turn does not come before an interruption are left out.
  /// - Parameter deadline: Until when slow readers of reports are waited for.
  package func perform(
    until deadline: () -> DispatchTime, _ body: (_ index: Int, _ runID: String, _ series: RunSeries) async -> Ending
  ) async -> SeriesVerdict {
    var series: RunSeries?
    var verdict = SeriesVerdict([], seconds: 0, exitCode: 0)
    var exits: [RunExit] = []
    for (index, file) in files.enumerated() {
      if let exit = interruption() {
        exits.append(exit)
        leaveOut(.notBegun(file, because: "interrupted", at: surroundings.unixTime()), &verdict)
        continue
      }
      if !isQuiet {
        surroundings.messages.say(TerminalText.escaped("document \(index + 1) of \(files.count): \(file)"))
      }
      let runID = makeID()
      let own = series ?? RunSeries(first: runID, documents: files, rows: rows, left: left)
      series = own
      switch await body(index, runID, own) {
      case .ran(let exit, let ending):
        exits.append(exit)
        verdict.documents.append(.init(file, ending.map { .ran($0.result) } ?? .notRun))
        verdict.seconds += ending?.seconds ?? 0
      case .notRun(let exit, let message, let help):
        exits.append(exit)
        leaveOut(RunNotice(of: file, .notRun, message, detail: help ?? "", at: surroundings.unixTime()), &verdict)
      }
    }
    verdict.exitCode = RunExit.worst(of: exits).rawValue
    let failures = reports.finish(verdict, until: deadline())
    for failure in failures { surroundings.messages.tellFailure(WorkspaceError(.notWritten, failure)) }
    if !failures.isEmpty { verdict.exitCode = RunExit.worst(of: exits + [.reportNotWritten]).rawValue }
    return verdict
  }

  private func leaveOut(_ notice: RunNotice, _ verdict: inout SeriesVerdict) {
    reports.record(notice)
    verdict.documents.append(.init(notice.file, .notRun))
  }
}
