import CastProtocol
package import RunReporting
import ScenarioLanguage

/// What `--last-failed` goes by.
package enum PastLine: Sendable {
  /// The last command line began no run.
  case nothingRan(LastLine)
  case ran(LastRun)

  /// Reads what the last command line left in a folder of runs.
  /// - Throws: Where there is none, or it cannot be read.
  package init(in runs: String, surroundings: Surroundings) throws(WorkspaceError) {
    var line = try LastLine(in: runs)
    // A run that is newer belongs to a command line that did not come to its end.
    if line?.newest != StoredRun.ids(in: runs).first { line = nil }
    if let line, line.first == nil {
      self = .nothingRan(line)
    } else {
      self = .ran(try LastRun(in: runs, of: line, surroundings: surroundings))
    }
  }
}

extension LastRun {
  /// Reads what the runs of one command line left behind.
  /// - Parameter line: That command line; `nil`: the one of the newest run.
  /// - Throws: Where there is none, or it cannot be read.
  package init(in runs: String, of line: LastLine? = nil, surroundings: Surroundings) throws(WorkspaceError) {
    let ids = StoredRun.ids(in: runs)
    // Other command lines may have begun runs in between. The first of several documents may have no folder.
    let own = line?.first.flatMap { first in
      ids.contains(first) ? first : ids.first { RunSeries(in: "\(runs)/\($0)")?.first == first }
    }
    let exit = own == nil ? nil : line?.exitCode
    guard let id = own ?? ids.first, let series = RunSeries(in: "\(runs)/\(id)") else {
      let run = try StoredRun(own ?? StoredRun.newest, in: runs, surroundings: surroundings)
      self.init([try run.document(known: own == nil ? nil : line?.files)], exitCode: exit)
      return
    }
    var begun: [Document] = []
    for id in ids where RunSeries(in: "\(runs)/\(id)")?.first == series.first {
      begun.append(try StoredRun(id, in: runs, surroundings: surroundings).document(known: []))
    }
    var documents = series.documents.map { file in
      begun.first { $0.file == file } ?? Document(file: file, outcome: nil, plannedRows: series.rows[file])
    }
    var others: [Document] = []
    for left in series.left {
      if let index = documents.firstIndex(where: { $0.file == left.file }) {
        documents[index].leftRows += left.rows ?? []
      } else {
        others.append(Document(file: left.file, outcome: nil, plannedRows: left.rows))
      }
    }
    self.init(documents, left: others, exitCode: exit)
  }
}

extension LastRun {
  /// Reads runs that were exported, such as the shards of one. Of a document that several have, all rows that did not pass
  /// are to be run again.
  /// - Throws: Where one cannot be read.
  init(archives: [String], surroundings: Surroundings) throws(WorkspaceError) {
    var documents: [Document] = []
    for path in archives {
      let document = try StoredRun(path, in: "", surroundings: surroundings).document(known: nil)
      guard let index = documents.firstIndex(where: { $0.file == document.file }) else {
        documents.append(document)
        continue
      }
      if document.hasPassed { continue }
      if documents[index].hasPassed {
        documents[index] = document
      } else if case (.only, .only(let rows)) = (documents[index].rowsAgain, document.rowsAgain) {
        documents[index].leftRows += rows
      } else {
        // Of one of them nobody knows the rows: all are run again.
        documents[index] = Document(file: document.file, outcome: nil)
      }
    }
    self.init(documents)
  }
}

extension StoredRun {
  /// What came of the document of this run.
  /// - Parameter known: What its command line named, where that is known; empty: of several, and a nameless one is
  ///   left out.
  /// - Throws: Where its events cannot be read, or nothing says which document it was.
  fileprivate func document(known files: [String]?) throws(WorkspaceError) -> LastRun.Document {
    var outcome = StoredOutcome()
    _ = try read { outcome.record($0) }
    var document = LastRun.Document(file: outcome.file, outcome: outcome)
    guard outcome.file.isEmpty || !document.hasPassed else { return document }
    let runnable = (try? documents())?.first
    document.plannedRows = runnable?.rows.map(\.rowValues)
    guard outcome.file.isEmpty else { return document }
    // Its events have no begin: the disk was full, or somebody damaged them.
    if let name = runnable?.file ?? files?.first {
      document.file = name
    } else if files == nil, let path {
      throw WorkspaceError(
        .commandLineWrong, "cannot tell what the last run was of: \(Files.folder(of: path)) is damaged",
        help: "name what is to be run: `showcaller run FILE`")
    }
    return document
  }
}
