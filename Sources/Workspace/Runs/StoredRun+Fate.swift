import RunReporting
import ScenarioLanguage

extension StoredRun {
  /// What its folder tells of a run whose events have no end.
  /// - Parameter runs: The folder of runs.
  func fate(in runs: String) -> RunFate {
    if isRunning { return .running }
    if let past = journaled, let next = RunSuccessor(of: past, beside: folderOfRuns, or: runs) {
      return .resumed(by: next.run, reportLine: Self.command("report", of: next.run, in: next.runs))
    }
    return resumeLine(in: runs).map { .died(resumeLine: $0, note: resumeNote) } ?? .unknown
  }

  /// Whether the process that writes the events still has its folder.
  private var isRunning: Bool {
    guard case .folder(let events) = files, events.split(separator: "/").last == RunFiles.eventsName[...] else {
      return false
    }
    return RunFolders.isRunning(Files.folder(of: events))
  }

  /// Its journal, where it has one that can be read.
  private var journaled: JournaledRun? {
    guard let bytes = try? files.contents(of: JournalFile.name, limit: JournalReader.byteLimit),
      let reader = try? JournalReader(bytes)
    else { return nil }
    return JournaledRun(reader)
  }

  /// A command line about a run, to be pasted.
  package static func command(_ verb: String, of run: String, in runs: String) -> String {
    "showcaller \(verb) \(ShellWord.quoted(run))\(ResumableRun.option(runs))"
  }
}
