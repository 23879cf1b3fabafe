import CastClient
import CastProtocol
import ScenarioLanguage
import TestSupport
import Testing

@testable import DeviceControl
@testable import RunReporting

@Suite("load and queue: into which app, when they are done, and why they fail") struct LoadVerbTests {
  typealias Setting = SessionLab.Setting
  typealias Scene = StageDevice.Scene

  static func media(_ content: String) -> MediaInformation {
    var media = MediaInformation()
    media.contentID = content
    media.contentType = "video/mp4"
    return media
  }

  static func load(
    _ content: String, into app: String? = nil, until: Plan.LoadAction.Until = .playing, tracks: [Int] = []
  ) -> Plan.LoadAction {
    var request = LoadRequest(media: media(content))
    if !tracks.isEmpty { request.activeTrackIDs = tracks }
    var action = Plan.LoadAction(request: request, defaultAppID: "CC1AD845")
    action.appID = app
    action.until = until
    return action
  }

  static func queue(_ contents: [String], startAt: Int = 1) -> Plan.QueueAction {
    var action = Plan.QueueAction(
      items: contents.map { Plan.QueueItem(mediaID: nil, media: media($0)) }, defaultAppID: "CC1AD845")
    action.startAt = startAt
    return action
  }

  // MARK: into which app

