import CastClient
import CastProtocol
import CastReceiver
import CastTransport
import Glibc

/// `make bench`: each figure beside its target. Times are medians.
@main
struct Benchmarks {
  static func main() async throws {
    if try await isPartOfAnother() { return }
    guard let binary = getenv("SHOWCALLER_BINARY").map({ String(cString: $0) }) else {
      print("set SHOWCALLER_BINARY to the release binary, or use `make bench`")
      exit(2)
    }
    if CommandLine.arguments.contains("--signage") { return try SignageBenchmark.run(binary) }
    if CommandLine.arguments.contains("--language") { return try LanguageBenchmark.run(binary) }
    if CommandLine.arguments.contains("--runs") { return try RunBenchmark.run(binary) }
    if let mark = CommandLine.arguments.firstIndex(of: "--round-trips"), mark + 2 < CommandLine.arguments.count {
      return try await roundTrips(to: CommandLine.arguments[mark + 1], CommandLine.arguments[mark + 2])
    }
    print("showcaller bench: medians on \(processorName()), \(sysconf(Int32(_SC_NPROCESSORS_ONLN))) cores\n")
    try cold("showcaller --version", [binary, "--version"], target: "< 10 ms")
    let runs = "/tmp/showcaller-bench-\(getpid())"
    try cold(
      "run --virtual examples/hello.yaml", [binary, "run", "-q", "--runs", runs, "--virtual", "examples/hello.yaml"],
      target: "-")
    let receiver = try ReceiverProcess(binary: binary)
    try cold(
      "run against a receive process",
      [binary, "run", "-q", "--runs", runs, "--host", receiver.address, "examples/hello.yaml"],
      target: "< 25 ms, < 25 MB")
    // Every whole process comes before the work in this one: a child's peak memory starts at its parent's.
    try RunBenchmark.run(binary)
    try LanguageBenchmark.run(binary)
    row("a status of 2 KB to the merged one", "\(rounded(try DecodeBenchmark.seconds() * 1e6)) us", "< 15 us")
    try await acceptToLoad()
    try await roundTrips(to: receiver.address, "two cores")
    receiver.stop()
    try oneCoreRoundTrips(binary)
    try SignageBenchmark.run(binary)
    try ScaleBenchmark.run()
    _ = try ChildProcess.run(["/bin/rm", "-rf", runs])
  }

  /// Plays a process that another measurement asks for, or with `--scale` alone runs nothing but that.
  private static func isPartOfAnother() async throws -> Bool {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch (arguments.first, arguments.count) {
    case ("--scale", 1): try ScaleBenchmark.run()
    case ("--scale", 3): try await ScaleBenchmark.measure(address: arguments[1], count: Int(arguments[2]) ?? 0)
    case ("--run-receivers", 2): try await RunReceivers.run(count: Int(arguments[1]) ?? 0)
    case ("--scale-receivers", 2): try await ScaleReceivers.run(count: Int(arguments[1]) ?? 0)
    default: return false
    }
    return true
  }

  /// A whole process, many times.
  static func cold(_ name: String, _ command: [String], target: String, times: Int = 40) throws {
    _ = try ChildProcess.run(command)
    var results: [ChildProcess] = []
    for _ in 0..<times {
      let result = try ChildProcess.run(command)
      guard result.exitCode == 0 else {
        print("\(name): exit code \(result.exitCode)")
        exit(1)
      }
      results.append(result)
    }
    let seconds = median(results.map(\.seconds))
    let memory = Double(results.map(\.peakKilobytes).max() ?? 0) / 1024
    row(name, "\(rounded(seconds * 1000)) ms, \(rounded(memory)) MB", target)
  }

