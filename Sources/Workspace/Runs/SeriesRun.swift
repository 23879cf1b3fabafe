package import CastProtocol
package import Dispatch
package import RunReporting
import ScenarioLanguage

/// Several documents, run one after the other or several at the same time, and what they come to together.
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
  /// How many documents are run at the same time.
  package var jobs = 1
  /// What each document needs for itself, by its place: those that need the same are run one after the other.
  package var needs: [Set<String>] = []
  /// Where several documents are run at the same time: tells the reports what one came to, when it and all before it
  /// are over. Returns why that cannot be done.
  package var report: (@Sendable (_ index: Int, _ runID: String) -> String?)?
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

  /// What became of a document.
  private enum Outcome {
    case ended(Ending, runID: String)
    /// Its turn did not come before somebody asked for an end.
    case notBegun(RunExit)
  }

  /// Runs all by `body`, which gets the place of a document among them, the id of its run, and what is run together;
  /// those whose turn does not come before an interruption are left out.
  /// - Parameter deadline: Until when slow readers of reports are waited for.
  package func perform(
    until deadline: () -> DispatchTime,
    _ body: @escaping @Sendable (_ index: Int, _ runID: String, _ series: RunSeries) async -> Ending
  ) async -> SeriesVerdict {
    var series: RunSeries?
    var results = Results(count: files.count)
    var order = TurnOrder(limit: jobs)
    var places: [Int: Int] = [:]
    for index in files.indices { places[order.enter(needing: needs.isEmpty ? [] : needs[index])] = index }
    await withTaskGroup(of: (id: Int, index: Int, Outcome).self) { group in
      while true {
        for id in order.begin() {
          guard let index = places[id] else { continue }
          if let exit = interruption() {
            group.addTask { (id, index, .notBegun(exit)) }
            continue
          }
          if !isQuiet {
            surroundings.messages.say(TerminalText.escaped("document \(index + 1) of \(files.count): \(files[index])"))
          }
          let runID = makeID()
          let own = series ?? RunSeries(first: runID, documents: files, rows: rows, left: left)
          series = own
          group.addTask {
            let ending = await body(index, runID, own)
            return (id, index, .ended(ending, runID: runID))
          }
        }
        guard let (id, index, outcome) = await group.next() else { return }
        order.leave(id)
        results.outcomes[index] = outcome
        // Reports have the documents in their order, whichever is over first.
        while results.told < files.count, let next = results.outcomes[results.told] { take(next, &results) }
      }
    }
    var verdict = results.verdict
    verdict.exitCode = RunExit.worst(of: results.exits).rawValue
    let failures = results.failures + reports.finish(verdict, until: deadline())
    for failure in failures { surroundings.messages.tellFailure(WorkspaceError(.notWritten, failure)) }
    if !failures.isEmpty { verdict.exitCode = RunExit.worst(of: results.exits + [.reportNotWritten]).rawValue }
    return verdict
  }

  /// What came of the documents so far.
  private struct Results {
    var outcomes: [Outcome?]
    /// How many of the first are in the reports.
    var told = 0
    var verdict = SeriesVerdict([], seconds: 0, exitCode: 0)
    var exits: [RunExit] = []
    var failures: [String] = []

    init(count: Int) { outcomes = Array(repeating: nil, count: count) }
  }

  /// Takes the outcome of the next document.
  private func take(_ outcome: Outcome, _ results: inout Results) {
    let (index, file) = (results.told, files[results.told])
    results.told += 1
    switch outcome {
    case .notBegun(let exit):
      results.exits.append(exit)
      leaveOut(.notBegun(file, because: "interrupted", at: surroundings.unixTime()), &results.verdict)
    case .ended(.ran(let exit, let ending), let runID):
      results.exits.append(exit)
      if let failure = report?(index, runID) { results.failures.append(failure) }
      results.verdict.documents.append(.init(file, ending.map { .ran($0.result) } ?? .notRun))
      results.verdict.seconds += ending?.seconds ?? 0
    case .ended(.notRun(let exit, let message, let help), _):
      results.exits.append(exit)
      leaveOut(
        RunNotice(of: file, .notRun, message, detail: help ?? "", at: surroundings.unixTime()), &results.verdict)
    }
  }

  private func leaveOut(_ notice: RunNotice, _ verdict: inout SeriesVerdict) {
    reports.record(notice)
    verdict.documents.append(.init(notice.file, .notRun))
  }
}
