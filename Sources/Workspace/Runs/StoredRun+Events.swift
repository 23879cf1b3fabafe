package import RunReporting
import ScenarioLanguage

extension StoredRun {
  /// Reads all events, one after the other.
  /// - Returns: What was wrong with them.
  package func read(_ body: (Event) -> Void) throws(WorkspaceError) -> StoredEventReader {
    var reader = StoredEventReader()
    try readEvents { reader.read($0, body) }
    reader.end(body)
    return reader
  }

  /// Reads all events for what their reports have to know first.
  /// - Throws: Where they cannot be read, or are of several runs.
  package func readSources() throws(WorkspaceError) -> (sources: StoredSources, reader: StoredEventReader) {
    var sources = StoredSources()
    var ids: [String] = []
    let reader = try read { event in
      sources.record(event)
      if case .runStarted(let started) = event.kind, !ids.contains(started.run) { ids.append(started.run) }
    }
    if let first = ids.first, ids.count > 1 {
      throw WorkspaceError(
        .commandLineWrong, "\(name) has the events of \(ids.count) runs",
        help: "each has a folder of its own: `showcaller report \(first)`")
    }
    return (sources, reader)
  }

  /// Why no report can be made of what was read; `nil` where one can.
  package func emptiness(_ reader: StoredEventReader) -> WorkspaceError? {
    if reader.count > 0 { return nil }
    return WorkspaceError(
      .documentInvalid, "\(name) has no events of a run", help: "a run leaves them in its folder, in events.jsonl")
  }

  private var name: String { path ?? "standard input" }

  /// The texts that failures point into, by the names that events give their files: from the run's folder; where it has
  /// none, a document that is still what was run.
  /// - Parameter hash: SHA-256 in lower-case hex.
  package func texts(_ wanted: StoredSources, hash: ([UInt8]) -> String?) -> [String: String] {
    let arguments = CommandLineText(wanted.run.arguments).source
    var files = [arguments.name: arguments]
    let names = storedNames
    for path in wanted.files where files[path] == nil {
      if let stored = source(of: path) {
        files[path] = stored
      } else if let name = wanted.name(of: path, among: names) {
        files[path] = source(named: name, path: path)
      } else if names.isEmpty, path != "-", let found = try? SourceFile(readingFrom: path),
        let known = wanted.run.documents.first(where: { $0.file == path })?.sha256, hash(found.bytes) == known
      {
        files[path] = found
      }
    }
    return files.mapValues { String(decoding: $0.bytes, as: UTF8.self) }
  }
}
