import CastProtocol
import Testing

@testable import CastReceiver

/// Receivers that answer from a recording.
@Suite struct ReplayTests {
  /// A launch and a load, with times in milliseconds.
  static let evening = """
    {"recording":1,"begun":"2026-11-27T20:00:00.000Z"}
    {"atMs":0,"receiver":"TV","connection":1,"event":"opened"}
    {"atMs":1,"direction":"out","namespace":"urn:x-cast:com.google.cast.tp.connection","sourceId":"s-1","destinationId":"receiver-0","payload":{"type":"CONNECT"}}
    {"atMs":2,"direction":"out","namespace":"urn:x-cast:com.google.cast.receiver","sourceId":"s-1","destinationId":"receiver-0","payload":{"type":"GET_STATUS","requestId":1}}
    {"atMs":3,"direction":"in","namespace":"urn:x-cast:com.google.cast.receiver","sourceId":"receiver-0","destinationId":"s-1","payload":{"requestId":1,"status":{"volume":{"level":0.5}},"type":"RECEIVER_STATUS"}}
    {"atMs":10,"direction":"out","namespace":"urn:x-cast:com.google.cast.receiver","sourceId":"s-1","destinationId":"receiver-0","payload":{"type":"LAUNCH","appId":"A1B2C3D4","requestId":2}}
    {"atMs":12,"direction":"in","namespace":"urn:x-cast:com.google.cast.receiver","sourceId":"receiver-0","destinationId":"s-1","payload":{"launchRequestId":2,"status":"USER_ALLOWED","type":"LAUNCH_STATUS"}}
    {"atMs":1010,"direction":"in","namespace":"urn:x-cast:com.google.cast.receiver","sourceId":"receiver-0","destinationId":"*","payload":{"requestId":2,"status":{"applications":[{"appId":"A1B2C3D4","sessionId":"old-session","transportId":"old-transport"}],"volume":{"level":0.5}},"type":"RECEIVER_STATUS"}}
    {"atMs":1020,"direction":"out","namespace":"urn:x-cast:com.google.cast.tp.connection","sourceId":"s-1","destinationId":"old-transport","payload":{"type":"CONNECT"}}
    {"atMs":1021,"direction":"in","namespace":"urn:x-cast:com.google.cast.media","sourceId":"old-transport","destinationId":"*","payload":{"type":"MEDIA_STATUS","requestId":0,"status":[]}}
    {"atMs":1030,"direction":"out","namespace":"urn:x-cast:com.google.cast.media","sourceId":"s-1","destinationId":"old-transport","payload":{"type":"LOAD","requestId":3,"media":{"contentId":"https://cdn.example.com/film.mp4"}}}
    {"atMs":1130,"direction":"in","namespace":"urn:x-cast:com.google.cast.media","sourceId":"old-transport","destinationId":"*","payload":{"type":"MEDIA_STATUS","requestId":0,"status":[{"mediaSessionId":7,"playerState":"BUFFERING","media":{"contentId":"https://cdn.example.com/film.mp4","customData":{"sessionId":"old-session"}}}]}}
    {"atMs":1230,"direction":"in","namespace":"urn:x-cast:com.google.cast.media","sourceId":"old-transport","destinationId":"*","payload":{"type":"MEDIA_STATUS","requestId":3,"status":[{"mediaSessionId":7,"playerState":"PLAYING"}]}}
    {"atMs":5030,"direction":"out","namespace":"urn:x-cast:com.google.cast.media","sourceId":"s-1","destinationId":"old-transport","payload":{"type":"GET_STATUS","requestId":4}}
    {"atMs":5031,"direction":"in","namespace":"urn:x-cast:com.google.cast.media","sourceId":"old-transport","destinationId":"s-1","payload":{"type":"MEDIA_STATUS","requestId":4,"status":[{"mediaSessionId":7,"playerState":"PLAYING","currentTime":4}]}}
    {"atMs":6030,"direction":"in","namespace":"urn:x-cast:com.google.cast.media","sourceId":"old-transport","destinationId":"*","payload":{"type":"MEDIA_STATUS","requestId":0,"status":[{"mediaSessionId":7,"playerState":"IDLE","idleReason":"FINISHED"}]}}
    {"atMs":7000,"direction":"out","namespace":"urn:x-cast:com.google.cast.receiver","sourceId":"s-1","destinationId":"receiver-0","payload":{"type":"STOP","sessionId":"old-session","requestId":5}}
    {"atMs":7001,"direction":"in","namespace":"urn:x-cast:com.google.cast.receiver","sourceId":"receiver-0","destinationId":"*","payload":{"requestId":5,"status":{"volume":{"level":0.5}},"type":"RECEIVER_STATUS"}}
    {"atMs":7002,"direction":"in","namespace":"urn:x-cast:com.google.cast.tp.connection","sourceId":"old-transport","destinationId":"s-1","payload":{"type":"CLOSE"}}
    """

