import CastClient
import CastProtocol
import ScenarioLanguage
import TestSupport
import Testing

@testable import DeviceControl
@testable import RunReporting

@Suite("What ran before a load, and whether what runs later is another sender's") struct SessionResumingTests {
  private static let film = "https://cdn.example.com/film.mp4"
  private static let app = ScriptedPeer.application(session: "app-1")

  private static func load(_ change: (inout MediaInformation) -> Void = { _ in }) -> DeviceAction {
    var media = MediaInformation()
    media.contentID = film
    change(&media)
    return .load(Plan.LoadAction(request: LoadRequest(media: media), defaultAppID: "CC1AD845"))
  }

  struct Before: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var scene: StageDevice.Scene
    var joins = true
    var media: Int?
    var isUnsure = false
    /// How often the app was asked.
    var asked = 0
  }

  private static let films: JSONObject = ["media": ["contentId": "x.mp4"]]
  private static let running: [Before] = [
    Before(testDescription: "no app", scene: .init()),
    Before(
      testDescription: "a film in the app that is joined", scene: .init(app: app, media: films), media: 1, asked: 1),
    Before(testDescription: "the app, with nothing in it", scene: .init(app: app), asked: 1),
    Before(
      testDescription: "the app does not answer",
      scene: {
        var scene = StageDevice.Scene(app: app, media: films)
        scene.silent = ["media"]
        return scene
      }(), asked: 1),
    Before(
      testDescription: "the app, which the load ends", scene: .init(app: app, media: films), joins: false,
      isUnsure: true),
    Before(
      testDescription: "another app", scene: .init(app: ScriptedPeer.application("AAAA0001"), media: films),
      isUnsure: true),
  ]

  @Test("An app that a load joins is asked once what it plays, another is not asked", arguments: running)
  func before(row: Before) throws {
    let setting = SessionLab.Setting {
      $0.scene = row.scene
      if !row.joins { $0.policies.launchJoin = .never }
    }
    try SessionLab.connected(setting) { lab in
      let before = try #require(await lab.session.running(before: Self.load(), in: lab.scope()))
      #expect(before.media == row.media && before.isUnsure == row.isUnsure, "\(before)")
      #expect(before.session == row.scene.app?["sessionId"]?.string ?? "")
      #expect(lab.stage.peer?.requests("GET_STATUS").count { $0.namespace == .media } == row.asked)
      #expect(await lab.session.running(before: .pause, in: lab.scope()) == nil)
    }
  }

  @Test("The load that follows joins the app without asking it again")
  func joinedOnce() throws {
    try SessionLab.connected(SessionLab.Setting { $0.scene = .init(app: Self.app, media: Self.films) }) { lab in
      _ = await lab.session.running(before: Self.load(), in: lab.scope())
      #expect(await lab.perform(Self.load()) == nil)
      let requests = try #require(lab.stage.peer)
      #expect(requests.requests("GET_STATUS").count { $0.namespace == .media } == 1)
      #expect(requests.requests("LAUNCH").isEmpty && requests.requests("LOAD").count == 1)
    }
  }

  struct Later: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var media: JSONObject
    var loaded: @Sendable (inout MediaInformation) -> Void = { _ in }
    var before: Int? = 1
    var isTaken: Bool
  }

  private static let later: [Later] = [
    Later(testDescription: "another film", media: ["contentId": "y.mp4"], isTaken: true),
    Later(testDescription: "what played before", media: ["contentId": "y.mp4"], before: 7, isTaken: false),
    Later(testDescription: "ours", media: ["contentId": .string(film)], isTaken: false),
    Later(
      testDescription: "ours, under the app's own id",
      media: ["contentId": "4711", "contentUrl": .string(film)], isTaken: false),
    Later(
      testDescription: "ours, loaded by an id, told by its address", media: ["contentId": .string(film)],
      loaded: { ($0.contentID, $0.contentURL) = ("4711", film) }, isTaken: false),
    Later(
      testDescription: "another film at an address that is not ours",
      media: ["contentId": "4712", "contentUrl": "https://cdn.example.com/y.mp4"],
      loaded: { $0.contentURL = "https://cdn.example.com/film.m3u8" }, isTaken: true),
    Later(testDescription: "no content", media: ["contentId": ""], isTaken: false),
    Later(
      testDescription: "a file of this computer", media: ["contentId": "y.mp4"],
      loaded: { $0.contentID = "file:film.mp4" }, isTaken: false),
  ]

  @Test("What plays later is another sender's unless it played before, or is the load's own content", arguments: later)
  func takeover(row: Later) throws {
    var scene = StageDevice.Scene(app: Self.app, media: ["media": .object(row.media)])
    scene.mediaSession = 7
    try SessionLab.connected(SessionLab.Setting { [scene] in $0.scene = scene }) { lab in
      var before = RunningMedia()
      (before.session, before.media) = ("app-1", row.before)
      let taken = try await lab.session.takeover(
        of: Self.load(row.loaded), play: nil, since: before, in: lab.scope())
      #expect((taken != nil) == row.isTaken, "\(taken?.message ?? "none")")
      #expect(taken == nil || taken?.errorClass == .takenOver)
    }
  }
}
