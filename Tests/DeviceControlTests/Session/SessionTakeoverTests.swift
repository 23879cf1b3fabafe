import CastClient
import CastProtocol
import ScenarioLanguage
import Testing

@testable import DeviceControl
@testable import RunReporting

@Suite("What a session tells its owner of other senders, and when") struct SessionTakeoverTests {
  typealias Setting = SessionLab.Setting

  static func strict(_ change: (inout Setting) -> Void = { _ in }) -> Setting {
    Setting {
      $0.owner = ToldOwner { $0.endsOnLoss = true }
      change(&$0)
    }
  }

  struct Change: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var happens: @Sendable (SessionLab) async throws -> Void
    /// What the owner was told, and after how many seconds at most.
    var told: [String]
    var loss: ErrorClass?
  }

  static let stopped =
    "gone: the app App (CC1AD845) is no longer running: another sender stopped it, or it ended itself"

  static let changes: [Change] = [
    Change(testDescription: "nothing happens", happens: { _ in }, told: []),
    Change(
      testDescription: "a volume is set", happens: { lab in lab.stage.showReceiver { $0.volume["level"] = 0.9 } },
      told: []),
    Change(
      testDescription: "another app comes", happens: { lab in lab.stage.showReceiver { $0.takeOver() } },
      told: ["taken: taken over by YouTube (233637DE)"], loss: .takenOver),
    Change(
      testDescription: "another app comes within two seconds of the end of ours",
      happens: { lab in
        lab.stage.showReceiver { $0.app = nil }
        try await lab.wait(.milliseconds(1900))
        lab.stage.showReceiver { $0.takeOver() }
      }, told: ["taken: taken over by YouTube (233637DE)"], loss: .takenOver),
    Change(
      testDescription: "ours is stopped", happens: { lab in lab.stage.showReceiver { $0.app = nil } }, told: [stopped],
      loss: .appGone),
    Change(
      testDescription: "the idle screen comes",
      happens: { lab in lab.stage.showReceiver { $0.app = SessionConnectingTests.idleScreen } }, told: [stopped],
      loss: .appGone),
    Change(
      testDescription: "ours is stopped, and another app comes later",
      happens: { lab in
        lab.stage.showReceiver { $0.app = nil }
        try await lab.wait(.milliseconds(2100))
        lab.stage.showReceiver { $0.takeOver() }
      }, told: [stopped], loss: .appGone),
    Change(
      testDescription: "other media are loaded into ours",
      happens: { lab in
        lab.stage.showMedia {
          $0.mediaSession = 55
          $0.media = ["media": ["contentId": "b.mp4", "metadata": ["title": "Theirs"]]]
        }
      }, told: ["taken: another sender loaded `Theirs` in App"], loss: .takenOver),
    Change(
      testDescription: "our film is paused by somebody",
      happens: { lab in lab.stage.showMedia { $0.change(["playerState": "PAUSED"]) } }, told: []),
    Change(
      testDescription: "our film is stopped by somebody",
      happens: { lab in
        lab.stage.showMedia { $0.change(["playerState": "IDLE", "idleReason": "CANCELLED"]) }
      }, told: []),
  ]

  @Test("Another app or other media are a takeover at once, an app that is gone two seconds later", arguments: changes)
  func change(row: Change) throws {
    try SessionLab.connected(Self.strict()) { lab in
      try await SessionRegainingTests.begin(lab)
      try await row.happens(lab)
      try await lab.wait(.milliseconds(1))
      let isTaken = row.told.contains { $0.hasPrefix("taken") }
      if isTaken { #expect(lab.owner.told == row.told) }
      try await lab.wait(.seconds(4))
      #expect(lab.owner.told == row.told, "once")
      #expect(await lab.session.appLoss?.errorClass == row.loss)
      #expect(await lab.session.replacementDeadline == nil)
    }
  }

  @Test("Its end is told exactly when no other may come in its place any more")
  func moment() throws {
    try SessionLab.connected(Self.strict()) { lab in
      try await SessionRegainingTests.begin(lab)
      lab.stage.showReceiver { $0.app = nil }
      try await lab.wait(.milliseconds(1999))
      #expect(lab.owner.told.isEmpty)
      #expect(await lab.session.awaitsReplacement)
      try await lab.wait(.milliseconds(2))
      #expect(lab.owner.told == [Self.stopped])
      #expect(await !lab.session.awaitsReplacement)
    }
  }

  @Test("An owner that carries on is not told that the app is gone, and no status waits for it")
  func ignored() throws {
    try SessionLab.connected { lab in
      try await SessionRegainingTests.begin(lab)
      lab.stage.showReceiver { $0.app = nil }
      try await lab.wait(.milliseconds(10))
      #expect(await !lab.session.awaitsReplacement)
      try await lab.wait(.seconds(5))
      #expect(lab.owner.told.isEmpty)
      #expect(await lab.session.appLoss?.errorClass == .appGone)
    }
  }

  @Test(
    "An app that leaves after four minutes without anything to play left by itself",
    arguments: [(235, ["gone"]), (245, [])] as [(Int, [String])])
  func leaves(idle: Int, told: [String]) throws {
    try SessionLab.connected(Self.strict()) { lab in
      #expect(await lab.perform(.launch(Plan.LaunchAction(appID: "CC1AD845"))) == nil)
      try await lab.wait(.seconds(idle))
      lab.stage.showReceiver { $0.app = nil }
      try await lab.wait(.seconds(3))
      #expect(lab.owner.told.map { String($0.prefix(4)) } == told)
      #expect(await lab.session.appLoss?.errorClass == .appGone, "what needs it fails all the same")
    }
  }

  // MARK: our own doing

  static let own: [(String, DeviceAction)] = [
    ("another launch", .launch(Plan.LaunchAction(appID: "AAAA0001"))),
    (
      "the same app anew",
      .launch(
        {
          var launch = Plan.LaunchAction(appID: "CC1AD845")
          launch.join = .never
          return launch
        }())
    ),
    ("another load", .load(LoadVerbTests.load("c.mp4"))), ("the end of the app", .stopApp(mayBeGone: false)),
  ]

  @Test("What our own actions change is nobody's takeover", arguments: own.indices)
  func ownDoing(index: Int) throws {
    try SessionLab.connected(Self.strict()) { lab in
      try await SessionRegainingTests.begin(lab)
      #expect(await lab.perform(Self.own[index].1) == nil)
      try await lab.wait(.seconds(5))
      #expect(lab.owner.told.isEmpty, "\(Self.own[index].0)")
    }
  }

  @Test("A takeover during a load of ours is seen when that is over")
  func during() throws {
    try SessionLab.connected(Self.strict()) { lab in
      try await SessionRegainingTests.begin(lab)
      lab.stage.set { $0.silent = ["LOAD"] }
      let loading = lab.spawn { _ = await lab.perform(.load(LoadVerbTests.load("c.mp4"))) }
      try await lab.wait(.seconds(1))
      lab.stage.showReceiver { $0.takeOver() }
      await loading.value
      await lab.session.lookAgain()
      #expect(lab.owner.told == ["taken: taken over by YouTube (233637DE)"])
    }
  }

  // MARK: what became of it

  @Test(
    "A failure for want of the app is told with what became of the app, any other as it is",
    arguments: [
      (.appGone, true, .takenOver), (.appGone, false, .appGone), (.takenOver, false, .takenOver),
      (.timeout, true, .timeout), (.connectionLost, true, .connectionLost),
    ] as [(ErrorClass, Bool, ErrorClass)])
  func cause(errorClass: ErrorClass, isTaken: Bool, told: ErrorClass) throws {
    try SessionLab.connected(Self.strict()) { lab in
      try await SessionRegainingTests.begin(lab)
      lab.stage.showReceiver { $0.app = nil }
      try await lab.wait(.milliseconds(1))
      if isTaken {
        lab.spawn {
          try? await lab.wait(.seconds(1))
          lab.stage.showReceiver { $0.takeOver() }
        }
      }
      let cause = await lab.session.cause(of: StepFailure(errorClass, "as it was"), lab.scope())
      #expect(cause.errorClass == told)
      let isAsItWas = cause.message == "as it was"
      #expect(isAsItWas == (errorClass == .timeout || errorClass == .connectionLost || (errorClass == .takenOver)))
      try await lab.wait(.seconds(2))
    }
  }

  /// A caller that waits for conditions.
  struct Waiting: ActionCaller {
    var isStopped = false
    var values: [String: JSONValue] = [:]
    var awaited: [Condition]
  }

  static let noApp = Make.field("app", .exists(false))
  static let conditions: [(String, Condition, Bool)] = [
    ("no app", noApp, true), ("the app is idle", Make.equal("app.idle", true), true),
    ("another app", Make.equal("app.id", "233637DE"), false), ("a player", Make.equal("player", "idle"), false),
    ("both", .all([Make.equal("player", "playing"), noApp]), true),
    ("either", .any([Make.equal("player", "playing"), Make.equal("player", "paused")]), false),
    ("not this app", .not(Make.equal("app.id", "CC1AD845")), true),
    ("not this app and not playing", .not(.all([Make.equal("app.id", "x"), Make.equal("player", "x")])), false),
  ]

  @Test("Who waits for just this loss is not kept waiting for another app", arguments: conditions.indices)
  func awaited(index: Int) throws {
    let (title, condition, isMet) = Self.conditions[index]
    try SessionLab.connected(Self.strict()) { lab in
      try await SessionRegainingTests.begin(lab)
      lab.stage.showReceiver { $0.app = nil }
      try await lab.wait(.milliseconds(1))
      var scope = lab.scope()
      scope.caller = Waiting(awaited: [condition])
      let view = await lab.session.view()
      #expect(condition.isMetByLoss(view, saved: [:]) == isMet, "\(title)")
      let start = lab.now
      await lab.session.settleLoss(scope)
      #expect((lab.now == start) == isMet, "\(title)")
      await lab.session.acceptLoss(scope)
      try await lab.wait(.seconds(3))
      #expect(lab.owner.told.isEmpty == isMet, "\(title)")
    }
  }

  @Test("Who was stopped does not wait for what became of the app")
  func stopped() throws {
    try SessionLab.connected(Self.strict()) { lab in
      try await SessionRegainingTests.begin(lab)
      lab.stage.showReceiver { $0.app = nil }
      try await lab.wait(.milliseconds(1))
      var scope = lab.scope()
      scope.caller = Waiting(isStopped: true, awaited: [])
      let start = lab.now
      await lab.session.settleLoss(scope)
      #expect(lab.now == start)
    }
  }
}
