import CastProtocol
import CastTransport
import DeviceControl
import RunReporting
import ScenarioLanguage
import ScenarioRunner
import Synchronization
import Testing

@testable import Simulation

/// A device that is away, or elsewhere, for a part of a simulation.
@Suite struct DevicePresenceTests {
  private static let (home, hall) = (HostAndPort(host: "192.0.2.1"), HostAndPort(host: "192.0.2.2"))

  @Test("A device answers but while it is away, from the begin of that to before its end")
  func absences() {
    var presence = DevicePresence()
    presence.absences = [.seconds(1)..<(.seconds(3)), .seconds(5)..<(.seconds(6))]
    let answers = (0...6).map { presence.answers(at: Self.home, .seconds($0)) }
    #expect(answers == [true, false, false, true, true, false, true])
  }

  @Test("From the moment of a move on it answers at the new address alone")
  func moves() {
    var presence = DevicePresence()
    #expect(presence.address(at: .seconds(9)) == nil && presence.answers(at: Self.hall, .seconds(9)))
    presence.moves = [.init(at: .seconds(2), to: Self.hall), .init(at: .seconds(4), to: Self.home)]
    #expect((1...4).map { presence.address(at: .seconds($0)) } == [nil, Self.hall, Self.hall, Self.home])
    #expect(presence.answers(at: Self.home, .seconds(1)))
    #expect(presence.answers(at: Self.hall, .seconds(3)) && !presence.answers(at: Self.home, .seconds(3)))
    presence.absences = [.seconds(3)..<(.seconds(4))]
    #expect(!presence.answers(at: Self.hall, .seconds(3)))
  }

  @Test("While it has no power it does not answer; when it is back discovery sees it")
  func powerCuts() {
    var presence = DevicePresence()
    presence.powerCuts = [.seconds(1)..<(.seconds(3)), .seconds(5)..<(.seconds(6))]
    presence.reappearances = [.seconds(4)]
    let times = (0...6).map { Duration.seconds($0) }
    #expect(times.map { presence.answers(at: Self.home, $0) } == [true, false, false, true, true, false, true])
    #expect(times.map { presence.cuts(before: $0) } == [0, 0, 0, 1, 1, 1, 2])
    #expect(times.map { presence.nextCut(after: $0)?.seconds } == [1, 5, 5, 5, 5, nil, nil])
    #expect(presence.sightings == [.seconds(3), .seconds(4), .seconds(6)])
  }

  @Test("A device has its own presence by its name or its id, and that of all others without one")
  func ofDevices() {
    func device(_ name: String, _ id: String?) -> FoundDevice {
      FoundDevice(name: name, id: id, address: Self.home, via: .virtual)
    }
    func away(_ seconds: Int) -> DevicePresence {
      var presence = DevicePresence()
      presence.absences = [.zero..<(.seconds(seconds))]
      return presence
    }
    var presences = DevicePresences()
    presences.usual = away(1)
    presences.own = ["Left": away(2), "an-id": away(3)]
    #expect(presences[device("Left", nil)] == away(2) && presences[device("Left", "an-id")] == away(2))
    #expect(presences[device("Right", "an-id")] == away(3))
    #expect(presences[device("Right", nil)] == away(1) && presences[device("Right", "other")] == away(1))
  }

  private final class Events: EventSink {
    private let events = Mutex<[Event]>([])
    func record(_ event: Event) { events.withLock { $0.append(event) } }
    var all: [Event] { events.withLock { $0 } }
  }

  private static func run(
    _ steps: String, _ change: (inout ScenarioSimulation) -> Void
  ) throws -> (outcome: Runner.Outcome, events: [Event]) {
    let plan = try ScenarioSimulationTests.compile("scenario: P\ndevice: TV\nsteps: \(steps)\n")
    var simulation = ScenarioSimulation()
    change(&simulation)
    let events = Events()
    let configuration = RunConfiguration(runID: "P", toolVersion: "", wallClock: { 1000 })
    return (try simulation.run(plan, configuration: configuration, reportingTo: events), events.all)
  }

  @Test("A run of a device that never answers tries to connect and ends without one")
  func away() throws {
    let attempts = Mutex<[Duration]>([])
    let run = try Self.run("[{ log: hi }]") {
      $0.presence.absences = [.zero..<(.seconds(86_400))]
      $0.onAttempt = { _, time in attempts.withLock { $0.append(time) } }
    }
    #expect(run.outcome.exitCode == 4)
    #expect(attempts.withLock { $0.first } == .zero)
  }

  @Test("The wall's clock of a run goes with its own")
  func wallClock() throws {
    let run = try Self.run("[{ wait: 90s }]") { _ in }
    #expect(run.outcome.exitCode == 0)
    #expect(run.events.allSatisfy { abs($0.wallTime - 1000 - $0.elapsed) < 0.01 })
    #expect(try #require(run.events.last).wallTime >= 1090)
  }

  @Test("A scenario that takes longer than a simulation may is given up")
  func limit() {
    #expect(throws: SimulationError.self) { try Self.run("[{ wait: 90s }]") { $0.limit = .seconds(60) } }
  }

  @Test("No program is started in a simulation, and its step counts as done")
  func programs() throws {
    let run = try Self.run("[{ exec: { command: [/no/such/program] } }, { expect: { app: none } }]") { _ in }
    #expect(run.outcome.exitCode == 0, "\(run.events.map { EventRecord($0).jsonLine })")
  }
}
