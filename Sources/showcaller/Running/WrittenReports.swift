import ArgumentParser
import CastProtocol
import Dispatch
import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner
import Workspace

/// The reports that `--report` asks for, each written as events come.
final class WrittenReports: EventSink {
  private let files: [any ReportDestination]
  private let sinks: [any RunReport]

  /// Opens every file before the run begins; a JUnit report says from then on that the run is not finished.
  /// - Throws: A failure with exit code 8; 2 where two go to one file.
  init(_ reports: [ReportOption], document: RunnableDocument) throws {
    try Self.refuseSharedFiles(reports)
    var files: [any ReportDestination] = []
    var sinks: [any RunReport] = []
    for report in reports {
      let file = try report.open(of: document.file)
      files.append(file)
      sinks.append(report.kind.make(document.texts) { file.write($0) })
    }
    self.files = files
    self.sinks = sinks
  }

  /// Reports that somebody else closes.
  init(_ sinks: [any RunReport]) {
    files = []
    self.sinks = sinks
  }

  func record(_ event: Event) {
    for sink in sinks { sink.record(event) }
  }

  /// Closes the files; tells of each that is not whole and returns whether all are.
  func finish() -> Bool {
    let failures = files.compactMap { $0.close(until: LastWait.deadline) }
    for failure in failures { Terminal.tell(failure) }
    return failures.isEmpty
  }

  /// Does `body`; where it throws before there was a run, every JUnit report says why.
  ///
  /// A command line that is wrong by itself (2) changes no file.
  static func explaining<T>(_ reports: [ReportOption], of document: String, _ body: () async throws -> T) async throws
    -> T
  {
    do {
      return try await body()
    } catch {
      let failure = CommandFailure(any: error)
      let code = failure?.code ?? error as? ExitCode ?? .bug
      guard code != .commandLineWrong || failure?.isAboutDocument == true else { throw error }
      let problems = DiagnosticPrinter.errors
      let message = failure?.message ?? problems.first ?? "the run could not begin"
      let detail = failure == nil ? problems.dropFirst().joined(separator: "\n") : failure?.help ?? ""
      JUnitFile.tell(
        RunNotice(of: document, .notRun, message, detail: detail, at: Surroundings.process.unixTime()), in: reports)
      throw error
    }
  }

  /// Two reports in one file would both be lost.
  static func refuseSharedFiles(_ reports: [ReportOption]) throws(CommandFailure) {
    for (index, report) in reports.enumerated() {
      guard let earlier = reports[..<index].first(where: { FileIdentity.areSame($0.path, report.path) }) else {
        continue
      }
      let names = earlier.path == report.path ? report.path : "\(earlier.path) and \(report.path)"
      throw CommandFailure(
        .commandLineWrong, "two reports go to the same file: \(names)", help: "give each a file of its own")
    }
  }
}

extension RunnableDocument {
  /// The text of each file that it was read from, by name, and the command line, which may name the device.
  var texts: [String: String] {
    Dictionary(
      (sources + [CommandLineText.own.source]).map { ($0.name, String(decoding: $0.bytes, as: UTF8.self)) },
      uniquingKeysWith: { first, _ in first })
  }
}