  struct App: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var before: String?
    var named: String?
    /// The types that are sent.
    var sends: [String]
    var app: String
  }

  static let apps: [App] = [
    App(testDescription: "the default app is launched", sends: ["LAUNCH", "LOAD"], app: "CC1AD845"),
    App(testDescription: "an app of ours is used", before: "AAAA0001", sends: ["LOAD"], app: "AAAA0001"),
    App(
      testDescription: "another app is launched", before: "AAAA0001", named: "BBBB0002", sends: ["LAUNCH", "LOAD"],
      app: "BBBB0002"),
    App(
      testDescription: "the app that is named runs", before: "BBBB0002", named: "BBBB0002", sends: ["LOAD"],
      app: "BBBB0002"),
  ]

  @Test("Media are loaded into the app that is named, else ours, else the usual one", arguments: apps)
  func app(row: App) throws {
    try SessionLab.connected { lab in
      if let before = row.before { #expect(await lab.perform(.launch(Plan.LaunchAction(appID: before))) == nil) }
      let count = lab.stage.sent.count
      #expect(await lab.perform(.load(Self.load("a.mp4", into: row.named))) == nil)
      #expect(Array(lab.stage.sentTypes.dropFirst(count)) == row.sends)
      #expect(await lab.session.own.session?.appID == row.app)
      let own = await lab.session.own
      #expect(own.loaded?.source == own.session?.transportID && own.hasLoaded && !own.isChanging)
    }
  }

  // MARK: when it is done

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var until = Plan.LoadAction.Until.playing
    /// What the new media session says after LOAD, in place of playing.
    var answer: JSONObject = [:]
    /// What it says a second later.
    var later: JSONObject?
    var fails: ErrorClass?
    var says: String?
    /// When it is over, in seconds.
    var at: Double = 0
  }

  static let loading: JSONObject = ["playerState": "IDLE", "extendedStatus": ["playerState": "LOADING"]]
  static func idle(_ reason: String) -> JSONObject { ["playerState": "IDLE", "idleReason": .string(reason)] }

  static let rows: [Row] = [
    Row(testDescription: "it plays"),
    Row(
      testDescription: "it buffers first", answer: ["playerState": "BUFFERING"], later: ["playerState": "PLAYING"],
      at: 1),
    Row(testDescription: "loaded: buffering will do", until: .loaded, answer: ["playerState": "BUFFERING"]),
    Row(testDescription: "loaded: paused will do", until: .loaded, answer: ["playerState": "PAUSED"]),
    Row(
      testDescription: "loaded: loading will not", until: .loaded, answer: loading, later: ["playerState": "PLAYING"],
      at: 1),
    Row(testDescription: "accepted: loading will do", until: .accepted, answer: loading),
    Row(testDescription: "paused: playing will not", until: .paused, later: ["playerState": "PAUSED"], at: 1),
    Row(
      testDescription: "it never plays", answer: ["playerState": "PAUSED"], fails: .timeout,
      says: "waited for the player to be playing", at: 10),
    Row(
      testDescription: "it never is loaded", until: .loaded, answer: loading, fails: .timeout,
      says: "waited for the player to be playing or paused or buffering", at: 10),
    Row(
      testDescription: "it ends with an error", answer: ["playerState": "BUFFERING"], later: idle("ERROR"),
      fails: .loadFailed, says: "the player is idle with ERROR", at: 1),
    Row(
      testDescription: "it is cancelled", answer: ["playerState": "BUFFERING"], later: idle("CANCELLED"),
      fails: .loadCancelled, says: "the load was cancelled", at: 1),
    Row(
      testDescription: "it is interrupted", answer: ["playerState": "BUFFERING"], later: idle("INTERRUPTED"),
      fails: .loadCancelled, says: "the load was interrupted by another", at: 1),
    Row(
      testDescription: "it is over before it was seen", answer: ["playerState": "BUFFERING"], later: idle("FINISHED"),
      fails: .mediaError, says: "the media ended before it could be seen playing", at: 1),
  ]

  @Test("A load is done when the player is as far as the step asks", arguments: rows)
  func done(row: Row) throws {
    let setting = Setting {
      $0.scene.changes = ["LOAD": { scene, _ in scene.change(row.answer) }]
    }
    try SessionLab.connected(setting) { lab in
      #expect(await lab.perform(.launch(Plan.LaunchAction(appID: "CC1AD845"))) == nil)
      let start = lab.now
      let news = lab.spawn {
        guard let later = row.later else { return }
        try? await lab.wait(.seconds(1))
        lab.stage.showMedia { $0.change(later) }
      }
      let failure = await lab.perform(.load(Self.load("a.mp4", until: row.until)))
      #expect(failure?.errorClass == row.fails && failure?.message == row.says)
      #expect(lab.now - start == .seconds(row.at))
      #expect(await !lab.session.own.isChanging)
      await news.value
    }
  }

  @Test(
    "A refusal is told in the words of the wire",
    arguments: [
      (["type": "LOAD_FAILED", "detailedErrorCode": 104], .loadFailed, "LOAD_FAILED 104 MEDIA_SRC_NOT_SUPPORTED"),
      (["type": "LOAD_CANCELLED"], .loadCancelled, "LOAD_CANCELLED"),
      (["type": "INVALID_REQUEST", "reason": "INVALID_PARAMS"], .invalidRequest, "INVALID_REQUEST INVALID_PARAMS"),
      (["type": "INVALID_PLAYER_STATE"], .invalidState, "INVALID_PLAYER_STATE"),
    ] as [(JSONObject, ErrorClass, String)])
  func refused(reply: JSONObject, errorClass: ErrorClass, message: String) throws {
    for action in [DeviceAction.load(Self.load("a.mp4")), .queueLoad(Self.queue(["a.mp4", "b.mp4"]))] {
      let setting = Setting { $0.scene.replies = ["LOAD": reply, "QUEUE_LOAD": reply] }
      try SessionLab.connected(setting) { lab in
        let failure = await lab.perform(action)
        #expect(failure?.errorClass == errorClass && failure?.message == message)
        #expect(failure?.wire?["type"] == reply["type"])
        let own = await lab.session.own
        #expect(own.loaded == nil && own.hasLoaded && !own.isChanging && own.session != nil)
      }
    }
  }

  @Test("A load that nobody answers ends with the step's time", arguments: [2, 7])
  func unheard(limit: Int) throws {
    try SessionLab.connected(Setting { $0.scene.silent = ["LOAD"] }) { lab in
      let start = lab.now
      let failure = await lab.perform(.load(Self.load("a.mp4")), for: .seconds(limit))
      #expect(failure?.errorClass == .timeout && lab.now - start == .seconds(limit))
      #expect(failure?.message == "no reply to LOAD, and no status of a new media session came")
    }
  }

  // MARK: what is sent

  @Test("Tracks that were asked for have to be on; those of a load are known by the document's names")
  func tracks() throws {
    var action = Self.load("a.mp4", tracks: [2])
    action.trackNames = [1: "sound", 2: "subs"]
    for (active, says) in [
      ([2], nil), ([1, 2], nil), ([], "none is on"), ([1], "on are [sound]"), (nil, "the app names none"),
    ]
      as [([Int]?, String?)]
    {
      let setting = Setting {
        $0.scene.changes = [
          "LOAD": { scene, _ in if let active { scene.media?["activeTrackIds"] = .array(active.map(JSONValue.int)) } }
        ]
      }
      try SessionLab.connected(setting) { [action] lab in
        let failure = await lab.perform(.load(action), for: .seconds(3))
        #expect(failure?.message == says.map { "waited for the active tracks to be [subs]; \($0)" })
        #expect(lab.stage.sent.last?["activeTrackIds"] == [2])
        let names = await lab.session.own.loaded?.trackNames
        #expect(names == [1: "sound", 2: "subs"])
      }
    }
  }

  @Test("Secrets are put in only in what is sent")
  func secrets() throws {
    let setting = Setting { $0.policies.secrets = Secrets(["token": "hunter2-hunter2"]) }
    var media = Self.media("https://cdn.example.com/a.mp4?t=\(SecretPlaceholder.text(for: "token"))")
    media.metadata = ["title": "A"]
    let action = Plan.LoadAction(request: LoadRequest(media: media), defaultAppID: "CC1AD845")
    try SessionLab.connected(setting) { [media] lab in
      #expect(await lab.perform(.load(action)) == nil)
      #expect(lab.stage.sent.last?["media"]?["contentId"] == "https://cdn.example.com/a.mp4?t=hunter2-hunter2")
      #expect(await lab.session.view().value(of: Make.path("content")) == .string(media.contentID))
    }
    try SessionLab.connected { lab in
      let failure = await lab.perform(.load(action))
      #expect(failure?.errorClass == .invalidState && failure?.message == "secret `token` has no value")
      #expect(lab.stage.sent.isEmpty)
    }
  }

  @Test("A queue is one message that begins where the step says; each content has its own track names")
  func queues() throws {
    var action = Self.queue(["a.mp4", "b.mp4"], startAt: 2)
    action.repeatMode = .all
    action.items[0].trackNames = [1: "first"]
    action.items[1].trackNames = [1: "second"]
    let setting = Setting {
      $0.scene.changes = [
        "QUEUE_LOAD": { scene, request in
          scene.mediaSession += 1
          scene.media = ["media": request["items"]?.array?.last?["media"] ?? [:], "currentItemId": 2]
        }
      ]
    }
    try SessionLab.connected(setting) { [action] lab in
      #expect(await lab.perform(.queueLoad(action)) == nil)
      let sent = try #require(lab.stage.sent.last)
      #expect(sent["type"] == "QUEUE_LOAD" && sent["startIndex"] == 1 && sent["repeatMode"] == "REPEAT_ALL")
      #expect(sent["items"]?.array?.map { $0["media"]?["contentId"] } == ["a.mp4", "b.mp4"])
      var own = await lab.session.own
      #expect(own.loaded?.trackNames == [1: "second"])
      #expect(own.trackNames == ["a.mp4": [1: "first"], "b.mp4": [1: "second"]])
      lab.stage.showMedia { $0.media = ["media": ["contentId": "a.mp4"], "currentItemId": 1] }
      try await lab.wait(.milliseconds(1))
      own = await lab.session.own
      #expect(own.loaded?.trackNames == [1: "first"], "with the item, its names")
    }
  }
}
