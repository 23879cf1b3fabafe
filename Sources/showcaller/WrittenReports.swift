import CastProtocol
import ScenarioLanguage
import ScenarioRunner

/// The reports that `--report` asks for, each written as events come.
final class WrittenReports: EventSink {
  private let files: [OutputFile]
  private let sinks: [any EventSink]

  /// Opens every file before the run begins.
  /// - Throws: A failure with exit code 8.
  init(_ reports: [ReportOption], document: RunnableDocument) throws(CommandFailure) {
    var files: [OutputFile] = []
    var sinks: [any EventSink] = []
    for report in reports {
      let file = try OutputFile(report.path)
      files.append(file)
      switch report.kind {
      case .json: sinks.append(JSONLinesReport { file.write($0) })
      case .junit: sinks.append(JUnitReport { file.write($0) })
      case .console:
        var style = ConsoleReport.Style()
        style.sources = document.texts
        sinks.append(ConsoleReport(style) { file.write($0) })
      }
    }
    self.files = files
    self.sinks = sinks
  }

  func record(_ event: Event) {
    for sink in sinks { sink.record(event) }
  }

  /// Closes the files; tells of each that is not whole and returns whether all are.
  func finish() -> Bool {
    let failures = files.compactMap { $0.close() }
    for failure in failures { Terminal.tell(failure) }
    return failures.isEmpty
  }
}

extension RunnableDocument {
  /// The text of each file that it was read from, by name.
  var texts: [String: String] {
    Dictionary(
      sources.map { ($0.name, String(decoding: $0.bytes, as: UTF8.self)) }, uniquingKeysWith: { first, _ in first })
  }
}
