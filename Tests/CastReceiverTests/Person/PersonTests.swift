import CastProtocol
import Testing

@testable import CastReceiver

extension ReceiverHarness {
  fileprivate mutating func press(_ action: PersonAction) -> [Heard] { input(.person(action)) }
  fileprivate func refusal(of action: PersonAction) -> String? { machine.refusal(of: action, at: now)?.message }
}

/// The remote control and other phones: what senders hear of them.
@Suite struct PersonTests {
  @Test("Keys of playback are told to everyone, in answer to nobody")
  func playback() {
    var harness = ReceiverHarness()
    harness.start()
    _ = harness.open(2) + harness.connect(connection: 2)
    _ = harness.connect(to: harness.transport, connection: 2)
    harness.load(film)
    _ = harness.advance(by: .seconds(5))
    let paused = harness.press(.pause)
    #expect(paused.summary == ["PAUSED", "PAUSED"] && paused.map(\.connection) == [1, 2])
    #expect(paused.allSatisfy { $0.requestID == 0 && $0.destination == "*" })
    #expect(harness.press(.play).summary == ["PLAYING", "PLAYING"])
    #expect(harness.press(.stop).summary == ["IDLE/CANCELLED", "IDLE/CANCELLED"])
    #expect(harness.machine.application != nil)
  }

  @Test("The keys of a queue go through its items, and no further")
  func queue() {
    var harness = ReceiverHarness()
    harness.start()
    _ = harness.media("QUEUE_LOAD", ["items": [["media": film], ["media": film]]])
    #expect(harness.status()?["currentItemId"] == 1)
    _ = harness.press(.next)
    #expect(harness.status()?["currentItemId"] == 2)
    #expect(harness.refusal(of: .next) == "there is no next item" && harness.press(.next) == [])
    _ = harness.press(.previous)
    #expect(harness.status()?["currentItemId"] == 1)
  }

  @Test("The volume goes by its steps to its ends; louder ends a mute, and what is fixed stays")
  func volume() {
    var harness = ReceiverHarness { $0.volumeStep = 0.5 }
    harness.start()
    func heard(_ heard: [ReceiverHarness.Heard]) -> [JSONValue?] {
      heard.map { $0.json["status"]?["volume"]?["level"] }
    }
    #expect(harness.press(.volumeUp) == [])
    #expect(heard(harness.press(.volumeDown)) == [0.5] && heard(harness.press(.volumeDown)) == [0])
    #expect(harness.press(.volumeDown) == [])
    let muted = harness.press(.mute)
    #expect(muted.first?.json["status"]?["volume"]?["muted"] == true && muted.first?.requestID == 0)
    #expect(harness.press(.volumeUp).first?.json["status"]?["volume"]?["muted"] == false)
    var fixed = ReceiverHarness { $0.volumeControl = .fixed }
    fixed.start()
    #expect(fixed.press(.volumeDown) == [] && fixed.refusal(of: .mute) == "its volume is fixed")
  }

  @Test("A group follows the remote control of its member, and the other way round")
  func group() {
    var member = ReceiverHarness()
    member.start()
    _ = member.press(.volumeDown)
    #expect(member.changes.map(\.memberID) == [nil] && abs((member.changes.first?.level ?? 0) - 0.95) < 1e-9)
    var group = ReceiverHarness { $0.members = [.init(id: "a", name: "A"), .init(id: "b", name: "B")] }
    group.start()
    _ = group.press(.mute)
    #expect(group.changes.map(\.memberID) == ["a", "b"] && group.changes.allSatisfy(\.isMuted))
  }

  static let screens: [(PersonAction, active: Bool, standby: Bool)] = [
    (.power, false, true), (.home, false, false),
  ]
  @Test(
    "What nobody sees is paused; it is told before the status, and stays so when the screen is back", arguments: screens
  )
  func screen(action: PersonAction, active: Bool, standby: Bool) {
    var harness = ReceiverHarness()
    harness.start()
    harness.load(film)
    let off = harness.press(action)
    #expect(off.summary == ["PAUSED", "RECEIVER_STATUS"])
    let status = off.last?.json["status"]
    #expect(status?["isActiveInput"] == .bool(active) && status?["isStandBy"] == .bool(standby))
    #expect(status?["applications"] != nil)
    let on = harness.press(action == .power ? .power : .input)
    #expect(on.summary == ["RECEIVER_STATUS"])
    #expect(on.last?.json["status"]?["isActiveInput"] == true && on.last?.json["status"]?["isStandBy"] == false)
    #expect(harness.status()?["playerState"] == "PAUSED")
  }

