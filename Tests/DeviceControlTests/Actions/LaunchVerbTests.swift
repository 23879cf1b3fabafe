import CastClient
import CastProtocol
import ScenarioLanguage
import TestSupport
import Testing

@testable import DeviceControl
@testable import RunReporting

@Suite("launch: what is joined, what is ours, and why it fails") struct LaunchVerbTests {
  typealias Setting = SessionLab.Setting
  typealias Scene = StageDevice.Scene

  static func launch(_ app: String = "CC1AD845", _ join: Plan.LaunchAction.Join = .auto) -> DeviceAction {
    var action = Plan.LaunchAction(appID: app)
    action.join = join
    return .launch(action)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var running: String?
    var join = Plan.LaunchAction.Join.auto
    /// What launches of the session join unless they say so themselves.
    var sessionJoin = JoinPolicy.auto
    var sends: [String] = []
    /// The session that acts from then on; `nil`: it fails.
    var session: String?
    var isOurs = false
  }

  static let rows: [Row] = [
    Row(testDescription: "nothing runs", sends: ["LAUNCH"], session: "ours-1", isOurs: true),
    Row(testDescription: "it runs", running: "CC1AD845", session: "s-1"),
    Row(testDescription: "its id is written in small letters", running: "cc1ad845", session: "s-1"),
    Row(testDescription: "another runs", running: "AAAA0001", sends: ["LAUNCH"], session: "ours-1", isOurs: true),
    Row(
      testDescription: "it runs, and a new one is wanted", running: "CC1AD845", join: .never,
      sends: ["STOP", "LAUNCH"],
      session: "ours-1", isOurs: true),
    Row(testDescription: "only one that runs is wanted, and it does", running: "CC1AD845", join: .only, session: "s-1"),
    Row(testDescription: "only one that runs is wanted, and none does", join: .only),
    Row(testDescription: "only one that runs is wanted, and another does", running: "AAAA0001", join: .only),
    Row(
      testDescription: "the session wants a new one", running: "CC1AD845", sessionJoin: .never,
      sends: ["STOP", "LAUNCH"], session: "ours-1", isOurs: true),
    Row(testDescription: "the session wants one that runs", sessionJoin: .only),
    Row(
      testDescription: "the step knows better than the session", running: "CC1AD845", join: .only, sessionJoin: .never,
      session: "s-1"),
  ]

  @Test("An app that runs is joined where that is allowed, and is ours only where we launched it", arguments: rows)
  func joins(row: Row) throws {
    let setting = Setting {
      $0.scene.app = row.running.map { ScriptedPeer.application($0) }
      $0.policies.launchJoin = row.sessionJoin
    }
    try SessionLab.connected(setting) { lab in
      let failure = await lab.perform(Self.launch("CC1AD845", row.join))
      #expect(lab.stage.sentTypes == row.sends)
      let own = await lab.session.own
      #expect(own.session?.sessionID == row.session && own.session?.isOurs ?? false == row.isOurs)
      #expect(failure?.errorClass == (row.session == nil ? .launchFailed : nil))
      if let failure { #expect(failure.message == "CC1AD845 does not run") }
      #expect(!own.isChanging)
    }
  }

  @Test("The cure of a launch that only joins speaks of steps in a document, of options on a command line")
  func cures() throws {
    for (setting, cure) in [
      (Setting(), "start it, or leave out 'join: only' to have it launched"),
      (Setting.command(), "start it, or leave out `--join only` to have it launched"),
    ] {
      try SessionLab.connected(setting) { lab in
        #expect(await lab.perform(Self.launch("CC1AD845", .only))?.help == cure)
      }
    }
  }

  @Test("The session's own policy is for the first launch of an app: its own app is taken as it runs")
  func again() throws {
    try SessionLab.connected(Setting { $0.policies.launchJoin = .never }) { lab in
      #expect(await lab.perform(Self.launch()) == nil)
      #expect(await lab.perform(Self.launch()) == nil)
      #expect(lab.stage.sentTypes == ["LAUNCH"])
      let own = await lab.session.own
      #expect(own.session?.sessionID == "ours-1" && own.session?.isOurs == true, "it stays ours")
    }
  }

  @Test("Language, parameters and kinds of app go with LAUNCH, also to an app that runs; secrets only there")
  func words() throws {
    var action = Plan.LaunchAction(appID: "CC1AD845")
    action.language = "de"
    action.params = ["key": .string(SecretPlaceholder.text(for: "token"))]
    action.appTypes = ["WEB"]
    let setting = Setting {
      $0.policies.secrets = Secrets(["token": "hunter2-hunter2"])
      $0.scene.app = ScriptedPeer.app
    }
    try SessionLab.connected(setting) { [action] lab in
      #expect(await lab.perform(.launch(action)) == nil)
      let sent = try #require(lab.stage.sent.first)
      #expect(
        sent["language"] == "de" && sent["supportedAppTypes"] == ["WEB"]
          && sent["appParams"]?["key"] == "hunter2-hunter2")
      #expect(await lab.session.own.launched?.params == action.params, "as the document writes it")
    }
  }

