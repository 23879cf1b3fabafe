import CastProtocol
import Testing

@testable import ScenarioLanguage

/// What the keys of a media become in LOAD, and what is refused.
@Suite struct MediaWireTests {
  static func json(_ keys: String) throws -> JSONValue {
    let load = try LoadTests.load("load: { media: { url: \"https://cdn.example.com/a.mp4\", \(keys) } }")
    return MediaRequest.load(load.request).json(requestID: 0)["media"] ?? .null
  }

  static let kinds: [(yaml: String, json: String)] = [
    (
      "title: T, subtitle: S, artist: A, released: 2026-11-21, images: [\"https://i.example.com/1.png\"]",
      #"{"metadataType":0,"title":"T","subtitle":"S","artist":"A","releaseDate":"2026-11-21","images":[{"url":"https://i.example.com/1.png"}]}"#
    ),
    (
      "kind: movie, title: T, studio: S, released: 2026-11-21",
      #"{"metadataType":1,"title":"T","studio":"S","releaseDate":"2026-11-21"}"#
    ),
    (
      "kind: tv, series: S, title: T, season: 2, episode: 10, released: 2026-11-21",
      #"{"metadataType":2,"seriesTitle":"S","title":"T","season":2,"episode":10,"originalAirdate":"2026-11-21"}"#
    ),
    (
      "kind: music, title: T, artist: A, album: B, album_artist: C, composer: D, track: 3, disc: 1",
      #"{"metadataType":3,"title":"T","artist":"A","albumName":"B","albumArtist":"C","composer":"D","trackNumber":3,"discNumber":1}"#
    ),
    (
      "kind: photo, title: T, artist: A, location: L, taken: \"2026-11-21T10:00:00Z\"",
      #"{"metadataType":4,"title":"T","artist":"A","location":"L","creationDateTime":"2026-11-21T10:00:00Z"}"#
    ),
  ]

  @Test("Each kind of metadata has its own members on the wire", arguments: kinds)
  func metadata(yaml: String, json: String) throws {
    #expect(try Self.json("metadata: { \(yaml) }")["metadata"]?.serialized() == json)
  }

  @Test(
    "A text track of each subtype says so",
    arguments: ["subtitles", "captions", "descriptions", "chapters", "metadata"])
  func subtype(subtype: String) throws {
    let track = try Self.json("tracks: [{ id: a, subtype: \(subtype), url: \"https://cdn.example.com/a.vtt\" }]")[
      "tracks"]
    #expect(track?.array?.first?["subtype"] == .string(subtype.uppercased()))
  }

