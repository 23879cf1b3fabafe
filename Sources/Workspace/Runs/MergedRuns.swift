import Dispatch
package import RunReporting
import ScenarioLanguage

/// Several stored runs, such as the shards of one, in one report.
package struct MergedRuns: Sendable {
  private let runs: [(stored: StoredRun, sources: StoredSources)]
  /// Runs that others of these have gone on with: those have all that they did, and only they count.
  package let leftOut: [(run: String, by: String)]

  /// Reads the runs once, for what their reports have to know first.
  /// - Throws: Where one cannot be read, has no events, or is given twice.
  package init(_ stored: [StoredRun]) throws(WorkspaceError) {
    var runs: [(stored: StoredRun, sources: StoredSources)] = []
    for run in stored {
      let (sources, reader) = try run.readSources()
      if let failure = run.emptiness(reader) { throw failure }
      let id = sources.run.run
      if let other = runs.first(where: { $0.sources.run.run == id }) {
        throw WorkspaceError(
          .commandLineWrong, "\(run.path ?? "-") and \(other.stored.path ?? "-") are the same run \(id)",
          help: "name each run once")
      }
      runs.append((run, sources))
    }
    let next = Dictionary(
      runs.compactMap { run in run.sources.run.resumes.map { ($0, run.sources.run.run) } }, uniquingKeysWith: { $1 })
    self.runs = runs.filter { next[$0.sources.run.run] == nil }
    leftOut = runs.compactMap { run in next[run.sources.run.run].map { (run.sources.run.run, $0) } }
  }

  /// The files that the runs were read from, which no report may overwrite.
  package var files: [String] { runs.flatMap { $0.sources.files.sorted() + [$0.stored.path].compactMap(\.self) } }

  /// Writes one report of all runs, in order.
  /// - Parameters:
  ///   - hash: SHA-256 in lower-case hex.
  ///   - notRun: What there is no run of, though there was to be one.
  /// - Returns: Why a report is not whole, for each that is not.
  package func write(
    _ targets: [ReportTarget], hash: ([UInt8]) -> String?, in surroundings: Surroundings,
    notRun: [(notice: RunNotice, exit: RunExit)] = []
  ) throws(WorkspaceError) -> [String] {
    let files = try SeriesReportFiles(targets, of: "merged runs", in: surroundings)
    var verdict = SeriesVerdict([], seconds: 0, exitCode: 0)
    var exits: [RunExit] = []
    for run in runs {
      let reports = files.begin(run: run.sources.run.run, sources: run.stored.reportSources(run.sources, hash: hash))
      let name = run.sources.run.documents.first?.file ?? run.stored.path ?? "-"
      var ending = SeriesVerdict.Ending.ran(.error)
      var elapsed = 0.0
      _ = try run.stored.read { event in
        for report in reports { report.record(event) }
        elapsed = max(elapsed, event.elapsed)
        if case .runFinished(let finished) = event.kind {
          ending = .ran(finished.result)
          exits.append(RunExit(rawValue: Int32(clamping: finished.exit)) ?? .bug)
        }
      }
      for report in reports { report.endOfStream() }
      verdict.add(SeriesVerdict.Document(name, ending), seconds: elapsed)
    }
    for (notice, _) in notRun {
      files.record(notice)
      verdict.documents.append(.init(notice.file, .notRun))
    }
    // A run without an end has failed, whatever it came to.
    if exits.count < runs.count { exits.append(.stepFailed) }
    verdict.exitCode = RunExit.worst(of: exits + notRun.map(\.exit)).rawValue
    return files.finish(verdict, until: .distantFuture)
  }
}
