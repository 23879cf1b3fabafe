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
    if CommandLine.arguments.contains("--reports") { return try ReportBenchmark.run(binary) }
    if CommandLine.arguments.contains("--receivers") { return try ReceiversBenchmark.run(binary) }
    if CommandLine.arguments.contains("--fleet") { return try await FleetBenchmark.run() }
    if CommandLine.arguments.contains("--engine") { return try await EngineBenchmark.run(binary) }
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
    try ReportBenchmark.run(binary)
    try LanguageBenchmark.run(binary)
    receiver.stop()
    try await EngineBenchmark.run(binary)
    try ReceiversBenchmark.run(binary)
    try await FleetBenchmark.run()
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
    case ("--run-receivers", 2): try await RunReceivers.run(count: Int(arguments[1]) ?? 0, isMetered: true)
    case ("--plain-receivers", 2): try await RunReceivers.run(count: Int(arguments[1]) ?? 0, isMetered: false)
    case ("--fleet-sites", 4):
      try await FleetSites.run(port: Int(arguments[1]) ?? 0, folder: arguments[2], count: Int(arguments[3]) ?? 0)
    case ("--raw-load", 2): try RawSender(arguments[1]).load(0)
    case ("--raw-round-trips", 2): try EngineBenchmark.rawRoundTrips(to: arguments[1])
    case ("--loop-round-trips", 2): try await EngineBenchmark.roundTrips(to: arguments[1], onLoop: true)
    case ("--pool-round-trips", 2): try await EngineBenchmark.roundTrips(to: arguments[1], onLoop: false)
    case ("--scale-idle", 3):
      try await ScaleBenchmark.measure(address: arguments[1], count: Int(arguments[2]) ?? 0, isIdle: true)
    case ("--scale-receivers", 3):
      try await ScaleReceivers.run(
        count: Int(arguments[1]) ?? 0, doing: ScaleBenchmark.Devices(rawValue: arguments[2]) ?? .playing)
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
