import CastProtocol
import Glibc
package import ScenarioLanguage

/// What a run leaves behind: `<runs>/<run id>/` with its events, plan and sources (docs/design.md 6).
package struct RunDirectory: Sendable {
  /// The folder.
  package let path: String
  /// Where its events go.
  package let events: ReportFile

  /// Makes the directory, readable by its owner only, and writes into it the plans of all rows, every file that they
  /// were read from, what was added to the document and what else the command line decides.
  /// - Parameter isKept: Whether later runs leave it there; ``RunFolders`` takes that back of a run that passed.
  /// - Throws: Where it cannot be made, before the run begins.
  package init(
    in runs: String, id: String, document: RunnableDocument, arguments: RunArguments, isKept: Bool,
    surroundings: Surroundings
  ) throws(WorkspaceError) {
    path = "\(runs)/\(id)"
    try Self.make(path)
    try Self.make(path + "/sources")
    events = try ReportFile(
      path + "/events.jsonl", mode: 0o600, in: surroundings, byteLimit: ReportFile.eventLimit, whenFull: .stops)
    events.lock()
    // A run that is killed has failed, and cannot say so.
    if isKept { try Self.store([], at: path + "/" + RunFolders.mark) }
    try store(document.json, as: "plan.json")
    try store(document.inputs.json, as: "inputs.json")
    try store(arguments.json, as: "options.json")
    let index = SourceIndex(document.sources)
    for (source, entry) in zip(document.sources, index.entries) {
      try Self.store(source.bytes, at: "\(path)/sources/\(entry.name)")
    }
    try store(index.json, as: SourceIndex.name)
    try store(Self.runnable(document, in: path), as: StoredRun.documentsName)
  }

  private static func runnable(_ document: RunnableDocument, in path: String) throws(WorkspaceError) -> JSONValue {
    do {
      return try StoredDocuments.json(of: [document])
    } catch {
      throw WorkspaceError(.notWritten, "cannot write \(path)/\(StoredRun.documentsName): \(error)")
    }
  }

  private func store(_ json: JSONValue, as name: String) throws(WorkspaceError) {
    try Self.store(Array((json.serialized() + "\n").utf8), at: "\(path)/\(name)")
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
