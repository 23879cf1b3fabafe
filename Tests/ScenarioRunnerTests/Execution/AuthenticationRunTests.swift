import CastClient
import CastProtocol
import CastReceiver
import CastTransport
import Foundation
import ScenarioLanguage
import Synchronization
import TestSupport
import Testing

@testable import DeviceControl
@testable import RunReporting
@testable import ScenarioRunner

/// What a run asks of its device, and what it makes of the answer.
@Suite(.timeLimit(.minutes(1))) struct AuthenticationRunTests {
  /// Runs `text` on one device in memory whose proof is worth `facts`, or which refuses with `error`.
  private static func play(
    _ text: String, found: FoundDevice? = nil, flag: AuthenticationMode? = nil, facts: AuthenticationFacts = .unchecked,
    error: ClientError? = nil
  ) async throws -> (outcome: Runner.Outcome, events: [Event], asked: [AuthenticationMode?]) {
    let asked = Mutex<[AuthenticationMode?]>([])
    let times = TimeSources(show: TimeSource(ContinuousClock()))
    let receiver = VirtualReceiver(configuration: ReceiverConfiguration(id: "a"), times: times)
    let device = found ?? FoundDevice(name: "TV", address: HostAndPort(host: "192.0.2.1"), via: .virtual)
    let access = DeviceAccess(
      find: { _, _ in [device] },
      connect: { device, wireTap throws(ClientError) in
        asked.withLock { $0.append(device.authentication) }
        if let error { throw error }
        let (near, far) = InMemoryByteChannel.pair(over: InMemoryLink())
        receiver.accept(far)
        let connection = CastConnection(channel: near, times: times, configuration: ClientConfiguration())
        try await connection.open()
        return OpenedDevice(connection: connection, latency: .zero, authentication: facts)
      })
    var configuration = RunConfiguration(runID: "01TEST", toolVersion: "0.0.0", wallClock: { 1_795_251_600 })
    configuration.authentication = flag
    let sink = RecordingSink()
    let outcome = await Runner.run(
      try Play.plan(text), on: access, times: times, configuration: configuration,
      interruptions: AsyncStream { $0.finish() }, reportingTo: sink)
    receiver.stop()
    return (outcome, sink.events, asked.withLock { $0 })
  }

  private static func scenario(_ head: String, _ steps: String = "- log: hi") -> String {
    "scenario: A\n\(head)\nsteps:\n  \(steps)\n"
  }

  static let modes: [(text: String, flag: AuthenticationMode?, asked: [AuthenticationMode])] = [
    (scenario("device: TV"), nil, [.report]),
    (scenario("device: TV"), .require, [.require]),
    (scenario("device: TV"), AuthenticationMode.none, [.none]),
    (scenario("device: tv\ninventory: { tv: { name: TV, auth: require } }"), nil, [.require]),
    // Chosen by its name, it is the same device of the inventory.
    (scenario("device: TV\ninventory: { tv: { name: TV, auth: require } }"), nil, [.require]),
    (scenario("device: TV\ninventory: { tv: { name: TV, auth: none } }"), nil, [.none]),
    (scenario("device: TV\ninventory: { other: { name: Radio, auth: require } }"), nil, [.report]),
    (scenario("device: { tag: hall }\ninventory: { tv: { name: TV, tags: [hall], auth: require } }"), nil, [.require]),
    (scenario("device: tv\ninventory: { tv: { name: TV, auth: require } }"), .report, [.report]),
    (scenario("device: TV", "- connect: { auth: require }"), nil, [.report, .require]),
    (scenario("device: TV", "- connect: { auth: none }"), nil, [.report]),
    (scenario("device: TV", "- connect: { auth: none }\n  - connect: { auth: require }"), nil, [.report, .require]),
    (scenario("device: TV", "- connect: { auth: require }\n  - connect: { auth: require }"), nil, [.report, .require]),
    (scenario("device: TV", "- connect: { auth: require }"), .require, [.require]),
    // What was pinned was required, too; what was only required was not pinned.
    (scenario("device: TV", "- connect: { auth: pin }\n  - connect: { auth: require }"), nil, [.report, .pin]),
    (
      scenario("device: TV", "- connect: { auth: require }\n  - connect: { auth: pin }"), nil,
      [.report, .require, .pin]
    ),
    (
      scenario("device: TV\ninventory: { tv: { name: TV, auth: require } }", "- connect: { host: 192.0.2.2 }"), nil,
      [.require, .require]
    ),
  ]
  @Test(
    "The command line, else the step, else the inventory says what is asked; report where none does", arguments: modes)
  func mode(text: String, flag: AuthenticationMode?, asked: [AuthenticationMode]) async throws {
    let played = try await Self.play(text, flag: flag)
    #expect(played.outcome.exitCode == 0)
    #expect(played.asked == asked, "\(text)")
  }

  @Test("A device that must prove itself and does not ends the run with class auth, code R704 and 4")
  func refused() async throws {
    let error = ClientError(.auth, "the device is not authenticated: why", help: "cure")
    let played = try await Self.play(Self.scenario("device: TV"), flag: .require, error: error)
    #expect(played.outcome.exitCode == 4)
    let diagnostic = played.events.first { $0.type == .diagnostic }
    #expect(diagnostic?.fields["code"] == "R704" && diagnostic?.fields["help"] == ["cure"])
    #expect(!played.events.contains { $0.type == .deviceConnected })
  }

  @Test("The verdict is in device.connected; a false proof, an accepted and an ending certificate are warned of once")
  func warnings() async throws {
    var facts = AuthenticationFacts(verdict: .untrusted)
    facts.problem = "the chain does not end in a Cast root (auth.chain.untrusted)"
    facts.help = "cure"
    facts.endings = [.init(name: "ICA 5", notAfter: 1_800_000_000)]
    facts.acceptedExpired = ["ICA 3"]
    let text = Self.scenario("device: TV", "- disconnect\n  - connect")
    let played = try await Self.play(text, facts: facts)
    #expect(
      played.events.filter { $0.type == .deviceConnected }.map { $0.fields["auth"] } == ["untrusted", "untrusted"])
    let warnings = played.events.filter { $0.type == .diagnostic }
    #expect(
      warnings.map { $0.fields["message"] } == [
        "the device is not authenticated: the chain does not end in a Cast root (auth.chain.untrusted)",
        "the expired certificate of ICA 3 is accepted, as the command line says",
        "the certificate of ICA 5 in the device's chain ends on 2027-01-15",
      ])
    #expect(warnings.allSatisfy { $0.fields["severity"] == "warning" && $0.fields["code"] == "R704" })

    var silent = AuthenticationFacts(verdict: .noProof)
    silent.problem = "none"
    silent.hasNoProof = true
    let quiet = try await Self.play(Self.scenario("device: TV"), facts: silent)
    #expect(quiet.events.first { $0.type == .deviceConnected }?.fields["auth"] == "no-proof")
    #expect(!quiet.events.contains { $0.type == .diagnostic })
  }

  private static let authority = LazyDeviceAuthAuthority { Int(Date().timeIntervalSince1970) }

  /// How a device's late proof is judged, and what is told of it.
  struct LateProof: Sendable {
    var hasCredentials = true
    var isTrusted = true
    /// How wrong our clock is, in seconds.
    var clockError = 0
    var severity = "note"
    var auth: JSONValue?
    var message: String
  }

  static let lateProofs = [
    LateProof(auth: "verified", message: "the device's proof came after it was connected: verified"),
    LateProof(isTrusted: false, auth: "untrusted", message: "the device did not prove who it is: untrusted"),
    LateProof(hasCredentials: false, auth: "no-proof", message: "the device did not prove who it is: no-proof"),
    LateProof(clockError: 30 * 86400 * 365, severity: "warning", message: "the device is not authenticated: "),
  ]

  @Test(
    "A proof that comes late, or never, is told once for each device: a false one by a warning, others by a note",
    arguments: lateProofs)
  func late(_ example: LateProof) async throws {
    let times = TimeSources(show: TimeSource(ContinuousClock()))
    var configuration = ReceiverConfiguration(id: "a")
    if example.hasCredentials {
      configuration.credentials = DeviceCredentials(name: "TV", authority: Self.authority)
    }
    let receiver = VirtualReceiver(configuration: configuration, times: times)
    let server = try await TLSServer.listen(host: "127.0.0.1", port: 0) { receiver.accept($0) }
    let port = server.port
    var client = ClientConfiguration()
    client.authentication = AuthenticationRules(
      verifier: try DeviceAuthVerifier.forDevices(
        extraRoots: example.isTrusted ? [try Self.authority.get().rootPEM] : []),
      makeNonce: { Array(1...16) },
      wallClock: { Int(Date().timeIntervalSince1970) + example.clockError })
    let connector = DeviceConnector(times: times, configuration: client)
    let access = DeviceAccess(
      find: { selector, _ in
        let name = selector.name ?? ""
        return [FoundDevice(name: name, id: name, address: HostAndPort(host: "127.0.0.1", port: port), via: .virtual)]
      },
      connect: { device, _ throws(ClientError) in
        let connection = try await connector.connect(to: device.address).connection
        // It is there, so that no time decides, and is told as one that is not.
        _ = await connection.proof()
        return OpenedDevice(connection: connection, latency: .zero, authentication: .pending)
      })
    let sink = RecordingSink()
    let text = "scenario: A\nroles: { left: Left, right: Right }\nsteps: [{ wait: 1s, role: left }]\n"
    let outcome = await Runner.run(
      try Play.plan(text), on: access, times: times,
      configuration: RunConfiguration(runID: "01TEST", toolVersion: "0.0.0", wallClock: { 1_795_251_600 }),
      interruptions: AsyncStream { $0.finish() }, reportingTo: sink)
    receiver.stop()
    await server.close()
    #expect(outcome.exitCode == 0)
    #expect(sink.events.filter { $0.type == .deviceConnected }.allSatisfy { $0.fields["auth"] == nil })
    let told = sink.events.filter { $0.type == .diagnostic }
    #expect(told.count == 2, "\(told)")
    for event in told {
      #expect(event.fields["code"] == "R704" && event.fields["severity"]?.string == example.severity)
      #expect(event.fields["auth"] == example.auth)
      #expect(event.fields["message"]?.string?.hasPrefix(example.message) == true, "\(event.fields)")
    }
    let isNote = example.severity == "note"
    #expect(Set(told.compactMap(\.device)) == ["left", "right"], "\(told)")
    // Consoles leave notes of proofs to who wants to know everything.
    #expect(ReportText.console(sink.events).contains(example.message) == !isNote)
  }
}