  /// A receiver that answers from `text`, with a sender connected to its platform.
  static func harness(_ text: String = evening) throws -> ReceiverHarness {
    let recording = try Recording(parsing: Array(text.utf8))
    var harness = ReceiverHarness { $0.recording = recording }
    _ = harness.open(1)
    _ = harness.connect()
    return harness
  }

  /// Launches, and joins the app.
  /// - Returns: Its entry in the status.
  private func launch(_ harness: inout ReceiverHarness) throws -> JSONValue {
    _ = harness.send(["type": "LAUNCH", "appId": "A1B2C3D4", "requestId": 900])
    let heard = harness.advance(by: .seconds(1))
    let app = try #require(heard.last?.json["status"]?["applications"]?.array?.first)
    _ = harness.connect(to: app["transportId"]?.string ?? "")
    // The status that greeted the one who joined.
    _ = harness.advance(by: .milliseconds(1))
    return app
  }

  private func load(_ harness: inout ReceiverHarness, _ app: JSONValue, _ film: String = "film") -> [ReceiverHarness
    .Heard]
  {
    harness.send(
      ["type": "LOAD", "requestId": 901, "media": ["contentId": .string("https://cdn.example.com/\(film).mp4")]],
      on: .media, to: app["transportId"]?.string ?? "")
  }

  @Test("Nobody can press a button of a receiver that answers from a recording: its status would be another's")
  func pressed() throws {
    let harness = try Self.harness()
    for action in [PersonAction.pause, .volumeDown, .power] {
      #expect(harness.machine.refusal(of: action, at: .zero)?.message.contains("recording") == true)
    }
  }

  @Test("A message with credentials, which no recording holds, is known all the same")
  func credentials() throws {
    let line =
      #"{"direction":"in","namespace":"urn:x-cast:a","payload":{"type":"login","credentials":"‹credentials›"}}"#
    let recorded = try #require(try Recording(parsing: Array(line.utf8)).messages.first?.object)
    let live: JSONObject = ["type": "login", "credentials": "hunter2"]
    #expect(ReplayMatching.isSame(recorded, live, on: Namespace(rawValue: "urn:x-cast:a")))
    let other: JSONObject = ["type": "login", "credentials": "hunter2", "user": "x"]
    #expect(!ReplayMatching.isSame(recorded, other, on: Namespace(rawValue: "urn:x-cast:a")))
  }

  @Test("Answers come after as long as then, with the ids of the requests at hand and new session ids")
  func answers() throws {
    var harness = try Self.harness()
    #expect(harness.send(["type": "GET_STATUS", "requestId": 77]) == [])
    let status = harness.advance(by: .milliseconds(1))
    #expect(status.map(\.requestID) == [77] && status.first?.json["status"]?["volume"]?["level"] == 0.5)
    #expect(harness.send(["type": "LAUNCH", "appId": "A1B2C3D4", "requestId": 900]) == [])
    #expect(harness.advance(by: .milliseconds(2)).first?.json["launchRequestId"] == 900)
    #expect(harness.advance(by: .milliseconds(997)) == [])
    let launched = harness.advance(by: .milliseconds(1))
    let app = try #require(launched.first?.json["status"]?["applications"]?.array?.first)
    #expect(launched.first?.requestID == 900 && launched.first?.destination == "*")
    #expect(app["sessionId"]?.string?.count == 36 && app["sessionId"] != app["transportId"])
  }

