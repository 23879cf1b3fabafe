package import Dispatch
import Glibc
import Synchronization

/// The files of one ledger: lines are added by a thread of its own, each in one write, and are on the disk soon after. What
/// a line says is not known here.
///
/// One process at a time has a ledger. A line that cannot be written, as on a full disk, waits and is tried again, and those
/// behind it wait: a ledger has no holes.
package final class LedgerFile: Sendable {
  /// Where the ledger ended when it was opened.
  package struct End: Hashable, Sendable {
    /// The name of the file.
    package var file: String
    /// Its last line, without its line break.
    package var line: [UInt8]
  }

  /// What the lines of a ledger are like.
  package struct Format: Sendable {
    /// Longer lines are none.
    package var lineLimit: Int
    /// Of the names in a folder those of the ledger, in groups whose newest is first.
    package var files: @Sendable (_ names: [String]) -> [[String]]
    /// The number of a line; `nil` where it is damaged.
    package var number: @Sendable (_ line: [UInt8]) -> Int?

    package init(
      lineLimit: Int, files: @escaping @Sendable (_ names: [String]) -> [[String]],
      number: @escaping @Sendable (_ line: [UInt8]) -> Int?
    ) {
      self.lineLimit = lineLimit
      self.files = files
      self.number = number
    }
  }

  private struct State {
    var waiting: [(line: String, file: String)] = []
    /// The size of all lines that are not written yet.
    var bytes = 0
    var isWriting = false
    var isClosed = false
    var failure: WorkspaceError?
    var failures = 0
  }

  /// What may wait for a disk, in bytes: days of one screen.
  package static let usualByteLimit = 16 << 20

  /// `nil` where there is no line yet.
  package let end: End?
  /// The names of its files when it was opened.
  package let files: Set<String>

  private let path: String
  private let byteLimit: Int
  private let tell: @Sendable (WorkspaceError?) -> Void
  /// Held until it is closed, or lives no more.
  private let lock: OpenFile
  private let disk: Mutex<LedgerDisk>
  private let state = Mutex(State())
  private let thread = DispatchQueue(label: "showcaller.ledger")
  /// Empty while nothing waits and nothing is being written.
  private let work = DispatchGroup()

  /// Opens the ledger at `path`, and makes its folder where there is none. A line that is not whole is cut off: whoever
  /// wrote it was ended meanwhile.
  ///
  /// - Parameters:
  ///   - path: The ledger's name and folder; the files may have a date in their names.
  ///   - byteLimit: What may wait to be written.
  ///   - tell: Learns, on the ledger's thread, that a line cannot be written, and with `nil` that it could be in the end.
  /// - Throws: Where another process has it, the folder cannot be written, or the last line is damaged.
  package init(
    _ path: String, format: Format, byteLimit: Int = usualByteLimit,
    tell: @escaping @Sendable (WorkspaceError?) -> Void = { _ in }
  ) throws(WorkspaceError) {
    let folder = Files.folder(of: path)
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    guard !name.isEmpty, name != ".", name != "..", !path.hasSuffix("/"), !path.utf8.contains(0) else {
      throw WorkspaceError(.documentInvalid, "a ledger cannot be called `\(path)`", help: "write `file: plays.jsonl`")
    }
    do throws(FileError) {
      try Files.makeFolders(folder)
      lock = try Files.open("\(folder)/.\(name).lock", O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
      try Self.take(lock.descriptor)
      guard let names = OpenFolder(folder)?.names else { throw FileError.system(EACCES) }
      let groups = format.files(names)
      var disk = LedgerDisk(folder, lineLimit: format.lineLimit)
      end = try Self.end(of: groups, disk: &disk, format: format)
      files = Set(groups.joined())
      self.disk = Mutex(disk)
    } catch {
      throw Self.failure(opening: path, error)
    }
    self.path = path
    self.byteLimit = byteLimit
    self.tell = tell
  }

  /// Takes the lock of a ledger. One that is being given back is waited for: a process that ends still has it for a
  /// moment, and so has a program that one has just started.
  private static func take(_ lock: Int32) throws(FileError) {
    for _ in 0..<50 {
      if try Descriptor.lock(lock, .exclusive) { return }
      usleep(20_000)
    }
    throw FileError.system(EWOULDBLOCK)
  }

  /// The highest of the last lines of all kinds of files.
  private static func end(
    of groups: [[String]], disk: inout LedgerDisk, format: Format
  ) throws(FileError) -> End? {
    var last: (number: Int, end: End)?
    for group in groups {
      for file in group {
        // Of one that was just begun, all may have been cut off.
        guard let line = try disk.open(file) else { continue }
        guard let number = format.number(line) else { throw .system(EBADMSG) }
        if number > last?.number ?? 0 { last = (number, End(file: file, line: line)) }
        break
      }
    }
    if let last { try disk.open(last.end.file) }
    return last?.end
  }

  deinit { Descriptor.unlock(lock.descriptor) }

  private static func failure(opening path: String, _ error: FileError) -> WorkspaceError {
    switch error {
    case .system(EWOULDBLOCK):
      WorkspaceError(
        .busy, "another process, or another playlist of this one, writes the ledger \(path)",
        help: "end it, or give this playlist a `ledger:` of its own"
      )
    case .system(EBADMSG), .tooLarge:
      WorkspaceError(
        .damaged, "cannot go on with the ledger \(path): its last line is damaged",
        help: "look at it with `showcaller ledger verify`, then move its files away: a new ledger begins")
    default:
      WorkspaceError(
        .notWritten, "cannot write the ledger \(path): \(error.message)",
        help: "name another place with `ledger: { file: PATH }`")
    }
  }

  /// Takes a line with its line break to be written to one of the ledger's files, in the order of the calls, and returns at
  /// once.
  /// - Returns: False where it takes nothing, because too much waits already or the ledger is closed.
  package func append(_ line: String, to file: String) -> Bool {
    state.withLock { state in
      let size = line.utf8.count
      guard !state.isClosed, state.bytes == 0 || state.bytes + size <= byteLimit else { return false }
      state.waiting.append((line, file))
      state.bytes += size
      if !state.isWriting {
        state.isWriting = true
        work.enter()
        thread.async { self.writeWaiting() }
      }
      return true
    }
  }

  /// Why the line that is to be written next could not be, so far; `nil` while all goes well.
  package var failure: WorkspaceError? { state.withLock { $0.failure } }

  /// Waits until everything is on the disk, at most until `deadline`, and takes nothing from now on. Where a line cannot be
  /// written it is tried once more.
  /// - Returns: Why the ledger is not whole, or `nil`.
  package func close(until deadline: DispatchTime = .now() + .seconds(5)) -> WorkspaceError? {
    state.withLock { $0.isClosed = true }
    // A failed line is tried again now, without its wait.
    thread.async { self.writeWaiting() }
    let isDone = work.wait(timeout: deadline) == .success
    // Nothing is written any more: the next one may go on with it, in this process, too.
    if isDone { Descriptor.unlock(lock.descriptor) }
    return state.withLock { state in
      if state.waiting.isEmpty, isDone { return state.failure }
      let count = state.waiting.count
      let why = state.failure?.message ?? "cannot write the ledger \(path): the disk is too slow"
      return WorkspaceError(
        .notWritten, "\(why); the last \(count == 1 ? "record is" : "\(count) records are") missing",
        help: state.failure?.help)
    }
  }

  /// Tries again at once what could not be written.
  func retry() { thread.sync { writeWaiting() } }

  // MARK: the thread

  private func writeWaiting() {
    guard state.withLock({ $0.isWriting }) else { return }
    while let next = state.withLock({ $0.waiting }).nonEmpty {
      var written = 0
      var failure: FileError?
      disk.withLock { disk in
        do throws(FileError) {
          for (line, file) in next {
            try disk.write(line, to: file)
            written += 1
          }
          try disk.sync()
        } catch {
          failure = error
        }
      }
      if settle(written: written, failure) { return }
    }
  }

  /// Takes what was written out of the queue.
  /// - Returns: Whether the thread is done for now.
  private func settle(written: Int, _ failure: FileError?) -> Bool {
    let (news, isDone, pause): (WorkspaceError??, Bool, Int?) = state.withLock { state in
      for entry in state.waiting.prefix(written) { state.bytes -= entry.line.utf8.count }
      state.waiting.removeFirst(written)
      var news: WorkspaceError?? = .none
      if let failure {
        let error = Self.failure(opening: path, failure)
        if state.failure != error { news = .some(error) }
        state.failure = error
        state.failures += 1
      } else if state.failure != nil {
        news = .some(nil)
        (state.failure, state.failures) = (nil, 0)
      }
      if state.waiting.isEmpty || failure != nil && state.isClosed {
        state.isWriting = false
        work.leave()
        return (news, true, nil)
      }
      // 1, 2, 4 ... 64 s.
      return (news, failure != nil, failure == nil ? nil : 1 << min(state.failures - 1, 6))
    }
    if let pause { thread.asyncAfter(deadline: .now() + .seconds(pause)) { self.writeWaiting() } }
    if let news { tell(news) }
    return isDone
  }
}

extension Array {
  fileprivate var nonEmpty: Self? { isEmpty ? nil : self }
}
