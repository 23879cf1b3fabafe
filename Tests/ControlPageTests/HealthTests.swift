import CastProtocol
import ControlPage
import Signage
import Testing

@Suite struct HealthTests {
  @Test("What nobody could be told is shown beside what is dark, and is no reason to count as dark")
  func untold() throws {
    var playlist = ControlView.Playlist(program: try ControlResponderTests.program(), screens: [], fired: [:])
    let before = ControlView(playlists: [playlist], time: 10, version: "9").health
    playlist.untold = [.init(time: 5, text: "tv is dark", why: "the webhook answers 500")]
    let health = ControlView(playlists: [playlist], time: 10, version: "9").health
    let told: JSONValue = [
      "playlist": "cafe", "text": "tv is dark", "why": "the webhook answers 500", "time": 5,
    ]
    #expect(before.json["untold"] == [] && health.json["untold"] == [told])
    #expect(health.isWell == before.isWell && health.json["status"] == before.json["status"])
    #expect(health.json["dark"] == [])
  }
}
