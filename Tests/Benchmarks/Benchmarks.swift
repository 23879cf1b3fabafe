import CastClient
import CastProtocol
import CastReceiver
import CastTransport
import Glibc
import ScenarioLanguage

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
    if CommandLine.arguments.contains("--runs") { return try RunBenchmark.run(binary) }
    if let mark = CommandLine.arguments.firstIndex(of: "--round-trips"), mark + 2 < CommandLine.arguments.count {
      return try await roundTrips(to: CommandLine.arguments[mark + 1], CommandLine.arguments[mark + 2])
    }
    print("showcaller bench: medians on \(processorName()), \(sysconf(Int32(_SC_NPROCESSORS_ONLN))) cores\n")
    try cold("showcaller --version", [binary, "--version"], target: "< 10 ms")
    try cold("check examples/ads.yaml", [binary, "check", "examples/ads.yaml"], target: "< 15 ms")
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
    try longCheck(binary)
    try folderCheck(binary)
    try bombs(binary)
    try compile()
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

  /// A scenario of so many steps, which is a multiple of 4.
  private static func longScenario(steps: Int = 10_000) -> String {
    var text =
      "scenario: Long\ndevice: Living Room TV\ntimeout: 30d\nmedia:\n  film: { url: https://cdn.example.com/film.mp4 }\nsteps:\n"
    for index in 0..<steps / 4 {
      text += "  - load: film\n  - expect: { player: playing, position: { min: 1s, below: 9s } }\n"
      text += "  - seek: { to: \(index + 1)s, tolerance: 500ms }\n  - wait: 2s\n"
    }
    return text
  }

  /// The compiler alone, and how its time grows with the document.
  private static func compile() throws {
    let short = try compileTime(steps: 1_000)
    let long = try compileTime(steps: 10_000)
    row("compile 1 000 steps", "\(rounded(short * 1000)) ms", "-")
    row("compile 10 000 steps", "\(rounded(long * 1000)) ms", "< 200 ms")
    row("10 000 steps to 1 000", "\(rounded(long / short)) times", "linear: 10")
    row("a step", "\(rounded(long / 10_000 * 1_000_000)) µs", "< 20 µs")
  }

  private static func compileTime(steps: Int) throws -> Double {
    let source = SourceFile(name: "long.yaml", bytes: Array(longScenario(steps: steps).utf8))
    var samples: [Double] = []
    for _ in 0..<9 {
      let started = Stopwatch.now
      let outcome = PlanCompiler.compile(source)
      samples.append(Stopwatch.now - started)
      guard case .scenario(let plan)? = outcome.document, plan.steps.count == steps else {
        print("the generated scenario does not compile: \(outcome.diagnostics.first?.message ?? "")")
        exit(1)
      }
    }
    return median(samples)
  }

  /// Documents made to exhaust the reader, each as a whole process: the slowest and the one that holds the most.
  private static func bombs(_ binary: String) throws {
    let path = "/tmp/showcaller-bench-\(getpid())-bomb.yaml"
    defer { unlink(path) }
    var slowest = (name: "", seconds: 0.0)
    var largest = (name: "", kilobytes: 0)
    var late = 0
    for bomb in Bombs.all {
      write(bomb.text, to: path)
      var seconds: [Double] = []
      for _ in 0..<5 {
        let result = try ChildProcess.run([binary, "check", "--no-simulate", path])
        guard result.exitCode == 3 else {
          print("the bomb `\(bomb.name)` is not refused: exit code \(result.exitCode)")
          exit(1)
        }
        seconds.append(result.seconds)
        if result.peakKilobytes > largest.kilobytes { largest = (bomb.name, result.peakKilobytes) }
      }
      if median(seconds) >= 0.1 { late += 1 }
      if median(seconds) > slowest.seconds { slowest = (bomb.name, median(seconds)) }
    }
    row("\(Bombs.all.count) bombs", "\(late) over 100 ms", "0")
    row("slowest bomb refused", "\(rounded(slowest.seconds * 1000)) ms", "< 100 ms (\(slowest.name))")
    row("largest bomb refused", "\(rounded(Double(largest.kilobytes) / 1024)) MB", "< 64 MB (\(largest.name))")
  }

  static func write(_ text: String, to path: String) {
    guard let file = fopen(path, "w") else { return }
    fputs(text, file)
    fclose(file)
  }

  /// The compiler as a whole command.
  private static func longCheck(_ binary: String) throws {
    let path = "/tmp/showcaller-bench-\(getpid()).yaml"
    write(longScenario(), to: path)
    defer { unlink(path) }
    try cold("check of 10 000 steps", [binary, "check", path], target: "< 300 ms, < 100 MB", times: 9)
  }

  /// A folder of documents that include the same two libraries.
  private static func folderCheck(_ binary: String) throws {
    let folder = "/tmp/showcaller-bench-\(getpid()).folder"
    _ = try ChildProcess.run(["/bin/mkdir", "-p", folder + "/lib"])
    defer { _ = try? ChildProcess.run(["/bin/rm", "-rf", folder]) }
    func write(_ name: String, _ text: String) {
      guard let file = fopen("\(folder)/\(name)", "w") else { return }
      fputs(text, file)
      fclose(file)
    }
    var media = "library: Films\nmedia:\n"
    for index in 0..<100 { media += "  film\(index): { url: https://cdn.example.com/\(index).mp4, duration: 10m }\n" }
    write("lib/films.yaml", media)
    write("lib/brand.yaml", "library: Brand\ninclude: [films.yaml]\ntext_styles: { big: { size: 150% } }\n")
    for index in 0..<1000 {
      let steps = (0..<5).map { step in
        "  - load: film\((index + step) % 100)\n  - expect: { player: playing, position: { min: 1s } }\n"
      }
      let head = "scenario: Document \(index)\ndevice: TV\ninclude: [lib/films.yaml, lib/brand.yaml]\nsteps:\n"
      write("\(index).yaml", head + steps.joined())
    }
    try cold("check of 1 000 documents", [binary, "check", "-q", folder], target: "< 1500 ms, < 100 MB", times: 5)
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
