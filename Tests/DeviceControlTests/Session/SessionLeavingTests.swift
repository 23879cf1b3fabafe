import CastClient
import CastProtocol
import ScenarioLanguage
import Synchronization
import TestSupport
import Testing

@testable import DeviceControl
@testable import RunReporting

@Suite("How a session leaves its device") struct SessionLeavingTests {
  typealias Setting = SessionLab.Setting
  typealias Scene = StageDevice.Scene

  static let launch = DeviceAction.launch(Plan.LaunchAction(appID: "CC1AD845"))
  static let stop: JSONValue = ["type": "STOP", "sessionId": "ours-1"]
  static func volume(_ members: JSONObject) -> JSONValue { ["type": "SET_VOLUME", "volume": .object(members)] }

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var policy = Plan.Session.Leave.restore
    var scene = Scene()
    var does: [DeviceAction] = []
    var isLast = true
    var isHurried = false
    /// What is sent on leaving.
    var sends: [JSONValue] = []
  }

  static let loud: [DeviceAction] = [.volume(level: 80, ramp: .zero), .mute(true), .volume(level: 90, ramp: .zero)]

  static let rows: [Row] = [
    Row(testDescription: "nothing was done"),
    Row(testDescription: "our app is stopped", does: [launch], sends: [stop]),
    Row(
      testDescription: "volume and mute go back to what they were before our first change", does: loud,
      sends: [volume(["level": 0.5]), volume(["muted": false])]),
    Row(
      testDescription: "only what was changed goes back", does: [.mute(true)], sends: [volume(["muted": false])]),
    Row(
      testDescription: "the volume first, then the app", does: [launch] + loud.prefix(1),
      sends: [volume(["level": 0.5]), stop]),
    Row(testDescription: "stop: the app, not the volume", policy: .stop, does: [launch] + loud, sends: [stop]),
    Row(testDescription: "keep: neither", policy: .keep, does: [launch] + loud),
    Row(testDescription: "keep, but another try follows", policy: .keep, does: [launch], isLast: false, sends: [stop]),
    Row(
      testDescription: "an app of another sender that was joined stays", scene: Scene(app: ScriptedPeer.app),
      does: [launch]),
    Row(
      testDescription: "stop: also one that was joined", policy: .stop, scene: Scene(app: ScriptedPeer.app),
      does: [launch], sends: [["type": "STOP", "sessionId": "s-1"]]),
    Row(testDescription: "in a hurry nothing is put back", does: [launch] + loud, isHurried: true),
    Row(
      testDescription: "an app that a step stopped is not stopped twice", does: [launch, .stopApp(mayBeGone: false)]),
  ]

  @Test("A device is left as the policy says", arguments: rows)
  func leaves(row: Row) throws {
    let setting = Setting {
      $0.scene = row.scene
      $0.policies.leave = row.policy
    }
    try SessionLab.connected(setting) { lab in
      for action in row.does { #expect(await lab.perform(action) == nil) }
      let before = lab.stage.sent.count
      await lab.session.leave(isLast: row.isLast, isHurried: row.isHurried)
      try await lab.wait(.milliseconds(1))
      #expect(Array(lab.stage.sent.dropFirst(before)) == row.sends)
      #expect(lab.stage.peer?.isClosed == true && lab.owner.told.isEmpty)
      #expect(lab.events.diagnostics.isEmpty && lab.events.fields(.deviceLost).isEmpty)
      #expect(await lab.session.link.connection == nil)
    }
  }

  @Test("A connection that is lost or closed is not waited for: nothing can be put back")
  func lost() throws {
    for isCut in [true, false] {
      try SessionLab.connected { lab in
        #expect(await lab.perform(Self.launch) == nil)
        if isCut { lab.stage.peer?.cut() } else { _ = await lab.perform(.disconnect(abrupt: false)) }
        try await lab.wait(.milliseconds(1))
        let (before, start) = (lab.stage.sent.count, lab.now)
        await lab.session.leave()
        #expect(lab.stage.sent.count == before && lab.now - start < .seconds(1))
      }
    }
  }

  @Test(
    "What could not be put back is a warning, and leaving goes on",
    arguments: [
      ("SET_VOLUME", "the volume could not be restored", ["STOP"]),
      ("STOP", "the app could not be stopped", ["SET_VOLUME"]),
    ])
  func refuses(type: String, says: String, others: [String]) throws {
    try SessionLab.connected { lab in
      #expect(await lab.perform(Self.launch) == nil)
      #expect(await lab.perform(.volume(level: 80, ramp: .zero)) == nil)
      let before = lab.stage.sent.count
      lab.stage.set { $0.replies = [type: ["type": "INVALID_REQUEST", "reason": "INVALID_COMMAND"]] }
      await lab.session.leave()
      try await lab.wait(.milliseconds(1))
      let diagnostics = lab.events.diagnostics
      #expect(diagnostics.count == 1 && diagnostics.first?.contains("warning: \(says)") == true, "\(diagnostics)")
      #expect(diagnostics.first?.contains("INVALID_COMMAND") == true, "\(diagnostics)")
      let sent = lab.stage.sentTypes.dropFirst(before)
      #expect(others.allSatisfy(sent.contains))
      #expect(lab.stage.peer?.isClosed == true)
    }
  }

  @Test("A device that does not answer is left after as long as a reply may take")
  func silent() throws {
    try SessionLab.connected(Setting { $0.policies.timeouts.reply = .seconds(3) }) { lab in
      #expect(await lab.perform(Self.launch) == nil)
      lab.stage.set { $0.silent = ["STOP"] }
      let start = lab.now
      await lab.session.leave()
      #expect(lab.now - start == .seconds(3))
      #expect(lab.events.diagnostics.first?.contains("CC1AD845 still runs after STOP") == true)
    }
  }

  // MARK: what later runs have to know

  /// What runs of this computer remember of a device.
  final class Memory: Sendable {
    private let state: Mutex<[String: String]>
    init(_ known: [String: String] = [:]) { state = Mutex(known) }
    var known: [String: String] { state.withLock { $0 } }
    var apps: LaunchedApps {
      LaunchedApps(
        session: { device in self.state.withLock { $0[device] } },
        record: { session, device in self.state.withLock { $0[device] = session } })
    }
  }

  struct Memo: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var policy = Plan.Session.Leave.restore
    var silent: Set<String> = []
    var isHurried = false
    /// What is remembered after leaving.
    var keeps: [String: String] = [:]
  }

  static let memos: [Memo] = [
    Memo(testDescription: "stopped: there is none to end"),
    Memo(testDescription: "it still runs", silent: ["STOP"], keeps: ["abc-1": "ours-1"]),
    Memo(testDescription: "it is meant to stay", policy: .keep),
    Memo(testDescription: "it should have been stopped for good", policy: .stop, silent: ["STOP"]),
    Memo(testDescription: "in a hurry it was left running", isHurried: true, keeps: ["abc-1": "ours-1"]),
  ]

  @Test("An app that this run started and could not end is remembered for later runs", arguments: memos)
  func remembers(row: Memo) throws {
    let memory = Memory()
    let setting = Setting {
      $0.policies.launchedApps = memory.apps
      $0.policies.leave = row.policy
    }
    try SessionLab.connected(setting) { lab in
      #expect(await lab.perform(Self.launch) == nil)
      #expect(memory.known == ["abc-1": "ours-1"])
      lab.stage.set { $0.silent = row.silent }
      await lab.session.leave(isHurried: row.isHurried)
      #expect(memory.known == row.keeps)
    }
  }

  @Test(
    "An app that is joined is ours where an earlier run of this computer started it",
    arguments: [(["abc-1": "s-1"], true), (["abc-1": "s-0"], false), (["xyz": "s-1"], false), ([:], false)])
  func claims(known: [String: String], isOurs: Bool) throws {
    let memory = Memory(known)
    let setting = Setting {
      $0.scene.app = ScriptedPeer.app
      $0.policies.launchedApps = memory.apps
    }
    try SessionLab.connected(setting) { lab in
      #expect(await lab.perform(Self.launch) == nil)
      #expect(await lab.session.own.session?.isOurs == isOurs)
      await lab.session.leave()
      #expect(lab.stage.sentTypes.contains("STOP") == isOurs)
      #expect(memory.known["abc-1"] == (isOurs || known["abc-1"] == nil ? nil : "s-0"))
    }
  }

  @Test("A step that stops the app leaves none to remember; a device without an id is known by its address")
  func stops() throws {
    let memory = Memory()
    let setting = Setting {
      $0.policies.launchedApps = memory.apps
      $0.found = [FoundDevice(name: "TV", address: HostAndPort(host: "192.0.2.1", port: 8009), via: .host)]
    }
    try SessionLab.connected(setting) { lab in
      #expect(await lab.perform(Self.launch) == nil)
      #expect(memory.known == ["192.0.2.1:8009": "ours-1"])
      #expect(await lab.perform(.stopApp(mayBeGone: false)) == nil)
      #expect(memory.known.isEmpty)
    }
  }

  // MARK: policies

  @Test("A scenario's settings become the session's, a command's leave everything as it is")
  func policies() {
    var plan = Plan(id: "doc", title: "Doc", file: "a.yaml", device: Plan.DeviceSelector(span: Make.span))
    for (join, launch) in [(.auto, .auto), (.alwaysNew, .never), (.mustExist, .only)]
      as [(Plan.Session.Join, JoinPolicy)]
    {
      plan.session.join = join
      #expect(SessionPolicies(plan).launchJoin == launch)
    }
    (plan.session.leave, plan.takeover) = (.keep, .ignore)
    plan.timeouts.reply = .seconds(9)
    let scenario = SessionPolicies(plan)
    #expect(scenario.join == .ownAppsOnly && scenario.cures == .documents && scenario.connection == .own)
    #expect(scenario.leave == .keep && scenario.takeover == .ignore && scenario.timeouts.reply == .seconds(9))
    #expect(scenario.document == "doc" && !scenario.isOneOfSeveral)
    let command = SessionPolicies(commands: plan.timeouts)
    #expect(command.join == .whateverRuns && command.cures == .commandLines && command.leave == .keep)
    #expect(command.takeover == .ignore && command.connection == .own && command.timeouts.reply == .seconds(9))
    #expect(SessionPolicies(commands: plan.timeouts, takeover: .fail).takeover == .fail)
    let guest = SessionPolicies(borrowing: plan.timeouts)
    #expect(guest.connection == .borrowed && guest.leave == .keep && guest.join == .whateverRuns)
  }
}
