import CastProtocol
import ScenarioLanguage
import Testing

@testable import DeviceControl
@testable import RunReporting

/// The fields of a status that come from the rarer parts of the wire.
@Suite struct StatusFieldTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String { field }
    var field: String
    var edit: @Sendable (inout DeviceSnapshot) -> Void
    var value: JSONValue?

    init(_ field: String, _ value: JSONValue?, _ edit: @escaping @Sendable (inout DeviceSnapshot) -> Void = { _ in }) {
      (self.field, self.value, self.edit) = (field, value, edit)
    }
  }

  static let players: [Row] = [
    Row("player", "loading") {
      $0.media?.playerState = .idle; $0.media?.loadingItemID = 2
    },
    Row("player", "loading") {
      $0.media?.playerState = .buffering; $0.media?.extendedPlayerState = "LOADING"
    },
    Row("player", "buffering") { $0.media?.playerState = .buffering },
    Row("player", "paused") {
      $0.media?.playerState = .paused; $0.media?.extendedPlayerState = "LOADING"
    },
    Row("player", "dreaming") { $0.media?.playerState = .unknown("DREAMING") },
    Row("player", "idle") { $0.media = nil },
    Row("idle_reason", "interrupted") { $0.media?.idleReason = .interrupted },
    Row("idle_reason", "cancelled") { $0.media?.idleReason = .cancelled },
    Row("idle_reason", "error") { $0.media?.idleReason = .error },
    Row("idle_reason", "bored") { $0.media?.idleReason = .unknown("BORED") },
  ]

  static let contents: [Row] = [
    Row("duration", "live") { $0.media?.media?.streamType = "LIVE" },
    Row("duration", 600), Row("duration", nil) { $0.media?.media?.duration = nil },
    Row("content_url", "https://a.example/b") { $0.media?.media?.contentURL = "https://a.example/b" },
    Row("content_type", "video/mp4") { $0.media?.media?.contentType = "video/mp4" },
    Row("title", "Next") {
      $0.media?.media = nil
      $0.media?.extendedMedia = MediaInformation()
      $0.media?.extendedMedia?.metadata = ["title": "Next"]
    },
    Row("metadata.images.0.url", "https://cdn.example.com/art.jpg"), Row("metadata.images.1", nil),
    Row("metadata.images.x", nil),
    Row(
      "tracks",
      [
        ["id": "1", "kind": "audio", "language": "de"], ["id": "subs", "kind": "text", "language": "en", "name": "E"],
        ["id": "3", "kind": "text"],
      ]
    ) {
      $0.media?.media?.tracks?[1].name = "E"
      $0.media?.media?.tracks?[2].language = nil
    },
    Row("active_tracks", ["subs", "7"]) { $0.media?.activeTrackIDs = [2, 7] },
    Row("breaks", [["id": "mid", "at": 150, "watched": true]]) { $0.media?.media?.breaks?[0].isWatched = true },
    Row("repeat", "one") { $0.media?.repeatMode = "REPEAT_SINGLE" },
    Row("repeat", "none") { $0.media?.repeatMode = "REPEAT_OFF" },
    Row("repeat", "whatever") { $0.media?.repeatMode = "WHATEVER" },
    Row("custom.a.b", 3) { $0.media?.customData = ["a": ["b": 3]] },
    Row("custom.a.b", 4) { $0.media?.customData = ["a.b": 4] },
    Row("video", ["width": 1920, "height": 1080, "hdr": "dv"]) {
      var video = MediaStatus.VideoInfo()
      (video.width, video.height, video.hdrType) = (1920, 1080, "DV")
      $0.media?.videoInfo = video
    },
    Row("stream_volume.muted", true) { $0.media?.volume.muted = true },
    Row("break.skippable_at", 5) { $0 = Watched.ad(time: 3) }, Row("break.time", nil) { $0 = Watched.ad(time: 3) },
    Row("break.clip", "car") { $0 = Watched.ad(time: 3) },
  ]

  static let queues: [Row] = [
    Row("queue.current", 4) { $0.media?.currentItemID = 4 },
    Row("queue.count", 2) { $0.media?.items = [["itemId": 4], ["itemId": 5]] },
    Row("queue.count", 3) {
      $0.media?.items = [["itemId": 4]]; $0.media?.queueItemIDs = [4, 5, 6]
    },
    Row("queue.items.0.itemId", 4) { $0.media?.items = [["itemId": 4]] },
    Row("queue", [:]),
    Row("live_range", ["start": 1, "end": 2, "moving": true, "done": false]) {
      var range = MediaStatus.LiveSeekableRange()
      (range.start, range.end, range.isMovingWindow, range.isLiveDone) = (1, 2, true, false)
      $0.media?.liveSeekableRange = range
    },
    Row("error", ["code": 104, "name": "MEDIA_SRC_NOT_SUPPORTED"]) { $0.detailedErrorCode = 104 },
    Row("error", ["code": 12345]) { $0.detailedErrorCode = 12345 }, Row("error", nil),
  ]

  static let devices: [Row] = [
    Row("app.name", "Default Media Receiver"), Row("app.idle", false),
    Row("app.namespaces.0", "urn:x-cast:com.google.cast.media"),
    Row("app", nil) { $0.receiver?.application?.isIdleScreen = true },
    Row("app.idle", true) { $0.receiver?.application?.isIdleScreen = true },
    Row("app", nil) { $0.receiver = nil }, Row("app.id", nil) { $0.receiver = nil },
    Row("volume.level", 33.3333) { $0.receiver?.volume.level = 1.0 / 3 },
    Row("volume.muted", nil) { $0.receiver?.volume.muted = nil },
    Row("active_input", true) { $0.receiver?.isActiveInput = true },
    Row("standby", false) { $0.receiver?.isStandBy = false }, Row("standby", nil),
    Row("connection", "closed") { $0.isConnected = false },
    Row("raw.receiver./status/volume/level", 0.4) {
      $0.receiverMessage = .json(["status": ["volume": ["level": 0.4]]])
    },
    Row("raw.receiver.status/a.b", 1) { $0.receiverMessage = .json(["status": ["a.b": 1]]) },
    Row("raw.media", ["x": 1]) { $0.mediaMessage = .json(["x": 1]) },
    Row("raw.media./~0x", 2) { $0.mediaMessage = .json(["~x": 2]) },
    Row("raw.media./list/1", 8) { $0.mediaMessage = .json(["list": [7, 8]]) },
    Row("raw.media./list/2", nil) { $0.mediaMessage = .json(["list": [7, 8]]) },
    Row("raw.other", nil), Row("raw", nil),
  ]

  @Test("Fields are read in the document's words", arguments: players + contents + queues + devices)
  func field(row: Row) {
    var snapshot = Watched.film()
    row.edit(&snapshot)
    let loaded = LoadedMedia(source: EndpointID("t-1"), mediaSessionID: 1, trackNames: [2: "subs"])
    let view = StatusView(snapshot, at: .zero, loaded: loaded)
    #expect(view.value(of: Make.path(row.field)) == row.value)
  }

  @Test("What is of the device is seen whoever's media play")
  func ofDevice() {
    let loaded = LoadedMedia(source: EndpointID("t-1"), mediaSessionID: 99)
    let view = StatusView(Watched.film(), at: .zero, loaded: loaded)
    for name in ["app.id", "volume.level", "connection"] { #expect(view.value(of: Make.path(name)) != nil, "\(name)") }
    for name in ["player", "queue", "error", "stream_volume", "custom", "media_session"] {
      #expect(view.value(of: Make.path(name)) == nil, "\(name)")
    }
  }

  @Test("Secrets that a device repeats stand in fields by their names; as it said them only where they are needed")
  func secrets() {
    let secrets = Secrets(["token": "hunter2-hunter2"])
    var snapshot = Watched.film()
    snapshot.media?.media?.contentID = "https://a.example/?t=hunter2-hunter2"
    let view = StatusView(snapshot, at: .zero, secrets: secrets)
    #expect(
      view.value(of: Make.path("content")) == .string("https://a.example/?t=\(SecretPlaceholder.text(for: "token"))"))
    #expect(view.rawValue(of: Make.path("content")) == "https://a.example/?t=hunter2-hunter2")
  }

  @Test("The value before the last action is the one of its moment, as it was whose then")
  func before() {
    var view = Make.view(Watched.film(position: 80, at: 20), at: 30)
    #expect(view.valueBefore(of: Make.path("position")) == nil)
    view.baseline = .init(Make.view(Watched.film(.paused, position: 7), at: 9))
    #expect(view.valueBefore(of: Make.path("position")) == 7 && view.valueBefore(of: Make.path("player")) == "paused")
    #expect(view.value(of: Make.path("position")) == 90)
    let foreign = StatusView(
      Watched.film(), at: .zero, loaded: LoadedMedia(source: EndpointID("t-1"), mediaSessionID: 2))
    view.baseline = .init(foreign)
    #expect(view.valueBefore(of: Make.path("player")) == nil)
  }

  @Test(
    "Colours are told with their alpha, in capitals",
    arguments: [
      ("#ffffff", "#FFFFFFFF"), ("#ffffff80", "#FFFFFF80"), ("#FFF", "#FFF"), ("white", "WHITE"), ("", ""),
    ])
  func colors(wire: String, text: String) { #expect(MediaWords.color(wire) == text) }

  @Test("A style has the document's keys and spellings, and none that is not told")
  func style() {
    #expect(TextTrackStyle().documentForm == [:])
    var style = TextTrackStyle()
    style.edgeColor = "#000000"
    style.windowColor = "#11223344"
    style.fontScale = 0.75
    style.fontFamily = "Droid Sans"
    style.fontGenericFamily = "SERIF"
    style.fontStyle = "BOLD_ITALIC"
    style.edgeType = "DROP_SHADOW"
    style.windowType = "NORMAL"
    style.windowRoundedCornerRadius = 8
    #expect(
      style.documentForm == [
        "edge_color": "#000000FF", "window_color": "#11223344", "size": 75, "font": "Droid Sans", "family": "serif",
        "style": "bold_italic", "edge": "drop_shadow", "window": "normal", "window_radius": 8,
      ])
  }

  @Test("A status event leaves out what is empty, long or absent, and has what is left in one order")
  func document() {
    var snapshot = Watched.film()
    snapshot.media?.items = [["itemId": 1]]
    snapshot.media?.currentItemID = 1
    let document = Make.view(snapshot, at: 100).document
    #expect(document["queue"] == ["current": 1, "count": 1])
    #expect(document["app"]?["namespaces"] == nil && document["app"]?["id"] == "CC1AD845")
    #expect(document["position"] == 65, "as it was reported")
    #expect(document["stream_volume"] == nil && document["error"] == nil && document["tracks"] == nil)
    let names = document.members.map(\.name)
    #expect(names.first == "player" && names.last == "volume")
    #expect(Make.view(Watched.idle(), at: 0).document.members.map(\.name) == ["player", "volume"])
  }
}
