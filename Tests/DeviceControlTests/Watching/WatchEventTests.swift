import CastClient
import CastProtocol
import ScenarioLanguage
import Testing

@testable import DeviceControl
@testable import RunReporting

/// What a watch tells programs, line by line, and what it knows of an ad.
@Suite struct WatchEventTests {
  static func change(_ old: DeviceSnapshot, _ new: DeviceSnapshot, others: [OtherSenderAction] = []) -> WatchEvent {
    .changed(WatchChange(from: Make.view(old, at: 0), to: Make.view(new, at: 0), others: others))
  }

  static let device: JSONObject = [
    "name": "Lobby TV", "id": "1234", "model": "Chromecast", "address": "192.0.2.14:8009", "via": "mdns",
  ]

  static let rows: [(WatchEvent, JSONObject?)] = [
    (
      .connected(Watched.device, Make.view(Watched.idle(), at: 0), AuthenticationFacts(verdict: .verified)),
      [
        "event": "connected", "device": .object(device), "auth": "verified",
        "status": .object(WatchChange.document(Make.view(Watched.idle(), at: 0))),
      ]
    ),
    (
      change(Watched.film(), Watched.film(.paused)),
      ["event": "status", "set": ["player": "paused"], "unset": []]
    ),
    (
      change(Watched.film { $0.idleReason = .finished }, Watched.film()),
      ["event": "status", "set": [:], "unset": ["idle_reason"]]
    ),
    (
      change(Watched.film(), Watched.film(), others: [.muted(true), .setVolume(0.256)]),
      [
        "event": "status", "set": [:], "unset": [],
        "others": ["muted the device", "set the volume to 26%"],
      ]
    ),
    (change(Watched.film(), Watched.film()), nil),
    (.lost("it is gone", nextIn: .zero), ["event": "lost", "message": "it is gone"]),
    (.lost("again", nextIn: .seconds(4)), ["event": "lost", "message": "again", "next": 4]),
    (
      .failed(3, "refused", nextIn: .milliseconds(3900)),
      ["event": "retry", "number": 3, "message": "refused", "next": 3.9]
    ),
    (
      .back(Watched.device, Make.view(Watched.idle(), at: 0), after: .seconds(61)),
      [
        "event": "back", "after": 61, "device": .object(device),
        "status": .object(WatchChange.document(Make.view(Watched.idle(), at: 0))),
      ]
    ),
    (.warning("careful"), ["event": "warning", "message": "careful"]),
  ]

  @Test("Each event is one object; what changes nothing is none", arguments: rows.indices)
  func json(index: Int) {
    let (event, json) = Self.rows[index]
    #expect(event.json == json)
  }

  // MARK: ads

  struct Ad: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var snapshot: DeviceSnapshot
    var at = 0.0
    var name = "mid/car"
    var title: String?
    var number: String?
    var skipping: AdState.Skipping
  }

  static func ad(_ time: Double, _ skippableAt: Double?, _ edit: (inout MediaStatus) -> Void) -> DeviceSnapshot {
    var snapshot = Watched.ad(time: time, skippableAt: skippableAt)
    if var media = snapshot.media {
      edit(&media)
      snapshot.media = media
    }
    return snapshot
  }

  static let ads: [Ad] = [
    Ad(testDescription: "soon", snapshot: ad(1, 5) { _ in }, number: "1/2", skipping: .in(4)),
    Ad(testDescription: "sooner", snapshot: ad(1, 5) { _ in }, at: 3, number: "1/2", skipping: .in(1)),
    Ad(testDescription: "now", snapshot: ad(1, 5) { _ in }, at: 4, number: "1/2", skipping: .now),
    Ad(testDescription: "never", snapshot: ad(1, nil) { _ in }, number: "1/2", skipping: .never),
    Ad(testDescription: "never, by its figure", snapshot: ad(1, -1) { _ in }, number: "1/2", skipping: .never),
    Ad(testDescription: "only after its end", snapshot: ad(1, 15) { _ in }, number: "1/2", skipping: .never),
    Ad(
      testDescription: "a length of nothing is not known",
      snapshot: ad(1, 15) { $0.media?.breakClips?[0].duration = 0 },
      number: "1/2", skipping: .in(14)),
    Ad(
      testDescription: "a clip with a title, alone",
      snapshot: ad(1, nil) {
        $0.media?.breakClips?[0].title = "A car"
        $0.media?.breaks?[0].breakClipIDs = ["car"]
      }, title: "A car", number: "1/1", skipping: .never),
    Ad(
      testDescription: "a clip that no list has", snapshot: ad(1, nil) { $0.breakStatus?.breakClipID = "bike" },
      name: "mid/bike", skipping: .never),
    Ad(
      testDescription: "a clip without names",
      snapshot: ad(1, nil) {
        $0.breakStatus?.breakClipID = nil
        $0.breakStatus?.breakID = nil
      }, name: "", skipping: .never),
  ]

  @Test("An ad says which it is, of how many, and when it can be skipped", arguments: ads)
  func ad(row: Ad) throws {
    let ad = try #require(AdState(Make.view(row.snapshot, at: row.at)))
    #expect(ad.name == row.name && ad.title == row.title && ad.skipping == row.skipping)
    #expect(ad.number.map { "\($0.index)/\($0.count)" } == row.number)
    #expect(ad.time == 1 + row.at)
  }

  @Test("Outside a break there is no ad, and of another's media none is known")
  func none() {
    #expect(AdState(Make.view(Watched.film(), at: 0)) == nil)
    let loaded = LoadedMedia(source: EndpointID("t-1"), mediaSessionID: 9)
    #expect(AdState(StatusView(Watched.ad(time: 1), at: .zero, loaded: loaded)) == nil)
  }

  @Test(
    "What is left is told in whole seconds, and never as none",
    arguments: [(4.0, "4s"), (3.2, "4s"), (0.01, "1s"), (0, "1s"), (-3, "1s"), (1e30, "1000000000s"), (.nan, "1s")]
      as [(Double, String)])
  func countdown(seconds: Double, text: String) { #expect(AdState.countdown(seconds) == text) }
}
