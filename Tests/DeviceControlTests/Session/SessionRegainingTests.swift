import CastClient
import CastProtocol
import ScenarioLanguage
import Synchronization
import TestSupport
import Testing

@testable import DeviceControl
@testable import RunReporting

@Suite("How a lost device is reached again, and what is still ours there") struct SessionRegainingTests {
  typealias Setting = SessionLab.Setting
  typealias Scene = StageDevice.Scene

  /// Tells all who listen.
  final class Discovery: Sendable {
    private let listeners = Mutex<[AsyncStream<HostAndPort>.Continuation]>([])
    func listen() -> AsyncStream<HostAndPort> {
      let (stream, continuation) = AsyncStream<HostAndPort>.makeStream()
      listeners.withLock { $0.append(continuation) }
      return stream
    }
    func tell(_ address: HostAndPort) { for listener in listeners.withLock({ $0 }) { listener.yield(address) } }
  }

  static let refused = ClientError(.unreachable, "connection refused")
  static let film: JSONObject = ["media": ["contentId": "a.mp4", "metadata": ["title": "Sintel"]]]

  /// Launches and loads, so that the first of each is ours.
  static func begin(_ lab: SessionLab) async throws {
    if let failure = await lab.perform(.launch(Plan.LaunchAction(appID: "CC1AD845"))) { throw failure }
    var media = MediaInformation()
    media.contentID = "a.mp4"
    let load = Plan.LoadAction(request: LoadRequest(media: media), defaultAppID: "CC1AD845")
    if let failure = await lab.perform(.load(load)) { throw failure }
  }

  static func reach(_ lab: SessionLab, for limit: Duration = .seconds(60)) async -> StepFailure? {
    do throws(StepFailure) {
      try await lab.session.makeReachable(until: lab.now + limit)
      return nil
    } catch {
      return error
    }
  }

  static func lose(_ lab: SessionLab) async throws {
    lab.stage.peer?.cut()
    try await lab.wait(.milliseconds(1))
    #expect(await lab.session.isLost)
  }

  @Test(
    "It is tried at once, then after 1, 2, 4 ... 30 seconds",
    arguments: [(0, [0]), (1, [0, 1]), (3, [0, 1, 3, 7]), (7, [0, 1, 3, 7, 15, 31, 61, 91])])
  func tries(refusals: Int, times: [Double]) throws {
    try SessionLab.connected { lab in
      try await Self.lose(lab)
      let start = lab.now
      lab.asked.refuse(Array(repeating: Self.refused, count: refusals))
      #expect(await Self.reach(lab, for: .seconds(200)) == nil)
      let tries = lab.asked.times.dropFirst().map { ($0 - start).seconds.rounded() }
      #expect(tries == times)
      let back = lab.events.fields(.deviceBack)
      #expect(back.count == 1 && abs((back.first?["after"]?.number ?? -1) - (times.last ?? 0)) < 0.1)
      #expect(lab.events.fields(.deviceConnected).count == 2)
      #expect(await !lab.session.isLost)
    }
  }

  @Test("One that stays away fails with what the last try said, when the time is over")
  func stays() throws {
    try SessionLab.connected { lab in
      try await Self.lose(lab)
      let start = lab.now
      lab.asked.refuse(Array(repeating: Self.refused, count: 20))
      let failure = await Self.reach(lab, for: .seconds(10))
      #expect(failure?.errorClass == .unreachable && failure?.message == "connection refused")
      #expect(lab.now - start == .seconds(10) && lab.asked.times.count == 5)
      #expect(await lab.session.isLost && lab.events.fields(.deviceBack).isEmpty)
      #expect(await lab.session.connectionProblem?.errorClass == .connectionLost)
    }
  }

  @Test("Discovery that sees it again ends the wait, but no sooner than a second after the last try")
  func sighted() throws {
    let discovery = Discovery()
    let setting = Setting { $0.reappearances = { _ in discovery.listen() } }
    try SessionLab.connected(setting) { lab in
      try await Self.lose(lab)
      let start = lab.now
      lab.asked.refuse([Self.refused, Self.refused, Self.refused, Self.refused])
      let seen = lab.spawn {
        try? await lab.wait(.seconds(9))
        discovery.tell(HostAndPort(host: "192.0.2.1"))
      }
      #expect(await Self.reach(lab) == nil)
      await seen.value
      #expect(lab.asked.times.dropFirst().map { ($0 - start).seconds.rounded() } == [0, 1, 3, 7, 9])
    }
  }