  @Test(
    "A refusal is told in the words of the wire, with a cure where there is one",
    arguments: [
      (["type": "LAUNCH_ERROR", "reason": "NOT_FOUND"], .launchFailed, "LAUNCH_ERROR NOT_FOUND", true),
      (["type": "LAUNCH_ERROR", "reason": "CANCELLED"], .launchCancelled, "LAUNCH_ERROR CANCELLED", false),
      (
        ["type": "LAUNCH_ERROR", "reason": "NOT_ALLOWED", "extendedError": "USER_NOT_ALLOWED"], .launchFailed,
        "LAUNCH_ERROR NOT_ALLOWED USER_NOT_ALLOWED", true
      ),
      (
        ["type": "INVALID_REQUEST", "reason": "INVALID_COMMAND"], .invalidRequest, "INVALID_REQUEST INVALID_COMMAND",
        false
      ),
    ] as [(JSONObject, ErrorClass, String, Bool)])
  func refused(reply: JSONObject, errorClass: ErrorClass, message: String, hasCure: Bool) throws {
    try SessionLab.connected(Setting { $0.scene.replies = ["LAUNCH": reply] }) { lab in
      let failure = await lab.perform(Self.launch())
      #expect(failure?.errorClass == errorClass && failure?.message == message && (failure?.help != nil) == hasCure)
      #expect(await lab.session.own.session == nil)
    }
  }

  @Test("A launch that nobody answers ends with the step's time")
  func unheard() throws {
    try SessionLab.connected(Setting { $0.scene.silent = ["LAUNCH"] }) { lab in
      let start = lab.now
      let failure = await lab.perform(Self.launch(), for: .seconds(4))
      #expect(failure?.errorClass == .timeout && lab.now - start == .seconds(4))
      #expect(failure?.message == "no status listed CC1AD845")
    }
  }

  @Test("A person who is asked has two minutes, which is told once for each try of a step")
  func consent() throws {
    let setting = Setting {
      $0.scene.silent = ["LAUNCH"]
      $0.owner = ToldOwner { $0.runningStep = "s1" }
    }
    try SessionLab.connected(setting) { lab in
      let asking = lab.spawn {
        for _ in 0..<2 {
          try? await lab.wait(.seconds(1))
          lab.stage.peer?.send(
            [
              "type": "LAUNCH_STATUS", "launchRequestId": .int(lab.stage.peer?.requests("LAUNCH").last?.id ?? 0),
              "status": "USER_PENDING_AUTHORIZATION",
            ],
            in: .receiver)
        }
      }
      let start = lab.now
      let failure = await lab.perform(Self.launch())
      #expect(failure?.message == "nobody allowed CC1AD845 on the device" && failure?.errorClass == .timeout)
      #expect(lab.now - start >= .seconds(120))
      let logs = lab.events.all.filter { $0.type == .log }
      #expect(logs.map { $0.fields["text"]?.string } == ["waiting for a person to allow the app on Lobby TV"])
      #expect(logs.first?.step == "s1")
      await asking.value
    }
  }
}
