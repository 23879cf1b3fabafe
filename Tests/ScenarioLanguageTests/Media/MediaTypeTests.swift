import Testing

@testable import ScenarioLanguage

@Suite struct MediaTypeTests {
  static let types: [(url: String, type: String?)] = [
    ("https://cdn.example.com/qa/film.m3u8", "application/x-mpegurl"),
    ("https://cdn.example.com/a.MP4?x=1.jpg", "video/mp4"), ("file:assets/logo.png", "image/png"),
    ("https://cdn.example.com/live", nil), ("https://cdn.example.com/", nil), ("https://cdn.example.com/.mp4", nil),
    ("https://cdn.example.com/a.mpd#t=1", "application/dash+xml"), ("https://cdn.example.com/a.xyz", nil),
  ]

  @Test("The MIME type follows from the extension of the path alone", arguments: types)
  func extensions(url: String, type: String?) {
    #expect(MediaType.ofMedia(at: url) == type)
  }

  static let problems: [(url: String, code: String?)] = [
    ("https://cdn.example.com/a.mp4", nil), ("htps://cdn.example.com/a.mp4", "C501"), ("rtsp://a/b", "C501"),
    ("http://localhost:8000/a.mp4", "C502"), ("http://127.0.0.1/a.mp4", "C502"), ("http://[::1]:80/a", "C502"),
    ("http://tv.localhost/a", "C502"), ("http://user@localhost/a", "C502"), ("http://localhost.example.com/", nil),
    ("http://127.example.com/", nil), ("file:a.mp4", nil),
  ]

  @Test("URLs that no receiver can fetch are refused", arguments: problems)
  func unreachable(url: String, code: String?) {
    #expect((try? URLScalar.read(url))?.problemOfReceivers(after: "load")?.code.rawValue == code)
  }
}
