import CastProtocol
package import Dispatch
import Glibc
package import ScenarioLanguage

/// What a run leaves behind: `<runs>/<run id>/` with its events, plan and sources (docs/design.md 6).
package struct RunDirectory: Sendable {
  /// The folder.
  package let path: String
  /// Where its events go.
  package let events: ReportFile
  private let runnable: RunnableFile

  /// Makes the directory, readable by its owner only, and writes into it the plans of all rows, every file that they
  /// were read from, what was added to the document and what else the command line decides.
  /// - Parameter isKept: Whether later runs leave it there; ``RunFolders`` takes that back of a run that passed.
  /// - Throws: Where it cannot be made, before the run begins; nothing of it is left then.
  package init(
    in runs: String, id: String, document: RunnableDocument, arguments: RunArguments, isKept: Bool,
    surroundings: Surroundings
  ) throws(WorkspaceError) {
    let path = "\(runs)/\(id)"
    self.path = path
    try Self.make(path)
    do throws(WorkspaceError) {
      try Self.make(path + "/sources")
      events = try ReportFile(
        path + "/events.jsonl", mode: 0o600, in: surroundings, byteLimit: ReportFile.eventLimit, whenFull: .stops)
      events.lock()
      // A run that is killed has failed, and cannot say so.
      if isKept { try Self.store([], at: path + "/" + RunFolders.mark) }
      try Self.store(document, arguments, in: path)
      runnable = RunnableFile(document, at: "\(path)/\(StoredRun.documentsName)")
    } catch {
      // It would be taken for the last run.
      RunFolders.remove(path)
      throw error
    }
  }

  /// Has on the disk what a later process needs to go on with the run, besides its journal.
  /// - Returns: Why that failed.
  package func sync() -> String? {
    if let failure = runnable.finish(until: .now() + .seconds(5)) { return failure }
    for folder in [path, path + "/sources"] {
      for name in OpenFolder(folder)?.names ?? [] {
        guard let file = try? Files.open("\(folder)/\(name)", O_RDONLY | O_NOFOLLOW) else { continue }
        do throws(FileError) { try JournalFile.sync(file.descriptor) } catch {
          return "cannot write \(folder)/\(name): \(error.message)"
        }
      }
      do throws(FileError) { try JournalFile.syncFolder(folder) } catch {
        return "cannot write \(folder): \(error.message)"
      }
    }
    return nil
  }

  /// Waits for what is not written yet, at most until `deadline`.
  /// - Returns: Why something is not whole, for each that is not.
  package func close(until deadline: DispatchTime = .now() + .seconds(5)) -> [String] {
    [events.close(until: deadline), runnable.finish(until: deadline)].compactMap { $0 }
  }

  /// Takes it away again: the run did not begin.
  package func remove() {
    _ = close()
    RunFolders.remove(path)
  }

  private static func store(
    _ document: RunnableDocument, _ arguments: RunArguments, in path: String
  ) throws(WorkspaceError) {
    try store(document.json, in: path, as: "plan.json")
    try store(document.inputs.json, in: path, as: "inputs.json")
    try store(arguments.json, in: path, as: RunArguments.name)
    let index = SourceIndex(document.sources)
    for (source, entry) in zip(document.sources, index.entries) {
      try store(source.bytes, at: "\(path)/sources/\(entry.name)")
    }
    try store(index.json, in: path, as: SourceIndex.name)
  }

  private static func store(_ json: JSONValue, in path: String, as name: String) throws(WorkspaceError) {
    try store(Array((json.serialized() + "\n").utf8), at: "\(path)/\(name)")
  }

  private static func store(_ bytes: [UInt8], at path: String) throws(WorkspaceError) {
    do throws(FileError) {
      try Files.store(bytes, at: path, mode: 0o600)
    } catch {
      throw WorkspaceError(writing: path, error)
    }
  }

  private static func make(_ path: String) throws(WorkspaceError) {
    do throws(FileError) {
      try Files.makeFolders(path)
    } catch {
      throw WorkspaceError(
        .notWritten, "cannot make \(path): \(error.message)",
        help: "run where you may write, or name another folder with --runs")
    }
  }
}
