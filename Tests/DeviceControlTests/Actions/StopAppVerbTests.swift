import CastClient
import CastProtocol
import ScenarioLanguage
import TestSupport
import Testing

@testable import DeviceControl
@testable import RunReporting

@Suite("stop_app, and launching the same app anew") struct StopAppVerbTests {
  typealias Setting = SessionLab.Setting

  struct Stop: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var isCommand = false
    var before: [DeviceAction] = []
    var mayBeGone = false
    var replies: [String: JSONObject] = [:]
    var silent: Set<String> = []
    var sends: [String] = []
    var fails: ErrorClass?
    var says: String?
  }

  static let stops: [Stop] = [
    Stop(testDescription: "ours", before: [LaunchVerbTests.launch()], sends: ["LAUNCH", "STOP"]),
    Stop(
      testDescription: "none was launched", fails: .invalidState, says: "no app was launched or joined"),
    Stop(testDescription: "none was launched, and there may be none", mayBeGone: true),
    Stop(testDescription: "nothing runs, for a command", isCommand: true),
    Stop(
      testDescription: "twice", before: [LaunchVerbTests.launch(), .stopApp(mayBeGone: false)],
      sends: ["LAUNCH", "STOP"]),
    Stop(
      testDescription: "the device knows it no more", before: [LaunchVerbTests.launch()],
      replies: ["STOP": ["type": "INVALID_REQUEST", "reason": "INVALID_SESSION_ID"]], sends: ["LAUNCH", "STOP"]),
    Stop(
      testDescription: "the device does not want to", before: [LaunchVerbTests.launch()],
      replies: ["STOP": ["type": "INVALID_REQUEST", "reason": "INVALID_COMMAND"]], sends: ["LAUNCH", "STOP"],
      fails: .invalidRequest, says: "INVALID_REQUEST INVALID_COMMAND"),
    Stop(
      testDescription: "it stays", before: [LaunchVerbTests.launch()], silent: ["STOP"], sends: ["LAUNCH", "STOP"],
      fails: .timeout,
      says: "CC1AD845 still runs after STOP"),
  ]

  @Test("stop_app is done when no status lists the app any more", arguments: stops)
  func stop(row: Stop) throws {
    let setting = Setting {
      if row.isCommand { $0.policies = SessionPolicies(commands: Plan.Timeouts()) }
      ($0.scene.replies, $0.scene.silent) = (row.replies, row.silent)
    }
    try SessionLab.connected(setting) { lab in
      for action in row.before { #expect(await lab.perform(action) == nil) }
      let failure = await lab.perform(.stopApp(mayBeGone: row.mayBeGone), for: .seconds(3))
      #expect(failure?.errorClass == row.fails && failure?.message == row.says)
      #expect(lab.stage.sentTypes == row.sends)
      let own = await lab.session.own
      #expect((own.session != nil) == (row.fails == .timeout || row.fails == .invalidRequest) && !own.isChanging)
      if row.sends.contains("STOP"), row.fails == nil {
        #expect(await lab.perform(.pause)?.message == "the app was stopped by an earlier step")
      }
    }
  }

  @Test("What was launched is launched anew in the same words; without an app there is nothing to launch")
  func relaunch() throws {
    var action = Plan.LaunchAction(appID: "AAAA0001")
    action.language = "de"
    try SessionLab.connected { [action] lab in
      try await lab.session.relaunch(lab.scope())
      #expect(lab.stage.sent.isEmpty)
      #expect(await lab.perform(.launch(action)) == nil)
      try await lab.session.relaunch(lab.scope())
      #expect(lab.stage.sentTypes == ["LAUNCH", "STOP", "LAUNCH"])
      #expect(lab.stage.sent.last?["language"] == "de")
      lab.stage.showReceiver { $0.app = nil }
      try await lab.wait(.seconds(3))
      try await lab.session.relaunch(lab.scope())
      #expect(await lab.session.own.session?.sessionID == "ours-3", "also where it is gone")
    }
  }

  @Test("A launch anew that fails ends the session before all the same")
  func failedRelaunch() throws {
    try SessionLab.connected { lab in
      #expect(await lab.perform(LaunchVerbTests.launch()) == nil)
      lab.stage.set { $0.replies = ["LAUNCH": ["type": "LAUNCH_ERROR", "reason": "NOT_FOUND"]] }
      await #expect(throws: StepFailure.self) { try await lab.session.relaunch(lab.scope()) }
      let own = await lab.session.own
      #expect(own.session == nil && own.launched?.appID == "CC1AD845", "and can be tried once more")
    }
  }
}
