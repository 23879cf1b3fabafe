import CastClient
import CastProtocol
import CastReceiver
import ScenarioLanguage
import Simulation
import Testing

@testable import DeviceControl
@testable import RunReporting
@testable import ScenarioRunner

/// Runs over a connection that goes on after them, as `watch` does for each key.
@Suite struct BorrowedConnectionTests {
  private static func run(_ steps: String, over connection: CastConnection, _ times: TimeSources) async throws
    -> (Runner.Outcome, [Event])
  {
    let plan = try Play.plan(
      """
      scenario: x
      device: { host: 192.0.2.1 }
      session: { leave: keep }
      media: { film: { url: "https://cdn.example.com/a.mp4", duration: 10m } }
      steps:
      \(steps)

      """)
    var configuration = RunConfiguration(runID: "", toolVersion: "0", wallClock: { 0 })
    configuration.joinsRunningApp = true
    configuration.borrowsConnection = true
    let device = FoundDevice(name: "TV", address: HostAndPort(host: "192.0.2.1", port: 8009), via: .host)
    let access = DeviceAccess(
      find: { _, _ throws(RunError) in [device] },
      connect: { _, _ throws(ClientError) in OpenedDevice(connection: connection, latency: .zero) })
    let sink = RecordingSink()
    let outcome = await Runner.run(
      plan, on: access, times: times, configuration: configuration, interruptions: AsyncStream { $0.finish() },
      reportingTo: sink)
    return (outcome, sink.events)
  }

  @Test(
    "It stays open, is told of no app that was there before, and others' acts are not taken for ours",
    arguments: [0, 3, 9])
  func borrowed(seed: UInt64) throws {
    let executor = SimulationExecutor(seed: seed)
    let network = SimulatedNetwork(executor: executor, seed: seed, latency: .zero ... .milliseconds(40))
    try executor.run { _ in
      let receiver = VirtualReceiver(configuration: .init(id: "a"), times: network.times)
      defer { receiver.stop() }
      @Sendable func open() async throws -> CastConnection {
        let (sender, device, _) = network.connect()
        receiver.accept(device)
        let connection = CastConnection(channel: sender, times: network.times, configuration: ClientConfiguration())
        try await connection.open()
        return connection
      }
      let (ours, theirs) = (try await open(), try await open())
      let film = "  - launch: default\n  - load: film"
      // An app that is gone by the time of the next command is no loss of that one.
      #expect(try await Self.run(film, over: theirs, network.times).0.exitCode == 0)
      #expect(try await Self.run("  - stop_app", over: theirs, network.times).0.exitCode == 0)
      #expect(try await Self.run(film, over: theirs, network.times).0.exitCode == 0)
      for step in ["pause", "play", "seek: { by: +10s }", "volume: 40%", "rate: 1.5", "stop"] {
        let (outcome, events) = try await Self.run("  - \(step)", over: ours, network.times)
        let failures = events.filter { $0.type == .attemptFailed }.map { EventRecord($0).jsonLine }
        #expect(outcome.exitCode == 0, "\(step): \(failures)")
      }
      let snapshot = await ours.snapshot
      #expect(snapshot.isConnected && snapshot.receiver?.application?.appID == "CC1AD845")
      #expect(snapshot.receiver?.volume.level.map { abs($0 - 0.4) < 0.03 } == true)
      let (refused, events) = try await Self.run("  - skip_ad", over: ours, network.times)
      #expect(refused.exitCode == 5 && events.contains { $0.fields["error"]?["class"] == "invalid_state" })
      try await ours.refreshReceiver()
      await ours.disconnect()
      let (lost, _) = try await Self.run("  - pause", over: ours, network.times)
      #expect(lost.exitCode != 0, "the run does not wait for what only its caller can bring back")
      await theirs.disconnect()
    }
  }
}
