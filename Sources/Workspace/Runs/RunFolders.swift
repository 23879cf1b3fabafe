import Glibc
import RunReporting

/// The folders of earlier runs: the newest are kept, and what is no run's is never touched.
package struct RunFolders {
  /// The folder that they are in.
  package let path: String
  /// How many are kept.
  package let count: Int
  /// Whether those of runs that did not pass are kept, too.
  package let keepsFailed: Bool
  /// The run that asks, whose folder stays.
  package let own: String
  /// Whether that run passed.
  package let ownPassed: Bool
  private let now: Double

  /// The folders in `path`, as the run `own` sees them at its end.
  /// - Parameter now: In Unix seconds, by which a folder is young.
  package init(path: String, count: Int, keepsFailed: Bool, own: String, ownPassed: Bool, now: Double) {
    self.path = path
    self.count = count
    self.keepsFailed = keepsFailed
    self.own = own
    self.ownPassed = ownPassed
    self.now = now
  }

  /// What one run removes at most, so that the first after years is soon over.
  private static let removalLimit = 1000
  /// A folder without events that is younger than this, in seconds, is just being made; the run of an older one was killed.
  private static let newFolderAge = 3600.0
  private static let depthLimit = 8

  /// Removes what is too much; what goes wrong with it is nobody's concern.
  package func prune() {
    guard let folder = OpenFolder(path) else { return }
    let names = folder.names.filter(RunID.isOne).sorted(by: >)
    // Later runs may be started without `--keep-failed`.
    if keepsFailed {
      for name in names where name != own {
        if let run = folder.folder(name), state(of: run) == .failed { run.makeFile(Self.mark) }
      }
      // It has had its mark from the begin, for a run that is killed.
      if ownPassed { folder.folder(own)?.remove(Self.mark, isFolder: false) }
    }
    for name in names.dropFirst(max(1, count)).reversed().prefix(Self.removalLimit) where name != own {
      guard let run = folder.folder(name), [.passed, .failed].contains(state(of: run)) else { continue }
      Self.empty(run, depth: 0)
      folder.remove(name, isFolder: true)
    }
  }

  /// All that a run puts into its folder.
  private static let contents: Set<String> = [
    RunFiles.picturesName,
    "events.jsonl", "plan.json", "inputs.json", RunArguments.name, StoredRun.documentsName, "sources", SourceIndex.name,
    "artifacts", RunSeries.file, mark, JournalFile.name,
  ]
  /// Whether a folder is what a run left behind.
  static func isOfRun(_ path: String) -> Bool {
    [RunFiles.eventsName, RunArguments.name, SourceIndex.name].allSatisfy { access("\(path)/\($0)", F_OK) == 0 }
  }

  /// Whether a file or folder of a run's folder belongs to the run itself.
  static func belongs(_ name: String) -> Bool { contents.contains(name) && name != mark }
  /// The file that says that a run was asked to keep the folder.
  package static let mark = "kept"

  /// Whether nothing else is among `names`; a run that was killed may leave a file that it was writing.
  private static func areOfRun(_ names: [String]) -> Bool {
    names.allSatisfy { contents.contains($0) || TemporaryFiles.isOurs($0) }
  }

  /// What a folder is to those that prune.
  private enum State { case running, passed, failed, kept, foreign }

  private func state(of run: OpenFolder) -> State {
    let names = run.names
    // What somebody else put there is theirs.
    guard Self.areOfRun(names) else { return .foreign }
    if names.contains(Self.mark) { return .kept }
    guard let events = try? run.file("events.jsonl") else { return isYoung(run) ? .running : .failed }
    guard let status = try? events.status(), FileKind(status) == .regular else { return .foreign }
    // Its process holds a lock until it ends, however that is.
    guard (try? Descriptor.lock(events.descriptor, .shared)) == true else { return .running }
    defer { Descriptor.unlock(events.descriptor) }
    if status.st_size == 0, isYoung(run) { return .running }
    return Self.didPass(events.descriptor, size: status.st_size) ? .passed : .failed
  }

  private func isYoung(_ run: OpenFolder) -> Bool { run.changed.map { now - Double($0) < Self.newFolderAge } ?? true }

  /// Whether the process of a run still has its folder.
  static func isRunning(_ path: String) -> Bool {
    guard let events = try? Files.open("\(path)/\(RunFiles.eventsName)", O_RDONLY),
      (try? Descriptor.lock(events.descriptor, .shared)) == true
    else { return true }
    Descriptor.unlock(events.descriptor)
    return false
  }

  /// Whether the last event of a file says so.
  static func didPass(_ path: String) -> Bool {
    guard let events = try? Files.open(path, O_RDONLY), let status = try? events.status(), FileKind(status) == .regular
    else { return false }
    return didPass(events.descriptor, size: status.st_size)
  }

  /// Whether the last event says so.
  private static func didPass(_ events: Int32, size: Int) -> Bool {
    var bytes = [UInt8](repeating: 0, count: min(size, 1 << 16))
    let count = pread(events, &bytes, bytes.count, size - bytes.count)
    guard count > 0 else { return false }
    let lines = bytes.prefix(count).split(separator: UInt8(ascii: "\n"))
    guard let last = lines.last else { return false }
    var reader = StoredEventReader()
    var outcome = StoredOutcome()
    reader.read(last + [UInt8(ascii: "\n")]) { outcome.record($0) }
    return outcome.hasPassed
  }

  /// Takes away the folder of a run that did not begin.
  static func remove(_ path: String) {
    guard let run = OpenFolder(path), areOfRun(run.names) else { return }
    empty(run, depth: 0)
    rmdir(path)
  }

  /// Removes a folder with all that is in it, which this program made.
  package static func discard(_ path: String) {
    guard let folder = OpenFolder(path) else { return }
    empty(folder, depth: 0)
    rmdir(path)
  }

  private static func empty(_ folder: OpenFolder, depth: Int) {
    guard depth < depthLimit else { return }
    for name in folder.names {
      if let inner = folder.folder(name) {
        empty(inner, depth: depth + 1)
        folder.remove(name, isFolder: true)
      } else {
        folder.remove(name, isFolder: false)
      }
    }
  }
}
