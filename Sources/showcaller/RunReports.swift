import CastProtocol
import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner
import Workspace

/// Everything that listens to a run of `run`: the stored event stream, the console, and the reports asked for.
final class RunReports: EventSink {
  private let directory: RunDirectory
  private let events: JSONLinesReport
  private let console: ConsoleReport
  private let written: WrittenReports

  /// - Throws: A failure with exit code 8 when something cannot be written, before the run begins.
  init(options: RunOptions, document: RunnableDocument, runID: String, arguments: RunArguments) throws {
    written = try WrittenReports(options.reports, document: document)
    let directory = try RunDirectory(
      in: options.runs, id: runID, document: document, arguments: arguments, isKept: options.keepFailed,
      surroundings: .process)
    self.directory = directory
    events = JSONLinesReport { directory.events.write($0) }
    var style = ConsoleReport.Style()
    style.level = options.quiet ? .quiet : options.wire ? .wire : options.verbose ? .verbose : .normal
    style.terminalWidth = Terminal.errorIsTTY ? Terminal.width : nil
    if Terminal.errorIsTTY { style.currentWidth = { Terminal.width } }
    style.hasColor = Terminal.usesColor(on: Terminal.errorIsTTY)
    style.eventsPath = directory.path + "/events.jsonl"
    style.sources = document.texts
    console = ConsoleReport(style, offeringTo: { StandardError.offer($0, isVerdict: $1) })
  }

  func record(_ event: Event) {
    events.record(event)
    console.record(event)
    written.record(event)
  }

  /// Redraws what moves by itself on a terminal; `elapsed` is document seconds since the run began.
  func refresh(elapsed: Double) { console.refresh(elapsed: elapsed) }

  /// Closes everything, waiting a while for slow readers; returns whether all could be written.
  func finish() -> Bool {
    if let failure = directory.events.close(until: LastWait.deadline) {
      Terminal.tell(failure)
      _ = written.finish()
      return false
    }
    return written.finish()
  }
}
