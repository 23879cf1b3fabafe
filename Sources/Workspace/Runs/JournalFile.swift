import CastProtocol
package import Dispatch
import Glibc
package import RunReporting
import Synchronization

/// The journal of a run, written by a thread of its own: `journal.jsonl` in the run's folder, one record a line, each with
/// its number and checksum (docs/runs.md "The journal"). Who must know that a record is on the disk waits for it; no
/// event loop does. What cannot be written ends the journal, and whoever listens is told.
package final class JournalFile: Sendable {
  /// The file in a run's folder.
  package static let name = "journal.jsonl"

  private struct Pending {
    var kind: JournalEntry.Kind
    var wallTime: Double
    var elapsed: Double
    var isDurable: Bool
    var waiter: Waiter?
  }

  /// A task that waits until a record is on the disk; it is answered once.
  private final class Waiter: Sendable {
    private let continuation: Mutex<CheckedContinuation<Bool, Never>?>

    init(_ continuation: CheckedContinuation<Bool, Never>) { self.continuation = Mutex(continuation) }

    /// - Returns: Whether it still waited.
    @discardableResult
    func resume(returning answer: Bool) -> Bool {
      let waiting = continuation.withLock { continuation in
        defer { continuation = nil }
        return continuation
      }
      waiting?.resume(returning: answer)
      return waiting != nil
    }
  }

  /// How what is written comes to the disk. A test sees here what a power cut would leave.
  struct Disk: Sendable {
    var sync: @Sendable (_ descriptor: Int32) throws(FileError) -> Void
    var syncFolder: @Sendable (_ path: String) throws(FileError) -> Void

    static let real = Disk(
      sync: { descriptor throws(FileError) in try JournalFile.sync(descriptor) },
      syncFolder: { path throws(FileError) in try JournalFile.syncFolder(path) })
  }

  /// How long a disk may take for one record, and how many records may wait for it.
  private static let patience = DispatchTimeInterval.seconds(30)
  private static let mostPending = 100_000

  private struct State {
    var pending: [Pending] = []
    var isWriting = false
    var number: Int
    var size: Int
    var failure: String?
    /// It has become too long, and was removed: nobody can go on with the run, which itself goes on.
    var wasTooLong = false
    var isClosed = false
    var onFailure: (@Sendable () -> Void)?
  }

  package let path: String
  private let run: String
  private let file: OpenFile
  private let elapsed: @Sendable () -> Double
  private let unixTime: @Sendable () -> Double
  private let earlierElapsed: Double
  private let byteLimit: Int
  private let prepare: @Sendable () -> String?
  private let disk: Disk
  private let folder: String
  /// Whether what the journal needs, and its own name, are on the disk.
  private let isPrepared = Mutex(false)
  private let state: Mutex<State>
  private let queue = DispatchQueue(label: "showcaller.journal")

  /// Makes the file, with what an earlier part of the run has in its own; that is on the disk then. One that goes on with
  /// none waits for no disk before its first record that must be durable: until then nothing was done.
  /// - Parameters:
  ///   - past: The earlier part.
  ///   - elapsed: Document seconds since this part began.
  ///   - prepare: Has everything on the disk without which the journal says nothing; called once, by the journal's thread,
  ///     before the first record that must be durable, and for a run that goes on with an earlier part before the file is
  ///     made: from then on that part cannot be gone on with. It answers why that failed.
  /// - Throws: Where it cannot be written.
  package convenience init(
    in folder: String, run: String, _ begin: JournalEntry.Begin, past: JournaledRun?,
    elapsed: @escaping @Sendable () -> Double, unixTime: @escaping @Sendable () -> Double,
    byteLimit: Int = JournalReader.byteLimit, prepare: @escaping @Sendable () -> String? = { nil }
  ) throws(WorkspaceError) {
    try self.init(
      in: folder, run: run, begin, past: past, elapsed: elapsed, unixTime: unixTime, byteLimit: byteLimit,
      on: .real, prepare: prepare)
  }

  init(
    in folder: String, run: String, _ begin: JournalEntry.Begin, past: JournaledRun?,
    elapsed: @escaping @Sendable () -> Double, unixTime: @escaping @Sendable () -> Double,
    byteLimit: Int, on disk: Disk, prepare: @escaping @Sendable () -> String?
  ) throws(WorkspaceError) {
    self.disk = disk
    self.folder = folder
    path = "\(folder)/\(Self.name)"
    self.run = run
    self.elapsed = elapsed
    self.unixTime = unixTime
    self.byteLimit = byteLimit
    self.prepare = prepare
    earlierElapsed = past?.elapsed ?? 0
    var bytes = JournalLine.bytes(
      JournalEntry(wallTime: unixTime(), elapsed: earlierElapsed, .begin(begin)), number: 1, run: run)
    var number = 1
    for entry in past?.entries ?? [] {
      number += 1
      bytes += JournalLine.bytes(entry, number: number, run: run)
    }
    if past != nil, let failure = prepare() { throw WorkspaceError(.notWritten, failure) }
    do throws(FileError) {
      let file = try Files.open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW, mode: 0o600)
      // The lock tells `run --resume` that this run still goes on.
      _ = try? Descriptor.lock(file.descriptor, .exclusive)
      try file.write(bytes)
      if past != nil {
        try disk.sync(file.descriptor)
        try Self.syncFolders(folder, disk)
      }
      self.file = file
    } catch {
      unlink(path)
      throw WorkspaceError(writing: path, error)
    }
    state = Mutex(State(number: number, size: bytes.count))
    if past != nil { isPrepared.withLock { $0 = true } }
  }

  /// - Parameter handler: Called once, when nothing more can be written.
  package func onFailure(_ handler: @escaping @Sendable () -> Void) {
    let hasFailed = state.withLock { state in
      state.onFailure = handler
      return state.failure != nil
    }
    if hasFailed { handler() }
  }

  /// Writes a record soon; records stay in the order in which they come.
  package func append(_ kind: JournalEntry.Kind, isDurable: Bool) {
    add(kind, isDurable: isDurable, waiter: nil)
  }

  /// Returns when a record, with all before it, is on the disk.
  /// - Returns: Whether it is.
  package func commit(_ kind: JournalEntry.Kind) async -> Bool {
    await withCheckedContinuation { continuation in
      let waiter = Waiter(continuation)
      add(kind, isDurable: true, waiter: waiter)
      DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) {
        if waiter.resume(returning: false) { self.giveUp() }
      }
    }
  }

  /// The disk does not come back: the run must not wait for it.
  private func giveUp() {
    let handler = state.withLock { state -> (@Sendable () -> Void)? in
      if state.failure != nil || state.wasTooLong { return nil }
      state.failure = "cannot write \(path): the disk is too slow"
      return state.onFailure
    }
    handler?()
  }

  private func add(_ kind: JournalEntry.Kind, isDurable: Bool, waiter: Waiter?) {
    let pending = Pending(
      kind: kind, wallTime: unixTime(), elapsed: earlierElapsed + elapsed(), isDurable: isDurable, waiter: waiter)
    var isFull = false
    let (begins, answer) = state.withLock { state -> (Bool, Bool?) in
      if state.wasTooLong { return (false, true) }
      if state.failure != nil || state.isClosed { return (false, false) }
      isFull = state.pending.count >= Self.mostPending
      if isFull { return (false, false) }
      state.pending.append(pending)
      defer { state.isWriting = true }
      return (!state.isWriting, nil)
    }
    if let answer { waiter?.resume(returning: answer) }
    if begins { queue.async { self.write() } } else if isFull { giveUp() }
  }

  /// Writes all that waits, by the journal's thread; what comes meanwhile is written together afterwards.
  private func write() {
    while true {
      let (batch, first) = state.withLock { state in
        defer { state.pending = [] }
        if state.pending.isEmpty { state.isWriting = false }
        return (state.pending, state.number)
      }
      if batch.isEmpty { return }
      var bytes: [UInt8] = []
      var failure: String?
      for (index, pending) in batch.enumerated() {
        let entry = JournalEntry(wallTime: pending.wallTime, elapsed: pending.elapsed, pending.kind)
        let line = JournalLine.bytes(entry, number: first + 1 + index, run: run)
        if line.count - 1 > JournalLine.byteLimit { failure = Self.tooLong(pending.kind, in: path) }
        bytes += line
      }
      let size = state.withLock { $0.size }
      let wasTooLong = failure == nil && size + bytes.count > byteLimit
      if failure != nil {
        // Nobody could read it again.
      } else if wasTooLong {
        unlink(path)
      } else {
        failure = store(bytes, behind: size, isDurable: batch.contains(where: \.isDurable))
      }
      finish(batch, bytes.count, failure, wasTooLong: wasTooLong)
    }
  }

  private static func tooLong(_ kind: JournalEntry.Kind, in path: String) -> String {
    let limit = "a record of \(path) may have \(JournalLine.byteLimit >> 20) MiB"
    guard case .done(let done) = kind else { return "\(limit), and one is longer" }
    return "\(limit), and step \(done.step) has kept more"
  }

  private func finish(_ batch: [Pending], _ length: Int, _ failure: String?, wasTooLong: Bool) {
    let (late, handler) = state.withLock { state -> ([Pending], (@Sendable () -> Void)?) in
      state.wasTooLong = wasTooLong
      guard let failure = failure ?? state.failure else {
        state.number += batch.count
        state.size += length
        return ([], nil)
      }
      // A wait that took too long has already told this failure.
      let isNews = state.failure == nil
      state.failure = failure
      defer { state.pending = [] }
      return (state.pending, isNews ? state.onFailure : nil)
    }
    for pending in batch { pending.waiter?.resume(returning: failure == nil) }
    for pending in late { pending.waiter?.resume(returning: false) }
    handler?()
  }

  /// - Returns: Why that failed; then nothing of it is in the file.
  private func store(_ bytes: [UInt8], behind size: Int, isDurable: Bool) -> String? {
    let isFirst = isDurable && !isPrepared.withLock { $0 }
    if isFirst, let failure = prepare() { return failure }
    do throws(FileError) {
      try file.write(bytes)
      if isDurable { try disk.sync(file.descriptor) }
      if isFirst {
        try Self.syncFolders(folder, disk)
        isPrepared.withLock { $0 = true }
      }
      return nil
    } catch {
      // Whole records only: a part of one would be the end for whoever reads it.
      _ = ftruncate(file.descriptor, off_t(size))
      return "cannot write \(path): \(error.message)"
    }
  }

  /// Waits for what is not written yet, at most until `deadline`, and lets go of the file.
  /// - Returns: Why it is not whole, or `nil`.
  package func close(until deadline: DispatchTime = .now() + .seconds(5)) -> String? {
    state.withLock { state in
      state.isClosed = true
      // The handler keeps the run alive, and the run keeps the locks of its devices.
      state.onFailure = nil
    }
    let done = DispatchGroup()
    queue.async(group: done) {}
    guard done.wait(timeout: deadline) == .success else { return "cannot write \(path): the disk is too slow" }
    Descriptor.unlock(file.descriptor)
    return state.withLock { $0.failure }
  }

  static func sync(_ descriptor: Int32) throws(FileError) {
    guard fdatasync(descriptor) == 0 || hasNoDisk(errno) else { throw .last }
  }

  private static func syncFolders(_ folder: String, _ disk: Disk) throws(FileError) {
    try disk.syncFolder(folder)
    try disk.syncFolder(Files.folder(of: folder))
  }

  /// A new name is only there after a power cut when its folder is on the disk, too.
  static func syncFolder(_ folder: String) throws(FileError) {
    let opened = try Files.open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY)
    guard fsync(opened.descriptor) == 0 || hasNoDisk(errno) else { throw .last }
  }

  /// Whether an error says that what is written goes to no disk; any other is a write that is lost.
  static func hasNoDisk(_ code: Int32) -> Bool { code == EINVAL }
}