  @Test("What the person who runs it is shown is what senders were told, and not an idle receiver")
  func snapshot() throws {
    var harness = try Self.harness()
    _ = harness.advance(by: .milliseconds(1))
    #expect(harness.machine.snapshot(at: harness.now).app == nil)
    let app = try launch(&harness)
    _ = load(&harness, app)
    _ = harness.advance(by: .milliseconds(250))
    let start = harness.now
    let playing = harness.machine.snapshot(at: start + .seconds(2))
    #expect(playing.app?.id == "A1B2C3D4" && playing.app?.sessionID == app["sessionId"]?.string)
    #expect(playing.volume.level == 0.5 && playing.media?.state == .playing && playing.media?.sessionID == 7)
    #expect(playing.media?.address == "https://cdn.example.com/film.mp4")
    #expect(playing.media.map { $0.position > 1.9 && $0.position < 2.3 } == true)
    #expect(playing.senders?.contains { $0.isAtApp } == true)
    _ = harness.advance(by: .seconds(10))
    #expect(harness.machine.snapshot(at: harness.now).media == nil)
  }

  @Test("All that came unasked behind a command is sent, however much it is")
  func crowd() throws {
    let count = 10_000
    var lines = [
      #"{"atMs":0,"direction":"out","namespace":"urn:x-cast:com.google.cast.receiver","payload":{"type":"SET_VOLUME","requestId":1,"volume":{"level":0.5}}}"#
    ]
    lines += (1...count).map {
      #"{"atMs":\#($0),"direction":"in","namespace":"urn:x-cast:com.google.cast.receiver","payload":{"type":"RECEIVER_STATUS","requestId":0,"status":{"volume":{"level":0.5},"n":\#($0)}}}"#
    }
    var harness = try Self.harness(lines.joined(separator: "\n"))
    _ = harness.send(["type": "SET_VOLUME", "requestId": 5, "volume": ["level": 0.5]])
    let heard = harness.advance(by: .seconds(20))
    #expect(heard.compactMap { $0.json["status"]?["n"]?.int } == Array(1...count))
  }

  @Test("Who asks for the same without end does not have the receiver keep more and more")
  func greedy() throws {
    let ask =
      #"{"atMs":0,"direction":"out","namespace":"urn:x-cast:com.google.cast.receiver","payload":{"type":"SET_VOLUME","requestId":1,"volume":{"level":0.5}}}"#
    let told =
      #"{"atMs":50,"direction":"in","namespace":"urn:x-cast:com.google.cast.receiver","payload":{"type":"RECEIVER_STATUS","requestId":0,"status":{}}}"#
    var harness = try Self.harness(([ask] + Array(repeating: told, count: 100)).joined(separator: "\n"))
    for _ in 0..<100 { _ = harness.send(["type": "SET_VOLUME", "requestId": 5, "volume": ["level": 0.5]]) }
    let heard = harness.advance(by: .seconds(2))
    #expect(heard.count >= 4096 && heard.count <= 4200, "\(heard.count)")
  }

  @Test("What stands for credentials in a recording is sent to nobody")
  func standIns() throws {
    let status =
      #"{"atMs":2,"direction":"in","namespace":"urn:x-cast:com.google.cast.receiver","payload":{"type":"RECEIVER_STATUS","requestId":1,"status":{"applications":[{"appId":"A1B2C3D4","launch":{"credentials":"‹credentials›","credentialsType":"web"}}]}}}"#
    let ask =
      #"{"atMs":1,"direction":"out","namespace":"urn:x-cast:com.google.cast.receiver","payload":{"type":"GET_STATUS","requestId":1}}"#
    var harness = try Self.harness("\(ask)\n\(status)")
    var heard = harness.send(["type": "GET_STATUS", "requestId": 5])
    heard += harness.advance(by: .seconds(1))
    let launch = heard.last?.json["status"]?["applications"]?.array?.first?["launch"]
    #expect(launch == ["credentialsType": "web"], "\(heard)")
  }

