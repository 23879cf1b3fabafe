import CastTransport
import RunReporting
import ScenarioLanguage
import Workspace

extension StoredRun {
  /// Reads all events, one after the other.
  /// - Returns: What was wrong with them.
  func read(_ body: (Event) -> Void) throws(WorkspaceError) -> StoredEventReader {
    var reader = StoredEventReader()
    try readEvents { reader.read($0, body) }
    reader.end(body)
    return reader
  }

  /// The texts that failures point into, by the names that events give their files: from the run's folder; where it has
  /// none, a document that is still what was run.
  func texts(_ wanted: StoredSources) -> [String: String] {
    let arguments = CommandLineText(wanted.run.arguments).source
    var files = [arguments.name: arguments]
    let names = storedNames
    for path in wanted.files where files[path] == nil {
      if let stored = source(of: path) {
        files[path] = stored
      } else if let name = wanted.name(of: path, among: names) {
        files[path] = source(named: name, path: path)
      } else if names.isEmpty, path != "-", let found = try? SourceFile(readingFrom: path),
        let hash = wanted.run.documents.first(where: { $0.file == path })?.sha256, Digest.sha256(found.bytes) == hash
      {
        files[path] = found
      }
    }
    return files.mapValues { String(decoding: $0.bytes, as: UTF8.self) }
  }
}
