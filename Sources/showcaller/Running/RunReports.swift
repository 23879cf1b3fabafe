import CastProtocol
import Dispatch
import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner
import Synchronization
import Workspace

/// Everything that listens to a run of `run`: the stored event stream, the console, and the reports asked for.
final class RunReports: EventSink {
  /// How a run of several ended, for the line about all.
  struct Ending {
    var result: RunVerdict
    /// Seconds of the document's time.
    var seconds: Double
  }

  private let directory: RunDirectory
  private let events: JSONLinesReport
  private let console: ConsoleReport
  private let written: WrittenReports
  private let end = Mutex<Ending?>(nil)

  /// - Parameters:
  ///   - arguments: What of the command line decides the run.
  ///   - series: Which documents are run together; `nil` for one alone.
  ///   - shared: The reports of them all; `nil` for one alone, which has its own.
  /// - Throws: A failure with exit code 8 when something cannot be written, before the run begins.
  init(
    options: RunOptions, document: RunnableDocument, runID: String, arguments: RunArguments, series: RunSeries?,
    shared: WrittenSeries?
  ) throws {
    let own = try shared == nil ? WrittenReports(options.reports, document: document) : nil
    let directory = try RunDirectory(
      in: options.runs, id: runID, document: document, arguments: arguments, isKept: options.keepFailed,
      surroundings: .process)
    try series?.store(in: directory.path)
    written = own ?? WrittenReports(shared?.begin(run: runID, document: document) ?? [])
    self.directory = directory
    events = JSONLinesReport { directory.events.write($0) }
    var style = ConsoleReport.Style()
    style.level = options.quiet ? .quiet : options.wire ? .wire : options.verbose ? .verbose : .normal
    style.terminalWidth = Terminal.errorIsTTY ? Terminal.width : nil
    if Terminal.errorIsTTY { style.currentWidth = { Terminal.width } }
    style.hasColor = Terminal.usesColor(on: Terminal.errorIsTTY)
    // Quiet tells of several only what they came to.
    style.eventsPath = shared != nil && options.quiet ? nil : directory.path + "/events.jsonl"
    style.sources = document.texts
    console = ConsoleReport(style, offeringTo: { StandardError.offer($0, isVerdict: $1) })
  }

  func record(_ event: Event) {
    events.record(event)
    console.record(event)
    written.record(event)
    if case .runFinished(let finished) = event.kind {
      end.withLock { $0 = Ending(result: finished.result, seconds: event.elapsed) }
    }
  }

  /// `nil` while it runs.
  var ending: Ending? { end.withLock { $0 } }

  /// Redraws what moves by itself on a terminal; `elapsed` is document seconds since the run began.
  func refresh(elapsed: Double) { console.refresh(elapsed: elapsed) }

  /// Closes everything, waiting a while for slow readers; returns whether all could be written.
  func finish(until deadline: DispatchTime) -> Bool {
    if let failure = directory.events.close(until: deadline) {
      Terminal.tell(failure)
      _ = written.finish()
      return false
    }
    return written.finish()
  }
}
