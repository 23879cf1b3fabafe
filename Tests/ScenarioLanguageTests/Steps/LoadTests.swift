import CastProtocol
import Testing

@testable import ScenarioLanguage

@Suite struct LoadTests {
  static func load(_ yaml: String, top: String = "") throws -> Plan.LoadAction {
    guard case .load(let action) = try Compiling.step(yaml, top: top).action else { throw Compiling.NoPlan() }
    return action
  }

  @Test("A bare URL loads with its type guessed, from the start, until it plays")
  func bare() throws {
    let load = try Self.load("load: https://media.example.com/welcome.mp4")
    #expect(load.mediaID == nil)
    #expect(load.until == .playing)
    #expect(load.appID == nil)
    #expect(
      MediaRequest.load(load.request).json(requestID: 0).serialized()
        == #"{"type":"LOAD","requestId":0,"autoplay":true,"currentTime":0,"media":{"contentId":"https://media.example.com/welcome.mp4","contentType":"video/mp4","streamType":"BUFFERED"}}"#
    )
  }

  static let untils: [(yaml: String, until: Plan.LoadAction.Until)] = [
    ("load: _film", .playing), ("load: { media: _film, autoplay: false }", .paused), ("load: _photo", .loaded),
    ("load: { media: _film, until: accepted }", .accepted),
  ]

  @Test("A load is done when it plays, stands still, or shows, as the media asks", arguments: untils)
  func until(yaml: String, until: Plan.LoadAction.Until) throws {
    #expect(try Self.load(yaml).until == until)
  }

  @Test("What the load says stands above the media, and the media above the defaults")
  func everything() throws {
    let load = try Self.load(
      """
      load:
        media: _film
        app: acme
        autoplay: false
        start: 1m30s
        rate: 1.5
        tracks: [en-GB]
        text_style: { color: yellow }
        credentials: abc
        custom: { level: 3, deep: { on_air: true, name: "no" } }
      """, top: "defaults: { text_style: _big }")
    #expect(load.appID == "A1B2C3D4")
    #expect(load.request.autoplay == false)
    #expect(load.request.currentTime == 90)
    #expect(load.request.playbackRate == 1.5)
    #expect(load.request.activeTrackIDs == [1])
    #expect(load.request.credentials == "abc")
    #expect(load.request.customData == ["level": 3, "deep": ["on_air": true, "name": "no"]])
    #expect(load.request.media.textTrackStyle?.foregroundColor == "#FFFF00FF")
    #expect(load.request.media.textTrackStyle?.fontScale == 1.5)
    #expect(load.trackNames == [1: "en"])
    #expect(load.mediaID == "_film")
  }

  @Test("Media written in place work like defined ones, images have no stream type")
  func inPlace() throws {
    let load = try Self.load(
      "load: { media: { url: https://cdn.example.com/a.webp, metadata: { kind: photo, title: Me } } }")
    #expect(load.request.media.streamType == "NONE")
    #expect(load.request.media.contentType == "image/webp")
    #expect(load.request.media.metadata == ["metadataType": 4, "title": "Me"])
  }

  @Test("Pinned track numbers are kept, others count around them; an id of its own leaves the URL beside it")
  func tracks() throws {
    let plan = try Compiling.plan(
      """
      scenario: Tracks
      device: TV
      media:
        film:
          content_id: film-1
          url: https://cdn.example.com/film.mpd
          stream: live
          hls: { segment: fmp4, video: fmp4 }
          custom: { drm: 1.5 }
          tracks:
            - { id: a, kind: text, subtype: captions, language: de, name: Deutsch, url: "https://cdn.example.com/a.ttml" }
            - { id: b, kind: audio, number: 1, inband: true }
            - { id: c, kind: text, inband: true }
          clips: { ad: { url: "https://cdn.example.com/ad.mp4", title: Ad, click_url: "https://example.com" } }
          breaks: [{ id: post, at: end, clips: [ad] }]
      steps: [{ load: { media: film, tracks: [c] } }, { expect: { player: playing } }]
      """)
    guard case .load(let load) = plan.steps[0].action else { throw Compiling.NoPlan() }
    let media = load.request.media
    #expect(load.trackNames == [2: "a", 1: "b", 3: "c"])
    #expect(load.request.activeTrackIDs == [3])
    #expect(media.contentID == "film-1")
    #expect(media.contentURL == "https://cdn.example.com/film.mpd")
    #expect(media.streamType == "LIVE")
    #expect(media.tracks?[0].trackContentType == "application/ttml+xml")
    #expect(media.tracks?[0].subtype == "CAPTIONS")
    #expect(media.breaks?[0].position == -1)
    #expect(media.breakClips?[0].clickThroughURL == "https://example.com")
    #expect(media.hlsSegmentFormat == "fmp4")
    #expect(media.customData == ["drm": 1.5])
    #expect(media.metadata == ["metadataType": 0, "title": "film"])
  }

  @Test("A definition that starts from another one takes over each key it does not write")
  func like() throws {
    let document = """
      scenario: Like
      device: TV
      text_styles:
        base: { size: 150%, color: yellow }
        big: { like: base, size: 200% }
      media:
        film: { url: "https://cdn.example.com/a.mp4", duration: 10m, text_style: big }
        short: { like: film, duration: 1m }
      steps:
        - load: short
        - load: { media: { like: short, url: "https://cdn.example.com/b.webm" }, text_style: { like: base, edge: raised } }
        - expect: { player: playing }
      """
    #expect(Compiling.codes(document) == [])
    let loads = try Compiling.plan(document).steps.compactMap { step in
      if case .load(let load) = step.action { load.request.media } else { nil }
    }
    #expect(loads.map(\.contentID) == ["https://cdn.example.com/a.mp4", "https://cdn.example.com/b.webm"])
    #expect(loads.map(\.duration) == [60, 60])
    #expect(loads.map(\.textTrackStyle?.fontScale) == [2, 1.5])
    #expect(loads.map(\.textTrackStyle?.foregroundColor) == ["#FFFF00FF", "#FFFF00FF"])
    #expect(loads[1].contentType == "video/webm")
  }

  @Test("Definitions that start from each other in a circle are refused")
  func circle() {
    let document = """
      scenario: Circle
      device: TV
      media: { a: { like: b }, b: { like: a } }
      steps: [{ load: a }]
      """
    #expect(Compiling.codes(document).contains("N412"))
  }

  @Test("Live streams say when they began; ads may be described by a server")
  func liveAndAds() throws {
    let load = try Self.load(
      """
      load:
        media:
          url: https://cdn.example.com/live.m3u8
          live: { starts: "2026-11-21T10:00:00.5+01:00", window: 1h }
          vmap: https://ads.example.com/vmap
          clips: { ad: { vast: https://ads.example.com/vast } }
          breaks: [{ id: pre, at: start, clips: [ad] }]
      """)
    let json = MediaRequest.load(load.request).json(requestID: 0)["media"]
    #expect(json?["streamType"] == "LIVE")
    #expect(json?["startAbsoluteTime"]?.number == 1_795_251_600.5)
    #expect(json?["vmapAdsRequest"] == ["adTagUrl": "https://ads.example.com/vmap"])
    #expect(json?["breakClips"]?.array?[0]["vastAdsRequest"] == ["adTagUrl": "https://ads.example.com/vast"])
  }
}
