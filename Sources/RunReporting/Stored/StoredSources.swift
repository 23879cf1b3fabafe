/// Which texts a stored run's reports may point into.
package struct StoredSources: Sendable {
  /// The names of files that events speak of, each once.
  package private(set) var files: Set<String> = []
  /// What was run.
  package private(set) var run = EventKind.RunStarted()

  package init() {}

  /// Takes the next event.
  package mutating func record(_ event: Event) {
    switch event.kind {
    case .runStarted(let started):
      run = started
      files.formUnion(started.documents.map(\.file))
    case .diagnostic(let problem): note(problem.place)
    case .stepStarted(let step): note(step.place)
    case .expectFailed(let failed): note(failed.place)
    case .monitorFailed(let broken): note(broken.place)
    default: break
    }
  }

  private mutating func note(_ place: SourcePlace?) {
    if let place { files.insert(place.file) }
  }

  /// The name in `stored` under which a run's folder keeps `file`: the document by its own name, what it includes behind a
  /// number and a hyphen; `nil` where none fits, or several do.
  package func name(of file: String, among stored: [String]) -> String? {
    let name = file.split(separator: "/").last.map(String.init) ?? ""
    let isDocument = run.documents.contains { $0.file == file }
    if isDocument { return stored.first { $0 == name } ?? stored.first { $0 == "document" } }
    let fitting = stored.filter { entry in
      guard let hyphen = entry.firstIndex(of: "-"), Int(entry[..<hyphen]) != nil else { return false }
      return entry[entry.index(after: hyphen)...] == name
    }
    return fitting.count == 1 ? fitting[0] : nil
  }
}
