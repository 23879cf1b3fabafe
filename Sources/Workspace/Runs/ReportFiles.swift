package import Dispatch
package import RunReporting

/// The reports of one run, each written to its file as events come.
package final class ReportFiles: EventSink {
  private let files: [any ReportDestination]
  private let reports: [any RunReport]

  /// Opens every file before the run begins; a JUnit report says from then on that the run is not finished.
  /// - Parameters:
  ///   - document: What the run is of.
  ///   - report: The command that tells later what became of the run, where it has a folder.
  ///   - sources: What they are made from besides its events.
  /// - Throws: Where one cannot be written, or two go to one file.
  package init(
    _ targets: [ReportTarget], of document: String, report: String? = nil, sources: ReportSources,
    in surroundings: Surroundings
  ) throws(WorkspaceError) {
    try ReportTarget.refuseSharedFiles(targets)
    var files: [any ReportDestination] = []
    var reports: [any RunReport] = []
    for target in targets {
      let file = try target.open(of: document, report: report, in: surroundings)
      files.append(file)
      reports.append(target.kind.make(sources) { file.write($0) })
    }
    self.files = files
    self.reports = reports
  }

  /// Reports that somebody else closes.
  package init(_ reports: [any RunReport]) {
    files = []
    self.reports = reports
  }

  package func record(_ event: Event) {
    for report in reports { report.record(event) }
  }

  /// Closes the files, waiting for slow readers at most until `deadline`.
  /// - Returns: Why one is not whole, for each that is not.
  package func finish(until deadline: DispatchTime) -> [String] { files.compactMap { $0.close(until: deadline) } }
}