  /// TCP accept to LOAD answered, client and receiver in this process.
  private static func acceptToLoad() async throws {
    let times = TimeSources(show: TimeSource(ContinuousClock()))
    let receiver = VirtualReceiver(configuration: ReceiverConfiguration(id: "bench"), times: times)
    let server = try await TLSServer.listen(host: "127.0.0.1", port: 0, accept: receiver.accept)
    var samples: [Double] = []
    for _ in 0..<60 {
      let started = Stopwatch.now
      let channel = try await TLSClient.connect(host: "127.0.0.1", port: server.port)
      let connection = CastConnection(channel: channel, times: times, configuration: ClientConfiguration())
      try await connection.open()
      let deadline = times.show.now + .seconds(5)
      let app = try await connection.launch("CC1AD845", join: .auto, until: deadline)
      var media = MediaInformation()
      media.contentID = "https://media.example.com/welcome.mp4"
      media.contentType = "video/mp4"
      media.streamType = "BUFFERED"
      _ = try await connection.load(LoadRequest(media: media), in: app, until: deadline)
      samples.append(Stopwatch.now - started)
      try await connection.stopApp(app, until: deadline)
      await connection.disconnect()
    }
    row("connect to LOAD answered", "\(rounded(median(samples) * 1000)) ms", "< 4 ms")
    receiver.stop()
    await server.close()
  }

  /// The same with both processes on one core: without the time that waking another core takes on this machine.
  private static func oneCoreRoundTrips(_ binary: String) throws {
    let pinned = ["/usr/bin/taskset", "-c", "0"]
    let receiver = try ReceiverProcess(command: pinned + [binary])
    defer { receiver.stop() }
    let child = try ChildProcess.spawn(
      pinned + [CommandLine.arguments[0], "--round-trips", receiver.address, "one core"], output: STDOUT_FILENO)
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
  }

  /// GET_STATUS, one after the other, on one connection to another process.
  private static func roundTrips(to address: String, _ where: String) async throws {
    let times = TimeSources(show: TimeSource(ContinuousClock()))
    guard let port = address.split(separator: ":").last.flatMap({ Int($0) }) else { return }
    let channel = try await TLSClient.connect(host: "127.0.0.1", port: port)
    let connection = CastConnection(channel: channel, times: times, configuration: ClientConfiguration())
    try await connection.open()
    // Where the caller runs decides how many threads take part in a round trip.
    let onLoop = try await Task(executorPreference: TransportEventLoops.shared.taskExecutor) {
      try await rate(of: connection)
    }.value
    row("GET_STATUS, \(`where`), event loop", "\(onLoop) a second", "> 15000 a second")
    row("GET_STATUS, \(`where`), default pool", "\(try await rate(of: connection)) a second", "-")
    await connection.disconnect()
  }

  /// Round trips a second, the median of several rounds.
  private static func rate(of connection: CastConnection) async throws -> Int {
    var rates: [Double] = []
    for _ in 0..<7 {
      let started = Stopwatch.now
      for _ in 0..<3000 { try await connection.refreshReceiver() }
      rates.append(3000 / (Stopwatch.now - started))
    }
    return Int(exactly: median(rates).rounded()) ?? 0
  }

  static func write(_ text: String, to path: String) {
    guard let file = fopen(path, "w") else { return }
    fputs(text, file)
    fclose(file)
  }

  static func row(_ name: String, _ figure: String, _ target: String) {
    let padded = name + String(repeating: " ", count: max(1, 36 - name.count))
    print(padded + figure + String(repeating: " ", count: max(1, 24 - figure.count)) + "target " + target)
    fflush(nil)
  }

  static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
  }

  static func rounded(_ value: Double) -> String {
    let tenths = (value * 10).rounded() / 10
    return "\(tenths)"
  }

  private static func processorName() -> String {
    guard let file = fopen("/proc/cpuinfo", "r") else { return "an unknown processor" }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 512)
    while fgets(&line, 512, file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      if text.hasPrefix("model name"), let colon = text.firstIndex(of: ":") {
        return String(text[text.index(after: colon)...].drop { $0 == " " })
      }
    }
    return "an unknown processor"
  }
}
