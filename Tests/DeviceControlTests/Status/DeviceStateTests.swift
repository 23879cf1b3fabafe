import CastClient
import CastProtocol
import ScenarioLanguage
import Testing

@testable import DeviceControl
@testable import RunReporting

@Suite("A device's state in a line for people and as an object for programs") struct DeviceStateTests {
  static func state(_ snapshot: DeviceSnapshot, at seconds: Double = 0) -> DeviceState {
    DeviceState(device: Watched.device, view: Make.view(snapshot, at: seconds))
  }

  static func edited(_ snapshot: DeviceSnapshot, _ edit: (inout DeviceSnapshot) -> Void) -> DeviceSnapshot {
    var snapshot = snapshot
    edit(&snapshot)
    return snapshot
  }

  static let app = "Default Media Receiver, volume 40%"
  static let lines: [(DeviceSnapshot, Double, String)] = [
    (Watched.idle(), 0, "no app is running, volume 40%"), (DeviceSnapshot(), 0, "no app is running"),
    (Watched.film(), 0, "playing Sintel, 1:05 of 10:00, \(app)"),
    (Watched.film(), 30, "playing Sintel, 1:35 of 10:00, \(app)"),
    (Watched.film(.paused), 30, "paused Sintel, 1:05 of 10:00, \(app)"),
    (Watched.film(.buffering), 0, "buffering Sintel, 1:05 of 10:00, \(app)"),
    (Watched.film(rate: 1.5), 0, "playing Sintel, 1:05 of 10:00, rate 1.5, \(app)"),
    (Watched.film(rate: nil), 0, "playing Sintel, 1:05 of 10:00, \(app)"),
    (Watched.film(.idle) { $0.idleReason = .finished }, 0, "idle (finished), \(app)"),
    (Watched.film(.idle), 0, "idle, \(app)"),
    (Watched.ad(time: 1), 0, "playing Sintel, in an ad, 2:30 of 10:00, \(app)"),
    (Watched.ad(time: 1), 4, "playing Sintel, in an ad that can be skipped, 2:30 of 10:00, \(app)"),
    (Watched.film { $0.media?.streamType = "LIVE" }, 0, "playing Sintel, 1:05, live, \(app)"),
    (Watched.film { $0.media?.duration = nil }, 0, "playing Sintel, 1:05, \(app)"),
    (Watched.film { $0.media?.metadata = nil }, 0, "playing https://cdn.example.com/film.mp4, 1:05 of 10:00, \(app)"),
    (Watched.film { $0.media = nil }, 0, "playing, 1:05, \(app)"),
    (edited(Watched.film()) { $0.media = nil }, 0, "nothing loaded, \(app)"),
    (
      edited(Watched.film()) { $0.receiver?.volume.muted = true }, 0,
      "playing Sintel, 1:05 of 10:00, Default Media Receiver, volume 40%, muted"
    ),
    (
      edited(Watched.film()) { $0.receiver?.isStandBy = true }, 0,
      "playing Sintel, 1:05 of 10:00, Default Media Receiver, standby, volume 40%"
    ),
    (
      edited(Watched.film()) { $0.receiver?.application?.displayName = "" }, 0,
      "playing Sintel, 1:05 of 10:00, CC1AD845, volume 40%"
    ),
    (edited(Watched.idle()) { $0.receiver?.volume.level = nil }, 0, "no app is running"),
    (
      edited(Watched.film()) { $0.receiver?.application?.isIdleScreen = true }, 0, "no app is running, volume 40%"
    ),
    (Watched.film { $0.media?.metadata?["title"] = "A\u{1B}[2JB" }, 0, "playing A\\u{1B}[2JB, 1:05 of 10:00, \(app)"),
  ]

  @Test("A line says what plays, where it is, in which app and how loud", arguments: lines.indices)
  func line(index: Int) {
    let (snapshot, seconds, line) = Self.lines[index]
    #expect(Self.state(snapshot, at: seconds).line == "Lobby TV: \(line)")
  }

  @Test(
    "Times are minutes and seconds, with hours where there are some",
    arguments: [
      (0, "0:00"), (-5, "0:00"), (0.99, "0:00"), (59.999, "0:59"), (60, "1:00"), (600, "10:00"), (3599.9, "59:59"),
      (3600, "1:00:00"), (36_061, "10:01:01"), (1e30, "277777:46:40"), (.infinity, "277777:46:40"),
      (.nan, "0:00"),
    ] as [(Double, String)])
  func clock(seconds: Double, text: String) { #expect(DeviceState.clock(seconds) == text) }

  @Test("A device is told with all that is known of it, and no more")
  func device() {
    #expect(
      DeviceState.json(Watched.device) == [
        "name": "Lobby TV", "id": "1234", "model": "Chromecast", "address": "192.0.2.14:8009", "via": "mdns",
      ])
    let plain = FoundDevice(name: "x", address: HostAndPort(host: "tv", port: 9), via: .hosts)
    #expect(DeviceState.json(plain) == ["name": "x", "address": "tv:9", "via": "hosts"])
    #expect(plain.json == DeviceState.json(plain))
  }

