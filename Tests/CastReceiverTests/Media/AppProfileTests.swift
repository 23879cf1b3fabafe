import CastProtocol
import Testing

@testable import CastReceiver

/// Apps with a name of their own, that play but some types.
@Suite struct AppProfileTests {
  private static func harness(_ types: [String]) -> ReceiverHarness {
    ReceiverHarness {
      $0.appTypes["A1B2C3D4"] = types
      $0.appNames["A1B2C3D4"] = "Acme Player"
    }
  }

  @Test("Senders see its name")
  func name() {
    var harness = Self.harness(["video"])
    let launched = harness.start(app: "A1B2C3D4").first { $0.type == "RECEIVER_STATUS" }
    #expect(launched?.json["status"]?["applications"]?.array?.first?["displayName"] == "Acme Player")
  }

  static let loads: [(types: [String], content: String, plays: Bool)] = [
    (["video"], "video/mp4", true), (["video"], "application/x-mpegurl", true), (["video"], "audio/mp4", false),
    (["audio/mp4"], "audio/mp4", true), (["audio/mp4"], "audio/mpeg", false), (["audio/mp4"], "Audio/MP4; a=b", true),
    (["image", "audio"], "image/png", true), (["image"], "video/mp4", false),
  ]
  @Test("What is not among its types fails to load, as what no device plays", arguments: loads)
  func types(types: [String], content: String, plays: Bool) {
    var harness = Self.harness(types)
    harness.start(app: "A1B2C3D4")
    let heard = harness.media(
      "LOAD", ["media": ["contentId": "https://cdn.example.com/a", "contentType": .string(content)]])
    let failed = heard.first { $0.type == "LOAD_FAILED" }
    #expect((failed == nil) == plays, "\(heard.summary)")
    if !plays { #expect(failed?.json["detailedErrorCode"] == 104) }
  }

  @Test("In a queue it passes over what it does not play; other apps play it")
  func queue() {
    var harness = Self.harness(["video"])
    harness.start(app: "A1B2C3D4")
    let items: JSONValue = [
      ["media": ["contentId": "https://cdn.example.com/a.mp3", "contentType": "audio/mpeg"]], ["media": film],
    ]
    _ = harness.media("QUEUE_LOAD", ["items": items])
    #expect(harness.status()?["currentItemId"] == 2 && harness.status()?["playerState"] == "PLAYING")
    var other = Self.harness(["video"])
    other.start()
    #expect(
      other.media("LOAD", ["media": ["contentId": "a", "contentType": "audio/mpeg"]]).contains {
        $0.type == "MEDIA_STATUS"
      })
  }
}
