import Dispatch
import Glibc
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

  /// What may wait for a slow reader; what comes on top of it is left out, and the run goes on.
  static let reportLimit = 16 << 20
  /// As ``reportLimit``, for the stored events of a run.
  static let eventLimit = 64 << 20
  /// How long a pipe may be without a reader before the run begins.
  private static let patience = Duration.seconds(5)

  let path: String
  private let output: FileOutput
  private let queue: OutputQueue
  private let state = Mutex(State())

  /// Opens `path` for writing, `-` being standard output.
  ///
  /// - Parameter mode: The permissions of a new file, less what the umask takes.
  /// - Throws: A failure with exit code 8, before the run begins.
  init(_ path: String, mode: mode_t, byteLimit: Int = reportLimit) throws(CommandFailure) {
    self.path = path
    output = path == "-" ? .standardOutput : FileOutput(descriptor: try Self.opened(path, mode))
    queue = OutputQueue(output, byteLimit: byteLimit)
  }

  /// Makes a file that holds `text` and nothing else.
  static func store(_ text: String, at path: String, mode: mode_t) throws(CommandFailure) {
    let output = FileOutput(descriptor: try opened(path, mode))
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
  func lock() { _ = flock(output.descriptor, LOCK_EX | LOCK_NB) }

  /// Has `text` written at once, without waiting for it. Where there is no room its lines are left out and counted; a
  /// reader that catches up gets what follows.
  func write(_ text: String) {
    state.withLock { state in
      guard state.isOpen else { return }
      if !queue.offer(text) { state.missed += text.lineCount }
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
        let last = state.missed == 0 ? "the last " : ""
        let lines = missing == 1 ? "\(last)line is" : "\(last)\(missing) lines are"
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