  @Test("What is cast wakes the television and takes its input")
  func wakes() {
    var harness = ReceiverHarness()
    _ = harness.open(1) + harness.connect()
    _ = harness.press(.power)
    let launched = harness.send(["type": "LAUNCH", "appId": "CC1AD845", "requestId": 1])
    #expect(launched.last?.json["status"]?["isStandBy"] == false)
    #expect(launched.last?.json["status"]?["isActiveInput"] == true)
  }

  @Test("Another phone ends the app, or puts its own in its place: senders lose theirs")
  func otherPhone() {
    var harness = ReceiverHarness()
    harness.start()
    let taken = harness.press(.takeover(appID: "233637DE", name: "YouTube"))
    #expect(taken.summary == ["RECEIVER_STATUS", "CLOSE", "RECEIVER_STATUS"])
    let app = taken.last?.json["status"]?["applications"]?.array?.first
    #expect(app?["appId"] == "233637DE" && app?["displayName"] == "YouTube")
    let ended = harness.press(.stopApp)
    #expect(ended.summary == ["RECEIVER_STATUS"] && ended.last?.json["status"]?["applications"] == nil)
    #expect(harness.refusal(of: .stopApp) == "no app runs")
  }

  @Test("What would change nothing is refused with why")
  func refusals() {
    var harness = ReceiverHarness()
    #expect(harness.refusal(of: .pause) == "no app runs")
    harness.start()
    #expect(harness.refusal(of: .pause) == "nothing is loaded")
    harness.load(film)
    #expect(harness.refusal(of: .play) == "it plays already" && harness.refusal(of: .pause) == nil)
    #expect(harness.refusal(of: .input) == "its input is on already")
    _ = harness.press(.home)
    #expect(harness.refusal(of: .pause) == "it is paused already")
    #expect(harness.refusal(of: .home) == "another input is on already")
    var slow = ReceiverHarness { $0.latency.load = .seconds(1)...(.seconds(1)) }
    slow.start()
    slow.load(film)
    #expect(slow.refusal(of: .pause) == "the content is still being loaded" && slow.press(.pause) == [])
  }

  @Test("A page keeps its keys to itself, and hears of the screen")
  func page() {
    var harness = ReceiverHarness { $0.pageAddresses = ["A1B2C3D4": "http://localhost/"] }
    _ = harness.open(1) + harness.connect()
    _ = harness.send(["type": "LAUNCH", "appId": "A1B2C3D4", "requestId": 1])
    let session = harness.lastPage ?? ""
    let ready = JSONValue.object(["type": "ready", "activeNamespaces": []]).serialized()
    _ = harness.input(
      .page(
        sessionID: session,
        .message(PageMessage(namespace: PageMessage.systemNamespace, peer: .system, data: ready))))
    #expect(harness.refusal(of: .pause)?.contains("has its keys to itself") == true)
    harness.orders = []
    _ = harness.press(.power)
    let told = harness.orders.compactMap { order -> String? in
      if case .deliver(_, let message) = order { message.data } else { nil }
    }
    #expect(told.contains { $0.contains("visibilitychanged") } && told.contains { $0.contains("standbychanged") })
  }

  @Test("A snapshot tells app, media, position, volume and senders")
  func snapshot() throws {
    var harness = ReceiverHarness()
    harness.start()
    harness.load(film)
    _ = harness.advance(by: .seconds(12))
    let json = harness.machine.snapshot(at: harness.now).json
    #expect(json["app"]?["id"] == "CC1AD845" && json["media"]?["url"] == "https://cdn.example.com/film.mp4")
    #expect(json["media"]?["player"] == "playing" && json["media"]?["position"] == 12)
    #expect(json["media"]?["duration"] == 600 && json["volume"]?["level"] == 1)
    #expect(json["senders"]?.array?.map { $0["app"] } == [false, true])
    let long = String(repeating: "x", count: 20_000)
    harness.load(["contentId": .string(long), "contentType": "video/mp4"])
    #expect(harness.machine.snapshot(at: harness.now).media?.address.count == 1024)
  }
}
