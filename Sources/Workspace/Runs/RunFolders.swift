import CastProtocol
import Glibc

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

  /// The folders in `path`, as the run `own` sees them at its end.
  package init(path: String, count: Int, keepsFailed: Bool, own: String, ownPassed: Bool) {
    self.path = path
    self.count = count
    self.keepsFailed = keepsFailed
    self.own = own
    self.ownPassed = ownPassed
  }

  /// What one run removes at most, so that the first after years is soon over.
  private static let removalLimit = 1000
  /// A folder without events that is younger than this, in seconds, is just being made; the run of an older one was killed.
  private static let newFolderAge = 3600
  private static let depthLimit = 8

  /// Removes what is too much; what goes wrong with it is nobody's concern.
  package func prune() {
    guard let folder = Folder(path) else { return }
    let names = folder.names.filter(RunID.isOne).sorted(by: >)
    // Later runs may be started without `--keep-failed`.
    if keepsFailed {
      for name in names where name != own {
        if let run = folder.folder(name), Self.state(of: run) == .failed { run.makeFile(Self.mark) }
      }
      // It has had its mark from the begin, for a run that is killed.
      if ownPassed { folder.folder(own)?.remove(Self.mark, isFolder: false) }
    }
    for name in names.dropFirst(max(1, count)).reversed().prefix(Self.removalLimit) where name != own {
      guard let run = folder.folder(name), [.passed, .failed].contains(Self.state(of: run)) else { continue }
      Self.empty(run, depth: 0)
      folder.remove(name, isFolder: true)
    }
  }

  /// All that a run puts into its folder.
  private static let contents: Set<String> = ["events.jsonl", "plan.json", "inputs.json", "sources", "artifacts", mark]
  /// The file that says that a run was asked to keep the folder.
  package static let mark = "kept"

  /// What a folder is to those that prune.
  private enum State { case running, passed, failed, kept, foreign }

  private static func state(of run: Folder) -> State {
    let names = run.names
    // What somebody else put there is theirs.
    guard contents.isSuperset(of: names) else { return .foreign }
    if names.contains(mark) { return .kept }
    guard let events = run.file("events.jsonl") else { return run.age < newFolderAge ? .running : .failed }
    defer { close(events) }
    var status = stat()
    guard fstat(events, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return .foreign }
    // Its process holds a lock until it ends, however that is.
    guard flock(events, LOCK_SH | LOCK_NB) == 0 else { return .running }
    if status.st_size == 0, run.age < newFolderAge { return .running }
    return didPass(events, size: status.st_size) ? .passed : .failed
  }

  /// Whether the last event says so.
  private static func didPass(_ events: Int32, size: Int) -> Bool {
    var bytes = [UInt8](repeating: 0, count: min(size, 1 << 16))
    let count = pread(events, &bytes, bytes.count, size - bytes.count)
    guard count > 0 else { return false }
    let lines = bytes.prefix(count).split(separator: UInt8(ascii: "\n"))
    guard let last = lines.last, let event = try? JSONValue(parsing: Array(last)) else { return false }
    return event["type"] == "run.finished" && event["exit"] == 0
  }

  private static func empty(_ folder: Folder, depth: Int) {
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

  /// An open folder; links are not followed from it.
  private final class Folder {
    private let descriptor: Int32

    init?(_ path: String) {
      descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      if descriptor < 0 { return nil }
    }

    private init?(_ name: String, in folder: Int32) {
      descriptor = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    var names: [String] {
      // The stream closes what it reads from.
      guard let stream = fdopendir(openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) else { return [] }
      defer { closedir(stream) }
      var names: [String] = []
      while let entry = readdir(stream) {
        let name = entry.pointee.name
        if name != ".", name != ".." { names.append(name) }
      }
      return names
    }

    /// Seconds since something was made or removed in it.
    var age: Int {
      var status = stat()
      return fstat(descriptor, &status) == 0 ? time(nil) - status.st_mtim.tv_sec : 0
    }

    func folder(_ name: String) -> Folder? { Folder(name, in: descriptor) }

    func file(_ name: String) -> Int32? {
      let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      return file < 0 ? nil : file
    }

    /// Makes an empty file.
    func makeFile(_ name: String) {
      let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      if file >= 0 { close(file) }
    }

    func remove(_ name: String, isFolder: Bool) { _ = unlinkat(descriptor, name, isFolder ? AT_REMOVEDIR : 0) }
  }
}

extension dirent {
  /// The name of the entry.
  var name: String {
    withUnsafeBytes(of: d_name) { bytes in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
