import Foundation

/// Another program, for tests that need a peer which is not ours. Killed when let go of.
final class ChildProcess {
  let id: pid_t
  private let input: Int32
  private let output: Int32
  private var status: Int32?

  /// The full path of `tool`; `nil` where it is not installed.
  static func path(of tool: String) -> String? {
    if tool.contains("/") { return tool }
    let folders = ["/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"]
    let search = (getenv("PATH").map { String(cString: $0) } ?? "").split(separator: ":").map(String.init) + folders
    return search.map { "\($0)/\(tool)" }.first { access($0, X_OK) == 0 }
  }

  /// Starts `tool`; its standard error goes nowhere.
  /// - Parameter environment: Added to ours.
  /// - Returns: `nil` where it cannot be started.
  init?(_ tool: String, _ arguments: [String], environment: [String: String] = [:]) {
    guard let path = Self.path(of: tool) else { return nil }
    var toChild: [Int32] = [-1, -1]
    var fromChild: [Int32] = [-1, -1]
    guard pipe(&toChild) == 0, pipe(&fromChild) == 0 else { return nil }
    for end in toChild + fromChild { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, toChild[0], 0)
    posix_spawn_file_actions_adddup2(&actions, fromChild[1], 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    // A socket of another test, held open by this program, would never end.
    let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.compactMap { Int32($0) } ?? []
    for descriptor in open where descriptor > 2 { posix_spawn_file_actions_addclose(&actions, descriptor) }
    // Swift's and the test library's threads may block or ignore signals; a fresh program should not.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var (none, defaults) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGPIPE)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
      close(toChild[0])
      close(fromChild[1])
    }
    var variables: [String] = []
    var next = environ
    while let entry = next.pointee {
      let text = String(cString: entry)
      if !environment.keys.contains(where: { text.hasPrefix("\($0)=") }) { variables.append(text) }
      next += 1
    }
    variables += environment.map { "\($0)=\($1)" }
    let argv = ([path] + arguments).map { strdup($0) } + [nil]
    let envp = variables.map { strdup($0) } + [nil]
    defer { for pointer in argv + envp { free(pointer) } }
    var id = pid_t()
    guard posix_spawn(&id, path, &actions, &attributes, argv, envp) == 0 else {
      close(toChild[1])
      close(fromChild[0])
      return nil
    }
    self.id = id
    input = toChild[1]
    output = fromChild[0]
  }

  deinit {
    if status == nil {
      kill(id, SIGKILL)
      wait()
    }
    close(input)
    close(output)
  }

  /// Waits for the end; returns the exit status, or -1 where a signal ended it.
  @discardableResult func wait() -> Int32 {
    if let status { return status }
    var raw: Int32 = 0
    while waitpid(id, &raw, 0) < 0 && errno == EINTR {}
    let ended = raw & 0x7F == 0 ? raw >> 8 & 0xFF : -1
    status = ended
    return ended
  }

  /// What the program prints until `isEnough`, or for `seconds` at most, or until its end.
  func read(seconds: Int = 20, until isEnough: (String) -> Bool = { !$0.isEmpty }) -> String {
    var text: [UInt8] = []
    let end = ContinuousClock.now + .seconds(seconds)
    while !isEnough(String(decoding: text, as: UTF8.self)), ContinuousClock.now < end {
      var entry = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, 100) > 0 else { continue }
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = Glibc.read(output, &buffer, buffer.count)
      guard count > 0 else { break }
      text += buffer.prefix(count)
    }
    return String(decoding: text, as: UTF8.self)
  }

  func write(_ text: String) { _ = Array(text.utf8).withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) } }

  /// Runs to the end; -1 where it cannot be run.
  static func run(_ tool: String, _ arguments: [String]) -> Int32 {
    guard let process = ChildProcess(tool, arguments) else { return -1 }
    _ = process.read(seconds: 120) { _ in false }
    return process.wait()
  }
}
