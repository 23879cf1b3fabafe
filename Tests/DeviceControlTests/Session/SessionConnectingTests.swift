import CastClient
import CastProtocol
import ScenarioLanguage
import Simulation
import TestSupport
import Testing

@testable import DeviceControl
@testable import RunReporting

@Suite("How a session connects, and what it takes for its own there") struct SessionConnectingTests {
  typealias Setting = SessionLab.Setting
  typealias Scene = StageDevice.Scene

  static let film: JSONObject = ["media": ["contentId": "a.mp4", "metadata": ["title": "Sintel"]]]

  @Test("A connection is told with its TLS, the verdict and the time to the first status")
  func connected() throws {
    var facts = AuthenticationFacts(verdict: .verified)
    facts.isVerified = true
    let setting = Setting {
      $0.facts = facts
      $0.tls = "TLSv1.3"
      $0.latency = .microseconds(12_600)
    }
    try SessionLab.connected(setting) { lab in
      let told = try #require(lab.events.fields(.deviceConnected).first)
      #expect(told["tls"] == "TLSv1.3" && told["auth"] == "verified" && told["latencyMs"] == 13)
      #expect(lab.events.all.map(\.type).prefix(2) == [.deviceFound, .deviceConnected])
      #expect(lab.events.diagnostics.isEmpty && lab.events.fields(.deviceBack).isEmpty)
      #expect(await lab.session.wasConnected)
      #expect(await !lab.session.isLost)
    }
  }

  @Test("A proof that has not come yet is left out, and is no warning")
  func pending() throws {
    try SessionLab.connected(Setting { $0.facts = .pending }) { lab in
      #expect(lab.events.fields(.deviceConnected).first?["auth"] == nil)
      #expect(lab.events.diagnostics.isEmpty)
    }
  }

  @Test(
    "What keeps a device from being connected to is told with its class and its cure",
    arguments: [
      (ClientError(.unreachable, "connection refused", help: "switch it on"), .unreachable),
      (ClientError(.tls, "its certificate has expired"), .tls), (ClientError(.auth, "no proof"), .auth),
      (ClientError(.timeout, "no RECEIVER_STATUS came"), .timeout),
      (ClientError(.protocol, "it sent nonsense"), .protocol),
    ] as [(ClientError, ErrorClass)])
  func refused(error: ClientError, errorClass: ErrorClass) throws {
    try SessionLab.run(Setting { $0.refusals = [error] }) { lab in
      let failure = await lab.connect()
      #expect(failure?.errorClass == errorClass && failure?.message == error.message && failure?.help == error.help)
      #expect(lab.events.diagnostics == ["\(errorClass.code) error: \(error.message)"])
      #expect(lab.events.fields(.diagnostic).first?["help"]?.array?.first?.string == error.help)
      #expect(await !lab.session.wasConnected)
      #expect(lab.events.fields(.deviceConnected).isEmpty)
    }
  }

  @Test("Where nobody answers and nobody knows why, what usually cures that is told")
  func unreachable() throws {
    try SessionLab.run(Setting { $0.refusals = [ClientError(.unreachable, "connection refused")] }) { lab in
      #expect(await lab.connect()?.help == ErrorClass.unreachable.usualCure)
    }
  }

  // MARK: joining

