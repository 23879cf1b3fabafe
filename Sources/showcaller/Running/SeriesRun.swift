import ArgumentParser
import RunReporting
import ScenarioLanguage
import ScenarioRunner
import Workspace

/// Several documents, run one after the other, and what they come to together.
struct SeriesRun {
  private let documents: [PreparedDocument]
  private let run: DocumentRun
  private let shared: WrittenSeries

  init(_ documents: [PreparedDocument], by run: DocumentRun, reportingTo shared: WrittenSeries) {
    self.documents = documents
    self.run = run
    self.shared = shared
  }

  /// - Returns: The exit code of all.
  func perform() async -> ExitCode {
    var series: RunSeries?
    var verdict = SeriesVerdict([], seconds: 0, exitCode: 0)
    var codes: [ExitCode] = []
    for (index, document) in documents.enumerated() {
      let file = document.runnable.file
      if let interruption = SignalWatch.first {
        codes.append(ExitCode(interruption.rawValue))
        leaveOut(file, .notBegun(file, because: "interrupted", at: Surroundings.process.unixTime()), &verdict)
        continue
      }
      if !run.options.quiet {
        Terminal.say(TerminalText.escaped("document \(index + 1) of \(documents.count): \(file)"))
      }
      let runID = RunID.make()
      let own = series ?? RunSeries(first: runID, documents: documents.map(\.runnable.file))
      series = own
      do {
        let result = try await run.perform(document, runID: runID, series: own, own: index + 1)
        codes.append(result.code)
        verdict.documents.append(.init(file, result.ending.map { .ran($0.result) } ?? .notRun))
        verdict.seconds += result.ending?.seconds ?? 0
      } catch {
        let failure = CommandFailure(any: error)
        let message = failure?.message ?? "\(error)"
        Terminal.tell(message, help: failure?.help)
        codes.append(failure?.code ?? error as? ExitCode ?? .bug)
        let time = Surroundings.process.unixTime()
        leaveOut(file, RunNotice(of: file, .notRun, message, detail: failure?.help ?? "", at: time), &verdict)
      }
    }
    verdict.exitCode = ExitCodes.worst(of: codes.map(\.rawValue))
    if !shared.finish(verdict) {
      verdict.exitCode = ExitCodes.worst(of: [verdict.exitCode, ExitCode.reportNotWritten.rawValue])
    }
    if !documents.isEmpty { _ = StandardError.offer(verdict.line + "\n", isVerdict: true) }
    return ExitCode(verdict.exitCode)
  }

  private func leaveOut(_ file: String, _ notice: RunNotice, _ verdict: inout SeriesVerdict) {
    shared.record(notice)
    verdict.documents.append(.init(file, .notRun))
  }
}

extension RunID {
  /// A new name, of now.
  static func make() -> String {
    var system = SystemRandomNumberGenerator()
    return make(unixMilliseconds: UInt64(max(0, Surroundings.process.unixTime() * 1000)), using: &system)
  }
}
