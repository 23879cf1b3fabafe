import Glibc

/// One run of a command: its wall time and the most memory it held.
struct ChildProcess {
  var seconds: Double
  var peakKilobytes: Int
  var exitCode: Int32
  /// User and system time of all its threads.
  var processorSeconds: Double

  struct CannotRun: Error {
    var command: String
  }

  /// Runs `arguments` to the end with its output thrown away.
  static func run(_ arguments: [String]) throws -> ChildProcess {
    let started = Stopwatch.now
    let processID = try spawn(arguments, output: nil)
    var status: Int32 = 0
    var usage = rusage()
    while wait4(processID, &status, 0, &usage) < 0, errno == EINTR {}
    let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + status & 0x7F
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) * 1e-6 }
    return ChildProcess(
      seconds: Stopwatch.now - started, peakKilobytes: usage.ru_maxrss, exitCode: code,
      processorSeconds: seconds(usage.ru_utime) + seconds(usage.ru_stime))
  }

  /// Runs `arguments` to the end and returns the first line that it prints.
  static func output(of arguments: [String]) throws -> String {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw CannotRun(command: "pipe") }
    defer { close(ends[0]) }
    _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
    let processID = try spawn(arguments, output: ends[1])
    close(ends[1])
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while read(ends[0], &byte, 1) == 1, byte != UInt8(ascii: "\n") { bytes.append(byte) }
    var status: Int32 = 0
    while waitpid(processID, &status, 0) < 0, errno == EINTR {}
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Starts `arguments`; its standard output goes to the descriptor, or nowhere.
  static func spawn(_ arguments: [String], output: Int32?) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    if let output {
      posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    } else {
      posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    }
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    var pointers = arguments.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    var processID = pid_t()
    guard posix_spawn(&processID, arguments[0], &actions, nil, &pointers, environ) == 0 else {
      throw CannotRun(command: arguments.joined(separator: " "))
    }
    return processID
  }
}

enum Stopwatch {
  /// Seconds of the monotonic clock.
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}

/// A `showcaller receive` in a process of its own.
struct ReceiverProcess {
  let processID: pid_t
  let address: String

  /// Starts it on a free port and reads where it listens.
  init(binary: String) throws { try self.init(command: [binary]) }

  /// The same with words in front of the binary.
  init(command: [String]) throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw ChildProcess.CannotRun(command: "pipe") }
    processID = try ChildProcess.spawn(command + ["receive", "--port", "0", "--latency", "none"], output: ends[1])
    close(ends[1])
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while read(ends[0], &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
    close(ends[0])
    guard let word = String(decoding: line, as: UTF8.self).split(separator: " ").last else {
      throw ChildProcess.CannotRun(command: command.joined(separator: " "))
    }
    address = String(word)
  }

  func stop() {
    kill(processID, SIGINT)
    var status: Int32 = 0
    while waitpid(processID, &status, 0) < 0, errno == EINTR {}
  }
}
