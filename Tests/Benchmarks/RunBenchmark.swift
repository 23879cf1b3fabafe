import CastClient
import CastProtocol
import CastReceiver
import CastTransport
import Glibc
import Synchronization

/// What `showcaller run` costs beside the devices: between two steps, and with many devices at once.
enum RunBenchmark {
  private static let steps = 400
  private static let devices = 100

  static func run(_ binary: String) throws {
    try betweenSteps(binary)
    try stepAlone(binary)
    try manyDevices(binary)
    try manyAtOnce(binary)
  }

  /// What the runner adds to a step that asks nothing of a device: two events, stored.
  private static func stepAlone(_ binary: String) throws {
    let receivers = try RunReceivers.Process(count: 1, isMetered: false)
    defer { receivers.stop() }
    let (few, many) = (500, 10_000)
    func run(_ times: Int) throws -> ChildProcess {
      try measure(
        binary,
        "scenario: Alone\ndevice: { host: \"\(receivers.addresses[0])\" }\nvars: { n: { type: int, default: 0 } }\nsteps:\n"
          + "  - repeat: { times: \(times), steps: [{ set: { n: 1 } }] }\n")
    }
    _ = try run(few)
    var costs: [(wall: Double, processor: Double)] = []
    for _ in 0..<5 {
      let (short, long) = (try run(few), try run(many))
      costs.append(
        (
          (long.seconds - short.seconds) / Double(many - few),
          (long.processorSeconds - short.processorSeconds) / Double(many - few)
        ))
    }
    let (wall, processor) = (Benchmarks.median(costs.map(\.wall)), Benchmarks.median(costs.map(\.processor)))
    Benchmarks.row(
      "a step of `run` by itself",
      "\(Benchmarks.rounded(wall * 1e6)) us, \(Benchmarks.rounded(processor * 1e6)) us cpu", "< 1000 us")
  }

  /// The scenario of examples/ads.yaml (14 steps) at 20x on one virtual device, and on a hundred at the same time.
  private static func manyAtOnce(_ binary: String) throws {
    guard let example = try? read("examples/ads.yaml") else {
      return Benchmarks.row("examples/ads.yaml at 20x", "not found: run in the repository's root", "-")
    }
    func run(on count: Int, _ more: [String] = []) throws -> ChildProcess {
      let names = (1...count).map { "Screen \($0)" }.joined(separator: ", ")
      let document = example.replacing("device: QA Chromecast\n", with: "devices: [\(names)]\n", maxReplacements: 1)
      return try measure(binary, document, arguments: ["--virtual", "--speed", "20x"] + more)
    }
    let one = try run(on: 1)
    let all = try (0..<3).map { _ in try run(on: devices) }
    let seconds = Benchmarks.median(all.map(\.seconds))
    let processor = Benchmarks.median(all.map(\.processorSeconds))
    Benchmarks.row(
      "ads.yaml at 20x, \(devices) devices at once",
      "\(Benchmarks.rounded(seconds)) s, \(Benchmarks.rounded(processor)) s cpu",
      "one device: \(Benchmarks.rounded(one.seconds)) s; \(Benchmarks.rounded(seconds / one.seconds)) times, goal 2")
  }

  private static func read(_ path: String) throws -> String {
    guard let file = fopen(path, "r") else { throw ChildProcess.CannotRun(command: path) }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  /// From the status that ends a step to the request of the next one, TLS and loopback included.
  private static func betweenSteps(_ binary: String) throws {
    let receivers = try RunReceivers.Process(count: 1)
    defer { receivers.stop() }
    var document = "scenario: Steps\ndevice: { host: \"\(receivers.addresses[0])\" }\nsteps:\n"
    for index in 0..<steps { document += "  - mute: \(index % 2 == 0)\n" }
    let result = try measure(binary, document)
    let figures = receivers.nextLine().split(separator: " ").compactMap { Double($0) }
    guard figures.count == 2, figures[0] >= Double(steps - 1) else {
      print("a run of \(steps) steps made \(figures.first ?? 0) requests")
      exit(1)
    }
    Benchmarks.row("a status to the next step's request", "\(Benchmarks.rounded(figures[1])) us", "-")
    Benchmarks.row("run of \(steps) steps", figure(result.seconds, result.peakKilobytes), "-")
  }

  /// GET_STATUS by steps of a run, one after the other: how many a second, and what a step costs the processor in seconds.
  ///
  /// From the difference of a long run and a short one, so that starting and ending do not count.
  /// - Parameter prefix: Words in front of the command.
  static func statusSteps(_ binary: String, on address: String, prefix: [String]) throws -> (rate: Double, cost: Double)
  {
    let (few, many) = (500, 5000)
    func run(_ times: Int) throws -> ChildProcess {
      let document =
        "scenario: Statuses\ndevice: { host: \"\(address)\" }\nsteps:\n"
        + "  - repeat: { times: \(times), steps: [{ refresh: { what: receiver } }] }\n"
      return try measure(binary, document, prefix: prefix)
    }
    _ = try run(few)
    var (rates, costs): ([Double], [Double]) = ([], [])
    for _ in 0..<5 {
      let (short, long) = (try run(few), try run(many))
      rates.append(Double(many - few) / (long.seconds - short.seconds))
      costs.append((long.processorSeconds - short.processorSeconds) / Double(many - few))
    }
    return (Benchmarks.median(rates), Benchmarks.median(costs))
  }

  private static func manyDevices(_ binary: String) throws {
    let receivers = try RunReceivers.Process(count: devices)
    defer { receivers.stop() }
    let list = receivers.addresses.map { "  - { host: \"\($0)\" }\n" }.joined()
    let document =
      "scenario: Many devices\ndevices:\n\(list)steps:\n"
      + "  - load: https://media.example.com/welcome.mp4\n  - expect: { player: playing }\n"
    let results = try (0..<5).map { _ in try measure(binary, document) }
    let median = Benchmarks.median(results.map(\.seconds))
    Benchmarks.row(
      "run on \(devices) devices at once", figure(median, results.map(\.peakKilobytes).max() ?? 0), "-")
  }

  private static func figure(_ seconds: Double, _ kilobytes: Int) -> String {
    "\(Benchmarks.rounded(seconds * 1000)) ms, \(Benchmarks.rounded(Double(kilobytes) / 1024)) MB"
  }

  /// Runs the document to its end, which has to be a pass.
  private static func measure(
    _ binary: String, _ document: String, arguments: [String] = [], prefix: [String] = []
  ) throws -> ChildProcess {
    let path = "/tmp/showcaller-bench-\(getpid())-run.yaml"
    let runs = "/tmp/showcaller-bench-\(getpid())-runs"
    defer {
      unlink(path)
      _ = try? ChildProcess.run(["/bin/rm", "-rf", runs])
    }
    guard let file = fopen(path, "w") else { throw ChildProcess.CannotRun(command: path) }
    fputs(document, file)
    fclose(file)
    let result = try ChildProcess.run(prefix + [binary, "run", "-q", "--runs", runs] + arguments + [path])
    guard result.exitCode == 0 else { throw ChildProcess.CannotRun(command: "run \(path): \(result.exitCode)") }
    return result
  }
}

/// Virtual receivers for ``RunBenchmark``, in a process of their own: a child's peak memory starts at its parent's.
enum RunReceivers {
  /// Nobody has to kill it: it ends by itself after this.
  private static let lifetime = Duration.seconds(240)

