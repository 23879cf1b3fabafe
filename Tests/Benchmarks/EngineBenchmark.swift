import CastClient
import CastProtocol
import CastReceiver
import CastTransport
import Glibc

/// What the sender costs beside the least that a sender can do: one socket, OpenSSL and the bytes of the requests.
///
/// Every receiver is a process of its own, and so is every sender whose memory or processor time is told.
enum EngineBenchmark {
  static func run(_ binary: String) async throws {
    if binary != "-" { try oneShot(binary) }
    try onOneCore(binary)
    let receivers = try RunReceivers.Process(count: 1, isMetered: false)
    defer { receivers.stop() }
    try await connecting(to: receivers.addresses[0])
    try await acceptToLoad(of: receivers.addresses[0])
    Benchmarks.row(
      "a status of 2 KB to the merged one", "\(Benchmarks.rounded(try DecodeBenchmark.seconds() * 1e6)) us", "< 4 us")
  }

  // MARK: processes

  /// A `load` as people type it, beside a process that sends the same four messages and leaves when it is answered.
  private static func oneShot(_ binary: String) throws {
    let receiver = try ReceiverProcess(binary: binary)
    defer { receiver.stop() }
    let load = [binary, "load", "--host", receiver.address, "https://media.example.com/welcome.mp4"]
    let raw = [CommandLine.arguments[0], "--raw-load", receiver.address]
    var ours: [ChildProcess] = []
    var least: [ChildProcess] = []
    // In turn, so that both see the same machine.
    for _ in 0..<20 {
      ours.append(try ChildProcess.run(load))
      least.append(try ChildProcess.run(raw))
    }
    guard ours.allSatisfy({ $0.exitCode == 0 }), least.allSatisfy({ $0.exitCode == 0 }) else {
      print("load: exit codes \(ours.map(\.exitCode)), raw \(least.map(\.exitCode))")
      exit(1)
    }
    let (time, floor) = (Benchmarks.median(ours.map(\.seconds)), Benchmarks.median(least.map(\.seconds)))
    let memory = Double(ours.map(\.peakKilobytes).max() ?? 0) / 1024
    Benchmarks.row(
      "a cold `load`", "\(milliseconds(time)), \(Benchmarks.rounded(memory)) MB",
      "raw sender: \(milliseconds(floor)); \(times(time, floor)), goal 1.5; < 25 MB")
  }

  /// GET_STATUS, one after the other: the product's path, and the raw client's, each with its receiver on one core.
  private static func onOneCore(_ binary: String) throws {
    let pinned = ["/usr/bin/taskset", "-c", "0"]
    let receivers = try RunReceivers.Process(count: 1, isMetered: false, prefix: pinned)
    defer { receivers.stop() }
    func rate(_ mode: String) throws -> Double {
      Double(try ChildProcess.output(of: pinned + [CommandLine.arguments[0], mode, receivers.addresses[0]])) ?? 0
    }
    let raw = try rate("--raw-round-trips")
    for (name, mode) in [("event loop", "--loop-round-trips"), ("default pool", "--pool-round-trips")] {
      let ours = try rate(mode)
      Benchmarks.row(
        "GET_STATUS, one core, \(name)", "\(Int(ours)) a second",
        "raw client: \(Int(raw)); \(Int(ours / max(1, raw) * 100)) %, goal 80 %")
    }
    if binary == "-" { return }
    let steps = try RunBenchmark.statusSteps(binary, on: receivers.addresses[0], prefix: pinned)
    Benchmarks.row(
      "GET_STATUS, one core, steps of `run`", "\(Int(steps.rate)) a second, \(Benchmarks.rounded(steps.cost * 1e6)) us",
      "raw client: \(Int(raw)); \(Int(steps.rate / max(1, raw) * 100)) %; with two events a step")
  }

