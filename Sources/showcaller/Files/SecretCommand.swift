import Glibc
import ScenarioLanguage

/// Runs the program of a `command:` secret: no shell, ten seconds, 64 KiB.
enum SecretCommand {
  private static let patience: Duration = .seconds(10)

  static func output(of command: [String]) async -> Result<String, SecretProblem> {
    guard let program = command.first, !program.isEmpty else { return .failure(.command("", "is no program")) }
    func failure(_ reason: String) -> Result<String, SecretProblem> { .failure(.command(program, reason)) }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return failure("could not be started: \(Self.systemMessage(errno))") }
    defer { close(ends[0]) }
    // The program gets the writing end as its output, and nothing else of ours.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let (code, child) = spawn(command, writingTo: ends[1])
    close(ends[1])
    guard code == 0 else { return failure("could not be started: \(Self.systemMessage(code))") }
    let deadline = ContinuousClock.now + patience
    let bytes = read(ends[0], until: deadline)
    let status = bytes == nil ? nil : wait(for: child, until: deadline)
    guard let bytes, let status else {
      // The whole group: what it started goes with it.
      kill(-child, SIGKILL)
      _ = waitpid(child, nil, 0)
      return failure(bytes == nil ? "was not done after 10 s, or wrote more than 64 KiB" : "did not end within 10 s")
    }
    guard status == 0 else {
      // Exit status in the second byte, a signal in the first.
      return failure(status & 0x7F == 0 ? "ended with exit code \(status >> 8 & 0xFF)" : "was ended by a signal")
    }
    switch SecretFile.text(of: bytes) {
    case .success(let text): return .success(text)
    case .failure(.empty): return failure("wrote nothing")
    case .failure: return failure("wrote no UTF-8 text")
    }
  }

  /// Standard input is empty, standard error goes to ours, and it leads a process group of its own.
  private static func spawn(_ command: [String], writingTo output: Int32) -> (code: Int32, child: pid_t) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    let arguments = command.map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    var child = pid_t()
    let code = posix_spawnp(&child, command[0], &actions, &attributes, arguments + [nil], environ)
    return (code, child)
  }

  /// All output; `nil` when there is too much or the time is over.
  private static func read(_ descriptor: Int32, until deadline: ContinuousClock.Instant) -> [UInt8]? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while bytes.count <= SecretFile.byteLimit {
      let left = Int32(clamping: milliseconds(until: deadline))
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = poll(&waiting, 1, left)
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else { return nil }
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { return bytes }
      bytes += chunk.prefix(count)
    }
    return nil
  }

  private static func milliseconds(until deadline: ContinuousClock.Instant) -> Int64 {
    let left = (deadline - .now).components
    return max(0, left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000)
  }

  /// The exit status; `nil` when the time is over.
  private static func wait(for child: pid_t, until deadline: ContinuousClock.Instant) -> Int32? {
    var status: Int32 = 0
    while true {
      let found = waitpid(child, &status, WNOHANG)
      if found == child { return status }
      if found < 0, errno != EINTR { return nil }
      if ContinuousClock.now >= deadline { return nil }
      // Its output is closed: it is about to end.
      usleep(2000)
    }
  }

  private static func systemMessage(_ code: Int32) -> String { String(cString: strerror(code)) }
}
