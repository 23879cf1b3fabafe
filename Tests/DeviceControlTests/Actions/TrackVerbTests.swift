import CastClient
import CastProtocol
import ScenarioLanguage
import TestSupport
import Testing

@testable import DeviceControl
@testable import RunReporting

@Suite("tracks and text_style: how tracks are named, and what an app has to echo") struct TrackVerbTests {
  typealias Setting = SessionLab.Setting
  typealias Scene = StageDevice.Scene

  static func track(_ id: Int, _ type: String, _ language: String? = nil) -> JSONValue {
    var object: JSONObject = ["trackId": .int(id), "type": .string(type)]
    object["language"] = language.map(JSONValue.string)
    return .object(object)
  }

  struct Naming: Sendable, CustomTestStringConvertible {
    var testDescription: String { "\(names) of \(tracks.count)" }
    var names: [String]
    var tracks: [JSONValue]
    var documents: [Int: String] = [:]
    var ids: [Int]?
    var says: String?
  }

  static let several = [
    track(1, "AUDIO", "en-US"), track(2, "AUDIO", "de"), track(3, "TEXT", "de-AT"), track(4, "TEXT"),
  ]
  static let namings: [Naming] = [
    Naming(names: ["de"], tracks: several, ids: [3]), Naming(names: ["DE-at"], tracks: several, ids: [3]),
    Naming(names: ["en"], tracks: several, ids: [1]), Naming(names: ["4"], tracks: several, ids: [4]),
    Naming(names: ["de"], tracks: several, documents: [2: "de", 4: "de"], ids: [2]),
    Naming(names: ["9"], tracks: [], ids: [9]),
    Naming(names: ["9"], tracks: several, says: "the media has no track `9`: it has 1 (en-US), 2 (de), 3 (de-AT), 4"),
    Naming(names: ["de", "fr"], tracks: [], says: "the media has no track `de`: it has none"),
    Naming(
      names: ["x"], tracks: (1...11).map { track($0, "TEXT") },
      says: "the media has no track `x`: it has 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …"),
  ]

  @Test("A track is named by the document's name, its language or its number, in this order", arguments: namings)
  func tracks(row: Naming) throws {
    let setting = Setting.command {
      $0.scene = Scene(app: ScriptedPeer.app, media: ["media": ["contentId": "a.mp4", "tracks": .array(row.tracks)]])
      $0.scene.changes = [
        "EDIT_TRACKS_INFO": { scene, request in scene.media?["activeTrackIds"] = request["activeTrackIds"] }
      ]
    }
    try SessionLab.connected(setting) { lab in
      await lab.session.nameLoaded(row.documents)
      let failure = await lab.perform(.tracks(row.names))
      #expect(failure?.message == row.says && failure?.errorClass == (row.says == nil ? nil : .invalidRequest))
      #expect(lab.stage.sent.first?["activeTrackIds"]?.array?.compactMap(\.int) == row.ids)
    }
  }

  // MARK: text styles

  static var style: TextTrackStyle {
    var style = TextTrackStyle()
    style.fontScale = 1.5
    style.foregroundColor = "#FFFFFF"
    return style
  }

  static let echoes: [(String, JSONValue?, Double, Bool)] = [
    ("echoed as it was sent", ["fontScale": 1.5, "foregroundColor": "#FFFFFF"], 0, false),
    (
      "echoed in the device's spelling, with more",
      ["fontScale": 1.5, "foregroundColor": "#ffffffff", "fontStyle": "BOLD"], 0, false
    ),
    ("echoed in part", ["fontScale": 1.5], 5, true),
    ("another style is echoed", ["fontScale": 1, "foregroundColor": "#FFFFFF"], 5, true),
    ("not echoed", nil, 5, true),
  ]

  @Test(
    "A style is done when the app echoes it; one that does not may not show it, which is a warning",
    arguments: echoes.indices)
  func style(index: Int) throws {
    let (title, echo, seconds, isWarned) = Self.echoes[index]
    let setting = Setting.command {
      $0.scene = Scene(app: ScriptedPeer.app, media: ["media": ["contentId": "a.mp4"]])
      $0.scene.changes = [
        "EDIT_TRACKS_INFO": { scene, _ in
          if let echo { scene.media?["media"] = ["contentId": "a.mp4", "textTrackStyle": echo] }
        }
      ]
    }
    try SessionLab.connected(setting) { lab in
      let start = lab.now
      #expect(await lab.perform(.textStyle(Self.style), for: .seconds(30)) == nil, "\(title)")
      #expect(lab.now - start == .seconds(seconds), "\(title)")
      #expect(
        lab.stage.sent.first?["textTrackStyle"]?["fontScale"] == 1.5 && lab.stage.sent.first?["activeTrackIds"] == nil)
      let text = "the app did not echo the text style, so it may not show it"
      #expect(lab.events.fields(.diagnostic).map { $0["message"]?.string } == (isWarned ? [text] : []), "\(title)")
      if isWarned { #expect(lab.events.all.last { $0.type == .diagnostic }?.step == "s1") }
    }
  }

  @Test("A style that is refused fails, and that the app does not list it may be why", arguments: [0, 0xFFFFF])
  func styleRefused(listed: Int) throws {
    let setting = Setting.command {
      $0.scene = Scene(app: ScriptedPeer.app, media: ["supportedMediaCommands": .int(listed)])
      $0.scene.replies = ["EDIT_TRACKS_INFO": ["type": "INVALID_REQUEST"]]
    }
    try SessionLab.connected(setting) { lab in
      let failure = await lab.perform(.textStyle(Self.style))
      #expect(failure?.errorClass == .invalidRequest && (failure?.help != nil) == (listed == 0))
    }
  }
}

extension DeviceSession {
  /// What plays counts as loaded with these names of tracks.
  fileprivate func nameLoaded(_ names: [Int: String]) {
    guard let source = link.snapshot.mediaSource, let media = link.snapshot.media else { return }
    changeOwn { $0.setLoaded(LoadedMedia(source: source, mediaSessionID: media.mediaSessionID, trackNames: names)) }
  }
}