  /// What ``onOneCore()`` starts; prints the rate.
  static func roundTrips(to address: String, onLoop: Bool) async throws {
    let connection = try await connect(to: address)
    try await connection.open()
    let rate: Double
    if onLoop, let executor = connection.executor {
      rate = try await Task(executorPreference: executor) { try await self.rate(of: connection) }.value
    } else {
      rate = try await self.rate(of: connection)
    }
    print(rate)
    await connection.disconnect()
  }

  private static func rate(of connection: CastConnection) async throws -> Double {
    var rates: [Double] = []
    for _ in 0..<7 {
      let started = Stopwatch.now
      for _ in 0..<3000 { try await connection.refreshReceiver() }
      rates.append(3000 / (Stopwatch.now - started))
    }
    return Benchmarks.median(rates)
  }

  static func rawRoundTrips(to address: String) throws {
    let sender = try RawSender(address)
    try sender.open()
    var rates: [Double] = []
    for _ in 0..<7 {
      let started = Stopwatch.now
      for number in 0..<3000 { try sender.status(number + 2) }
      rates.append(3000 / (Stopwatch.now - started))
    }
    print(Benchmarks.median(rates))
  }

  // MARK: in this process

  /// TCP and TLS alone, both ways, in turn.
  private static func connecting(to address: String) async throws {
    let rounds = 200
    var ours: [Double] = []
    var least: [Double] = []
    for _ in 0..<rounds {
      var started = Stopwatch.now
      _ = try RawSender(address)
      least.append(Stopwatch.now - started)
      started = Stopwatch.now
      let channel = try await TLSClient.connect(host: "127.0.0.1", port: try port(of: address))
      ours.append(Stopwatch.now - started)
      channel.start { _ in }
      channel.close()
    }
    let (time, floor) = (Benchmarks.median(ours), Benchmarks.median(least))
    Benchmarks.row(
      "connecting, TLS done", milliseconds(time),
      "raw client: \(milliseconds(floor)); \(Int(floor / time * 100)) % of its rate, goal 60 %")
  }

  /// From the TCP connect to the status that answers a LOAD, to a receiver whose app runs.
  private static func acceptToLoad(of address: String) async throws {
    var ours: [Double] = []
    var least: [Double] = []
    for round in 0..<60 {
      var started = Stopwatch.now
      let raw = try RawSender(address)
      try raw.load(round)
      least.append(Stopwatch.now - started)
      started = Stopwatch.now
      let connection = try await connect(to: address)
      try await connection.open()
      let app = try await connection.launch("CC1AD845", join: .auto, until: .seconds(86_400))
      var media = MediaInformation()
      media.contentID = "https://media.example.com/welcome-\(round).mp4"
      media.contentType = "video/mp4"
      media.streamType = "BUFFERED"
      _ = try await connection.load(LoadRequest(media: media), in: app, until: .seconds(86_400))
      ours.append(Stopwatch.now - started)
      await connection.disconnect()
    }
    let (time, floor) = (Benchmarks.median(ours), Benchmarks.median(least))
    Benchmarks.row(
      "connect to LOAD answered", milliseconds(time),
      "raw client: \(milliseconds(floor)); \(times(time, floor)), goal 1.3")
  }

  private static func connect(to address: String) async throws -> CastConnection {
    CastConnection(
      channel: try await TLSClient.connect(host: "127.0.0.1", port: try port(of: address)),
      times: TimeSources(show: TimeSource(ContinuousClock())), configuration: ClientConfiguration())
  }

  private static func port(of address: String) throws -> Int {
    guard let port = address.split(separator: ":").last.flatMap({ Int($0) }) else {
      throw ChildProcess.CannotRun(command: address)
    }
    return port
  }

  private static func milliseconds(_ seconds: Double) -> String {
    "\((seconds * 1e5).rounded() / 100) ms"
  }

  private static func times(_ time: Double, _ floor: Double) -> String {
    "\((time / floor * 100).rounded() / 100) times"
  }
}
