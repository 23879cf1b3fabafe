import ArgumentParser
import Dispatch
import Glibc
import DeviceControl
import RunReporting
import ScenarioRunner
import Synchronization

/// A file, a pipe, or standard output, that a report is written to by a thread of its own. Remembers the first failure
/// for the end of the run.
final class OutputFile: Sendable {
  private struct State {
    var failure: String?
    /// Lines for which there was no room.
    var missed = 0
    var isOpen = true
  }

  /// What becomes of lines for which there is no room.
  enum WhenFull {
    /// They are left out: a reader that catches up gets what follows.
    case leavesOut
    /// Nothing follows them: what is there has no gaps.
    case stops
  }

  /// What may wait for a slow reader.
  static let reportLimit = 16 << 20
  /// As ``reportLimit``, for the stored events of a run.
  static let eventLimit = 64 << 20
  /// How long a pipe may be without a reader before the run begins.
  private static let patience = Duration.seconds(5)

  let path: String
  private let whenFull: WhenFull
  private let output: StandardStream
  private let queue: OutputQueue
  private let state = Mutex(State())

  /// Opens `path` for writing, `-` being standard output.
  ///
  /// - Parameter mode: The permissions of a new file, less what the umask takes.
  /// - Throws: A failure with exit code 8, before the run begins.
  init(
    _ path: String, mode: mode_t, byteLimit: Int = reportLimit, whenFull: WhenFull = .leavesOut
  ) throws(CommandFailure) {
    self.path = path
    self.whenFull = whenFull
    output = path == "-" ? .output : StandardStream(descriptor: try Self.opened(path, mode))
    queue = OutputQueue(output, byteLimit: byteLimit)
  }

  /// Makes a file that holds `text` and nothing else.
  static func store(_ text: String, at path: String, mode: mode_t) throws(CommandFailure) {
    let output = StandardStream(descriptor: try opened(path, mode))
    let failure = output.writeNow(text)
    guard Glibc.close(output.descriptor) == 0, failure == nil else { throw Self.failure(path, failure ?? errno) }
  }

  private static func opened(_ path: String, _ mode: mode_t) throws(CommandFailure) -> Int32 {
    let end = ContinuousClock.now + patience
    while true {
      // A pipe that nobody reads would otherwise hold up the run before it begins.
      let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, mode)
      if descriptor >= 0 { return descriptor }
      if errno == EINTR { continue }
      guard errno == ENXIO, isPipe(path) else { throw failure(path, errno) }
      guard ContinuousClock.now < end else {
        throw CommandFailure(
          .reportNotWritten, "cannot write \(name(path)): nobody reads this pipe", help: "start its reader first")
      }
      if let interruption = SignalWatch.first {
        throw CommandFailure(ExitCode(interruption.rawValue), "interrupted before the run began")
      }
      usleep(20_000)
    }
  }

  private static func isPipe(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }

  /// A path as people call it.
  private static func name(_ path: String) -> String { path == "-" ? "standard output" : path }

  private static func failure(_ path: String, _ error: Int32) -> CommandFailure {
    CommandFailure(.reportNotWritten, "cannot write \(name(path)): \(String(cString: strerror(error)))")
  }

  /// Keeps others that prune run folders from taking this one for a dead run's, for as long as this process lives.
  func lock() {
    // It lives as long as one descriptor of this opening does, and this one is never closed.
    let keeper = fcntl(output.descriptor, F_DUPFD_CLOEXEC, 0)
    // Another run that prunes folders may hold the lock for a moment.
    for _ in 0..<100 {
      if flock(keeper < 0 ? output.descriptor : keeper, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { return }
      usleep(1000)
    }
  }

  /// Has `text` written at once, without waiting for it. Where there is no room its lines are left out and counted.
  func write(_ text: String) {
    state.withLock { state in
      guard state.isOpen else { return }
      let hasEnded = state.missed > 0 && whenFull == .stops
      if hasEnded || !queue.offer(text) { state.missed += text.lineCount }
    }
  }

  /// Waits for what is not written yet, at most until `deadline`, and closes the file.
  /// - Returns: Why it is not whole, or `nil`.
  func close(until deadline: DispatchTime = .now() + .seconds(5)) -> String? {
    state.withLock { state in
      guard state.isOpen else { return state.failure }
      state.isOpen = false
      let unwritten = queue.drain(until: deadline)
      let missing = unwritten + state.missed
      if let error = queue.failure {
        state.failure = "cannot write \(Self.name(path)): \(String(cString: strerror(error)))"
      } else if missing > 0 {
        let last = state.missed == 0 || whenFull == .stops ? "the last " : ""
        let lines = missing > 1 ? "\(last)\(missing) lines are" : last.isEmpty ? "1 line is" : "\(last)line is"
        state.failure = "cannot write \(Self.name(path)): its reader is too slow, \(lines) missing"
        // Its thread still writes there.
        if unwritten > 0 { return state.failure }
      }
      if path != "-", Glibc.close(output.descriptor) != 0, state.failure == nil {
        state.failure = "cannot write \(Self.name(path)): \(String(cString: strerror(errno)))"
      }
      return state.failure
    }
  }
}
