import CastClient
import CastProtocol
import Testing

@testable import DeviceControl
@testable import RunReporting

/// What changed, in words and in fields.
@Suite struct WatchChangeTests {
  private static func change(
    _ old: DeviceSnapshot, _ new: DeviceSnapshot, at seconds: Double = 0, others: [OtherSenderAction] = []
  ) -> WatchChange {
    WatchChange(from: Make.view(old, at: seconds), to: Make.view(new, at: seconds), others: others)
  }

  private static func muted() -> DeviceSnapshot {
    var snapshot = Watched.film()
    snapshot.receiver?.volume.muted = true
    return snapshot
  }

  private static func volume(_ level: Double) -> DeviceSnapshot {
    var snapshot = Watched.film()
    snapshot.receiver?.volume.level = level
    return snapshot
  }

  private static func standby() -> DeviceSnapshot {
    var snapshot = Watched.idle()
    snapshot.receiver?.isStandBy = true
    return snapshot
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var old: DeviceSnapshot
    var new: DeviceSnapshot
    var seconds: Double
    var phrases: [String]

    init(_ old: DeviceSnapshot, _ new: DeviceSnapshot, _ seconds: Double, _ phrases: [String]) {
      (self.old, self.new, self.seconds, self.phrases) = (old, new, seconds, phrases)
    }

    var testDescription: String { phrases.joined(separator: ", ") }
  }

  static let table: [Case] = [
    Case(Watched.film(), Watched.film(), 0, []),
    // Ten seconds later it is where it should be.
    Case(Watched.film(position: 60), Watched.film(position: 70, at: 10), 10, []),
    Case(Watched.film(position: 60), Watched.film(position: 60.4, at: 1), 1, []),
    Case(Watched.film(position: 60), Watched.film(position: 120, at: 1), 1, ["at 2:00"]),
    Case(Watched.film(.paused, position: 60), Watched.film(.paused, position: 30), 0, ["at 0:30"]),
    Case(Watched.film(), Watched.film(.paused), 0, ["paused at 1:05"]),
    Case(Watched.film(.buffering), Watched.film(), 0, ["playing at 1:05"]),
    Case(Watched.film(), Watched.film(.idle) { $0.idleReason = .finished }, 0, ["idle (finished)"]),
    Case(Watched.film(), Watched.film(rate: 1.5), 0, ["rate 1.5"]),
    Case(Watched.film(rate: 1.5), Watched.film(), 0, ["rate 1"]),
    Case(Watched.film(), Watched.film { $0.activeTrackIDs = [1, 2] }, 0, ["tracks de, en"]),
    Case(Watched.film(), Watched.film { $0.activeTrackIDs = [] }, 0, ["tracks off"]),
    Case(Watched.film(), Watched.film { $0.media?.metadata?["title"] = "Durian" }, 0, ["title Durian"]),
    Case(Watched.film(position: 150), Watched.ad(time: 0), 0, ["ad mid/car 1 of 2, can be skipped in 5s"]),
    Case(Watched.ad(time: 0), Watched.ad(time: 3, at: 3), 3, []),
    Case(Watched.ad(time: 9), Watched.film(position: 150), 0, ["ad over"]),
    Case(Watched.film(), volume(0.55), 0, ["volume 55%"]), Case(Watched.film(), muted(), 0, ["muted"]),
    Case(muted(), Watched.film(), 0, ["unmuted"]), Case(Watched.idle(), standby(), 0, ["standby"]),
    Case(Watched.film { $0.currentItemID = 1 }, Watched.film { $0.currentItemID = 2 }, 0, ["item 2"]),
    Case(
      Watched.film { $0.repeatMode = "REPEAT_OFF" }, Watched.film { $0.repeatMode = "REPEAT_ALL" }, 0, ["repeat all"]),
    Case(
      Watched.idle(), Watched.film(), 0,
      ["app Default Media Receiver", "playing at 1:05", "title Sintel", "tracks de, no"]
    ),
  ]

  @Test("Each change is told in a few words, what moves by itself is not", arguments: table)
  func phrases(entry: Case) {
    #expect(Self.change(entry.old, entry.new, at: entry.seconds).phrases == entry.phrases)
  }

  @Test("Another app is named; none is told, too; its own words are passed on")
  func apps() {
    var other = Watched.idle()
    other.receiver = Watched.receiver(app: "233637DE", session: "s-2")
    let taken = Self.change(Watched.film(), other, others: [.launched(appID: "233637DE", name: "YouTube")])
    #expect(taken.phrases == ["idle", "another sender launched YouTube (233637DE)"])
    #expect(taken.unset.contains("title") && taken.set["app"]?["id"] == "233637DE")
    let loud = Self.change(Watched.film(), Self.volume(0.55), others: [.setVolume(0.55)])
    #expect(loud.phrases == ["another sender set the volume to 55%"], "it is not told twice")
    #expect(Self.change(other, Watched.idle()).phrases == ["no app"])
    var says = other
    says.receiver?.application?.statusText = "Ready"
    #expect(Self.change(other, says).phrases == ["app says Ready"])
  }

  @Test("Programs get the fields that are another, and those that are gone")
  func fields() {
    let paused = Self.change(Watched.film(), Watched.film(.paused, position: 66))
    #expect(paused.set == ["player": "paused", "position": 66] && paused.unset.isEmpty)
    let ended = Self.change(Watched.film(), Watched.idle())
    #expect(ended.set["player"] == "idle")
    #expect(Set(["title", "duration", "rate", "tracks", "position", "app"]).isSubset(of: ended.unset))
    let document = WatchChange.document(Make.view(Watched.film(), at: 100))
    #expect(document["position"] == 65, "as the device said it")
    #expect(document["tracks"]?.array?.count == 3)
  }
}
