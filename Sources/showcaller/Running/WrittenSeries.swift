import Dispatch
import RunReporting
import ScenarioLanguage
import Workspace

/// The reports that `--report` asks for of several documents, one file for all of them.
final class WrittenSeries: Sendable {
  private let files: [any ReportDestination]
  private let reports: [any SeriesReport]

  /// Opens every file before the first run begins; a JUnit report says from then on that the run is not finished.
  /// - Parameter name: What all documents together are called where there is no run.
  /// - Throws: A failure with exit code 8; 2 where two go to one file.
  init(_ options: [ReportOption], name: String) throws {
    try WrittenReports.refuseSharedFiles(options)
    var files: [any ReportDestination] = []
    var reports: [any SeriesReport] = []
    for option in options {
      let file = try option.open(of: name)
      files.append(file)
      reports.append(option.kind.makeForSeveral { file.write($0) })
    }
    self.files = files
    self.reports = reports
  }

  /// What takes the events of the next run.
  func begin(run: String, document: RunnableDocument) -> [any RunReport] {
    reports.map { $0.begin(run: run, sources: document.texts) }
  }

  /// Says of a document that it was not run.
  func record(_ notice: RunNotice) {
    for report in reports { report.record(notice) }
  }

  /// Writes the ends and closes the files; tells of each that is not whole and returns whether all are.
  func finish(_ verdict: SeriesVerdict) -> Bool {
    for report in reports { report.finish(verdict) }
    let failures = files.compactMap { $0.close(until: LastWait.deadline) }
    for failure in failures { Terminal.tell(failure) }
    return failures.isEmpty
  }
}
