import Dispatch
import Glibc
import ScenarioRunner
import Synchronization

/// Starts the programs of `exec` steps: argument by argument, with few variables, in a process group of their own that
/// is killed as a whole when the time is over or nobody waits any longer.
enum ProgramRunner {
  /// What a program gets of our environment.
  private static let variables = ["PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "USER"]
  /// How soon a program is killed that nobody waits for any longer.
  private static let look: Int32 = 50

  private final class Switch: Sendable {
    private let isSet = Mutex(false)
    func set() { isSet.withLock { $0 = true } }
    var value: Bool { isSet.withLock { $0 } }
  }

  static func run(_ call: ProgramCall) async -> ProgramCall.End {
    let stop = Switch()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // It waits for a process, which must not hold up anybody's connection.
        DispatchQueue.global().async {
          continuation.resume(returning: run(call, until: stop))
        }
      }
    } onCancel: {
      stop.set()
    }
  }

  private static func run(_ call: ProgramCall, until stop: Switch) -> ProgramCall.End {
    guard let program = call.command.first else { return .notStarted("no program is named") }
    // Arguments end at a zero byte: what stands behind it would be lost without a word.
    if call.command.contains(where: { $0.utf8.contains(0) }) { return .notStarted("an argument holds a zero byte") }
    guard let input = Pipe(), let output = Pipe(), let complaint = Pipe() else {
      return .notStarted(String(cString: strerror(errno)))
    }
    // A program that does not read must neither end us nor hold us up.
    signal(SIGPIPE, SIG_IGN)
    _ = fcntl(input.writing, F_SETFL, O_NONBLOCK)
    var child = pid_t()
    let code = spawn(program, call, input, output, complaint, &child)
    input.closeReading()
    output.closeWriting()
    complaint.closeWriting()
    guard code == 0 else { return .notStarted(String(cString: strerror(code))) }
    let deadline = ContinuousClock.now + call.limit
    var written = 0
    var read = [UInt8]()
    var said = [UInt8]()
    var status: Int32?
    if call.input.isEmpty { input.closeWriting() }
    while !(output.isDone && complaint.isDone) {
      let left = deadline - .now
      if left <= .zero || stop.value { return end(child, .overdue) }
      var polled = [
        pollfd(fd: output.reading, events: Int16(POLLIN), revents: 0),
        pollfd(fd: complaint.reading, events: Int16(POLLIN), revents: 0),
        pollfd(fd: input.writing, events: Int16(POLLOUT), revents: 0),
      ]
      let ready = poll(&polled, nfds_t(polled.count), look)
      if ready < 0, errno != EINTR { return end(child, .notStarted(String(cString: strerror(errno)))) }
      if ready <= 0 {
        // What it left behind may hold its output open for ever.
        status = ended(child)
        if status != nil { break }
        continue
      }
      if polled[0].revents != 0 { output.read(into: &read) }
      if read.count > ProgramCall.outputLimit { return end(child, .tooMuchOutput) }
      if polled[1].revents != 0 {
        complaint.read(into: &said)
        if said.count > ProgramCall.complaintLimit { said.removeFirst(said.count - ProgramCall.complaintLimit) }
      }
      if polled[2].revents != 0 {
        let count = call.input.withUnsafeBytes {
          Glibc.write(input.writing, $0.baseAddress?.advanced(by: written), $0.count - written)
        }
        if count > 0 { written += count }
        if written >= call.input.count || count < 0 && errno != EINTR && errno != EAGAIN { input.closeWriting() }
      }
    }
    while status == nil {
      status = ended(child)
      if status == nil, ContinuousClock.now >= deadline || stop.value { return end(child, .overdue) }
      if status == nil { usleep(2000) }
    }
    // What it started in the background goes with it.
    kill(-child, SIGKILL)
    guard let status else { return .overdue }
    if status & 0x7F != 0 { return .signalled(status & 0x7F, complaint: said) }
    return .exited(status >> 8 & 0xFF, output: read, complaint: said)
  }

  private static func spawn(
    _ program: String, _ call: ProgramCall, _ input: Pipe, _ output: Pipe, _ complaint: Pipe, _ child: inout pid_t
  ) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input.reading, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output.writing, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, complaint.writing, STDERR_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // What we ignore it need not.
    var defaults = sigset_t()
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF))
    let kept = variables.compactMap { name in Terminal.environment(name).map { "\(name)=\($0)" } }
    let arguments = call.command.map { strdup($0) }
    let environment = (kept + call.environment.map { "\($0.name)=\($0.value)" }).map { strdup($0) }
    defer { for text in arguments + environment { free(text) } }
    return posix_spawnp(&child, program, &actions, &attributes, arguments + [nil], environment + [nil])
  }

  /// Kills the whole group and says why.
  private static func end(_ child: pid_t, _ reason: ProgramCall.End) -> ProgramCall.End {
    kill(-child, SIGKILL)
    while waitpid(child, nil, 0) < 0, errno == EINTR {}
    return reason
  }

  /// The program's status once it is over.
  private static func ended(_ child: pid_t) -> Int32? {
    var status: Int32 = 0
    let found = waitpid(child, &status, WNOHANG)
    // Nobody else waits for it; without it there is nothing to wait for.
    return found == child ? status : found < 0 && errno != EINTR ? 0 : nil
  }

  /// Two ends that no other program gets.
  private final class Pipe {
    private(set) var reading: Int32 = -1
    private(set) var writing: Int32 = -1
    private(set) var isDone = false

    init?() {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { return nil }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      (reading, writing) = (ends[0], ends[1])
    }

    deinit {
      closeReading()
      closeWriting()
    }

    func closeReading() {
      if reading >= 0 { close(reading) }
      reading = -1
    }

    func closeWriting() {
      if writing >= 0 { close(writing) }
      writing = -1
    }

    func read(into bytes: inout [UInt8]) {
      var chunk = [UInt8](repeating: 0, count: 4096)
      let count = Glibc.read(reading, &chunk, chunk.count)
      if count > 0 {
        bytes += chunk.prefix(count)
      } else if count == 0 || errno != EINTR {
        closeReading()
        isDone = true
      }
    }
  }
}
