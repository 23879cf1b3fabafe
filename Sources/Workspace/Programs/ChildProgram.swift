import Dispatch
import Glibc
import Synchronization

/// A program of this computer: started argument by argument, without a shell, in a process group of its own, with no
/// signal blocked or ignored; it ends, with all that it started, when its time is over or nobody waits any longer.
package struct ChildProgram: Sendable {
  /// What becomes of its standard error.
  package enum StandardError: Sendable {
    /// Ours.
    case inherited
    /// The last bytes are kept.
    case kept(Int)
  }

  /// How it ended.
  package enum End: Hashable, Sendable {
    case exited(Int32, output: [UInt8], standardError: [UInt8])
    case signalled(Int32, standardError: [UInt8])
    case overdue
    case tooMuchOutput
    case notStarted(String)
  }

  /// Milliseconds between two checks of whether it has ended or its caller was cancelled.
  static let pollInterval: Int32 = 20
  /// How often its output is read after its end: what it wrote itself lies in the pipes then, which hold 64 KiB each.
  static let readsAfterEnd = (64 << 10) / readSize
  static let readSize = 4096

  /// Nothing is started while a pipe is made: its ends are marked as ours only after that.
  private static let starting = Mutex(())
  /// The groups of the programs that run.
  private static let groups = Mutex<Set<pid_t>>([])

  /// Ends all of them at once, with all they started: this process is about to end.
  package static func killAll() {
    for group in groups.withLock({ $0 }) { kill(-group, SIGKILL) }
  }

  /// The program, found on the path, and its arguments.
  package var command: [String]
  /// `NAME=value`, all that it gets.
  package var environment: [String]
  /// What it reads on standard input.
  package var input: [UInt8] = []
  /// The most that it may write on standard output, in bytes.
  package var outputLimit: Int
  /// What becomes of its standard error.
  package var standardError: StandardError
  /// Real time.
  package var limit: Duration
  /// How long it has between SIGTERM and SIGKILL.
  package var grace = Duration.seconds(2)
  /// Gets its standard output as it comes, on a thread of its own.
  package var onOutput: (@Sendable (ArraySlice<UInt8>) -> Void)?

  /// A program with all it gets.
  package init(
    command: [String], environment: [String], input: [UInt8] = [], outputLimit: Int, standardError: StandardError,
    limit: Duration
  ) {
    self.command = command
    self.environment = environment
    self.input = input
    self.outputLimit = outputLimit
    self.standardError = standardError
    self.limit = limit
  }

  /// Set once, when nobody waits for the program any longer.
  final class CancellationFlag: Sendable {
    private let isSet = Mutex(false)
    func set() { isSet.withLock { $0 = true } }
    var value: Bool { isSet.withLock { $0 } }
  }

  /// Runs it to its end; cancelling the task ends it.
  package func run() async -> End {
    let stop = CancellationFlag()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // It waits for a process, which must not hold up anybody's connection.
        DispatchQueue(label: "showcaller.program").async { continuation.resume(returning: run(until: stop)) }
      }
    } onCancel: {
      stop.set()
    }
  }

  private func run(until stop: CancellationFlag) -> End {
    guard let program = command.first, !program.isEmpty else { return .notStarted("no program is named") }
    // Arguments end at a zero byte: what stands behind it would be lost without a word.
    if command.contains(where: { $0.utf8.contains(0) }) { return .notStarted("an argument holds a zero byte") }
    let pipes = Self.starting.withLock { _ in (Pipe(), Pipe(), Pipe()) }
    guard let input = pipes.0, let output = pipes.1, let errors = pipes.2 else {
      return .notStarted(Self.text(errno))
    }
    _ = fcntl(input.writing, F_SETFL, O_NONBLOCK)
    var child = pid_t()
    let code = Self.starting.withLock { _ in spawn(program, input, output, errors, &child) }
    input.closeReading()
    output.closeWriting()
    errors.closeWriting()
    if case .inherited = self.standardError { errors.closeReading() }
    guard code == 0 else { return .notStarted(Self.text(code)) }
    let group = child
    Self.groups.withLock { _ = $0.insert(group) }
    defer { Self.groups.withLock { _ = $0.remove(group) } }
    var exchange = Exchange(self, child, input, output, errors)
    let obstacle = exchange.run(until: .now + limit, or: stop)
    if obstacle != nil { end(&exchange) }
    // What it started in the background goes with it.
    kill(-child, SIGKILL)
    if let obstacle { return obstacle }
    guard let status = exchange.status else { return .overdue }
    if status & 0x7F != 0 { return .signalled(status & 0x7F, standardError: exchange.readError) }
    return .exited(status >> 8 & 0xFF, output: exchange.read, standardError: exchange.readError)
  }

  /// Asks the whole group to end, and ends what does not.
  private func end(_ exchange: inout Exchange) {
    kill(-exchange.child, SIGTERM)
    _ = exchange.run(until: .now + grace, or: nil, isEnding: true)
    guard exchange.status == nil else { return }
    kill(-exchange.child, SIGKILL)
    while waitpid(exchange.child, nil, 0) < 0, errno == EINTR {}
  }

  private func spawn(_ program: String, _ input: Pipe, _ output: Pipe, _ errors: Pipe, _ child: inout pid_t) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input.reading, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output.writing, STDOUT_FILENO)
    if case .kept = self.standardError { posix_spawn_file_actions_adddup2(&actions, errors.writing, STDERR_FILENO) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The thread that starts it has nearly all signals blocked, and we ignore some that it need not.
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    let arguments = command.map { strdup($0) }
    let variables = environment.map { strdup($0) }
    defer { for text in arguments + variables { free(text) } }
    return posix_spawnp(&child, program, &actions, &attributes, arguments + [nil], variables + [nil])
  }

  /// The status of exit code 127, in the system's form.
  static let unknownEnd: Int32 = 127 << 8

  static func text(_ error: Int32) -> String { String(cString: strerror(error)) }
}
