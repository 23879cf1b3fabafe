import RunReporting

/// The last of the runs that have gone on, one after the other, with a run that died.
struct RunSuccessor: Sendable {
  let run: String
  /// The folder of runs that it is in, as far as anybody knows.
  let runs: String
  /// `nil` where it did not come to its end, or its journal cannot be read.
  let end: JournalEntry.End?

  /// Nobody goes on with a run so often: a longer row is made up.
  private static let limit = 100

  /// - Parameters:
  ///   - past: The run that died.
  ///   - beside: The folder of runs that it is in; `nil` where that is not known.
  ///   - runs: Where runs are looked for besides.
  init?(of past: JournaledRun, beside: String?, or runs: String) {
    var (newest, place) = (past, beside)
    // A journal may be a stranger's: what it names goes into command lines and paths, and may lead back to itself.
    guard var run = past.resumedBy, RunID.isOne(run), run != past.run else { return nil }
    var seen: Set = [past.run]
    while seen.count <= Self.limit, seen.insert(run).inserted {
      let places = [newest.resumedIn, place, runs].compactMap(\.self)
      place = places.first { Files.kind(of: "\($0)/\(run)") == .folder }
      guard let place, let found = JournaledRun(in: "\(place)/\(run)") else { break }
      newest = found
      guard let next = found.resumedBy, RunID.isOne(next), !seen.contains(next) else { break }
      run = next
    }
    (self.run, self.runs) = (run, place ?? newest.resumedIn ?? runs)
    end = newest.run == run ? newest.end : nil
  }
}

extension JournaledRun {
  /// What the folder of a run has of it; `nil` where it has no journal that can be read.
  init?(in folder: String) {
    guard let bytes = try? Files.read("\(folder)/\(JournalFile.name)", limit: JournalReader.byteLimit),
      let reader = try? JournalReader(bytes)
    else { return nil }
    self.init(reader)
  }
}

extension StoredRun {
  /// The folder of runs that it is in; `nil` where its own has another name, or it has none.
  var folderOfRuns: String? {
    guard let folder = try? folder() else { return nil }
    for path in [folder, (try? Files.realPath(of: folder)) ?? ""] {
      if let name = path.split(separator: "/").last, RunID.isOne(String(name)) { return Files.folder(of: path) }
    }
    return nil
  }
}
