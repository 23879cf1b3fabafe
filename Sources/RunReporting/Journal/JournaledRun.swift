/// A run that has a journal: what it was, how far it came, and what became of it.
package struct JournaledRun: Sendable {
  /// The run's id.
  package let run: String
  package let begin: JournalEntry.Begin
  /// All records behind the first, in order.
  package let entries: [JournalEntry]
  /// How long it had gone on, in document seconds.
  package let elapsed: Double
  /// The work that this run and the runs it resumed had done.
  package let work: JournaledWork
  package private(set) var end: JournalEntry.End?
  /// The run that has gone on with it.
  package private(set) var resumedBy: String?
  /// The folder of runs that it is in, where that is not the one of this run.
  package private(set) var resumedIn: String?

  /// - Returns: `nil` where the journal does not begin as ours do.
  package init?(_ reader: JournalReader) {
    guard let run = reader.run, case .begin(let begin)? = reader.entries.first?.kind else { return nil }
    (self.run, self.begin) = (run, begin)
    entries = Array(reader.entries.dropFirst())
    elapsed = reader.entries.map(\.elapsed).max() ?? 0
    work = JournaledWork(entries, of: run)
    for entry in entries {
      switch entry.kind {
      case .end(let end): self.end = end
      case .resumed(let resumed): (resumedBy, resumedIn) = (resumed.by, resumed.runs)
      case .begin, .scenario, .start, .choice, .intent, .done, .broken, .streak, .cleanup, .scenarioEnd: break
      }
    }
  }
}