  @Test("A device that moved is connected to where it is now, and is told as found there")
  func moved() throws {
    let place = HostAndPort(host: "192.0.2.99", port: 8010)
    try SessionLab.connected(Setting { $0.movedTo = place }) { lab in
      try await Self.lose(lab)
      #expect(await Self.reach(lab) == nil)
      #expect(lab.asked.devices.map(\.address.text) == ["192.0.2.1:8009", "192.0.2.99:8010"])
      #expect(lab.session.device?.address == place)
      #expect(lab.events.fields(.deviceFound).map { $0["ip"] } == ["192.0.2.1", "192.0.2.99"])
    }
  }

  // MARK: what is ours there

  struct Return: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// What becomes of the device meanwhile.
    var happens: @Sendable (inout Scene) -> Void
    var loss: ErrorClass?
    var says: String?
    var told: [String] = []
    var keepsMedia = false
  }

  static let returns: [Return] = [
    Return(testDescription: "nothing has changed", happens: { _ in }, keepsMedia: true),
    Return(
      testDescription: "the app has another transport id",
      happens: { $0.app = ScriptedPeer.application(session: "ours-1", transport: "moved") }, keepsMedia: true),
    Return(
      testDescription: "nothing runs", happens: { ($0.app, $0.media) = (nil, nil) }, loss: .appGone,
      says: "the app App (CC1AD845) is no longer running: another sender stopped it, or it ended itself"),
    Return(
      testDescription: "another app runs", happens: { $0.takeOver() }, loss: .takenOver,
      says: "taken over by YouTube (233637DE)", told: ["taken: taken over by YouTube (233637DE)"]),
    Return(
      testDescription: "our app runs in another session",
      happens: { $0.app = ScriptedPeer.application(session: "s-9") }, loss: .takenOver,
      says: "taken over by App (CC1AD845)", told: ["taken: taken over by App (CC1AD845)"]),
    Return(
      testDescription: "another sender's film plays in our app",
      happens: {
        $0.mediaSession = 77
        $0.media = ["media": ["contentId": "b.mp4", "metadata": ["title": "Theirs"]]]
      }, loss: .takenOver, says: "another sender loaded `Theirs` while the connection was lost",
      told: ["taken: another sender loaded `Theirs` while the connection was lost"]),
    Return(
      testDescription: "our film has ended", happens: { $0.change(["playerState": "IDLE", "idleReason": "FINISHED"]) },
      keepsMedia: true),
  ]

  @Test("After a reconnect it is looked whether app and media are still ours", arguments: returns)
  func comesBack(row: Return) throws {
    try SessionLab.connected { lab in
      try await Self.begin(lab)
      try await Self.lose(lab)
      lab.stage.set(row.happens)
      #expect(await Self.reach(lab) == nil, "the device itself is back")
      let own = await lab.session.own
      #expect(own.loss?.errorClass == row.loss && own.loss?.message == row.says)
      #expect((own.session != nil) == (row.loss == nil))
      #expect((own.loaded != nil) == row.keepsMedia)
      #expect(lab.owner.told == row.told)
      if row.loss == nil {
        #expect(own.loaded?.source == own.session?.transportID)
        let status = await lab.session.view()
        #expect(!status.isForeign && status.media != nil)
      } else {
        #expect(await lab.perform(.pause)?.message == row.says)
      }
    }
  }

  @Test("What was joined is looked for, too; without an app there is nothing to look for")
  func joined() throws {
    let setting = Setting.command { $0.scene = Scene(app: ScriptedPeer.app, media: Self.film) }
    try SessionLab.connected(setting) { lab in
      try await Self.lose(lab)
      #expect(await Self.reach(lab) == nil)
      #expect(await lab.session.own.session?.sessionID == "s-1")
    }
    try SessionLab.connected { lab in
      try await Self.lose(lab)
      #expect(await Self.reach(lab) == nil)
      #expect(lab.stage.count("GET_STATUS") == 2, "one for each connection")
    }
  }
}
