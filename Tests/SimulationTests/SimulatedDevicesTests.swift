import CastClient
import CastProtocol
import CastReceiver
import CastTransport
import DeviceControl
import RunReporting
import ScenarioLanguage
import ScenarioRunner
import Synchronization
import Testing

@testable import Simulation

/// Several devices of one simulation, each with a power of its own.
@Suite struct SimulatedDevicesTests {
  private static let (left, right) = ("Left", "Right")

  /// Two devices, and what happens to them.
  private static func simulate<Result: Sendable>(
    _ powerCuts: [String: [Range<Duration>]],
    _ body: @escaping @Sendable (SimulatedDevices, TimeSource) async throws -> Result
  ) throws -> Result {
    let document = RunnableDocument(
      try ScenarioSimulationTests.compile("scenario: P\ndevices: [\(left), \(right)]\nsteps: [{ log: hi }]\n"))
    let executor = SimulationExecutor(seed: 1)
    let network = SimulatedNetwork(executor: executor, seed: 1)
    return try executor.run(limit: .seconds(3600)) { _ in
      var devices = SimulatedDevices(for: .init(of: document), on: network, seed: 1)
      for (name, cuts) in powerCuts { devices.presences.own[name, default: .init()].powerCuts = cuts }
      let result = try await body(devices, network.times.show)
      devices.stop()
      return result
    }
  }

  private static func selector(_ name: String) throws -> Plan.DeviceSelector {
    try #require(Plan.DeviceSelector(spelled: name, at: SourceSpan.ofCommandLine))
  }

  @Test("Nobody finds a device without power, or connects to it; others are there")
  func away() throws {
    try Self.simulate([Self.left: [.seconds(10)..<(.seconds(40))]]) { devices, show in
      let (left, right) = (devices.all[0], devices.all[1])
      for (time, isThere) in [(0, true), (10, false), (39, false), (40, true)] {
        try await show.sleep(until: .seconds(time))
        #expect(try await devices.access.find(Self.selector(Self.left), .zero).isEmpty != isThere, "\(time)")
        #expect(try await devices.access.find(Self.selector(Self.right), .zero) == [right])
        #expect(((try? await devices.access.connect(left, nil)) != nil) == isThere, "\(time)")
        #expect((try? await devices.access.connect(right, nil)) != nil)
      }
    }
  }

  static let searches: [(limit: Int, found: Int)] = [(60, 30), (30, 30), (5, 5)]

  @Test("Who looks for a device without power finds it when it is back, if that is in time", arguments: searches)
  func found(limit: Int, until: Int) throws {
    try Self.simulate([Self.left: [.zero..<(.seconds(30))]]) { devices, show in
      let found = try await devices.access.find(Self.selector(Self.left), .seconds(limit))
      #expect(found.count == (limit >= 30 ? 1 : 0) && show.now == .seconds(until))
    }
  }

  @Test("Discovery sees a device anew when its power is back")
  func seen() throws {
    let seen = try Self.simulate([Self.left: [.seconds(1)..<(.seconds(3)), .seconds(5)..<(.seconds(6))]]) {
      devices, show in
      var seen: [Duration] = []
      for await _ in devices.access.reappearances(devices.all[0]) { seen.append(show.now) }
      for await _ in devices.access.reappearances(devices.all[1]) { seen.append(.zero) }
      return seen
    }
    #expect(seen == [.seconds(3), .seconds(6)])
  }

  @Test("After a power cut the ids of sessions are not those of before")
  func sessions() {
    let first = ReceiverConfiguration(id: "an-id")
    let seeds = (0...2).map { first.afterPowerCuts($0).seed }
    #expect(seeds[0] == first.seed && Set(seeds).count == 3)
  }

  @Test("A device that had no power has forgotten what it showed; its connection ends, and that of another stays")
  func forgets() throws {
    let plan = try ScenarioSimulationTests.compile(
      """
      scenario: P
      devices: [Left, Right]
      media: { film: { url: "https://cdn.example.com/a.mp4", duration: 10m } }
      steps:
        - load: film
        - wait: 60s
        - { connect: {}, retry: 2 }
        - { expect: { app: none }, within: 1s }

      """)
    var simulation = ScenarioSimulation()
    simulation.presences.own["Left"] = DevicePresence()
    simulation.presences.own["Left"]?.powerCuts = [.seconds(10)..<(.seconds(40))]
    let events = Events()
    let configuration = RunConfiguration(runID: "P", toolVersion: "", wallClock: { 1000 })
    _ = try simulation.run(plan, configuration: configuration, reportingTo: events)
    #expect(events.all.compactMap { if case .deviceLost = $0.kind { $0.device } else { nil } } == ["left"])
    let verdicts = events.all.compactMap { event -> String? in
      guard case .scenarioFinished(let finished) = event.kind else { return nil }
      return "\(event.device ?? "") \(finished.result)"
    }
    #expect(verdicts == ["left passed", "right failed"])
  }

  private final class Events: EventSink {
    private let events = Mutex<[Event]>([])
    func record(_ event: Event) { events.withLock { $0.append(event) } }
    var all: [Event] { events.withLock { $0 } }
  }
}
