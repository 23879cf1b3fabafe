import Dispatch
import Glibc

extension BrowserProcess {
  /// Two ends of a stream that no other program gets, with numbers that nothing is put in the place of.
  final class Ends {
    private(set) var reading: Int32 = -1
    private(set) var writing: Int32 = -1

    init?() {
      var ends: [Int32] = [-1, -1]
      // Sockets, for pipes cannot be made and closed to other programs in one call here.
      guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else { return nil }
      // The browser's are 3 and 4: ours must be neither while they are put there.
      reading = fcntl(ends[0], F_DUPFD_CLOEXEC, 10)
      writing = fcntl(ends[1], F_DUPFD_CLOEXEC, 10)
      close(ends[0])
      close(ends[1])
      if reading < 0 || writing < 0 { return nil }
    }

    deinit {
      if reading >= 0 { close(reading) }
      if writing >= 0 { close(writing) }
    }

    /// Somebody else closes the reading end from now on.
    func keepReading() -> Int32 {
      defer { reading = -1 }
      return reading
    }

    /// Somebody else closes the writing end from now on.
    func keepWriting() -> Int32 {
      defer { writing = -1 }
      return writing
    }
  }

  /// A thread for calls that wait.
  enum Thread {
    static func run(_ body: @escaping @Sendable () -> Void) {
      DispatchQueue(label: "showcaller.browser").async(execute: body)
    }
  }

  /// Starts `command` with its two pipes as 3 and 4, as `--remote-debugging-pipe` has it.
  static func spawn(
    _ command: [String], _ environment: [String], reads: Int32, writes: Int32, errors: Int32, _ child: inout pid_t
  ) -> Int32 {
    guard let program = command.first else { return ENOENT }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
    posix_spawn_file_actions_adddup2(&actions, reads, 3)
    posix_spawn_file_actions_adddup2(&actions, writes, 4)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
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
    return posix_spawn(&child, program, &actions, &attributes, arguments + [nil], variables + [nil])
  }
}
