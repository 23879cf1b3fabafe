package import Dispatch
package import RunReporting

/// The reports of several documents, one file for all of them, in the documents' order.
package final class SeriesReportFiles: Sendable {
  private let files: [any ReportDestination]
  private let reports: [any SeriesReport]

  /// Opens every file before the first run begins; a JUnit report says from then on that the run is not finished.
  /// - Parameter name: What all documents together are called where there is no run.
  /// - Throws: Where one cannot be written, or two go to one file.
  package init(_ targets: [ReportTarget], of name: String, in surroundings: Surroundings) throws(WorkspaceError) {
    try ReportTarget.refuseSharedFiles(targets)
    var files: [any ReportDestination] = []
    var reports: [any SeriesReport] = []
    for target in targets {
      let file = try target.open(of: name, in: surroundings)
      files.append(file)
      reports.append(target.kind.makeForSeveral { file.write($0) })
    }
    self.files = files
    self.reports = reports
  }

  /// What takes the events of the next run.
  /// - Parameter sources: What they are made from besides its events.
  package func begin(run: String, sources: ReportSources) -> [any RunReport] {
    reports.map { $0.begin(run: run, sources: sources) }
  }

  /// Takes a run that is over, from what its folder keeps.
  /// - Parameter sources: The texts of its documents, by file name.
  /// - Returns: Why it could not be read.
  package func take(
    run: String, in runs: String, sources: [String: String], surroundings: Surroundings
  ) -> String? {
    if reports.isEmpty { return nil }
    let parts = begin(run: run, sources: ReportSources(sources, of: run, in: runs))
    do throws(WorkspaceError) {
      let stored = try StoredRun(run, in: runs, surroundings: surroundings)
      let reader = try stored.read { event in for part in parts { part.record(event) } }
      // A run may have no end: its disk was full, or it was killed.
      for part in parts { part.endOfStream() }
      if let emptiness = stored.emptiness(reader) { throw emptiness }
      return nil
    } catch {
      return "cannot read \(runs)/\(run) for the reports: \(error.message)"
    }
  }

  /// Says of a document that it was not run.
  package func record(_ notice: RunNotice) {
    for report in reports { report.record(notice) }
  }

  /// Writes the ends and closes the files, waiting for slow readers at most until `deadline`.
  /// - Returns: Why one is not whole, for each that is not.
  package func finish(_ verdict: SeriesVerdict, until deadline: @autoclosure () -> DispatchTime) -> [String] {
    for report in reports { report.finish(verdict) }
    let deadline = deadline()
    return files.compactMap { $0.close(until: deadline) }
  }
}
