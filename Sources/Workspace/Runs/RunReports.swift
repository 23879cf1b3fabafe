package import Dispatch
package import RunReporting
package import ScenarioLanguage
import Synchronization

/// Everything that listens to a run: the stored event stream, the console, and the reports asked for.
package final class RunReports: EventSink {
  /// How a run of several ended, for the line about all.
  package struct Ending: Sendable {
    package var result: RunVerdict
    /// Seconds of the document's time.
    package var seconds: Double
  }

  /// The reports that are asked for.
  package enum Wanted: Sendable {
    /// Of this run alone.
    case own([ReportTarget])
    /// Of several documents that are run together.
    case shared(SeriesReportFiles, RunSeries)
    /// Of several documents that are run at the same time: they are told by what is stored, when it is their turn.
    case later(RunSeries)
  }

  private let directory: RunDirectory
  private let events: JSONLinesReport
  private let console: ConsoleReport
  private let files: ReportFiles
  private let end = Mutex<Ending?>(nil)

  /// - Parameters:
  ///   - folder: Where runs leave their folders.
  ///   - sources: The texts of the documents, by file name.
  ///   - arguments: What of the command line decides the run.
  ///   - isKept: Whether later runs leave its folder there.
  ///   - console: Makes what people read on the terminal; it gets the path of the stored events.
  /// - Throws: Where something cannot be written, before the run begins.
  package init(
    _ wanted: Wanted, in folder: String, runID: String, document: RunnableDocument, sources: [String: String],
    arguments: RunArguments, isKept: Bool, surroundings: Surroundings, console: (_ events: String) -> ConsoleReport
  ) throws(WorkspaceError) {
    let shown = ReportSources(sources, of: runID, in: folder)
    var own: ReportFiles?
    if case .own(let targets) = wanted {
      let report = StoredRun.command("report", of: runID, in: folder)
      own = try ReportFiles(targets, of: document.file, report: report, sources: shown, in: surroundings)
    }
    let directory = try RunDirectory(
      in: folder, id: runID, document: document, arguments: arguments, isKept: isKept, surroundings: surroundings)
    var shared: [any RunReport] = []
    let series: RunSeries? =
      switch wanted {
      case .own: nil
      case .shared(_, let series), .later(let series): series
      }
    if let series {
      do throws(WorkspaceError) {
        try series.store(in: directory.path)
      } catch {
        directory.remove()
        throw error
      }
    }
    if case .shared(let files, _) = wanted { shared = files.begin(run: runID, sources: shown) }
    files = own ?? ReportFiles(shared)
    self.directory = directory
    events = JSONLinesReport { directory.events.write($0) }
    self.console = console(directory.path + "/events.jsonl")
  }

  package func record(_ event: Event) {
    events.record(event)
    console.record(event)
    files.record(event)
    if case .runFinished(let finished) = event.kind {
      end.withLock { $0 = Ending(result: finished.result, seconds: event.elapsed) }
    }
  }

  /// Begins the journal of the run.
  /// - Parameters:
  ///   - past: What an earlier part of the run did.
  ///   - elapsed: Document seconds since this part began.
  /// - Throws: Where it cannot be written, before the run begins.
  package func journal(
    _ begin: JournalEntry.Begin, past: JournaledRun?, runID: String, elapsed: @escaping @Sendable () -> Double,
    unixTime: @escaping @Sendable () -> Double
  ) throws(WorkspaceError) -> JournalFile {
    try JournalFile(
      in: directory.path, run: runID, begin, past: past, elapsed: elapsed, unixTime: unixTime,
      prepare: { [directory] in directory.sync() })
  }

  /// Takes the folder of the run away again, which did not begin.
  package func abandon() { directory.remove() }

  /// `nil` while it runs.
  package var ending: Ending? { end.withLock { $0 } }

  /// Redraws what moves by itself on a terminal; `elapsed` is document seconds since the run began.
  package func refresh(elapsed: Double) { console.refresh(elapsed: elapsed) }

  /// Closes everything, waiting for slow readers at most until `deadline`.
  /// - Returns: Why something is not whole, for each that is not.
  package func finish(until deadline: DispatchTime) -> [String] {
    directory.close(until: deadline) + files.finish(until: deadline)
  }
}
