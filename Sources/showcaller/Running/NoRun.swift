import ArgumentParser
import RunReporting
import Workspace

/// What is told where there is no run.
enum NoRun {
  /// Does `body`; where it throws before there was a run, every JUnit report says why.
  ///
  /// A command line that is wrong by itself (2) changes no file.
  static func explaining<T>(
    in reports: [ReportTarget], of document: String, _ body: () async throws -> T
  ) async throws -> T {
    do {
      return try await body()
    } catch {
      let failure = CommandFailure(any: error)
      let code = failure?.code ?? ExitCode(told: error) ?? .bug
      guard code != .commandLineWrong || failure?.isAboutDocument == true else { throw error }
      let problems = DiagnosticPrinter.errors
      let message = failure?.message ?? problems.first ?? "the run could not begin"
      let detail = failure == nil ? problems.dropFirst().joined(separator: "\n") : failure?.help ?? ""
      let notice = RunNotice(of: document, .notRun, message, detail: detail, at: Surroundings.process.unixTime())
      for report in reports { report.tell(notice, in: .process) }
      throw error
    }
  }
}
