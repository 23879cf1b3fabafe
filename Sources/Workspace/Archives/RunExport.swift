import CastProtocol
import RunReporting
import ScenarioLanguage
import Synchronization

/// A run in one file: all that its folder has, a list of it, and reports that need no tool to be read.
package struct RunExport: Sendable {
  /// The list of the files.
  static let manifestName = "manifest.json"
  /// At the top, where the pictures for which it has no room are found from.
  static let pageName = "report.html"
  /// The reports besides the page.
  private static let reports: [(name: String, kind: ReportKind)] = [
    ("reports/junit.xml", .junit), ("reports/ctrf.json", .ctrf), ("reports/report.md", .markdown),
  ]
  private static let depthLimit = 4

  /// The run's id.
  package private(set) var run = ""
  /// What the archive is called where nobody says otherwise.
  package var fileName: String { "showcaller-run-\(run).zip" }

  private var files: [(name: String, content: [UInt8])] = []
  private let folder: String

  /// Reads all that belongs to a run.
  /// - Parameters:
  ///   - hash: SHA-256 in lower-case hex.
  ///   - hasPictures: Whether pictures of receiver pages are a part of it.
  /// - Throws: Where it is no folder of a run, or a file of it cannot be read.
  package init(_ stored: StoredRun, hash: ([UInt8]) -> String?, hasPictures: Bool = true) throws(WorkspaceError) {
    folder = try stored.folder()
    let (sources, reader) = try stored.readSources()
    if let failure = stored.emptiness(reader) { throw failure }
    run = sources.run.run
    guard RunID.isOne(run) else {
      throw WorkspaceError(.documentInvalid, "\(folder) is of no run: its events have no `run.started` with an id")
    }
    guard let open = OpenFolder(folder) else {
      throw WorkspaceError(.notReadable, "cannot read \(folder)")
    }
    var outcome = StoredOutcome()
    _ = try stored.read { outcome.record($0) }
    let names = open.names
    guard names.contains(RunFiles.eventsName), names.contains(RunArguments.name) else {
      throw WorkspaceError(
        .commandLineWrong, "\(folder) is no folder of a run",
        help: "name the run by its id, or by the folder that it left")
    }
    for name in names.sorted(by: Self.isBefore) where RunFolders.belongs(name) {
      if name == RunFiles.picturesName, !hasPictures { continue }
      // What else lies in a folder of this name is not the run's.
      if name == RunFiles.sourcesName {
        try addSources(stored.indexedNames, of: open)
      } else {
        try add(name, of: open, depth: 0)
      }
    }
    var shown = stored.reportSources(sources, hash: hash)
    shown.isBesideFiles = true
    for report in [(Self.pageName, ReportKind.html)] + Self.reports {
      files.append((report.0, try Self.report(report.1, of: stored, shown)))
    }
    var manifest: JSONObject = ["v": 1, "run": .string(run), "tool": .string(sources.run.tool)]
    manifest["document"] = .string(outcome.file)
    manifest["exit"] = outcome.exitCode.map(JSONValue.int) ?? .null
    manifest["files"] = .array(
      files.map { file in
        [
          "name": .string(file.name), "bytes": .int(file.content.count),
          "sha256": hash(file.content).map(JSONValue.string) ?? .null,
        ]
      })
    files.insert((Self.manifestName, Array((JSONValue.object(manifest).serialized() + "\n").utf8)), at: 0)
  }

  /// The events first: who looks into an archive looks for them.
  private static func isBefore(_ first: String, _ second: String) -> Bool {
    let (isFirst, isSecond) = (first == RunFiles.eventsName, second == RunFiles.eventsName)
    return isFirst == isSecond ? first < second : isFirst
  }

  private mutating func addSources(_ names: [String], of run: OpenFolder) throws(WorkspaceError) {
    guard let folder = run.folder(RunFiles.sourcesName) else { return }
    let there = Set(folder.names)
    for name in names where there.contains(name) {
      try add(name, of: folder, depth: Self.depthLimit, path: RunFiles.sourcesName + "/")
    }
  }

  /// Adds a file, or all files of a folder; links are no part of a run.
  private mutating func add(_ name: String, of folder: OpenFolder, depth: Int, path: String = "") throws(WorkspaceError)
  {
    if let inner = folder.folder(name) {
      guard depth < Self.depthLimit else { return }
      for entry in inner.names.sorted() { try add(entry, of: inner, depth: depth + 1, path: "\(path)\(name)/") }
      return
    }
    do throws(FileError) {
      guard try folder.kind(of: name) == .regular else { return }
      files.append((path + name, try folder.file(name).contents(limit: ZipWriter.byteLimit)))
    } catch {
      throw WorkspaceError(.notReadable, "cannot read \(self.folder)/\(path)\(name): \(error.message)")
    }
  }

  private static func report(
    _ kind: ReportKind, of stored: StoredRun, _ sources: ReportSources
  ) throws(WorkspaceError) -> [UInt8] {
    let text = TextCollector()
    let report = kind.make(sources) { text.add($0) }
    _ = try stored.read { report.record($0) }
    report.endOfStream()
    return Array(text.all.utf8)
  }

  /// Writes an archive, whole or not at all; an older one in its place is replaced, nothing else is.
  package static func store(_ archive: [UInt8], at path: String) throws(WorkspaceError) {
    if Files.kind(of: path) != nil, (try? ZipArchive(path))?.size(of: manifestName) == nil {
      throw WorkspaceError(
        .commandLineWrong, "\(path) is there already, and is no archive of a run",
        help: "name another file with --output")
    }
    do throws(FileError) {
      try Files.replace(archive, at: path, mode: 0o600)
    } catch {
      throw WorkspaceError(writing: path, error)
    }
  }

  /// The archive.
  /// - Throws: Where it would be too large.
  package func archive() throws(WorkspaceError) -> [UInt8] {
    var writer = ZipWriter()
    for file in files {
      guard writer.add(file.name, file.content) else {
        throw WorkspaceError(
          .notWritten,
          "\(folder) is too large for an archive: more than \(ZipWriter.byteLimit >> 20) MiB, or "
            + "\(ZipArchive.entryLimit) files")
      }
    }
    return writer.finish()
  }
}

/// Keeps what a report writes.
private final class TextCollector: Sendable {
  private let text = Mutex("")
  var all: String { text.withLock { $0 } }
  func add(_ more: String) { text.withLock { $0 += more } }
}
