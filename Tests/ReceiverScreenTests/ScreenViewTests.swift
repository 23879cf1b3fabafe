import CastProtocol
import ReceiverScreen
import Testing

@testable import CastReceiver

/// What a page is told: texts with bounds, and addresses of the web only.
@Suite struct ScreenViewTests {
  private static func media(_ metadata: JSONObject, address: String = "http://h/a.mp4") -> JSONValue? {
    var snapshot = ScreenSnapshot.example()
    snapshot.media = ScreenSnapshot.Media(
      phase: .playing, category: .video,
      content: ScreenSnapshot.Playback(
        id: PlaybackID(sessionID: "s", number: 3), address: address, contentType: nil, order: 4, jumps: 1,
        position: .seconds(2.5), duration: nil, rate: 1, runs: true), isLive: true, metadata: metadata, captions: nil,
      adBreak: nil, item: 1, items: 1)
    return snapshot.json(driver: "ab")["media"]
  }

  @Test("Content is named, with its place, its orders, and no end where there is none")
  func content() {
    let content = Self.media([:])?["content"]
    #expect(content?["id"] == "s.3" && content?["order"] == 4 && content?["jumps"] == 1)
    #expect(content?["position"] == 2.5 && content?["duration"]?.isNull == true && content?["runs"] == true)
  }

  @Test(
    "Below the title stands what the kind of metadata has",
    arguments: [
      (["subtitle": "A film"], "A film"), (["artist": "Miles", "albumName": "Blue"], "Miles · Blue"),
      (["seriesTitle": "Dark", "season": 1, "episode": 3], "Dark · Season 1 · Episode 3"),
    ] as [(JSONObject, String)])
  func subtitles(metadata: JSONObject, text: String) {
    #expect(Self.media(metadata)?["subtitle"]?.string == text)
  }

  @Test("Long texts are cut, and a text stays a text")
  func texts() {
    let title = "<img src=x onerror=alert(1)>" + String(repeating: "ä", count: 1_000)
    let told = Self.media(["title": .string(title)])?["title"]?.string
    #expect(told?.count == 300 && told?.hasPrefix("<img") == true)
    #expect(Self.media(["title": 7])?["title"]?.isNull == true)
  }

  @Test(
    "Only addresses of the web get to a page",
    arguments: [
      "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "//h/a", "ftp://h/a", "", " http://h/a",
    ])
  func addresses(text: String) {
    #expect(Self.media([:], address: text)?["content"]?["address"]?.isNull == true)
    #expect(Self.media(["images": [["url": .string(text)]]])?["artwork"]?.isNull == true)
  }

  @Test("The first picture with an address is the artwork")
  func artwork() {
    let images: JSONValue = [["url": "data:x"], ["url": "HTTPS://h/a.png"], ["url": "http://h/b.png"]]
    #expect(Self.media(["images": images])?["artwork"] == "HTTPS://h/a.png")
    #expect(
      Self.media(["images": [["url": .string("http://h/" + String(repeating: "a", count: 9_000))]]])?["artwork"]?.isNull
        == true)
  }

  @Test("Each fault is told in words")
  func faults() {
    #expect(MediaFault.media(code: 104).words == "It cannot be played: MEDIA_SRC_NOT_SUPPORTED, error 104")
    #expect(Set([MediaFault.noPage, .pageGone, .pageSilent].map(\.words)).count == 3)
  }
}