  struct Join: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var scene: Scene
    var isCommand = true
    var takeover = Plan.Takeover.ignore
    /// The session of the app that actions act on.
    var joins: String?
    /// The media session that counts as ours.
    var keeps: Int?
  }

  static let idleScreen = ScriptedPeer.application("E8C28D3C", more: ["isIdleScreen": true])

  static let joins: [Join] = [
    Join(
      testDescription: "a scenario joins nothing", scene: Scene(app: ScriptedPeer.app, media: film), isCommand: false),
    Join(testDescription: "a command joins what runs", scene: Scene(app: ScriptedPeer.app, media: film), joins: "s-1"),
    Join(testDescription: "no app", scene: Scene()),
    Join(testDescription: "the idle screen", scene: Scene(app: idleScreen)),
    Join(
      testDescription: "an app that lists no transport id",
      scene: Scene(app: ScriptedPeer.application(transport: nil))),
    Join(
      testDescription: "an app without media is joined, too",
      scene: Scene(app: ScriptedPeer.application("AAAA0001", namespaces: [Namespace(rawValue: "urn:x-cast:a")])),
      joins: "s-1"),
    Join(
      testDescription: "who watches to the end keeps the media", scene: Scene(app: ScriptedPeer.app, media: film),
      takeover: .fail, joins: "s-1", keeps: 1),
    Join(
      testDescription: "who watches where nothing plays keeps none", scene: Scene(app: ScriptedPeer.app),
      takeover: .fail, joins: "s-1"),
  ]

  @Test("Only a command joins the app that runs, and only one that watches keeps its media", arguments: joins)
  func join(row: Join) throws {
    let setting = Setting {
      $0.scene = row.scene
      if row.isCommand { $0.policies = SessionPolicies(commands: Plan.Timeouts(), takeover: row.takeover) }
    }
    try SessionLab.connected(setting) { lab in
      let own = await lab.session.own
      #expect(own.session?.sessionID == row.joins && own.session?.isOurs != true)
      #expect(own.loaded?.mediaSessionID == row.keeps)
      #expect(lab.stage.sent.isEmpty, "joining asks and changes nothing")
    }
  }

  @Test("An app that says nothing of its media is joined all the same")
  func mute() throws {
    let setting = Setting.command {
      $0.scene.app = ScriptedPeer.app
      $0.scene.silent = ["media"]
    }
    try SessionLab.run(setting) { lab in
      #expect(await lab.session.find(besides: []) == nil)
      #expect(await lab.session.connectAndJoin() == nil)
      #expect(lab.now == .seconds(5))
      #expect(await lab.session.own.session?.sessionID == "s-1")
    }
  }

  // MARK: the state of the link

  static let links: [(String, @Sendable (SessionLab) async -> Void, ErrorClass?, String?)] = [
    ("connected", { _ in }, nil, nil),
    (
      "disconnected", { lab in _ = await lab.perform(.disconnect(abrupt: false)) }, .invalidState,
      "the device is disconnected"
    ),
    (
      "lost",
      { lab in
        lab.stage.peer?.cut(); try? await lab.wait(.seconds(1))
      }, .connectionLost,
      "the connection to the device is lost"
    ),
    (
      "silent for nine seconds",
      { lab in
        lab.asked.cut(); try? await lab.wait(.seconds(9))
      }, nil, nil
    ),
    (
      "silent for eleven",
      { lab in
        lab.asked.cut(); try? await lab.wait(.seconds(11))
      }, .connectionLost,
      "the connection to the device is lost"
    ),
  ]

  @Test("Before anything is asked of a device it is known whether it can be", arguments: links.indices)
  func problem(index: Int) throws {
    let (title, happens, errorClass, message) = Self.links[index]
    try SessionLab.connected { lab in
      await happens(lab)
      let problem = await lab.session.connectionProblem
      #expect(problem?.errorClass == errorClass && problem?.message == message, "\(title)")
      let isOpen = await lab.session.link.isOpen
      #expect(isOpen == (errorClass == nil), "\(title)")
      #expect(await lab.session.needsConnection == (errorClass == .connectionLost), "\(title)")
      #expect(lab.events.fields(.deviceLost).count == (errorClass == .connectionLost ? 1 : 0), "\(title)")
    }
  }

  @Test("A session over somebody else's connection neither closes it nor looks back beyond its own begin")
  func borrowed() throws {
    try SessionLab.connected(Setting { $0.scene = Scene(app: ScriptedPeer.app, media: Self.film) }) { lab in
      let connection = try #require(lab.asked.opened.first)
      lab.stage.showReceiver { $0.volume["level"] = 0.7 }
      try await lab.wait(.seconds(1))
      let guest = DeviceSession(
        selector: lab.session.selector, policies: SessionPolicies(borrowing: Plan.Timeouts()),
        access: DeviceAccess(
          find: { _, _ throws(RunError) in [] },
          connect: { _, _ throws(ClientError) in OpenedDevice(connection: connection, latency: .zero) }),
        times: lab.network.times, emitter: lab.session.emitter, owner: IndifferentOwner(), random: { 0.5 })
      await guest.use(SessionLab.device, called: "guest")
      #expect(await guest.connectAndJoin() == nil)
      await guest.catchUp()
      #expect(
        !lab.events.all.contains { $0.device == "guest" && $0.type == .status && $0.fields["scope"] == "receiver" })
      await guest.close()
      #expect(await guest.link.connection == nil)
      #expect(await lab.session.connectionProblem == nil)
      await connection.disconnect()
    }
  }

  @Test("Messages are events only where they were asked for", arguments: [true, false])
  func wire(isIncluded: Bool) throws {
    let setting = Setting {
      $0.policies.messages = isIncluded ? .all : .last
      $0.scene.app = ScriptedPeer.app
    }
    try SessionLab.connected(setting) { lab in
      #expect(await lab.perform(.refresh(.receiver)) == nil)
      let requests = lab.events.fields(.request).compactMap { $0["msg"]?["type"]?.string }
      #expect(requests == (isIncluded ? ["CONNECT", "GET_STATUS", "GET_STATUS"] : []))
      #expect(lab.events.fields(.reply).isEmpty == !isIncluded)
      // Those of the connection are kept, for a failure.
      lab.session.wire?.tellLast(step: nil)
      let kept = lab.events.fields(.messages).first?["messages"]?.array ?? []
      #expect(
        kept.compactMap { $0["msg"]?["type"]?.string }
          == (isIncluded
            ? [] : ["CONNECT", "GET_STATUS", "RECEIVER_STATUS", "GET_STATUS", "RECEIVER_STATUS"]),
        "\(kept)")
    }
  }
}
