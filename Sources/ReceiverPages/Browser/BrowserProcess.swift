import Dispatch
import Glibc
import Synchronization

/// A browser that runs for us, in a process group and a profile folder of its own; we speak to it by two pipes, so that no
/// port is open. It goes with us: it ends when its pipes close, whatever becomes of this process.
final class BrowserProcess: Sendable {
  /// Why it is not there.
  struct Failure: Error, Hashable {
    var message: String
  }

  /// What may wait to be written, in bytes: a browser that reads no more has hung.
  static let backlogLimit = 32 << 20
  private static let standardErrorLimit = 2048
  /// How long it has to end by itself.
  private static let grace = Duration.seconds(2)
  /// The groups of the browsers that run, and their profiles.
  private static let running = Mutex<[pid_t: String]>([:])

  /// Ends all of them at once: this process is about to end.
  package static func killAll() {
    for (group, profile) in running.withLock({ $0 }) {
      kill(-group, SIGKILL)
      ProfileFolder.remove(profile)
    }
  }

  private struct State {
    var input: Int32
    var backlog = 0
    var standardError: [UInt8] = []
    var isClosed = false
  }

  private let child: pid_t
  private let output: Int32
  private let errors: Int32
  private let profile: ProfileFolder
  private let state: Mutex<State>
  private let writer = DispatchQueue(label: "showcaller.browser.write")
  private let ended = DispatchSemaphore(value: 0)

  /// Starts it; `folder` is where its profile may be made.
  init(_ program: BrowserProgram, extra: [String], environment: [String], in folder: String) throws(Failure) {
    ProfileFolder.removeAbandoned(in: folder)
    guard let profile = ProfileFolder(in: folder) else { throw Self.failure("no profile folder in \(folder)", errno) }
    self.profile = profile
    guard let toBrowser = Ends(), let fromBrowser = Ends(), let errors = Ends() else {
      profile.remove()
      throw Self.failure("no pipe", errno)
    }
    var child = pid_t()
    let code = Self.spawn(
      program.command(profile: profile.path, extra: extra),
      environment + ["HOME", "XDG_CACHE_HOME", "TMPDIR"].map { "\($0)=\(profile.path)" },
      reads: toBrowser.reading, writes: fromBrowser.writing, errors: errors.writing, &child)
    guard code == 0 else {
      profile.remove()
      throw Self.failure("\(program.path) could not be started", code)
    }
    self.child = child
    state = Mutex(State(input: toBrowser.keepWriting()))
    output = fromBrowser.keepReading()
    self.errors = errors.keepReading()
    Self.running.withLock { $0[child] = profile.path }
  }

  private static func failure(_ text: String, _ error: Int32) -> Failure {
    Failure(message: "\(text): \(String(cString: strerror(error)))")
  }

  /// Hands over what it writes, and its end, once; on a thread of its own.
  func start(read: @escaping @Sendable (ArraySlice<UInt8>) -> Bool, ended: @escaping @Sendable (String) -> Void) {
    Thread.run { [self] in readErrors() }
    Thread.run { [self] in
      var chunk = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = Glibc.read(output, &chunk, chunk.count)
        if count > 0, !read(chunk.prefix(count)) { break }
        if count == 0 || count < 0 && errno != EINTR { break }
      }
      let status = finish()
      ended(reason(status))
      self.ended.signal()
    }
  }

  /// Queues `bytes`; a browser that does not take them any more is ended.
  func write(_ bytes: [UInt8]) {
    let fits = state.withLock { state in
      if state.isClosed { return true }
      state.backlog += bytes.count
      return state.backlog <= Self.backlogLimit
    }
    guard fits else {
      kill(-child, SIGKILL)
      return
    }
    writer.async { [self] in
      let input = state.withLock { $0.isClosed ? -1 : $0.input }
      var done = 0
      while input >= 0, done < bytes.count {
        let count = bytes.withUnsafeBytes {
          send(input, $0.baseAddress?.advanced(by: done), bytes.count - done, Int32(MSG_NOSIGNAL))
        }
        if count > 0 { done += count } else if errno != EINTR { break }
      }
      state.withLock { $0.backlog -= bytes.count }
    }
  }

  /// Ends it and waits until it has ended, at most a few seconds.
  func stop() {
    let deadline = DispatchTime.now() + .seconds(2)
    // A browser whose pipes close ends by itself.
    writer.async { [self] in closeInput() }
    if ended.wait(timeout: deadline) == .timedOut {
      kill(-child, SIGKILL)
      _ = ended.wait(timeout: .now() + .seconds(2))
    }
    ended.signal()
  }

  private func closeInput() {
    state.withLock { state in
      if state.isClosed { return }
      state.isClosed = true
      close(state.input)
    }
  }

  /// Takes the end of the process, and all that it left.
  private func finish() -> Int32 {
    var status: Int32 = 0
    let deadline = ContinuousClock.now + Self.grace
    var found: pid_t = 0
    while ContinuousClock.now < deadline {
      found = waitpid(child, &status, WNOHANG)
      if found != 0, !(found < 0 && errno == EINTR) { break }
      usleep(5000)
    }
    kill(-child, SIGKILL)
    if found == 0 { while waitpid(child, &status, 0) < 0, errno == EINTR {} }
    Self.running.withLock { _ = $0.removeValue(forKey: child) }
    // A writer that waits for a browser that is gone gets EPIPE and comes here by itself.
    writer.async { [self] in closeInput() }
    close(output)
    profile.remove()
    return status
  }

  private func readErrors() {
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = Glibc.read(errors, &chunk, chunk.count)
      if count > 0 {
        state.withLock { state in
          state.standardError += chunk.prefix(count)
          let extra = state.standardError.count - Self.standardErrorLimit
          if extra > 0 { state.standardError.removeFirst(extra) }
        }
      } else if count == 0 || errno != EINTR {
        break
      }
    }
    close(errors)
  }

  private func reason(_ status: Int32) -> String {
    let said = state.withLock { String(decoding: $0.standardError, as: UTF8.self) }
    let last = said.split(separator: "\n").last.map { ": \($0)" } ?? ""
    return "the browser ended\(status == 0 ? "" : last)"
  }
}
