import CastProtocol

extension ReportKind {
  /// The console's report with how the run compares with earlier ones.
  package static func console(with lines: [String]) -> ReportKind {
    ReportKind(
      name: console.name, summary: console.summary, notice: console.notice,
      make: { sources, write in
        FollowedReport(console.make(sources, write)) { try write("\n" + lines.map { $0 + "\n" }.joined()) }
      }, makeForSeveral: console.makeForSeveral)
  }
}

/// A report that something is written behind.
private final class FollowedReport: RunReport {
  private let report: any RunReport
  private let writeRest: @Sendable () throws -> Void

  init(_ report: any RunReport, _ writeRest: @escaping @Sendable () throws -> Void) {
    (self.report, self.writeRest) = (report, writeRest)
  }

  func record(_ event: Event) { report.record(event) }

  func endOfStream() {
    report.endOfStream()
    // A write error is kept by the file, which reports it.
    try? writeRest()
  }

  var writeError: (any Error)? { report.writeError }
}