  @Test("What came unasked comes after the request before it, and ids inside of content stay as they were")
  func unasked() throws {
    var harness = try Self.harness()
    let app = try launch(&harness)
    #expect(load(&harness, app) == [])
    let heard = harness.advance(by: .seconds(10))
    #expect(heard.summary == ["BUFFERING", "PLAYING #901", "IDLE/FINISHED"])
    #expect(heard.allSatisfy { $0.source == app["transportId"]?.string && $0.destination == "*" })
    #expect(heard[0].media?["media"]?["customData"]?["sessionId"] == "old-session")
    #expect(harness.unknown == [])
  }

  @Test("Who looks at another moment than then gets the statuses so far, merged")
  func looking() throws {
    var harness = try Self.harness()
    let app = try launch(&harness)
    _ = load(&harness, app)
    _ = harness.advance(by: .milliseconds(350))
    let look: JSONValue = ["type": "GET_STATUS", "requestId": 5]
    let transport = app["transportId"]?.string ?? ""
    let early = harness.send(look, on: .media, to: transport)
    #expect(early.last?.requestID == 5 && early.last?.destination == "sender-0")
    #expect(early.last?.media?["playerState"] == "PLAYING" && early.last?.media?["currentTime"] == nil)
    #expect(early.last?.media?["media"]?["contentId"] == "https://cdn.example.com/film.mp4")
    // At the time of the recorded look that one's answer is right.
    _ = harness.advance(by: .milliseconds(3650))
    _ = harness.send(look, on: .media, to: transport)
    #expect(harness.advance(by: .milliseconds(1)).last?.media?["currentTime"] == 4)
    let platform = harness.send(["type": "GET_STATUS", "requestId": 6])
    #expect(platform.last?.json["status"]?["applications"]?.array?.first?["sessionId"] == app["sessionId"])
  }

  @Test("A request that comes earlier than then brings what came before it first")
  func early() throws {
    var harness = try Self.harness()
    let app = try launch(&harness)
    _ = load(&harness, app)
    let stop: JSONValue = ["type": "STOP", "requestId": 8, "sessionId": app["sessionId"] ?? .null]
    var heard = harness.send(stop)
    heard += harness.advance(by: .milliseconds(10))
    #expect(heard.summary == ["BUFFERING", "PLAYING #901", "IDLE/FINISHED", "RECEIVER_STATUS #8", "CLOSE"])
    #expect(heard.last?.source == app["transportId"]?.string)
    // The app is gone: nobody can join it.
    #expect(harness.connect(to: app["transportId"]?.string ?? "").map(\.type) == ["CLOSE"])
  }

  @Test("What is asked once more is answered once more, as another session")
  func again() throws {
    var harness = try Self.harness()
    let first = try launch(&harness)
    _ = load(&harness, first)
    let one = harness.advance(by: .seconds(10))
    let second = try launch(&harness)
    _ = load(&harness, second)
    let other = harness.advance(by: .seconds(10))
    #expect(first["sessionId"] != second["sessionId"])
    let ids = (one + other).compactMap { $0.media?["mediaSessionId"]?.int }
    #expect(ids == [7, 7, 7, 8, 8, 8])
  }

