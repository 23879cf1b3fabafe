package import RunReporting

/// What reports write of events.
package enum ReportText {
  /// The console's, in the normal style unless a test wants another.
  package static func console(
    _ events: [Event], _ edit: (inout ConsoleReport.Style) -> Void = { _ in }
  ) -> String {
    var style = ConsoleReport.Style()
    style.sources = ["qa/ads.yaml": SampleRun.source]
    edit(&style)
    let written = WrittenText()
    let report = ConsoleReport(style) { written.write($0) }
    for event in events { report.record(event) }
    return written.text
  }

  /// The JUnit file.
  package static func junit(_ events: [Event]) -> String { text(.junit, events) }

  /// The file of a kind, whether the events have an end or not.
  package static func text(_ kind: ReportKind, _ events: [Event]) -> String {
    let written = WrittenText()
    let report = kind.make(["qa/ads.yaml": SampleRun.source]) { written.write($0) }
    for event in events { report.record(event) }
    report.endOfStream()
    return written.text
  }
}
