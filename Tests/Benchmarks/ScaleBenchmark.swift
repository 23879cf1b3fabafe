import CastClient
import CastProtocol
import CastTransport
import Glibc
import Synchronization

/// What a device costs when one process is connected to a thousand, each with heartbeat and a status every second.
enum ScaleBenchmark {
  static let count = 1000
  /// How long the steady state is measured.
  private static let window = 20
  /// How many connections are set up at the same time.
  private static let width = 32

  // MARK: the process that starts the two others

  /// Measures in processes of their own, so that nothing of ours is in their memory, against receivers in another.
  static func run() throws {
    let tally = try measure("--scale", against: .playing)
    Benchmarks.row("  missed pongs", "\(tally[2]) of \(tally[0])", "0")
    Benchmarks.row("  slowest pong", "\(tally[3]) ms", "-")
    try measure("--scale-idle", against: .idle)
  }

  /// What the devices do.
  enum Devices: String {
    /// Their film is paused or resumed each second.
    case playing
    /// Their film plays, and nothing but heartbeats is said.
    case idle
  }

  /// Runs this program as the sender `mode` asks for, and returns what the heartbeats came to.
  @discardableResult
  private static func measure(_ mode: String, against devices: Devices) throws -> [String] {
    let program = CommandLine.arguments[0]
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw ChildProcess.CannotRun(command: "pipe") }
    defer { close(ends[0]) }
    _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
    let receivers = try ChildProcess.spawn(
      [program, "--scale-receivers", "\(count)", devices.rawValue], output: ends[1])
    close(ends[1])
    guard let address = line(of: ends[0]) else { throw ChildProcess.CannotRun(command: "--scale-receivers") }
    let sender = try ChildProcess.spawn([program, mode, address, "\(count)"], output: STDOUT_FILENO)
    let code = wait(for: sender)
    let tally = (line(of: ends[0]) ?? "").split(separator: " ").map(String.init)
    _ = wait(for: receivers)
    guard code == 0, tally.count == 4 else { throw ChildProcess.CannotRun(command: "\(mode) \(address): \(code)") }
    return tally
  }

  private static func line(of descriptor: Int32) -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") { bytes.append(byte) }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  private static func wait(for processID: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(processID, &status, 0) < 0, errno == EINTR {}
    return status
  }

  // MARK: the process that is measured

  /// What the steady state of one device is: connected, the app joined, somebody who takes each observation.
  private struct Device: Sendable {
    let connection: CastConnection
    let seen: Counter

    /// Counts the statuses of the app; returns the number of the newest observation.
    @inline(never)
    func take(_ news: [Observation]) -> Int? {
      seen.value.add(news.count { $0.scope == .media }, ordering: .relaxed)
      return news.last?.number
    }
  }

  private final class Counter: Sendable {
    let value = Atomic(0)
  }

  /// - Parameter isIdle: Whether the devices say nothing but PING: what they keep in memory is all that is told then.
  static func measure(address: String, count: Int, isIdle: Bool = false) async throws {
    OpenFiles.raiseLimit()
    guard let port = address.split(separator: ":").last.flatMap({ Int($0) }) else { return }
    let times = TimeSources(show: TimeSource(ContinuousClock()))
    var configuration = ClientConfiguration()
    configuration.authentication = AuthenticationRules(
      verifier: try DeviceAuthVerifier.forDevices(extraRoots: []),
      makeNonce: {
        var system = SystemRandomNumberGenerator()
        return (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &system) }
      },
      wallClock: { time(nil) })
    let connector = DeviceConnector(times: times, configuration: configuration)
    let target = HostAndPort(host: "127.0.0.1", port: port)
    try await withThrowingTaskGroup(of: Void.self) { group in
      var devices = [try await join(connector, target, times)]
      watch(devices[0], &group)
      try await times.show.sleep(for: .seconds(3))
      let first = anonymousKilobytes

      let started = times.show.now
      let others = try await manyMore(count - 1, connector, target, times)
      let setUp = (times.show.now - started).seconds
      for device in others { watch(device, &group) }
      devices += others
      // Idle: until each has been asked whether it is there, and has asked.
      try await times.show.sleep(for: .seconds(isIdle ? 12 : 5))
      if isIdle {
        let kilobytes = Double(anonymousKilobytes - first) / Double(count - 1)
        Benchmarks.row("\(count) idle devices: memory each", "\(Benchmarks.rounded(kilobytes)) KB", "<= 32 KB")
        group.cancelAll()
        return await leave(devices)
      }

      let seenBefore = devices.map { $0.seen.value.load(ordering: .relaxed) }
      let processorBefore = processorSeconds
      try await times.show.sleep(for: .seconds(window))
      let processor = processorSeconds - processorBefore
      let seen = zip(devices, seenBefore).map { $0.seen.value.load(ordering: .relaxed) - $1 }
      let all = anonymousKilobytes

      var lost = 0
      for device in devices where await !device.connection.snapshot.isConnected { lost += 1 }
      let perDevice = processor / Double(window) / Double(count)
      Benchmarks.row("\(count) devices: set-ups", "\(Int(Double(count - 1) / setUp)) a second", "-")
      Benchmarks.row("  connections lost", "\(lost)", "0")
      Benchmarks.row("  statuses of the slowest", "\(seen.min() ?? 0) in \(window) s", "\(window)")
      Benchmarks.row("  processor a device", "\(Benchmarks.rounded(perDevice * 1e6)) us a second", "<= 40 us")
      Benchmarks.row(
        "  memory a device", "\(Benchmarks.rounded(Double(all - first) / Double(count - 1))) KB", "-")
      let (loops, threads) = threadCounts
      Benchmarks.row("  event-loop threads", "\(loops) of \(threads) threads", "<= 2")
      group.cancelAll()
      await leave(devices)
    }
  }

  private static func leave(_ devices: [Device]) async {
    await withTaskGroup(of: Void.self) { group in
      for device in devices { group.addTask { await device.connection.disconnect() } }
    }
  }

  private static func manyMore(
    _ count: Int, _ connector: DeviceConnector, _ target: HostAndPort, _ times: TimeSources
  ) async throws -> [Device] {
    try await withThrowingTaskGroup(of: Device.self) { group in
      var devices: [Device] = []
      for index in 0..<count {
        if index >= width, let device = try await group.next() { devices.append(device) }
        group.addTask { try await join(connector, target, times) }
      }
      for try await device in group { devices.append(device) }
      return devices
    }
  }

  private static func join(
    _ connector: DeviceConnector, _ target: HostAndPort, _ times: TimeSources
  ) async throws -> Device {
    let connection = try await connector.connect(to: target).connection
    _ = try await connection.launch("CC1AD845", join: .only, until: times.show.now + .seconds(30))
    return Device(connection: connection, seen: Counter())
  }

  private static func watch(_ device: Device, _ group: inout ThrowingTaskGroup<Void, any Error>) {
    // As a session of `run`, `serve` and `watch` follows its device.
    group.addTask(executorPreference: device.connection.executor) {
      var number = await device.connection.lastObservation
      while !Task.isCancelled {
        let news = await device.connection.nextObservations(after: number, until: .seconds(86_400))
        guard let last = device.take(news) else { return }
        number = last
      }
    }
  }

  // MARK: what the system says of this process

  /// What only this process has in memory.
  private static var anonymousKilobytes: Int { anonymousKilobytes(of: "self") }

  /// What only one process has in memory.
  static func anonymousKilobytes(of process: String) -> Int {
    guard let file = fopen("/proc/\(process)/status", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, 256, file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      guard text.hasPrefix("RssAnon:") else { continue }
      return text.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
    }
    return 0
  }

  private static var processorSeconds: Double {
    var usage = rusage()
    guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return 0 }
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) * 1e-6 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }

  /// How many threads run an event loop, and how many there are.
  private static var threadCounts: (loops: Int, all: Int) {
    guard let folder = opendir("/proc/self/task") else { return (0, 0) }
    defer { closedir(folder) }
    var counts = (loops: 0, all: 0)
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard !name.hasPrefix("."), let file = fopen("/proc/self/task/\(name)/comm", "r") else { continue }
      defer { fclose(file) }
      var line = [CChar](repeating: 0, count: 64)
      guard fgets(&line, 64, file) != nil else { continue }
      counts.all += 1
      if String(decoding: line.prefix(3).map(UInt8.init(bitPattern:)), as: UTF8.self) == "NIO" { counts.loops += 1 }
    }
    return counts
  }
}
