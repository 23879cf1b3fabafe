import BrokerClient
import CastProtocol
import CastTransport
import FleetMessages
import Foundation
import Synchronization

/// Sites on a real broker in numbers: a thousand agents in one process, Mosquitto, and whoever looks at all of them.
enum FleetBenchmark {
  private static let count = 1_000
  /// Seconds for which messages are counted.
  private static let window = 20

  static func run() async throws {
    do { try await measure() } catch { print("sites on a broker: \(error)") }
  }

  private static func measure() async throws {
    guard BrokerClient.isBuilt else {
      return print("sites on a broker: this build has no MQTT client; `make bench FLEET=1` has it")
    }
    guard let broker = try BenchmarkBroker() else {
      return print("sites on a broker: there is no mosquitto; `apt-get install mosquitto`")
    }
    defer { broker.end() }
    OpenFiles.raiseLimit()
    guard let key = SigningKey(), let known = key.publicKey else { return }
    let folder = broker.folder
    Benchmarks.write(String(decoding: known.pem, as: UTF8.self), to: "\(folder)/operator.pem")
    let one = try agents(1, broker)
    sleep(3)
    let first = ScaleBenchmark.anonymousKilobytes(of: "\(one)")
    end(one)

    let watch = try FleetWatch(broker.configuration("operator"))
    defer { watch.end() }
    try await watch.wait("the operator has no connection") { $0.isConnected }
    let empty = broker.kilobytes
    let begun = Stopwatch.now
    let process = try agents(count, broker)
    defer { end(process) }
    try await watch.wait("not all sites have told their state") { $0.sites.count == count && $0.complete == count }
    Benchmarks.row("\(count) sites: all told", "\(seconds(since: begun)) s", "< 30 s")
    try await Task.sleep(for: .seconds(3))
    let memory = Double(ScaleBenchmark.anonymousKilobytes(of: "\(process)") - first) / Double(count - 1)
    Benchmarks.row("  memory an agent, 4 screens", "\(Benchmarks.rounded(memory)) KB", "<= 200 KB")
    let brokerMemory = Double(broker.kilobytes - empty) / Double(count)
    Benchmarks.row("  memory of the broker a site", "\(Benchmarks.rounded(brokerMemory)) KB", "-")
    Benchmarks.row("  retained a site", "\(watch.retained / count) bytes", "-")
    for pace in [10, 1] { try await changes(every: pace, watch, broker, process) }
    try await document(watch, key)
    try await restart(watch, broker)
  }

  /// Each screen shows another item every so many seconds.
  private static func changes(
    every pace: Int, _ watch: FleetWatch, _ broker: BenchmarkBroker, _ process: pid_t
  ) async throws {
    watch.publish(BrokerMessage(FleetSites.paceTopic, Array("\(pace)".utf8)))
    try await Task.sleep(for: .seconds(5))
    let (before, used) = (watch.messages, [broker.processID, process].map(processorSeconds))
    let begun = Stopwatch.now
    try await Task.sleep(for: .seconds(window))
    let time = Stopwatch.now - begun
    let rate = Double(watch.messages - before) / time
    let after = [broker.processID, process].map(processorSeconds)
    let loads = zip(used, after).map { "\(Int((($1 - $0) / time * 100).rounded())) %" }
    Benchmarks.row("  an item every \(pace) s: told", "\(Int(rate)) a second", pace == 1 ? ">= 2000 a second" : "-")
    Benchmarks.row("    processor, broker and agents", loads.joined(separator: " and "), "-")
    watch.publish(BrokerMessage(FleetSites.paceTopic, Array("0".utf8)))
    try await Task.sleep(for: .seconds(3))
  }

  private static func document(_ watch: FleetWatch, _ key: SigningKey) async throws {
    let begun = Stopwatch.now
    for index in 0..<count {
      guard let site = FleetSites.name(index) else { continue }
      let text = FleetSites.text + String(repeating: "# a line that says nothing\n", count: 70)
      let document = FleetDocument(
        id: "shop", edition: 1, issued: Int(Date().timeIntervalSince1970),
        files: [.init(name: "shop.yaml", text: text)])
      let topic = FleetTopic.documentPut(site, id: "shop").text
      guard let body = document.body, let payload = SignedEnvelope.sealed(body, for: topic, by: key) else { continue }
      while !watch.publish(BrokerMessage(topic, payload, isRetained: true)) {
        try await Task.sleep(for: .milliseconds(1))
      }
    }
    try await watch.wait("not all sites have the document") { $0.on.count == count }
    Benchmarks.row("  a document is on at all", "\(seconds(since: begun)) s", "< 10 s")
  }

  private static func restart(_ watch: FleetWatch, _ broker: BenchmarkBroker) async throws {
    watch.forget()
    broker.stop()
    try await Task.sleep(for: .seconds(2))
    let begun = Stopwatch.now
    try broker.start()
    try await watch.wait("not all sites came back") { $0.sites.count == count && $0.complete == count }
    Benchmarks.row("  all told after the broker's end", "\(seconds(since: begun)) s", "< 60 s")
  }

  private static func seconds(since begun: Double) -> String { Benchmarks.rounded(Stopwatch.now - begun) }

  private static func agents(_ count: Int, _ broker: BenchmarkBroker) throws -> pid_t {
    try ChildProcess.spawn(
      ["/proc/self/exe", "--fleet-sites", "\(broker.port)", broker.folder, "\(count)"], output: nil)
  }

  private static func end(_ process: pid_t) {
    kill(process, SIGKILL)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
  }

  /// User and system time of a process (proc(5), `stat`).
  static func processorSeconds(_ process: pid_t) -> Double {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      let words = text.split(separator: ")").last?.split(separator: " "), words.count > 12,
      let user = Double(words[11]), let system = Double(words[12])
    else { return 0 }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }
}
