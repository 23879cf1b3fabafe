import CastClient
import CastProtocol
import ScenarioLanguage
import Testing

@testable import DeviceControl
@testable import RunReporting

@Suite("Messages and requests as events of the step that runs") struct WireContextTests {
  static func told(_ contents: [WireRecord.Content], step: String? = nil, attempt: Int = 1) -> [Event] {
    let events = ToldEvents()
    let emitter = EventEmitter(show: TimeSource(ContinuousClock()), wallClock: { 0 }, sink: events)
    let context = WireContext(emitter: emitter, document: "doc", device: "tv")
    if step != nil { context.enter(step: step, attempt: attempt) }
    for content in contents { context.record(WireRecord(content, at: .zero)) }
    return events.all
  }

  static func message(_ json: JSONValue, _ namespace: Namespace = .receiver) -> CastMessage {
    CastMessage(source: .sender, destination: .receiver, namespace: namespace, json: json)
  }

  @Test(
    "A namespace of the platform has a short name, an app's its whole",
    arguments: [
      (Namespace.connection, "connection"), (.receiver, "receiver"), (.media, "media"), (.deviceAuth, "deviceauth"),
      (Namespace(rawValue: "urn:x-cast:com.example.media"), "urn:x-cast:com.example.media"),
    ])
  func names(namespace: Namespace, name: String) { #expect(WireContext.shortName(namespace) == name) }

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var message: CastMessage
    var fields: JSONObject?
  }

  static let rows: [Row] = [
    Row(
      testDescription: "a request", message: message(["type": "GET_STATUS", "requestId": 7]),
      fields: [
        "attempt": 1, "id": 7, "ns": "receiver", "msg": ["type": "GET_STATUS"], "from": "sender-0", "to": "receiver-0",
      ]),
    Row(
      testDescription: "for everybody", message: message(["type": "RECEIVER_STATUS", "requestId": 0]),
      fields: [
        "attempt": 1, "ns": "receiver", "msg": ["type": "RECEIVER_STATUS"], "from": "sender-0", "to": "receiver-0",
      ]),
    Row(testDescription: "a heartbeat", message: message(["type": "PING"], .heartbeat)),
    Row(
      testDescription: "no object", message: message([1, 2], Namespace(rawValue: "urn:x-cast:a")),
      fields: ["attempt": 1, "ns": "urn:x-cast:a", "msg": [1, 2], "from": "sender-0", "to": "receiver-0"]),
    Row(
      testDescription: "no JSON",
      message: CastMessage(source: .sender, destination: .receiver, namespace: .media, payload: .text("{oops")),
      fields: ["attempt": 1, "ns": "media", "msg": "{oops", "from": "sender-0", "to": "receiver-0"]),
    Row(
      testDescription: "bytes",
      message: CastMessage(
        source: .sender, destination: .receiver, namespace: .deviceAuth, payload: .binary([1, 2, 3])),
      fields: ["attempt": 1, "ns": "deviceauth", "msg": ["bytes": 3], "from": "sender-0", "to": "receiver-0"]),
  ]

  @Test("A message is told with its request id beside it; heartbeats are not", arguments: rows)
  func message(row: Row) {
    let events = Self.told([.sent(row.message), .received(row.message)])
    #expect(events.map(\.type) == (row.fields == nil ? [] : [.request, .reply]))
    for event in events {
      #expect(event.fields == row.fields)
      #expect(event.document == "doc" && event.device == "tv" && event.step == nil)
    }
  }

  @Test("Messages that are kept are told when something failed, each once, with their time and direction")
  func kept() {
    let events = ToldEvents()
    let show = TimeSource(ContinuousClock())
    let emitter = EventEmitter(show: show, wallClock: { 0 }, sink: events)
    let context = WireContext(emitter: emitter, document: "doc", device: "tv")
    context.tellLast(step: "s1")
    #expect(events.all.isEmpty)
    let sent = Self.message(["type": "GET_STATUS", "requestId": 7])
    context.keep(WireRecord(.sent(sent), at: emitter.start + .milliseconds(1500)))
    context.keep(WireRecord(.received(Self.message(["type": "PONG"], .heartbeat)), at: emitter.start))
    context.keep(WireRecord(.received(Self.message(["type": "X"], .media)), at: emitter.start + .seconds(2)))
    context.tellLast(step: "s2")
    context.tellLast(step: "s3")
    #expect(events.all.map(\.type) == [.messages] && events.all.map(\.step) == ["s2"])
    #expect(
      events.all.first?.fields == [
        "messages": [
          [
            "e": 1.5, "sent": true, "id": 7, "ns": "receiver", "msg": ["type": "GET_STATUS"], "from": "sender-0",
            "to": "receiver-0",
          ],
          [
            "e": 2, "sent": false, "ns": "media", "msg": ["type": "X"], "from": "sender-0", "to": "receiver-0",
          ],
        ]
      ])
  }

  @Test("It is told of the step and the try that run")
  func step() {
    let event = Self.told([.sent(Self.message(["type": "STOP"]))], step: "s4", attempt: 3).first
    #expect(event?.step == "s4" && event?.fields["attempt"] == 3)
  }
}

extension WireContextTests {
  @Test(
    "What the client could not do has the same class in a step",
    arguments: ClientError.Class.allCases)
  func classes(errorClass: ClientError.Class) {
    let error = ClientError(errorClass, "why", wire: ["type": "X"], help: "cure")
    let failure = StepFailure(error)
    #expect(failure.errorClass.rawValue == errorClass.rawValue)
    #expect(failure.message == "why" && failure.help == "cure" && failure.wire == ["type": "X"])
  }
}