  /// Tells the addresses on a line, and at the end of each connection how many requests followed a status, and their
  /// median distance from it in microseconds.
  static func run(count: Int, isMetered: Bool) async throws {
    OpenFiles.raiseLimit()
    let times = TimeSources(show: TimeSource(ContinuousClock()))
    var servers: [TLSServer] = []
    for index in 0..<count {
      let receiver = VirtualReceiver(configuration: ReceiverConfiguration(id: "run-\(index)"), times: times)
      servers.append(
        try await TLSServer.listen(host: "127.0.0.1", port: 0) {
          receiver.accept(isMetered ? GapMeter($0) : $0)
        })
    }
    print(servers.map { "127.0.0.1:\($0.port)" }.joined(separator: " "))
    fflush(nil)
    try await times.show.sleep(for: lifetime)
  }

  /// The process, as who started it sees it.
  struct Process {
    let addresses: [String]
    private let id: pid_t
    private let output: Int32

    /// - Parameters:
    ///   - isMetered: Whether the process tells of each connection, as ``RunReceivers/run(count:isMetered:)`` says.
    ///   - prefix: Words in front of its command.
    init(count: Int, isMetered: Bool = true, prefix: [String] = []) throws {
      var ends: [Int32] = [0, 0]
      guard pipe(&ends) == 0 else { throw ChildProcess.CannotRun(command: "pipe") }
      _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
      id = try ChildProcess.spawn(
        prefix + [CommandLine.arguments[0], isMetered ? "--run-receivers" : "--plain-receivers", "\(count)"],
        output: ends[1])
      close(ends[1])
      output = ends[0]
      addresses = Self.line(of: output).split(separator: " ").map(String.init)
      guard addresses.count == count else { throw ChildProcess.CannotRun(command: "--run-receivers") }
    }

    func nextLine() -> String { Self.line(of: output) }

    func stop() {
      kill(id, SIGKILL)
      close(output)
      var status: Int32 = 0
      while waitpid(id, &status, 0) < 0, errno == EINTR {}
    }

    private static func line(of descriptor: Int32) -> String {
      var bytes: [UInt8] = []
      var byte: UInt8 = 0
      while read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") { bytes.append(byte) }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}

/// A channel that notes when a status of the device leaves it and when the next change of volume is asked for.
private final class GapMeter: ByteChannel {
  private static let status = Array(#""RECEIVER_STATUS""#.utf8)
  private static let request = Array(#""SET_VOLUME""#.utf8)

  private struct Gaps {
    var toldAt: Double?
    var seconds: [Double] = []
  }

  private let channel: any ByteChannel
  private let gaps = Mutex(Gaps())

  init(_ channel: any ByteChannel) { self.channel = channel }

  func start(_ receive: @escaping @Sendable (ByteChannelEvent) -> Void) {
    channel.start { [self] event in
      switch event {
      case .received(let bytes):
        if bytes.contains(Self.request) { noteRequest() }
      case .closed:
        let seconds = gaps.withLock { $0.seconds }
        print("\(seconds.count) \(Benchmarks.median(seconds) * 1e6)")
        fflush(nil)
      }
      receive(event)
    }
  }

  func send(_ messages: [[UInt8]]) {
    if messages.contains(where: { $0.contains(Self.status) }) { gaps.withLock { $0.toldAt = Stopwatch.now } }
    channel.send(messages)
  }

  private func noteRequest() {
    gaps.withLock { gaps in
      if let toldAt = gaps.toldAt { gaps.seconds.append(Stopwatch.now - toldAt) }
      gaps.toldAt = nil
    }
  }

  func close() { channel.close() }
  func abort() { channel.abort() }
  var peerCertificateDER: [UInt8]? { channel.peerCertificateDER }
  var ownCertificateDER: [UInt8]? { channel.ownCertificateDER }
  var securityProtocol: String? { channel.securityProtocol }
}
