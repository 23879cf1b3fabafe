import CastProtocol
import ControlPage
import Signage
import Testing

@Suite struct HealthTests {
  @Test("What nobody could be told is shown beside what is dark, and is no reason to count as dark")
  func untold() throws {
    var playlist = SiteView.Playlist(program: try ControlResponderTests.program(), screens: [], fired: [:])
    let before = SiteView(playlists: [playlist], time: 10, version: "9").health
    playlist.untold = [.init(time: 5, text: "tv is dark", why: "the webhook answers 500")]
    let health = SiteView(playlists: [playlist], time: 10, version: "9").health
    let told: JSONValue = [
      "playlist": "cafe", "text": "tv is dark", "why": "the webhook answers 500", "time": 5,
    ]
    #expect(before.json["untold"] == [] && health.json["untold"] == [told])
    #expect(health.isWell == before.isWell && health.json["status"] == before.json["status"])
    #expect(health.json["dark"] == [])
  }

  @Test("A playlist that is not served makes it unwell; an invalid edit is told, and its screens are well all the same")
  func invalid() throws {
    var view = SiteView(playlists: [], time: 10, version: "9")
    view.invalid = [.init(file: "bar.yaml", why: "bar.yaml, line 2: no", isServed: true)]
    let edited: JSONValue = ["file": "bar.yaml", "why": "bar.yaml, line 2: no", "served": true]
    #expect(view.health.isWell && view.health.json["status"] == "ok" && view.health.json["invalid"] == [edited])
    #expect(view.json["invalid"] == [edited])
    view.invalid[0].isServed = false
    #expect(!view.health.isWell && view.health.json["status"] == "invalid" && view.json["status"] == "invalid")
    #expect(Metrics.text(view).contains("showcaller_playlist_valid{playlist=\"\",file=\"bar.yaml\"} 0"))
    view.invalid = []
    view.playlists = [.init(program: try ControlResponderTests.program(), screens: [], fired: [:])]
    let valid = "showcaller_playlist_valid{playlist=\"cafe\",file=\"cafe.yaml\"} "
    #expect(Metrics.text(view).contains(valid + "1"))
    view.invalid = [.init(file: "cafe.yaml", why: "no", isServed: true)]
    #expect(Metrics.text(view).contains(valid + "0"))
  }
}
