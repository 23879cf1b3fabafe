import Foundation
import Synchronization

/// A spawned process with its three streams, read by threads of their own so that nothing is lost or left waiting.
struct ChildProcess {
  struct CannotSpawn: Error { var command: String }

  let processID: pid_t
  /// The writing end of its standard input.
  let input: Int32
  private let output: Int32
  private let errors: Int32

  /// One spawn at a time: a pipe's ends are inheritable until they are marked, and no other child may get them.
  private static let spawning = Mutex(())

  /// What outlives a command, for all tests of this user: each has its receivers at ports of their own.
  private static let stateFolder = FileManager.default.temporaryDirectory.path + "/showcaller-tests-\(getuid())"

  init(_ executable: String, _ arguments: [String], environment: [String: String], in folder: String) throws {
    // `env -C` goes to the folder and becomes the command.
    let command = ["/usr/bin/env", "-C", folder, executable] + arguments
    self = try Self.spawning.withLock { _ in try Self(command, environment: environment) }
  }

  private init(_ command: [String], environment: [String: String]) throws {
    let (inputEnds, outputEnds, errorEnds) = (try Self.pipe(), try Self.pipe(), try Self.pipe())
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, inputEnds.read, 0)
    posix_spawn_file_actions_adddup2(&actions, outputEnds.write, 1)
    posix_spawn_file_actions_adddup2(&actions, errorEnds.write, 2)
    // What the test runner was started with open is not the child's: a test that allows it few files counts on that.
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
      if let descriptor = Int32(name), descriptor > 2 { posix_spawn_file_actions_addclose(&actions, descriptor) }
    }
    // A test runner may ignore or block signals; the child starts with the usual ones.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    // Nobody's own settings decide a test, and no test leaves anything in anybody's home.
    let own = [
      "XDG_CONFIG_HOME": "/proc/nonexistent", "XDG_STATE_HOME": Self.stateFolder, "SHOWCALLER_DEVICE": "",
    ].merging(environment) { $1 }
    let values = ProcessInfo.processInfo.environment.merging(own) { $1 }.map { "\($0)=\($1)" }
    var argv = command.map { strdup($0) } + [nil]
    var envp = values.map { strdup($0) } + [nil]
    defer { for pointer in argv + envp { free(pointer) } }
    var processID = pid_t()
    let result = posix_spawn(&processID, command[0], &actions, &attributes, &argv, &envp)
    for end in [inputEnds.read, outputEnds.write, errorEnds.write] { close(end) }
    guard result == 0 else {
      throw CannotSpawn(command: "\(command.joined(separator: " ")): \(String(cString: strerror(result)))")
    }
    self.processID = processID
    input = inputEnds.write
    output = outputEnds.read
    errors = errorEnds.read
  }

  /// Reads both streams to their ends (told by empty data) and waits for the exit code, 128 and the signal's number
  /// for a process that was killed.
  func collect(
    output: @escaping @Sendable (Data) -> Void, errors: @escaping @Sendable (Data) -> Void,
    exit: @escaping @Sendable (Int32) -> Void
  ) {
    for (descriptor, receive) in [(self.output, output), (self.errors, errors)] {
      Thread.detachNewThread {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
          let count = read(descriptor, &buffer, buffer.count)
          if count < 0, errno == EINTR { continue }
          if count <= 0 { break }
          receive(Data(buffer.prefix(count)))
        }
        close(descriptor)
        receive(Data())
      }
    }
    Thread.detachNewThread { [processID] in
      var status: Int32 = 0
      while waitpid(processID, &status, 0) < 0, errno == EINTR {}
      exit(status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + status & 0x7F)
    }
  }

  /// Both ends stay with this process: no other child inherits them.
  private static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    guard Glibc.pipe(&ends) == 0 else { throw CannotSpawn(command: "pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}
