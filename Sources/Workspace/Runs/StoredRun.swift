import CastProtocol
import Glibc
package import ScenarioLanguage

/// What an earlier run left behind: the file of its events, and the rest of its folder or archive where it has one.
package struct StoredRun: Sendable {
  /// The newest run of a folder; of several documents that were run together, the first that did not pass.
  package static let newest = "latest"

  let files: RunFiles
  /// The file that is read: that of the events, or an archive; `nil`: standard input.
  package var path: String? { files.path }
  /// Which of several runs it is, where ``newest`` may mean another one.
  package private(set) var note: String?

  /// Finds a run by its id, its folder, its file of events or the archive that it was exported to; `-` is standard input, which is read at once.
  /// - Parameter runs: The folder of runs, for an id and for ``newest``.
  /// - Throws: Where there is none.
  package init(_ name: String, in runs: String, surroundings: Surroundings) throws(WorkspaceError) {
    if name == "-" {
      var bytes: [UInt8] = []
      try RunFiles.forEachChunk(of: surroundings.standardInput, called: "standard input") { bytes += $0 }
      files = .input(bytes)
      return
    }
    let path: String
    if name == Self.newest {
      (path, note) = try Self.latest(in: runs)
    } else {
      path = try Self.path(of: name, in: runs)
    }
    if Files.kind(of: path) == .folder, Files.kind(of: path + "/events.jsonl") == nil, let id = Self.ids(in: path).first
    {
      throw WorkspaceError(
        .commandLineWrong, "\(name) is a folder of runs, not one of them",
        help: "name one: the latest is \(path)/\(id)")
    }
    if Files.kind(of: path) == .folder {
      files = .folder(events: "\(path)/\(RunFiles.eventsName)")
    } else {
      files = ZipArchive.isOne(path) ? try RunFiles.openArchive(path) : .folder(events: path)
    }
  }

  private static func path(of name: String, in runs: String) throws(WorkspaceError) -> String {
    if RunID.isOne(name), Files.kind(of: "\(runs)/\(name)") == .folder { return "\(runs)/\(name)" }
    var name = name
    while name.count > 1, name.hasSuffix("/") { name.removeLast() }
    guard access(name, F_OK) == 0 else {
      throw WorkspaceError(
        .commandLineWrong, "there is no run \(name), neither in \(runs) nor as a file",
        help: "name a run's id or folder, `\(newest)`, an archive, or a file of events; --runs names another folder")
    }
    return name
  }

  /// The newest run, and which of several documents it is of.
  private static func latest(in runs: String) throws(WorkspaceError) -> (path: String, note: String?) {
    let ids = ids(in: runs)
    guard let newest = ids.first else {
      throw WorkspaceError(
        .commandLineWrong, "there is no run in \(runs)",
        help: "`showcaller run FILE` leaves one there; --runs names another folder")
    }
    guard let series = RunSeries(in: "\(runs)/\(newest)"), series.documents.count > 1 else {
      return ("\(runs)/\(newest)", nil)
    }
    let all = ids.reversed().compactMap { id in RunSeries(in: "\(runs)/\(id)").map { (id: id, series: $0) } }
      .filter { $0.series.first == series.first }
    let resumed = Set(all.compactMap(\.series.resumes))
    let own = all.map(\.id).filter { !resumed.contains($0) }
    let unpassed = own.first { !RunFolders.didPass("\(runs)/\($0)/events.jsonl") }
    let which =
      unpassed == nil
      ? "the last of \(own.count) runs, all of which passed"
      : "the first of \(series.documents.count) documents that did not pass"
    return ("\(runs)/\(unpassed ?? newest)", "\(unpassed ?? newest) is \(which)")
  }

  /// The runs of a folder that have events, newest first.
  package static func ids(in runs: String) -> [String] {
    let names = OpenFolder(runs)?.names ?? []
    return names.filter { RunID.isOne($0) && access("\(runs)/\($0)/events.jsonl", R_OK) == 0 }.sorted(by: >)
  }

  /// The folder that a run left behind.
  /// - Throws: Where it is read from anything else.
  func folder() throws(WorkspaceError) -> String {
    switch files {
    case .folder(let events): return Files.folder(of: events)
    case .input:
      throw WorkspaceError(
        .commandLineWrong, "standard input has events only", help: "name the run by its id or its folder")
    case .archive(_, let path): throw WorkspaceError(.commandLineWrong, "\(path) is an archive already")
    }
  }

  // MARK: Its events

  /// Reads the bytes of all events, one stretch after the other; may be called again.
  package func readEvents(_ body: (ArraySlice<UInt8>) -> Void) throws(WorkspaceError) { try files.readEvents(body) }

  // MARK: Its sources

  /// Under which names it keeps the files that it was read from; empty where it has none.
  package var storedNames: [String] { files.sourceNames }

  /// A file under the path that the document names it by; `nil` where the folder has none, or no index, as those of
  /// early versions.
  package func source(of path: String) -> SourceFile? {
    index?.name(of: path).flatMap { source(named: $0, path: path) }
  }

  /// A file under its name in the folder.
  /// - Parameter path: As the document names it.
  package func source(named name: String, path: String) -> SourceFile? {
    files.source(named: name, limit: SourceFile.byteLimit + 1).map { SourceFile(name: path, bytes: $0) }
  }

  /// The names that the index of its sources has.
  var indexedNames: [String] { index?.entries.map(\.name) ?? [] }

  private var index: SourceIndex? {
    guard let bytes = try? files.contents(of: SourceIndex.name, limit: SourceIndex.byteLimit),
      let json = try? JSONValue(parsing: bytes)
    else { return nil }
    return SourceIndex(json)
  }

  // MARK: What was run

  /// The file of the documents.
  static let documentsName = "runnable.json"
  /// No plan of ours is deeper or larger.
  private static let limits = JSONValue.Limits(depth: JSONValue.decodingDepth, length: 64 << 20)

  /// The documents as they were run: all rows, inputs and files, without compiling anything again.
  /// - Throws: Where the folder has none, or a file is damaged: which member, and how.
  package func documents() throws(WorkspaceError) -> [RunnableDocument] {
    try checkDocumentsAreStored()
    let (path, json) = try json(named: Self.documentsName, limits: Self.limits)
    let index = index
    do throws(JSONDecodingError) {
      return try StoredDocuments.read(json) { source in
        index?.name(of: source).flatMap { self.source(named: $0, path: source) }
      }
    } catch {
      throw WorkspaceError(.documentInvalid, "cannot use \(path): \(error.path): \(error.message)")
    }
  }

  /// What a run was to do is stored while it begins.
  private func checkDocumentsAreStored() throws(WorkspaceError) {
    // A computer that lost its power may keep the name of a file without its content.
    guard files.lacks(Self.documentsName) else { return }
    let folder = files.place
    throw WorkspaceError(
      .commandLineWrong,
      "what was to be run is not in \(folder): the run was killed while it began, or an early version wrote it",
      help: "run the document again: `showcaller run FILE`; as it was then it is in \(folder)/sources")
  }

  /// What else decided how it went.
  /// - Throws: Where the folder does not tell, or the file is damaged.
  package func arguments() throws(WorkspaceError) -> RunArguments {
    let (path, json) = try json(named: RunArguments.name, limits: JSONValue.Limits())
    guard let arguments = RunArguments(json) else {
      throw WorkspaceError(.documentInvalid, "cannot use \(path): it is not what a run writes")
    }
    return arguments
  }

  private func json(
    named name: String, limits: JSONValue.Limits
  ) throws(WorkspaceError) -> (path: String, json: JSONValue) {
    let bytes = try files.contents(of: name, limit: limits.length)
    let path = files.name(of: name)
    do throws(ProtocolError) {
      return (path, try JSONValue(parsing: bytes, limits: limits))
    } catch {
      let detail = if case .malformedJSON(let what, let offset) = error { ": \(what) at byte \(offset)" } else { "" }
      throw WorkspaceError(.documentInvalid, "cannot use \(path): it is no JSON\(detail)")
    }
  }
}
