import Dispatch
package import RunReporting

/// A report that is made from stored events, and waits for whoever reads it.
package final class RemadeReport {
  private let file: any ReportDestination
  private let report: any RunReport

  /// - Parameter sources: What it is made from besides its events.
  /// - Throws: Where it cannot be written.
  package init(
    _ target: ReportTarget, sources: ReportSources, in surroundings: Surroundings
  ) throws(WorkspaceError) {
    let file: any ReportDestination
    if target.kind.notice == nil || target.path == "-" {
      file = try AwaitedReportFile(target.path, in: surroundings)
    } else {
      file = try target.open(of: target.path, in: surroundings)
    }
    self.file = file
    report = target.kind.make(sources) { file.write($0) }
  }

  package func record(_ event: Event) { report.record(event) }

  /// - Returns: Why it is not whole.
  package func finish() -> String? {
    report.endOfStream()
    return file.close(until: .distantFuture)
  }
}