  // MARK: queues

  static func item(_ id: Int?, _ title: String? = nil, content: String? = nil, duration: Double? = nil) -> QueueItem {
    var item = QueueItem(media: MediaInformation())
    item.itemID = id
    if title == nil, content == nil { item.media = nil }
    item.media?.contentID = content ?? "x.mp4"
    item.media?.metadata = title.map { ["title": .string($0)] }
    item.media?.duration = duration
    return item
  }

  @Test("Each item of a queue has a line, the one that plays a star, and numbers stand below each other")
  func queue() {
    var state = Self.state(Watched.film { $0.currentItemID = 10 })
    #expect(state.queueLines.isEmpty && state.queueJSON == nil)
    state.queue = [
      Self.item(9, "Sintel", duration: 888), Self.item(10, content: "b.mp4"), Self.item(nil),
      Self.item(11, "C\u{7}", duration: 0),
    ]
    #expect(
      state.queueLines == ["   9  Sintel  14:48", "* 10  b.mp4", "   ?  ?", "  11  C\\u{7}"], "\(state.queueLines)")
    let items = state.queueJSON?.array ?? []
    #expect(
      items.first == ["id": 9, "current": false, "content": "x.mp4", "title": "Sintel", "duration": 888])
    #expect(items[1] == ["id": 10, "current": true, "content": "b.mp4"] && items[2] == ["current": false])
  }

  @Test("Where the item that plays is not known none is marked, not even one without a number")
  func unmarked() {
    var state = Self.state(Watched.film())
    state.queue = [Self.item(nil, "A"), Self.item(1, "B")]
    #expect(state.queueLines == ["  ?  A", "  1  B"])
    #expect(state.queueJSON?.array?.allSatisfy { $0["current"] == false } == true)
    state.queue = []
    #expect(state.queueLines.isEmpty && state.queueJSON == [])
  }

  // MARK: groups and tracks

  static func group(_ members: [(id: String, name: String, level: Double?, muted: Bool?)]) -> DeviceSnapshot {
    edited(Watched.idle()) { snapshot in
      var status = MultizoneStatus()
      status.devices = members.map { member in
        var device = MultizoneStatus.Device()
        (device.deviceID, device.name) = (member.id, member.name)
        (device.volume.level, device.volume.muted) = (member.level, member.muted)
        return device
      }
      snapshot.multizone = status
    }
  }

  @Test("The members of a group are told with their volumes")
  func members() {
    let state = Self.state(Self.group([("a", "Kitchen", 0.26, false), ("b", "", nil, true)]))
    #expect(state.memberLines == ["  Kitchen, volume 26%", "  b, muted"], "\(state.memberLines)")
    #expect(
      state.json["members"] == [
        ["id": "a", "name": "Kitchen", "volume": ["level": 26, "muted": false]],
        ["id": "b", "name": "", "volume": ["muted": true]],
      ])
    #expect(Self.state(Watched.idle()).json["members"] == nil && Self.state(Watched.idle()).memberLines.isEmpty)
  }

  @Test("Tracks are listed with what is known of them, those that are on with a star")
  func tracks() {
    let state = Self.state(
      Watched.film { media in
        media.media?.tracks?[1].name = "English"
        media.media?.tracks?[2].language = nil
      })
    #expect(state.trackLines == ["* 1  audio  de", "  2  text  en  English", "* 3  text"])
    #expect(Self.state(Watched.idle()).trackLines.isEmpty)
  }

  @Test("Programs get the position as of now, and the tracks")
  func fields() {
    let json = Self.state(Watched.film(), at: 2.5).json
    #expect(json["position"] == 67.5 && json["player"] == "playing" && json["duration"] == 600)
    #expect(json["tracks"]?.array?.count == 3 && json["app"]?["id"] == "CC1AD845")
    #expect(json["idle_reason"] == nil && json["live_range"] == nil)
    let idle = Self.state(Watched.idle()).json
    #expect(idle["position"] == nil && idle["tracks"] == nil && idle["player"] == "idle")
  }
}
