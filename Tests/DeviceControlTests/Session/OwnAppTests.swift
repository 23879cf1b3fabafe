import CastClient
import CastProtocol
import RunReporting
import ScenarioLanguage
import Testing

@testable import DeviceControl

@Suite("What is ours on a device, and when it is not ours any more") struct OwnAppTests {
  static let ours = AppSession(appID: "AAAA0001", sessionID: "one", transportID: EndpointID("web-1"), isOurs: true)

  static func receiver(_ session: String?, app: String = "AAAA0001", idle: Bool = false) -> ReceiverStatus {
    var status = ReceiverStatus()
    guard let session else { return status }
    var running = ReceiverStatus.Application()
    running.appID = app
    running.sessionID = session
    running.displayName = "App \(app)"
    running.isIdleScreen = idle
    status.application = running
    return status
  }

  static func observation(
    _ scope: Observation.Scope, receiver: ReceiverStatus? = nil, media: MediaStatus? = nil, at seconds: Double = 1
  ) -> Observation {
    var snapshot = DeviceSnapshot()
    snapshot.isConnected = true
    snapshot.receiver = receiver ?? Self.receiver("one")
    snapshot.media = media
    snapshot.mediaSource = media == nil ? nil : ours.transportID
    return Observation(number: 1, at: .seconds(seconds), source: .push, scope: scope, snapshot: snapshot)
  }

  static func media(_ session: Int, _ edit: (inout MediaStatus) -> Void = { _ in }) -> MediaStatus {
    var media = MediaStatus()
    media.mediaSessionID = session
    media.playerState = .playing
    edit(&media)
    return media
  }

  /// One that runs and plays what we loaded as media session 1.
  static var playing: OwnApp {
    var own = OwnApp()
    own.recordLaunch(ours, LaunchWords(appID: "AAAA0001"), at: .zero)
    own.beginLoad([7: "en"], earlier: nil)
    own.recordLoad(1, in: ours, [7: "en"])
    own.endLoad()
    return own
  }

  /// What a status makes of an app of ours.
  enum Fate: Equatable {
    case stays
    /// It went, and another may come in its place.
    case goes
    case taken(String)
  }

  @Test(
    "A receiver's status says whose the device is",
    arguments: [
      ("the same session", receiver("one"), .stays),
      ("no app", receiver(nil), .goes),
      ("the idle screen", receiver("idle", app: "E8C28D3C", idle: true), .goes),
      ("another app", receiver("two", app: "BBBB0002"), .taken("taken over by App BBBB0002 (BBBB0002)")),
      ("another session of our app", receiver("two"), .taken("taken over by App AAAA0001 (AAAA0001)")),
    ] as [(String, ReceiverStatus, Fate)])
  func receivers(name: String, status: ReceiverStatus, fate: Fate) {
    var own = Self.playing
    let failure = own.observe(Self.observation(.receiver, receiver: status), at: .seconds(1))
    switch fate {
    case .stays:
      #expect(failure == nil && own.session != nil && own.loaded != nil && own.replacementDeadline == nil, "\(name)")
    case .goes:
      #expect(failure == nil && own.session == nil && own.loaded == nil && own.loss?.errorClass == .appGone, "\(name)")
      #expect(own.replacementDeadline == .seconds(3), "\(name)")
    case .taken(let message):
      #expect(failure?.errorClass == .takenOver && failure?.message == message && own.session == nil, "\(name)")
      #expect(own.loss?.message == message && own.replacementDeadline == nil, "\(name)")
    }
  }

  @Test("Another app that comes after ours has gone took the device; our own session that comes back did not")
  func replacement() {
    var own = Self.playing
    _ = own.observe(Self.observation(.receiver, receiver: Self.receiver(nil)), at: .seconds(1))
    var back = own
    #expect(back.observe(Self.receiver("one"), at: .seconds(2)) == nil)
    #expect(back.session == nil && back.loss?.errorClass == .appGone)
    let failure = own.observe(Self.receiver("two", app: "BBBB0002"), at: .seconds(2))
    #expect(failure?.errorClass == .takenOver && own.loss?.errorClass == .takenOver)
    #expect(own.replacementDeadline == nil)
  }

  @Test("While an action of ours changes the app nothing is taken for a takeover")
  func changing() {
    var own = Self.playing
    own.beginChange()
    #expect(own.observe(Self.observation(.receiver, receiver: Self.receiver("two")), at: .seconds(1)) == nil)
    #expect(own.session == Self.ours)
    own.endChange()
    #expect(own.observe(Self.observation(.receiver, receiver: Self.receiver("two")), at: .seconds(1)) != nil)
  }