  @Test("Unknown requests are answered as devices do, and told; other content is unknown")
  func unknown() throws {
    var harness = try Self.harness()
    #expect(
      harness.send(["type": "LAUNCH", "appId": "CC1AD845", "requestId": 4]).summary == ["LAUNCH_ERROR NOT_FOUND #4"])
    let app = try launch(&harness)
    let transport = app["transportId"]?.string ?? ""
    #expect(load(&harness, app, "other").last?.type == "LOAD_FAILED")
    #expect(
      harness.send(["type": "PAUSE", "requestId": 9, "mediaSessionId": 7], on: .media, to: transport).summary
        == ["INVALID_REQUEST INVALID_COMMAND #9"])
    let chat = Namespace(rawValue: "urn:x-cast:com.example.chat")
    #expect(harness.send(["hello": true], on: chat, to: transport) == [])
    #expect(
      harness.unknown.map(\.request) == [
        "LAUNCH CC1AD845", "LOAD https://cdn.example.com/other.mp4", "PAUSE", "a message",
      ])
    #expect(harness.unknown.map(\.answer) == ["LAUNCH_ERROR", "LOAD_FAILED", "INVALID_REQUEST", nil])
    let apps = harness.send(["type": "GET_APP_AVAILABILITY", "appId": ["A1B2C3D4", "CC1AD845"], "requestId": 10])
    #expect(
      apps.last?.json["availability"] == ["A1B2C3D4": "APP_AVAILABLE", "CC1AD845": "APP_UNAVAILABLE"])
  }

  @Test("Who it is the receiver says itself where the recording does not")
  func identity() throws {
    var harness = try Self.harness()
    let answer = harness.send(["type": "GET_DEVICE_INFO", "requestId": 3], on: .deviceDiscovery)
    #expect(answer.last?.requestID == 3 && harness.unknown == [])
  }

  /// Requests and whether they are taken for the recorded one.
  static let alike: [(recorded: JSONObject, live: JSONObject, isSame: Bool)] = [
    (["type": "SEEK", "currentTime": 100], ["type": "SEEK", "currentTime": 101.4], true),
    (["type": "SEEK", "currentTime": 100], ["type": "SEEK", "currentTime": 110], false),
    (["type": "SEEK", "relativeTime": 10], ["type": "SEEK", "currentTime": 10], false),
    (["type": "SET_VOLUME", "volume": ["level": 0.3]], ["type": "SET_VOLUME", "volume": ["level": 0.30000001]], true),
    (["type": "SET_VOLUME", "volume": ["level": 0.3]], ["type": "SET_VOLUME", "volume": ["muted": true]], false),
    (
      ["type": "LOAD", "media": ["contentId": "http://192.0.2.7:4000/m/aaaa/film.mp4"]],
      ["type": "LOAD", "media": ["contentId": "http://192.0.2.8:5000/m/bbbb/film.mp4"], "customData": 1], true
    ),
    (
      ["type": "QUEUE_LOAD", "items": [["media": ["contentId": "a"]]]],
      ["type": "QUEUE_LOAD", "items": [["media": ["contentId": "b"]]]], false
    ),
    (["type": "EDIT_TRACKS_INFO", "activeTrackIds": [1]], ["type": "EDIT_TRACKS_INFO", "activeTrackIds": []], false),
    (["type": "PLAY", "customData": 1], ["type": "PLAY"], true),
    (["type": "X_OWN", "requestId": 1, "a": 1], ["type": "X_OWN", "requestId": 2, "a": 1], true),
    (["type": "X_OWN", "a": 1], ["type": "X_OWN", "a": 2], false),
  ]
  @Test("Requests are alike by the members that matter", arguments: alike)
  func matching(recorded: JSONObject, live: JSONObject, isSame: Bool) {
    #expect(ReplayMatching.isSame(recorded, live, on: .media) == isSame)
  }

  @Test("A message to everyone that went over several connections is sent once")
  func everyone() throws {
    let status = #""namespace":"urn:x-cast:com.google.cast.receiver","sourceId":"receiver-0","destinationId":"*""#
    let text = """
      {"connection":1,"direction":"out","namespace":"urn:x-cast:com.google.cast.receiver","payload":{"type":"LAUNCH","appId":"A","requestId":1}}
      {"connection":1,"direction":"in",\(status),"payload":{"requestId":1,"type":"RECEIVER_STATUS","status":{}}}
      {"connection":2,"direction":"in",\(status),"payload":{"requestId":1,"type":"RECEIVER_STATUS","status":{}}}
      {"connection":1,"direction":"in",\(status),"payload":{"requestId":0,"type":"RECEIVER_STATUS","status":{}}}
      {"connection":1,"direction":"in",\(status),"payload":{"requestId":0,"type":"RECEIVER_STATUS","status":{}}}
      """
    var harness = try Self.harness(text)
    #expect(harness.send(["type": "LAUNCH", "appId": "A", "requestId": 5]).map(\.requestID) == [5, 0, 0])
  }
}
