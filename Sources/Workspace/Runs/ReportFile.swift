package import Dispatch
import Glibc
import Synchronization

/// Where a report goes.
package protocol ReportDestination: Sendable {
  /// Never waits for a reader or a disk.
  func write(_ text: String)

  /// Waits for what is not written yet, at most until `deadline`; returns why the report is not whole, or `nil`.
  func close(until deadline: DispatchTime) -> String?
}

/// A file, a pipe, or standard output, that a report is written to by a thread of its own. Remembers the first failure
/// for the end of the run.
package final class ReportFile: ReportDestination {
  private struct State {
    var failure: String?
    /// Lines for which there was no room.
    var missed = 0
    var isOpen = true
  }

  /// What becomes of lines for which there is no room.
  package enum WhenFull: Sendable {
    /// They are left out: a reader that catches up gets what follows.
    case leavesOut
    /// Nothing follows them: what is there has no gaps.
    case stops
  }

  /// What may wait for a slow reader, in bytes.
  package static let reportLimit = 16 << 20
  /// As ``reportLimit``, for the stored events of a run.
  package static let eventLimit = 64 << 20
  /// How long a pipe may be without a reader before the run begins.
  package static let readerPatience = Duration.seconds(5)

  /// Where it is, `-` being standard output.
  package let path: String
  private let whenFull: WhenFull
  /// `nil`: standard output, which is not ours to close.
  private let descriptor: Int32?
  private let queue: TextQueue
  private let state = Mutex(State())

  /// Opens `path` for writing, `-` being standard output.
  ///
  /// - Parameters:
  ///   - mode: The permissions of a new file, less what the umask takes.
  ///   - appending: What is in the file stays.
  ///   - byteLimit: What may wait to be written.
  ///   - patience: How long a pipe may be without a reader.
  /// - Throws: Where it cannot be opened, or somebody asks for an end meanwhile.
  package init(
    _ path: String, mode: UInt32, appending: Bool = false, in surroundings: Surroundings, byteLimit: Int = reportLimit,
    whenFull: WhenFull = .leavesOut, patience: Duration = readerPatience
  ) throws(WorkspaceError) {
    self.path = path
    self.whenFull = whenFull
    if path == "-" {
      descriptor = nil
      queue = TextQueue(byteLimit: byteLimit, write: surroundings.writeOutput)
    } else {
      let descriptor = try Self.opened(path, appending ? O_APPEND : O_TRUNC, mode, surroundings, patience)
      self.descriptor = descriptor
      queue = TextQueue(byteLimit: byteLimit) { text throws(FileError) in
        try Descriptor.write(text, to: descriptor)
      }
    }
  }

  private static func opened(
    _ path: String, _ flag: Int32, _ mode: UInt32, _ surroundings: Surroundings, _ patience: Duration
  ) throws(WorkspaceError) -> Int32 {
    if let number = DescriptorPath.number(of: path) {
      let copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
      guard copy >= 0 else { throw WorkspaceError(writing: path, .last) }
      return copy
    }
    let end = ContinuousClock.now + patience
    while true {
      do throws(FileError) {
        // A pipe that nobody reads would otherwise hold up the run before it begins.
        return try Files.open(path, O_WRONLY | O_CREAT | flag, mode: mode).release()
      } catch {
        guard error.code == ENXIO, Files.kind(of: path) == .pipe else {
          throw WorkspaceError(writing: path, error)
        }
      }
      guard ContinuousClock.now < end else {
        throw WorkspaceError(
          .notWritten, "cannot write \(name(path)): nobody reads this pipe", help: "start its reader first")
      }
      if surroundings.isInterrupted() { throw .interrupted }
      usleep(20_000)
    }
  }

  /// A path as people call it.
  static func name(_ path: String) -> String { path == "-" ? "standard output" : path }

  /// Keeps others that prune run folders from taking this one for a dead run's, for as long as this process lives.
  package func lock() {
    guard let descriptor else { return }
    // It lives as long as one descriptor of this opening does, and this one is never closed.
    let keeper = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    // Another run that prunes folders may hold the lock for a moment.
    for _ in 0..<100 {
      if (try? Descriptor.lock(keeper < 0 ? descriptor : keeper, .exclusive)) != false { return }
      usleep(1000)
    }
  }

  /// Has `text` written at once, without waiting for it. Where there is no room its lines are left out and counted.
  package func write(_ text: String) {
    state.withLock { state in
      guard state.isOpen else { return }
      let hasEnded = state.missed > 0 && whenFull == .stops
      if hasEnded || !queue.offer(text) { state.missed += text.lineCount }
    }
  }

  /// Waits for what is not written yet, at most until `deadline`, and closes the file.
  /// - Returns: Why it is not whole, or `nil`.
  package func close(until deadline: DispatchTime = .now() + .seconds(5)) -> String? {
    state.withLock { state in
      guard state.isOpen else { return state.failure }
      state.isOpen = false
      let unwritten = queue.drain(until: deadline)
      let missing = unwritten + state.missed
      if let error = queue.failure {
        state.failure = "cannot write \(Self.name(path)): \(error.message)"
      } else if missing > 0 {
        let last = state.missed == 0 || whenFull == .stops ? "the last " : ""
        let lines = missing > 1 ? "\(last)\(missing) lines are" : last.isEmpty ? "1 line is" : "\(last)line is"
        state.failure = "cannot write \(Self.name(path)): its reader is too slow, \(lines) missing"
        // Its thread still writes there.
        if unwritten > 0 { return state.failure }
      }
      if let descriptor, Glibc.close(descriptor) != 0, state.failure == nil {
        state.failure = "cannot write \(path): \(FileError.last.message)"
      }
      return state.failure
    }
  }
}