  @Test(
    "Another media session in our app is another sender's load, unless it was there before ours",
    arguments: [(1, 0, false), (2, 0, true), (2, 2, false)] as [(session: Int, earlier: Int, isTaken: Bool)])
  func otherMedia(session: Int, earlier: Int, isTaken: Bool) {
    var own = OwnApp()
    own.recordLaunch(Self.ours, LaunchWords(appID: "AAAA0001"), at: .zero)
    own.beginLoad([:], earlier: earlier == 0 ? nil : earlier)
    own.recordLoad(1, in: Self.ours, [:])
    own.endLoad()
    let status = Self.media(session) {
      $0.media = MediaInformation()
      $0.media?.metadata = ["title": "News"]
    }
    let failure = own.observe(Self.observation(.media, media: status), at: .seconds(1))
    #expect((failure != nil) == isTaken && (own.loaded == nil) == isTaken)
    if isTaken { #expect(failure?.message == "another sender loaded `News` in App AAAA0001") }
  }

  @Test(
    "After a load that was given up its late answer is ours, and other content is another sender's all the same",
    arguments: [("a.mp4", false), ("b.mp4", true)])
  func givenUp(content: String, isTaken: Bool) {
    var own = OwnApp()
    own.recordLaunch(Self.ours, LaunchWords(appID: "AAAA0001"), at: .zero)
    own.beginLoad([:], of: "a.mp4", earlier: nil)
    own.endLoad()
    own.beginLoad([:], of: "a.mp4", earlier: nil)
    own.recordLoad(1, in: Self.ours, [:])
    own.endLoad()
    let status = Self.media(2) {
      $0.media = MediaInformation()
      $0.media?.contentID = content
    }
    let failure = own.observe(Self.observation(.media, media: status), at: .seconds(1))
    #expect((failure != nil) == isTaken && own.loaded?.mediaSessionID == (isTaken ? nil : 2))
  }

  @Test("What we loaded before is nobody's new load, also where a late answer has hidden it from the next load")
  func lateAnswer() {
    var own = OwnApp()
    own.recordLaunch(Self.ours, LaunchWords(appID: "AAAA0001"), at: .zero)
    own.beginLoad([:], of: "a.mp4", earlier: nil)
    own.recordLoad(4, in: Self.ours, [:])
    own.endLoad()
    // Session 1 was told last, by an answer that came late; this load is given up, and so may have an answer of its own.
    own.beginLoad([:], of: "b.mp4", earlier: 1)
    own.endLoad()
    own.beginLoad([:], of: "a.mp4", earlier: 1)
    own.recordLoad(9, in: Self.ours, [:])
    own.endLoad()
    let status = Self.media(4) {
      $0.media = MediaInformation()
      $0.media?.contentID = "a.mp4"
    }
    #expect(own.observe(Self.observation(.media, media: status), at: .seconds(1)) == nil)
    #expect(own.loaded?.mediaSessionID == 9)
  }

  @Test("Our media that are interrupted by a load of another are taken over; without that load they only end")
  func interrupted() {
    func status(_ edit: (inout MediaStatus) -> Void) -> Observation {
      Self.observation(
        .media,
        media: Self.media(1) {
          $0.playerState = .idle
          $0.idleReason = .interrupted
          edit(&$0)
        })
    }
    var own = Self.playing
    #expect(own.observe(status { _ in }, at: .seconds(1)) == nil)
    #expect(
      own.observe(
        status {
          $0.extendedPlayerState = "LOADING"; $0.loadingItemID = 3
        }, at: .seconds(1)) == nil)
    #expect(own.observe(status { $0.extendedPlayerState = "LOADING" }, at: .seconds(1))?.errorClass == .takenOver)
  }

  @Test("A launch of the app that runs keeps what was loaded; a new session forgets it")
  func relaunch() {
    var own = Self.playing
    own.recordLaunch(Self.ours, LaunchWords(appID: "AAAA0001"), at: .seconds(5))
    #expect(own.loaded?.mediaSessionID == 1)
    var other = Self.ours
    other.sessionID = "two"
    own.recordLaunch(other, LaunchWords(appID: "AAAA0001"), at: .seconds(5))
    #expect(own.loaded == nil && own.session?.sessionID == "two" && own.loss == nil)
  }

  @Test(
    "An app leaves by itself only after nothing has played for four minutes", arguments: [(239, false), (240, true)])
  func idle(seconds: Int, expected: Bool) {
    var own = OwnApp()
    own.recordLaunch(Self.ours, LaunchWords(appID: "AAAA0001"), at: .seconds(10))
    #expect(own.hasLeftByItself(at: .seconds(10 + seconds)) == expected)
    own.recordUse(Self.observation(.media, media: Self.media(1)).snapshot, at: .seconds(12))
    #expect(!own.hasLeftByItself(at: .seconds(1000)))
  }

  @Test("The volume to restore is the one of before our first change")
  func volume() {
    var own = OwnApp()
    own.rememberLevel(0.4)
    own.rememberLevel(0.9)
    own.rememberMuted(false)
    own.rememberMuted(true)
    #expect(own.originalVolume.level == 0.4 && own.originalVolume.muted == false)
  }

  @Test("A reconnect keeps our media session under the app's new transport")
  func resumed() {
    var own = Self.playing
    var again = Self.ours
    again.transportID = EndpointID("web-2")
    own.resume(again)
    #expect(own.loaded?.source == EndpointID("web-2") && own.session == again)
    own.recordLoss(StepFailure(.appGone, "gone"))
    #expect(own.session == nil && own.loaded == nil && own.loss?.message == "gone")
  }
}
