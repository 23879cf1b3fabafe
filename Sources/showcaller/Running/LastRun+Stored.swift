import RunReporting
import Workspace

extension LastRun {
  /// Reads what the newest run of a folder left behind, and the runs that one command line began with it.
  /// - Throws: A failure with exit code 2 where there is none, or it cannot be read.
  init(in runs: String) throws {
    let newest = try StoredRun(StoredRun.newest, in: runs, surroundings: .process)
    let ids = StoredRun.ids(in: runs)
    guard let id = ids.first, let series = RunSeries(in: "\(runs)/\(id)") else {
      let outcome = try Self.outcome(of: newest)
      self.init([Document(file: outcome.file, outcome: outcome)])
      return
    }
    // Other command lines may have begun runs in between.
    let own = ids.filter { RunSeries(in: "\(runs)/\($0)")?.first == series.first }
    let outcomes = try own.map { try Self.outcome(of: StoredRun($0, in: runs, surroundings: .process)) }
    self.init(series.documents.map { file in Document(file: file, outcome: outcomes.first { $0.file == file }) })
  }

  private static func outcome(of run: StoredRun) throws -> StoredOutcome {
    var outcome = StoredOutcome()
    _ = try run.read { outcome.record($0) }
    return outcome
  }
}
