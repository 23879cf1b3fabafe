import CastProtocol
import CastTransport
import RunReporting
import ScenarioLanguage
import ScenarioRunner
import Workspace

/// The journal of a run on devices. Virtual receivers end with their process: nobody could go on with what they did.
extension DocumentRun {
  func writesJournal(on stand: DeviceStand) -> Bool {
    stage == nil && stand.hasDevices && !stand.showsPages && options.pages.isEmpty
  }

  /// Begins the journal; a run that is gone on with is handed over to it.
  func beginJournal(
    _ document: PreparedDocument, _ runID: String, _ reports: RunReports, _ times: TimeSources,
    _ configuration: inout RunConfiguration
  ) throws -> JournalFile {
    var begin = JournalEntry.Begin()
    let sources = runnable(of: document).sources
    (begin.file, begin.rows) = (document.runnable.file, document.runnable.rows.count)
    begin.sha256 = ResumableRun.digest(of: sources) { Digest.sha256($0) ?? "" }
    (begin.repeats, begin.chosen, begin.jobs) = (options.repeats, document.chosenRepeats, options.jobs)
    begin.resumes = resumed?.past.run
    // The file is named as in the folder where the first part began.
    begin.place =
      resumed.map { $0.past.begin.place }
      ?? ResumableRun.place(of: begin.file) { Digest.sha256($0) ?? "" }
    let start = times.show.now
    let unixTime: @Sendable () -> Double = { Surroundings.process.unixTime() }
    let file = try reports.journal(
      begin, past: resumed?.past, runID: runID, elapsed: { (times.show.now - start).seconds }, unixTime: unixTime)
    try resumed?.series(in: options.runs)?.store(in: "\(options.runs)/\(runID)")
    try resumed?.markResumed(by: runID, in: options.runs, unixTime: unixTime())
    let journal = RunJournal(
      past: resumed?.past, write: { file.append($0, isDurable: $1) }, writeThrough: { await file.commit($0) })
    file.onFailure { journal.fail() }
    configuration.journal = journal
    return file
  }
}