  @Test("`vast` of a media is a pre-roll of one clip, `vmap` a request of its own")
  func vast() throws {
    let json = try Self.json("vast: \"https://ads.example.com/v\"")
    #expect(json["breaks"]?.serialized() == #"[{"id":"vast","position":0,"breakClipIds":["vast"]}]"#)
    #expect(
      json["breakClips"]?.serialized() == #"[{"id":"vast","vastAdsRequest":{"adTagUrl":"https://ads.example.com/v"}}]"#)
    #expect(json["vmapAdsRequest"] == nil)
    #expect(
      try Self.json("vmap: \"https://ads.example.com/v\"")["vmapAdsRequest"]?["adTagUrl"] == "https://ads.example.com/v"
    )
  }

  @Test("The pre-roll of `vast` stands before the breaks, under a name that is free")
  func vastBesideBreaks() throws {
    let json = try Self.json(
      "vast: \"https://ads.example.com/v\", clips: { vast: { url: \"https://cdn.example.com/b.mp4\" } }, breaks: [{ id: mid, at: 30s, clips: [vast] }]"
    )
    #expect(json["breaks"]?.array?.map { $0["id"] } == ["vast-2", "mid"])
    #expect(json["breakClips"]?.array?.map { $0["id"] } == ["vast", "vast-2"])
  }

  static let wrong: [(keys: String, problem: String)] = [
    ("vast: \"https://a.example.com\", vmap: \"https://a.example.com\"", "K107 `vast` and `vmap` exclude each other"),
    (
      "vast: \"https://a.example.com\", clips: { a: { url: \"https://cdn.example.com/b.mp4\" } }, breaks: [{ id: pre, at: start, clips: [a] }]",
      "C506 `vast` plays before the media, and so does a break at its start"
    ),
    (
      "metadata: { images: [\"htps://cdn.example.com/a.png\"] }",
      "C501 `htps` is not a URL scheme a receiver can fetch"
    ),
    (
      "metadata: { images: [\"http://localhost/a.png\"] }", "C502 the receiver would look for `localhost` on itself"
    ),
    (
      "tracks: [{ id: en, url: \"http://cdn.example.com/a.vtt\" }]",
      "C511 text track `en` comes by http, receiver pages by https"
    ),
    ("tracks: [{ id: en, url: \"http://localhost/a.vtt\" }]", "C502 the receiver would look for `localhost` on itself"),
  ]

  @Test("What a receiver could not use is refused, alone", arguments: wrong)
  func refused(keys: String, problem: String) {
    let document = Compiling.scenario("load: { media: { url: \"https://cdn.example.com/a.mp4\", \(keys) } }")
    let problems = Compiling.outcome(document).diagnostics.filter { $0.code != .p610 }
    #expect(problems.map { "\($0.code) \($0.message)" } == [problem])
  }

  @Test("A cure for an image is a list, as the key wants it")
  func imageHint() throws {
    let document = Compiling.scenario(
      "load: { media: { url: \"https://cdn.example.com/a.mp4\", metadata: { images: [\"http://localhost/a.png\"] } } }")
    guard case .help(let help)? = Compiling.outcome(document).diagnostics.first?.footers.first else {
      Issue.record("no help")
      return
    }
    #expect(help.hasPrefix("`images: [file:a.png]` serves"))
  }

  static let seeks: [(media: String, seek: String, codes: [String])] = [
    ("stream: live", "1m", ["C514"]), ("stream: live", "start", ["C514"]), ("stream: live", "{ by: -10s }", ["C514"]),
    ("stream: live", "end", []), ("live: { window: 30m }", "{ by: -10s }", []),
    ("live: { window: 30m }", "{ by: -31m }", ["C514"]), ("duration: 10m", "1m", []),
  ]

  @Test("A seek in a live stream needs a window to go back in", arguments: seeks)
  func seek(media: String, seek: String, codes: [String]) {
    let document =
      "scenario: Live\ndevice: TV\nmedia: { news: { url: \"https://cdn.example.com/a.m3u8\", \(media) } }\n"
      + "steps: [{ load: news }, { seek: \(seek) }, { expect: { player: playing } }]\n"
    #expect(Compiling.codes(document) == codes)
  }

  @Test("A large part is named where a LOAD does not fit, also when it is no custom data")
  func largest() throws {
    let title = String(repeating: "x", count: 70_000)
    let outcome = Compiling.outcome(
      "scenario: L\ndevice: TV\nmedia: { film: { url: \"https://cdn.example.com/a.mp4\", metadata: { title: \(title) } } }\n"
        + "steps: [{ load: film }, { expect: { player: playing } }]\n")
    let problem = try #require(outcome.diagnostics.first)
    #expect(problem.message == "this LOAD message is 68.7 KiB; receivers accept at most 64 KiB")
    #expect(problem.footers.last == .note("largest part: media.metadata (68.4 KiB)"))
  }

  @Test(
    "An ad that can be skipped at its end or later never can, which is told by how late it is",
    arguments: [("4999ms", nil), ("5s", "at its very end"), ("5001ms", "later than the end")])
  func neverSkippable(after: String, label: String?) {
    let ad = "{ url: https://e.com/b.mp4, duration: 5s, skippable_after: \(after) }"
    let media = "media: { film: { url: https://e.com/a.mp4, duration: 60s, clips: { ad: \(ad) } } }"
    let document = "scenario: S\ndevice: TV\n\(media)\nsteps: [{ load: film }, { expect: { player: playing } }]\n"
    let found = Compiling.outcome(document).diagnostics.first { $0.code == .c505 }
    #expect(found?.primary.text == label)
  }
}
