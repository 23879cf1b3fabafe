import CastProtocol
import Glibc
import Synchronization

/// The locks of devices, a file for each in `$XDG_STATE_HOME/showcaller/locks`: at most one process at a time has a device.
///
/// The kernel keeps them and ends them with the process, however it ends; what a file says only tells who has it. The files
/// are never removed. Else one process could lock a file that is gone from the folder, and another the new one of that name.
///
/// Where a lock cannot be had, as in a home that is read-only, the process goes on without: a timetable must not stop for it.
package final class DeviceLocks: Sendable {
  /// What came of asking for locks.
  package enum Answer: Hashable, Sendable {
    /// This process has all of them.
    case taken
    /// Another has the lock `key`, and none was taken; `by` is `nil` where nobody can tell who.
    case held(key: String, by: DeviceHolder?)
  }

  private final class Kept: Sendable {
    let file: OpenFile
    init(_ file: consuming OpenFile) { self.file = file }
    deinit { Descriptor.unlock(file.descriptor) }
  }

  private struct Lock {
    /// Closed with the last reference; `nil` where there was none to be had.
    var kept: Kept?
    var uses = 0
  }

  private struct State {
    var locks: [String: Lock] = [:]
    var problem: String?
    var hasProblem = false

    mutating func note(_ error: FileError, in folder: String?) {
      if hasProblem { return }
      hasProblem = true
      problem =
        folder.map { "devices are not locked: cannot write in \($0): \(error.message)" }
        ?? "devices are not locked: neither XDG_STATE_HOME nor HOME names a folder"
    }
  }

  private let folder: String?
  private let unixTime: @Sendable () -> Double
  private let command: String
  private let isBrief: Bool
  private let state = Mutex(State())

  /// The locks of a command.
  /// - Parameters:
  ///   - command: What others are told who find a device locked. It must hold no secret.
  ///   - isBrief: Whether the command ends in a moment, so that others had better wait than give up.
  package init(_ surroundings: Surroundings, for command: String, isBrief: Bool) {
    folder = surroundings.stateFolder.map { $0 + "/locks" }
    unixTime = surroundings.unixTime
    self.command = command
    self.isBrief = isBrief
  }

  /// Takes all of these locks or none, at once. One that this process has already is used once more.
  package func take(_ keys: Set<String>) -> Answer {
    state.withLock { state in
      var new: [String: Lock] = [:]
      // In one order for all processes: of two that want the same ones, the first gets all.
      for key in keys.sorted() where state.locks[key] == nil {
        do throws(FileError) {
          guard let kept = try open(key) else { return .held(key: key, by: holder(of: key)) }
          new[key] = Lock(kept: kept)
        } catch {
          state.note(error, in: folder)
          new[key] = Lock()
        }
      }
      state.locks.merge(new) { first, _ in first }
      for key in keys { state.locks[key]?.uses += 1 }
      return .taken
    }
  }

  /// Ends one use of each. The process keeps them for its next use, until ``releaseUnused()``.
  package func giveBack(_ keys: Set<String>) {
    state.withLock { state in
      for key in keys where (state.locks[key]?.uses ?? 0) > 0 { state.locks[key]?.uses -= 1 }
    }
  }

  /// Lets others have what is not in use.
  package func releaseUnused() { state.withLock { state in state.locks = state.locks.filter { $0.value.uses > 0 } } }

  /// Lets others have everything, used or not.
  package func releaseAll() { state.withLock { $0.locks = [:] } }

  /// Why devices are not locked, to the first who asks; `nil` where they are, and to all who ask later.
  package func takeProblem() -> String? {
    state.withLock { state in
      defer { state.problem = nil }
      return state.problem
    }
  }

  // MARK: files

  /// - Returns: The locked file; `nil` where another has it.
  private func open(_ key: String) throws(FileError) -> Kept? {
    guard let folder else { throw .system(ENOENT) }
    let kept = Kept(try openFile("\(folder)/\(Files.uniqueName(key))", in: folder))
    guard try Descriptor.lock(kept.file.descriptor, .exclusive) else { return nil }
    let holder = DeviceHolder(
      command: command, process: Int(getpid()), since: Int(exactly: unixTime().rounded(.down)), isBrief: isBrief)
    let line = holder.line
    // In one piece, so that nobody reads half a line; what a longer one left behind it is cut off after that.
    let count = line.withCString { pwrite(kept.file.descriptor, $0, line.utf8.count, 0) }
    if count > 0 { _ = ftruncate(kept.file.descriptor, off_t(count)) }
    return kept
  }

  private func openFile(_ path: String, in folder: String) throws(FileError) -> OpenFile {
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW
    do {
      return try Files.open(path, flags, mode: 0o600)
    } catch {
      guard error.code == ENOENT else { throw error }
      try Files.makeFolders(folder)
      return try Files.open(path, flags, mode: 0o600)
    }
  }

  private func holder(of key: String) -> DeviceHolder? {
    guard let folder, let file = try? Files.open("\(folder)/\(Files.uniqueName(key))", O_RDONLY | O_NOFOLLOW),
      let bytes = try? Descriptor.read(file.descriptor, atMost: DeviceHolder.byteLimit)
    else { return nil }
    return DeviceHolder(line: bytes)
  }
}
