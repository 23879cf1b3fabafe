import CastProtocol
import ScenarioLanguage
import Testing

@testable import DeviceControl
@testable import RunReporting

@Suite struct StatusViewTests {
  @Test("Position is reckoned while the film plays, and stands still in a break, paused and at the end")
  func position() {
    #expect(Make.view(Make.snapshot(.playing, position: 10, at: 2, rate: 1.5), at: 12).position == 25)
    #expect(Make.view(Make.snapshot(.paused, position: 10, at: 2), at: 12).position == 10)
    #expect(Make.view(Make.inBreak(time: 0, skippableAt: 5, at: 2), at: 12).position == 10)
    let short = Make.snapshot(.playing, position: 10, at: 0) {
      $0.media = MediaInformation()
      $0.media?.duration = 15
    }
    #expect(Make.view(short, at: 30).position == 15)
  }

  @Test("A clip becomes skippable when its own time reaches the device's figure", arguments: [(4.9, false), (5, true)])
  func skippable(at: Double, expected: Bool) {
    let view = Make.view(Make.inBreak(time: 0, skippableAt: 5, at: 0), at: at)
    #expect(view.value(of: Make.path("break.skippable")) == .bool(expected))
  }

  static func loaded(_ media: MediaInformation) -> DeviceSnapshot {
    Make.snapshot(.playing, position: 0) {
      $0.media = media
      $0.activeTrackIDs = [2]
      $0.supportedMediaCommands = 12303
      $0.repeatMode = "REPEAT_ALL_AND_SHUFFLE"
      $0.volume.level = 0.5
      $0.customData = ["a": ["b.c": 7]]
    }
  }

  static var film: MediaInformation {
    var film = MediaInformation()
    film.contentID = "https://cdn.example.com/f.mp4"
    film.streamType = "BUFFERED"
    film.metadata = ["title": "Sintel"]
    var style = TextTrackStyle()
    style.fontScale = 1.5
    style.foregroundColor = "#ffff00ff"
    style.backgroundColor = "#000000"
    style.windowType = "ROUNDED_CORNERS"
    style.fontGenericFamily = "MONOSPACED_SANS_SERIF"
    film.textTrackStyle = style
    var post = MediaInformation.Break()
    post.id = "post"
    post.position = -1
    film.breaks = [post]
    return film
  }

  static let fields: [(String, JSONValue?)] = [
    ("player", "playing"), ("content", "https://cdn.example.com/f.mp4"), ("stream", "buffered"), ("title", "Sintel"),
    ("metadata.title", "Sintel"), ("active_tracks", ["no"]), ("text_style.size", 150),
    ("text_style.color", "#FFFF00FF"), ("text_style.background", "#000000FF"), ("text_style.window", "rounded"),
    ("text_style.family", "monospaced_sans_serif"), ("text_style.font", nil), ("break", nil),
    ("breaks", [["id": "post", "at": "end"]]), ("repeat", "shuffle"), ("stream_volume.level", 50),
    ("commands", ["pause", "seek", "volume", "mute", "edit_tracks", "rate"]), ("custom.a.b.c", nil),
    ("media_session", 1), ("raw.media./status/0/x~1y", 4), ("connection", "open"), ("app", nil), ("app.idle", true),
    ("volume.level", 40), ("volume.control", "fixed"), ("error.code", 104), ("error.name", "MEDIA_SRC_NOT_SUPPORTED"),
    ("idle_reason", nil), ("nonsense", nil),
  ]

  @Test("Every kind of field is read in the document's words", arguments: fields)
  func field(name: String, expected: JSONValue?) {
    var snapshot = Self.loaded(Self.film)
    var receiver = ReceiverStatus()
    receiver.volume.level = Double(Float(0.4))
    receiver.volume.controlType = "fixed"
    snapshot.receiver = receiver
    snapshot.detailedErrorCode = 104
    snapshot.mediaMessage = .json(["status": [["x/y": 4]]])
    let loaded = LoadedMedia(source: EndpointID("t"), mediaSessionID: 1, trackNames: [1: "en", 2: "no"])
    let view = StatusView(snapshot, at: .zero, loaded: loaded)
    #expect(view.value(of: Make.path(name)) == expected)
  }

  @Test("After a load of ours, another media session's fields are all absent") func foreign() {
    let loaded = LoadedMedia(source: EndpointID("t"), mediaSessionID: 2)
    let view = StatusView(Make.snapshot(.playing, position: 5, session: 1), at: .zero, loaded: loaded)
    #expect(view.isForeign)
    for name in ["player", "position", "content", "media_session"] {
      #expect(view.value(of: Make.path(name)) == nil)
    }
  }

  @Test("A load that has not begun to play is loading, and no media session is idle") func loading() {
    let loading = Make.snapshot(.idle) { $0.extendedPlayerState = "LOADING" }
    #expect(Make.view(loading, at: 0).player == "loading")
    #expect(Make.view(DeviceSnapshot(), at: 0).player == "idle")
  }

  @Test("Status events carry what changed and what went away, and add up to the whole again") func diffs() {
    let before = Make.view(Make.snapshot(.idle) { $0.idleReason = .finished }, at: 0).document
    let after = Make.view(Make.inBreak(time: 0, skippableAt: 5, at: 1), at: 1).document
    let (set, unset) = after.changes(since: before)
    #expect(unset == ["idle_reason"])
    #expect(set.members.map(\.name) == ["player", "position", "break"])
    #expect(before.applying(set: set, unset: unset) == after)
  }
}
