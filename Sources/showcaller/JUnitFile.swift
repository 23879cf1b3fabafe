import RunReporting
import Workspace

/// The file of a report that is one document, whole at every moment: whoever reads it never takes an old run for this one.
enum JUnitFile {
  /// Where such a report goes; it says `notice` at once, a pipe and standard output get the report alone.
  /// - Throws: A failure with exit code 8.
  static func open(_ path: String, saying notice: String) throws(WorkspaceError) -> any ReportDestination {
    guard ReplacedFile.canBe(at: path) else { return try ReportFile(path, mode: 0o666, in: .process) }
    return try ReplacedFile(path, mode: 0o666, holding: notice)
  }

  /// Says why there was no run, wherever `reports` want one document; what goes wrong with it is nobody's concern.
  static func tell(_ notice: RunNotice, in reports: [ReportOption]) {
    for report in reports {
      guard let text = report.kind.notice?(notice) else { continue }
      if ReplacedFile.canBe(at: report.path) {
        try? ReplacedFile.replace(report.path, with: text, mode: 0o666)
      } else if let file = try? ReportFile(report.path, mode: 0o666, in: .process) {
        file.write(text)
        _ = file.close()
      }
    }
  }
}
