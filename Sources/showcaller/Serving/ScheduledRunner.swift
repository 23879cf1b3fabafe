import ArgumentParser
import CastProtocol
import RunReporting
import ScenarioLanguage
import ScenarioRunner
import Signage
import Synchronization
import Workspace

/// Runs scenarios that are due, as `run` would.
struct ScheduledRunner: Sendable {
  private let options: ServeCommand
  private let stage: ScheduledRuns.Stage

  init(options: ServeCommand, stage: ScheduledRuns.Stage) {
    self.options = options
    self.stage = stage
  }

  /// Runs a document to its end, and tells of its begin and its end, or why there is none.
  func run(
    _ document: PreparedDocument, of occurrence: ScheduleKeeper.Occurrence, until line: InterruptionLine,
    _ tell: @escaping @Sendable (ScheduleEvent) -> Void
  ) async {
    let runID = RunID.make()
    let lines = Mutex<[String]>([])
    do {
      var document = document
      stage.given.forgetFiles()
      document.secrets = try await document.loader.secrets(
        of: document.runnable, allowsCommands: options.allowExec, remembering: stage.given, until: line)
      let taker = LedgerRecord.Taker(app: document.runnable.id, name: document.runnable.rows[0].title)
      let run = try documentRun(of: occurrence, by: taker, until: line) { text, _ in
        lines.withLock { lines in
          if lines.count < 20 { lines += text.split(separator: "\n").map(String.init) }
        }
        return true
      }
      tell(.began(occurrence, run: "\(options.runs)/\(runID)"))
      let result = try await run.perform(document, runID: runID, series: nil, own: 1)
      tell(
        .ended(
          occurrence,
          .init(
            run: "\(options.runs)/\(runID)", verdict: result.ending?.result, exit: result.code.exit,
            seconds: result.ending?.seconds, lines: lines.withLock { $0 })))
    } catch {
      let failure = CommandFailure(any: error)
      let message = failure?.message ?? DiagnosticPrinter.errors.first ?? "it could not begin"
      tell(.notRun(occurrence, message: message, help: failure?.help))
    }
  }

  private func documentRun(
    of occurrence: ScheduleKeeper.Occurrence, by taker: LedgerRecord.Taker, until line: InterruptionLine,
    _ tell: @escaping @Sendable (String, Bool) -> Bool
  ) throws -> DocumentRun {
    var run = try RunOptions.parse([])
    (run.isVirtual, run.runs, run.keep, run.allowExec) = (
      options.isVirtual, options.runs, options.keep, options.allowExec
    )
    (run.host, run.devices) = (options.host, options.isVirtual ? [] : options.devices)
    let wish = ChosenDocuments.Wish(files: [], selection: DocumentSelection(), isLastFailed: false)
    // The same for each time, so that what looks random in a simulation is repeated.
    let seed = options.isVirtual ? options.seed.mixed(with: "\(occurrence.time)") : UInt64.random(in: .min ... .max)
    var document = DocumentRun(
      options: run, lock: options.lock, authentication: options.authentication,
      roots: try options.authentication.trust.readRoots(),
      seed: seed & UInt64(UInt32.max), interruptions: line, shared: nil, left: [],
      record: LastLineRecord(of: wish, in: options.runs, surroundings: .process))
    document.stage = RunStage(
      times: stage.times, unixTime: stage.unixTime, speed: options.speed?.factor, servers: stage.servers,
      faults: stage.faults,
      lending: stage.claims.lending(to: taker, on: stage.times.network), tell: tell)
    return document
  }
}
