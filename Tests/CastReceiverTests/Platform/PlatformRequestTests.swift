import CastProtocol
import Testing

@testable import CastReceiver

@Suite struct PlatformRequestTests {
  @Test("An idle device has no applications in its status")
  func idle() throws {
    var receiver = ReceiverHarness()
    _ = receiver.open(1) + receiver.connect()
    let answer = try #require(receiver.send(["type": "GET_STATUS", "requestId": 7]).first)
    #expect((answer.source, answer.destination) == ("receiver-0", "sender-0"))
    #expect(
      answer.json == [
        "requestId": 7, "type": "RECEIVER_STATUS",
        "status": [
          "isActiveInput": true, "isStandBy": false, "userEq": [:],
          "volume": [
            "controlType": "attenuation", "level": 1, "muted": false, "stepInterval": 0.05000000074505806,
          ],
        ],
      ])
  }

  static let errors: [(request: JSONValue, answer: [String])] = [
    (["type": "GET_STATUS"], []),
    (["type": "GET_STATUS", "requestId": "7"], []),
    (["type": "GET_STATUS", "requestId": 0], []),
    (["type": "GET_STATUS", "requestId": 1.5], []),
    (["type": "LAUNCH", "appId": "CC1AD845"], []),
    (["requestId": 7], []),
    (["type": "DANCE", "requestId": 7], ["INVALID_REQUEST INVALID_COMMAND #7"]),
    (["type": "LAUNCH", "requestId": 7], ["LAUNCH_ERROR BAD_PARAMETER #7"]),
    (["type": "LAUNCH", "requestId": 7, "appId": 5], ["LAUNCH_ERROR BAD_PARAMETER #7"]),
    (["type": "LAUNCH", "requestId": 7, "appId": "DEADBEEF"], ["LAUNCH_ERROR NOT_FOUND #7"]),
    (["type": "STOP", "requestId": 7, "sessionId": "gone"], ["INVALID_REQUEST INVALID_SESSION_ID #7"]),
    (["type": "STOP", "requestId": 7, "sessionId": 3], ["INVALID_REQUEST INVALID_SESSION_ID #7"]),
    (["type": "SET_VOLUME", "requestId": 7], ["INVALID_REQUEST BAD_PARAMETER #7"]),
    (["type": "SET_VOLUME", "requestId": 7, "volume": [:]], ["INVALID_REQUEST BAD_PARAMETER #7"]),
    (["type": "SET_VOLUME", "requestId": 7, "volume": ["level": "loud"]], ["INVALID_REQUEST BAD_PARAMETER #7"]),
    (["type": "SET_VOLUME", "requestId": 7, "volume": ["muted": 2]], ["INVALID_REQUEST BAD_PARAMETER #7"]),
    (["type": "GET_APP_AVAILABILITY", "requestId": 7], ["INVALID_REQUEST BAD_PARAMETER #7"]),
    (["type": "GET_APP_AVAILABILITY", "requestId": 7, "appId": "CC1AD845"], ["INVALID_REQUEST BAD_PARAMETER #7"]),
    (["type": "GET_APP_AVAILABILITY", "requestId": 7, "appId": [1]], ["INVALID_REQUEST BAD_PARAMETER #7"]),
  ]
  @Test("A request that is wrong gets its error, one without a usable id gets no answer", arguments: errors)
  func refused(request: JSONValue, answer: [String]) {
    var receiver = ReceiverHarness()
    _ = receiver.open(1) + receiver.connect() + receiver.open(2) + receiver.connect(connection: 2)
    let heard = receiver.send(request)
    #expect(heard.summary == answer)
    #expect(heard.allSatisfy { $0.connection == 1 && $0.destination == "sender-0" }, "only the requester is told")
    #expect(receiver.machine.application == nil)
  }

  @Test("LAUNCH tells the launcher LAUNCH_STATUS, then everyone the status with the launcher's id")
  func launch() throws {
    var receiver = ReceiverHarness()
    _ = receiver.open(1) + receiver.connect() + receiver.open(2) + receiver.connect("sender-b", connection: 2)
    let heard = receiver.send(["type": "LAUNCH", "appId": "CC1AD845", "requestId": 4])
    #expect(heard.map(\.type) == ["LAUNCH_STATUS", "RECEIVER_STATUS", "RECEIVER_STATUS"])
    #expect(heard[0].json == ["launchRequestId": 4, "status": "USER_ALLOWED", "type": "LAUNCH_STATUS"])
    #expect(heard.map(\.connection) == [1, 1, 2])
    #expect(heard.map(\.destination) == ["sender-0", "*", "*"])
    #expect(heard[1].json == heard[2].json && heard[1].requestID == 4)
    let app = try #require(heard[1].json["status"]?["applications"]?.array?.first)
    #expect(app["appId"] == "CC1AD845" && app["displayName"] == "Default Media Receiver")
    #expect(app["sessionId"] == app["transportId"] && app["sessionId"]?.string?.count == 36)
    #expect(app["namespaces"]?.array?.contains(["name": "urn:x-cast:com.google.cast.media"]) == true)
    #expect(app["senderConnected"] == false)
  }

  @Test("LAUNCH_STATUS and senderConnected can be switched off")
  func oldFirmware() {
    var receiver = ReceiverHarness {
      $0.sendsLaunchStatus = false
      $0.reportsSenderConnected = false
      $0.media.joining = .silent
    }
    let heard = receiver.start()
    #expect(heard.summary == ["RECEIVER_STATUS #1"])
    #expect(heard[0].json["status"]?["applications"]?.array?.first?["senderConnected"] == nil)
  }

  @Test("A sender that joins an app gets a MEDIA_STATUS, and senderConnected changes with the first and the last")
  func join() {
    var receiver = ReceiverHarness()
    receiver.start()
    _ = receiver.open(2) + receiver.connect(connection: 2)
    #expect(receiver.connect(to: receiver.transport, connection: 2).summary == ["[]", "[]"])
    #expect(receiver.close(2) == [])
    _ = receiver.open(3) + receiver.connect(connection: 3)
    let heard = receiver.close(1)
    #expect(heard.summary == ["RECEIVER_STATUS"])
    #expect(heard.first?.json["status"]?["applications"]?.array?.first?["senderConnected"] == false)
    #expect(receiver.connect(to: receiver.transport, connection: 3).map(\.type) == ["MEDIA_STATUS", "RECEIVER_STATUS"])
  }

  @Test("An invisible sender hears the app but does not count, and cannot launch")
  func invisible() {
    var receiver = ReceiverHarness()
    receiver.start()
    _ = receiver.open(2)
    _ = receiver.send(["type": "CONNECT", "connType": 2], on: .connection, connection: 2)
    let connect: JSONValue = ["type": "CONNECT", "connType": 2]
    _ = receiver.send(connect, on: .connection, to: receiver.transport, connection: 2)
    #expect(receiver.close(1).map(\.connection) == [2])
    #expect(receiver.send(["type": "LAUNCH", "appId": "A1B2C3D4", "requestId": 4], connection: 2) == [])
    #expect(receiver.machine.application?.appID == "CC1AD845")
  }

  @Test("Launching the app that runs restarts nothing")
  func relaunch() {
    var receiver = ReceiverHarness()
    receiver.start()
    let transport = receiver.transport
    receiver.load(film)
    #expect(receiver.send(["type": "LAUNCH", "appId": "CC1AD845", "requestId": 9]).summary == ["RECEIVER_STATUS #9"])
    #expect(receiver.transport == transport && receiver.status()?["playerState"] == "PLAYING")
  }

  @Test("Launching another app stops the present one: a status without it, CLOSE from it, a status with the new one")
  func replace() {
    var receiver = ReceiverHarness()
    receiver.start()
    let transport = receiver.transport
    let heard = receiver.send(["type": "LAUNCH", "appId": "A1B2C3D4", "requestId": 9])
    #expect(heard.summary == ["LAUNCH_STATUS", "RECEIVER_STATUS", "CLOSE", "RECEIVER_STATUS #9"])
    #expect(heard[1].json["status"]?["applications"] == nil)
    #expect((heard[2].source, heard[2].destination) == (transport, "sender-0"))
    #expect(receiver.transport != transport)
    #expect(receiver.media("GET_STATUS") == [], "the new app needs a CONNECT of its own")

    var quiet = ReceiverHarness { $0.sendsInterimStatus = false }
    quiet.start()
    #expect(
      quiet.send(["type": "LAUNCH", "appId": "A1B2C3D4", "requestId": 9]).summary == [
        "LAUNCH_STATUS", "CLOSE", "RECEIVER_STATUS #9",
      ])
  }

  @Test(
    "STOP ends the app: a status without it with the id, then CLOSE to each of its senders", arguments: [true, false])
  func stop(namesSession: Bool) {
    var receiver = ReceiverHarness()
    receiver.start()
    _ =
      receiver.open(2) + receiver.connect(connection: 2) + receiver.connect("b", to: receiver.transport, connection: 2)
    var request: JSONObject = ["type": "STOP", "requestId": 9]
    if namesSession { request["sessionId"] = .string(receiver.transport) }
    let heard = receiver.send(.object(request), connection: 2)
    #expect(heard.summary == ["RECEIVER_STATUS #9", "RECEIVER_STATUS #9", "CLOSE", "CLOSE"])
    #expect(heard.map(\.destination) == ["*", "*", "sender-0", "b"])
    #expect(receiver.machine.nextDeadline == nil)
    #expect(
      receiver.send(["type": "STOP", "requestId": 10]).summary == ["RECEIVER_STATUS #10", "RECEIVER_STATUS #10"])
  }

  static let levels: [(asked: Double, step: Double, level: Double)] = [
    (0.4, 0.05, 0.4), (0.42, 0.05, 0.4), (0.43, 0.05, 0.45), (7, 0.05, 1), (-1, 0.05, 0), (0.333, 0.01, 0.33),
    (1, 0.04, 1), (0.99, 0.3, 0.9),
  ]
  @Test("A level is rounded to the device's steps and printed as a widened 32-bit float", arguments: levels)
  func level(asked: Double, step: Double, level: Double) {
    var receiver = ReceiverHarness { $0.volumeStep = step }
    _ = receiver.open(1) + receiver.connect()
    let heard = receiver.send(["type": "SET_VOLUME", "requestId": 2, "volume": ["level": JSONValue(asked)]])
    #expect(heard.first?.destination == "*" && heard.first?.requestID == 2)
    #expect(heard.first?.json["status"]?["volume"]?["level"]?.number == Double(Float(level)))
  }

  @Test("Muting leaves the level, a level leaves the muting")
  func muting() {
    var receiver = ReceiverHarness { $0.volumeLevel = 0.5 }
    _ = receiver.open(1) + receiver.connect()
    let muted = receiver.send(["type": "SET_VOLUME", "requestId": 2, "volume": ["muted": true]]).first
    #expect(muted?.json["status"]?["volume"]?["level"] == 0.5)
    let level = receiver.send(["type": "SET_VOLUME", "requestId": 3, "volume": ["level": 0.25]]).first
    #expect(level?.json["status"]?["volume"]?["muted"] == true && level?.json["status"]?["volume"]?["level"] == 0.25)
  }

  @Test("A fixed volume answers and does not change")
  func fixed() {
    var receiver = ReceiverHarness { $0.volumeControl = .fixed }
    _ = receiver.open(1) + receiver.connect()
    let heard = receiver.send(["type": "SET_VOLUME", "requestId": 2, "volume": ["level": 0.25, "muted": true]])
    let volume = heard.first?.json["status"]?["volume"]
    #expect(volume?["controlType"] == "fixed" && volume?["level"] == 1 && volume?["muted"] == false)
  }

  @Test("GET_APP_AVAILABILITY is answered by responseType, without type")
  func availability() {
    var receiver = ReceiverHarness()
    _ = receiver.open(1) + receiver.connect()
    let heard = receiver.send(
      ["type": "GET_APP_AVAILABILITY", "requestId": 8, "appId": ["CC1AD845", "DEADBEEF", "CC1AD845"]])
    #expect(
      heard.map(\.json) == [
        [
          "requestId": 8, "responseType": "GET_APP_AVAILABILITY",
          "availability": ["CC1AD845": "APP_AVAILABLE", "DEADBEEF": "APP_UNAVAILABLE"],
        ]
      ])
  }

  @Test("The same seed gives the same session ids, another seed gives others")
  func seeds() {
    func ids(_ seed: UInt64) -> [String] {
      var generator = SessionIDGenerator(seed: seed)
      return (0..<3).map { _ in generator.next() }
    }
    #expect(ids(1) == ids(1) && Set(ids(1) + ids(2)).count == 6)
    for id in ids(3) { #expect(id.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12]) }
  }

  static let neighbours: [(namespace: String, request: JSONValue, path: [String], value: JSONValue)] = [
    ("receiver.discovery", ["type": "GET_DEVICE_INFO", "requestId": 3], ["friendlyName"], "Showcaller (virtual)"),
    ("setup", ["type": "eureka_info", "request_id": 3], ["data", "name"], "Showcaller (virtual)"),
    ("multizone", ["type": "GET_STATUS", "requestId": 3], ["status", "isMultichannel"], false),
  ]
  @Test("The neighbouring namespaces say what the device is", arguments: neighbours)
  func neighbour(namespace: String, request: JSONValue, path: [String], value: JSONValue) {
    var receiver = ReceiverHarness()
    _ = receiver.open(1) + receiver.connect()
    let heard = receiver.send(request, on: Namespace(rawValue: "urn:x-cast:com.google.cast.\(namespace)"))
    #expect(heard.count == 1)
    #expect(path.reduce(heard.first?.json) { $0?[$1] } == value)
    #expect(heard.first?.requestID ?? heard.first?.json["request_id"]?.int == 3)
  }
}
