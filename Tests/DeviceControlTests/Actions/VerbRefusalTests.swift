import CastClient
import CastProtocol
import ScenarioLanguage
import TestSupport
import Testing

@testable import DeviceControl
@testable import RunReporting

@Suite("What every verb needs before it sends anything, and what it says when the device does not do it")
struct VerbRefusalTests {
  typealias Setting = SessionLab.Setting
  typealias Scene = StageDevice.Scene

  /// What a verb cannot do without.
  enum Need: Sendable { case connection, app, media }

  struct Verb: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var action: DeviceAction
    var needs: Need

    init(_ title: String, _ action: DeviceAction, needs: Need) {
      (testDescription, self.action, self.needs) = (title, action, needs)
    }
  }

  private static let item = Plan.QueueItem(mediaID: nil, media: LoadVerbTests.media("x.mp4"))
  private static let namespace = "urn:x-cast:com.example"

  static let verbs: [Verb] = [
    Verb("launch", LaunchVerbTests.launch(), needs: .connection),
    Verb("load", .load(LoadVerbTests.load("a.mp4")), needs: .connection),
    Verb("queue", .queueLoad(LoadVerbTests.queue(["a.mp4"])), needs: .connection),
    Verb("volume", .volume(level: 10, ramp: .zero), needs: .connection),
    Verb("mute", .mute(true), needs: .connection), Verb("refresh", .refresh(.receiver), needs: .connection),
    Verb("refresh media", .refresh(.media), needs: .app), Verb("play", .play, needs: .media),
    Verb("pause", .pause, needs: .media), Verb("stop", .stop, needs: .media),
    Verb("seek", .seek(Seek(.to(5))), needs: .media), Verb("rate", .rate(.to(2)), needs: .media),
    Verb("rate by", .rate(.by(2)), needs: .media), Verb("tracks", .tracks([]), needs: .media),
    Verb("tracks by language", .tracks(["en"]), needs: .media),
    Verb("text_style", .textStyle(TextTrackStyle()), needs: .media),
    Verb("queue_insert", .queueInsert(items: [item], before: nil), needs: .media),
    Verb("queue_remove", .queueRemove([.number(1)]), needs: .media),
    Verb("queue_jump", .queueJump(.next), needs: .media),
    Verb("queue_jump to", .queueJump(.item(.number(1))), needs: .media),
    Verb("queue_update", .queueUpdate(QueueUpdate(jump: 1)), needs: .media),
    Verb("queue_reorder", .queueReorder(items: [.number(1)], before: nil), needs: .media),
    Verb("send", .send(Plan.SendAction(namespace: namespace, message: [:])), needs: .app),
  ]

  @Test("Nothing is sent over a connection that was closed or is lost", arguments: verbs, [true, false])
  func connection(verb: Verb, isLost: Bool) throws {
    let setting = Setting { $0.scene = Scene(app: ScriptedPeer.app, media: [:]) }
    try SessionLab.connected(setting) { lab in
      #expect(await lab.perform(LaunchVerbTests.launch("CC1AD845", .only)) == nil)
      if isLost { lab.stage.peer?.cut() } else { _ = await lab.perform(.disconnect(abrupt: false)) }
      try await lab.wait(.milliseconds(1))
      let failure = await lab.perform(verb.action)
      #expect(failure?.errorClass == (isLost ? .connectionLost : .invalidState))
      #expect(failure?.message == (isLost ? "the connection to the device is lost" : "the device is disconnected"))
      #expect((failure?.help != nil) == !isLost)
      #expect(lab.stage.sent.isEmpty)
    }
  }

  @Test(
    "Without an app of ours there is nothing to act on; a command says what runs not", arguments: verbs, [true, false])
  func app(verb: Verb, isCommand: Bool) throws {
    // A command's `stop` is done where nothing runs.
    if verb.needs == .connection || isCommand && verb.testDescription == "stop" { return }
    try SessionLab.connected(isCommand ? .command() : Setting()) { lab in
      let failure = await lab.perform(verb.action)
      #expect(failure?.errorClass == .invalidState)
      #expect(failure?.message == (isCommand ? "no app is running" : "no app was launched or joined"))
      #expect((failure?.help == nil) == isCommand)
      #expect(lab.stage.sent.isEmpty)
    }
  }

  static let loads: [(String, JSONValue, String)] = [
    ("nothing is loaded", ScriptedPeer.app, "nothing is loaded"),
    (
      "the app plays no media",
      ScriptedPeer.application("AAAA0001", namespaces: [Namespace(rawValue: "urn:x-cast:com.example")]),
      "App (AAAA0001) plays no media"
    ),
  ]

  @Test("What is about media needs some that play", arguments: verbs.filter { $0.needs == .media }, [0, 1])
  func media(verb: Verb, index: Int) throws {
    if verb.testDescription == "stop" { return }
    let (_, app, says) = Self.loads[index]
    try SessionLab.connected(.command { $0.scene = Scene(app: app) }) { lab in
      let failure = await lab.perform(verb.action)
      #expect(failure?.errorClass == .invalidState && failure?.message == says)
      #expect(lab.stage.sent.isEmpty)
    }
  }

  // MARK: what the app does not do

  struct Command: Sendable, CustomTestStringConvertible {
    var testDescription: String { type }
    var type: String
    var action: DeviceAction
    /// What the app lists when it can do it, and is missing when it cannot.
    var word: String?
    var waits: String
    var state: String = "the player is playing"
  }

  static let commands: [Command] = [
    Command(type: "PAUSE", action: .pause, word: "pause", waits: "the player to pause"),
    Command(type: "STOP", action: .stop, waits: "the player to be idle"),
    Command(
      type: "SEEK", action: .seek(Seek(.to(300))), word: "seek", waits: "the position to be 300.0s", state: "it is "),
    Command(
      type: "SET_PLAYBACK_RATE", action: .rate(.to(2)), word: "rate", waits: "the rate to be 2", state: "it is 1"),
    Command(
      type: "EDIT_TRACKS_INFO", action: .tracks(["2"]), word: "edit_tracks", waits: "the active tracks to be [2]",
      state: "they are [1]"),
    Command(
      type: "SKIP_AD", action: .skipAd(force: true), word: "skip_ad", waits: "the clip to be over"),
  ]

  /// Something that plays, with what the app says that it can do.
  static func scene(lists commands: Int) -> Scene {
    Scene(
      app: ScriptedPeer.app,
      media: [
        "supportedMediaCommands": .int(commands), "activeTrackIds": [1],
        "breakStatus": ["breakId": "mid", "breakClipId": "car"],
      ])
  }

  /// All that an app may list.
  static let all = 0xFFFFF

  @Test(
    "A command that is answered without its effect fails at the step's end, with how things are", arguments: commands)
  func ineffective(command: Command) throws {
    try SessionLab.connected(.command { $0.scene = Self.scene(lists: Self.all) }) { lab in
      let start = lab.now
      let failure = await lab.perform(command.action, for: .seconds(8))
      #expect(failure?.errorClass == .timeout && lab.now - start == .seconds(8))
      #expect(
        failure?.message.hasPrefix("waited for \(command.waits); \(command.state)") == true, "\(failure?.message ?? "")"
      )
      #expect(failure?.help == nil)
    }
  }

  @Test("At a prompt the wait for what the app does not list is as short as a reply's", arguments: commands)
  func unlisted(command: Command) throws {
    try SessionLab.connected(.command { $0.scene = Self.scene(lists: 0) }) { lab in
      let start = lab.now
      let failure = await lab.perform(command.action, for: .seconds(60))
      #expect(failure?.errorClass == .timeout)
      #expect(lab.now - start == (command.word == nil ? .seconds(60) : .seconds(5)))
      let help = command.word.map {
        "the app does not list `\($0)` among the commands for what plays; it may not know it, or not allow it now"
      }
      #expect(failure?.help == help)
    }
  }

  static let refusals: [(JSONObject, ErrorClass, String, Bool)] = [
    (
      ["type": "INVALID_REQUEST", "reason": "INVALID_COMMAND"], .invalidRequest, "INVALID_REQUEST INVALID_COMMAND", true
    ),
    (["type": "INVALID_PLAYER_STATE"], .invalidState, "INVALID_PLAYER_STATE", true),
    (["type": "ERROR", "detailedErrorCode": 905], .mediaError, "ERROR 905", false),
  ]

  @Test(
    "A refusal is told in the words of the wire; that the app does not list it may be why", arguments: commands,
    refusals.indices)
  func refused(command: Command, index: Int) throws {
    let (reply, errorClass, message, mayBeUnlisted) = Self.refusals[index]
    for listed in [0, Self.all] {
      let setting = Setting.command {
        $0.scene = Self.scene(lists: listed)
        $0.scene.replies = [command.type: reply]
      }
      try SessionLab.connected(setting) { lab in
        let start = lab.now
        let failure = await lab.perform(command.action)
        #expect(
          failure?.errorClass == errorClass && failure?.message.hasPrefix(message) == true, "\(failure?.message ?? "")")
        let isHelped = listed == 0 && mayBeUnlisted && command.word != nil
        #expect((failure?.help?.contains("does not list `\(command.word ?? "")`") == true) == isHelped)
        #expect(lab.now == start)
      }
    }
  }

  @Test("What is cancelled ends at once, as cancelled", arguments: commands)
  func cancelled(command: Command) throws {
    try SessionLab.connected(.command { $0.scene = Self.scene(lists: Self.all) }) { lab in
      let start = lab.now
      let failure = await withTaskGroup(of: StepFailure?.self) { group in
        group.addTask { await lab.perform(command.action, for: .seconds(60)) }
        try? await lab.wait(.seconds(1))
        group.cancelAll()
        return await group.next() ?? nil
      }
      #expect(failure?.errorClass == .cancelled && lab.now - start == .seconds(1))
    }
  }

  @Test("A connection that breaks while an effect is waited for says so", arguments: commands)
  func breaks(command: Command) throws {
    try SessionLab.connected(.command { $0.scene = Self.scene(lists: Self.all) }) { lab in
      let cut = lab.spawn {
        try? await lab.wait(.seconds(2))
        lab.stage.peer?.cut()
      }
      let start = lab.now
      let failure = await lab.perform(command.action, for: .seconds(60))
      #expect(failure?.errorClass == .connectionLost && lab.now - start == .seconds(2))
      #expect(failure?.message.hasPrefix("the connection to the device broke: ") == true, "\(failure?.message ?? "")")
      await cut.value
    }
  }

  @Test("An app that goes while an effect is waited for is the reason", arguments: commands)
  func goes(command: Command) throws {
    try SessionLab.connected(.command { $0.scene = Self.scene(lists: Self.all) }) { lab in
      let gone = lab.spawn {
        try? await lab.wait(.seconds(2))
        lab.stage.showReceiver { $0.app = nil }
      }
      let failure = await lab.perform(command.action, for: .seconds(60))
      // A player that is gone is idle, and its ad is over.
      let isMet = command.type == "STOP" || command.type == "SKIP_AD"
      #expect(failure?.errorClass == (isMet ? nil : .appGone), "\(failure?.message ?? "")")
      await gone.value
    }
  }
}
