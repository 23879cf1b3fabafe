import CastProtocol
import Glibc
package import RunReporting
import ScenarioLanguage

/// What is kept of the runs of a folder, also of those whose folders are gone: a line for each, in the order in which
/// they ended (docs/runs.md "The history").
///
/// It holds nothing that the folders of runs do not tell, so one that is lost, or older than a run, is made again from them.
package struct RunHistory: Sendable {
  /// Its file in the folder of runs; hidden, as it is no run.
  package static let file = ".history.jsonl"
  private static let lockFile = ".history.lock"
  /// When the file is longer, the older half of it is left out.
  package static let usualByteLimit = 32 << 20
  /// No line of ours is longer.
  private static let limits = JSONValue.Limits(depth: 8, length: 4 << 20)

  private let runs: String
  private let byteLimit: Int
  private var path: String { "\(runs)/\(Self.file)" }

  /// - Parameter runs: The folder of runs.
  package init(in runs: String, byteLimit: Int = usualByteLimit) { (self.runs, self.byteLimit) = (runs, byteLimit) }

  /// What was found in the file.
  private struct Content {
    var runs: [RunSummary] = []
    /// Runs before this id were left out when the file was too long.
    var oldestKept = ""
    /// How many lines are none of ours.
    var damaged = 0
  }

  /// Adds a run that is over.
  /// - Throws: Where it cannot be written, or its events cannot be read.
  package func add(_ run: StoredRun) throws(WorkspaceError) {
    guard let summary = try Self.summary(of: run) else { return }
    try withLock { () throws(FileError) in try append([summary]) }
  }

  /// Reads all runs, oldest first. Those of the folder that it does not have are added.
  /// - Parameter told: Learns what could not be read or written; what could be is returned all the same.
  package func read(surroundings: Surroundings, told: (String) -> Void) -> [RunSummary] {
    var content = Content()
    do throws(FileError) { content = try self.content() } catch {
      if error.code != ENOENT, error.code != ENOTDIR { told("cannot read \(path): \(error.message)") }
    }
    if content.damaged > 0 {
      told(
        "\(path) has \(content.damaged == 1 ? "a line" : "\(content.damaged) lines") that showcaller did not write: left out"
      )
    }
    let known = Set(content.runs.map(\.run))
    var added: [RunSummary] = []
    for id in StoredRun.ids(in: runs).reversed() where !known.contains(id) && id >= content.oldestKept {
      guard !RunFolders.isRunning("\(runs)/\(id)") else { continue }
      do throws(WorkspaceError) {
        let run = try StoredRun(id, in: runs, surroundings: surroundings)
        if let summary = try Self.summary(of: run), !known.contains(summary.run) { added.append(summary) }
      } catch {
        told(error.message)
      }
    }
    if !added.isEmpty {
      // A folder that cannot be written can still be read.
      do throws(WorkspaceError) {
        try withLock { () throws(FileError) in try append(added) }
      } catch {
        told(error.message)
      }
    }
    return (content.runs + added).sorted { ($0.startedAt, $0.run) < ($1.startedAt, $1.run) }
  }

  /// The runs that still go on, newest first; nothing is kept of them before they are over.
  package var running: [String] {
    StoredRun.ids(in: runs).filter { RunFolders.isRunning("\(runs)/\($0)") }
  }

  /// What is kept of a run; `nil` where it has no events of one.
  package static func summary(of run: StoredRun) throws(WorkspaceError) -> RunSummary? {
    var transcript = RunTranscript()
    _ = try run.read { transcript.record($0) }
    return transcript.run.run.isEmpty ? nil : RunSummary(RunResults(transcript))
  }

  // MARK: The file

  /// The newest line of each run counts.
  private func content() throws(FileError) -> Content {
    var content = Content()
    var places: [String: Int] = [:]
    for line in try newestBytes().split(separator: UInt8(ascii: "\n")) {
      let json = try? JSONValue(parsing: Array(line), limits: Self.limits)
      if let first = json?["first"]?.string {
        content.oldestKept = first
        continue
      }
      guard let run = json.flatMap(RunSummary.init) else {
        content.damaged += 1
        continue
      }
      if let place = places[run.run] {
        content.runs[place] = run
      } else {
        places[run.run] = content.runs.count
        content.runs.append(run)
      }
    }
    return content
  }

  /// The end of the file where it is longer than anything we leave there; its first line is not whole then.
  private func newestBytes() throws(FileError) -> ArraySlice<UInt8> {
    let file = try Files.openRegular(path)
    let size = Int(try file.status().st_size)
    let start = max(0, size - 2 * byteLimit)
    guard lseek(file.descriptor, off_t(start), SEEK_SET) >= 0 else { throw .last }
    let found = try Descriptor.read(file.descriptor, atMost: 2 * byteLimit, expecting: size - start)[...]
    guard start > 0, let end = found.firstIndex(of: UInt8(ascii: "\n")) else { return found }
    return found[(end + 1)...]
  }

  /// A line that can be read again: of a run with very much to tell the steps are left out, then the scenarios.
  private static func line(of summary: RunSummary) -> String {
    var summary = summary
    func text() -> String { summary.json.serialized() + "\n" }
    if text().utf8.count > limits.length {
      for index in summary.scenarios.indices { summary.scenarios[index].steps = [] }
      if text().utf8.count > limits.length { summary.scenarios = [] }
    }
    return text()
  }

  private func append(_ summaries: [RunSummary]) throws(FileError) {
    let file = try Files.open(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW, mode: 0o600)
    let size = Int(try file.status().st_size)
    // A process that was killed may have left half a line.
    var end: [UInt8] = [UInt8(ascii: "\n")]
    if size > 0, pread(file.descriptor, &end, 1, off_t(size - 1)) != 1 { throw .last }
    var lines = end == [UInt8(ascii: "\n")] ? [] : [UInt8(ascii: "\n")]
    for summary in summaries { lines += Array(Self.line(of: summary).utf8) }
    try file.write(lines)
    if size + lines.count > byteLimit { try shorten() }
  }

  /// Leaves out the older half.
  private func shorten() throws(FileError) {
    var room = byteLimit / 2
    var kept: [(run: String, line: String)] = []
    for run in try content().runs.reversed() {
      let line = run.json.serialized() + "\n"
      room -= line.utf8.count
      guard room >= 0 else { break }
      kept.append((run.run, line))
    }
    let first: JSONObject = ["v": 1, "first": .string(kept.map(\.run).min() ?? "")]
    let text = first.serialized() + "\n" + kept.reversed().map(\.line).joined()
    try Files.store(Array(text.utf8), at: path, mode: 0o600)
  }

  /// Runs may end at the same time.
  private func withLock(_ body: () throws(FileError) -> Void) throws(WorkspaceError) {
    do throws(FileError) {
      let lock = try Files.open("\(runs)/\(Self.lockFile)", O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
      var tries = 0
      // Where a file system knows no locks nobody waits.
      while (try? Descriptor.lock(lock.descriptor, .exclusive)) == false {
        tries += 1
        guard tries < 200 else { throw .system(EWOULDBLOCK) }
        usleep(10_000)
      }
      defer { Descriptor.unlock(lock.descriptor) }
      try body()
    } catch {
      throw WorkspaceError(writing: path, error)
    }
  }
}
