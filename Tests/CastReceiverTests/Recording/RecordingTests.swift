import CastProtocol
import Testing

@testable import CastReceiver

/// The form of recordings.
@Suite struct RecordingTests {
  static let messages: [CastMessage] = [
    CastMessage(
      source: .sender, destination: .receiver, namespace: .receiver, json: ["type": "GET_STATUS", "requestId": 1]),
    CastMessage(
      source: .receiver, destination: .everyone, namespace: Namespace(rawValue: "urn:x-cast:com.example.a"),
      payload: .text("no \"JSON\"\n")),
    CastMessage(
      source: .receiver, destination: .everyone, namespace: Namespace(rawValue: "urn:x-cast:com.example.a"),
      payload: .text("\"a JSON text\"")),
    CastMessage(
      source: .receiver, destination: .everyone, namespace: Namespace(rawValue: "urn:x-cast:com.example.a"),
      payload: .binary([0, 255, 16])),
  ]
  @Test("What is written of a message is read as it was: JSON, other text, bytes", arguments: messages)
  func roundTrip(message: CastMessage) throws {
    let line = RecordedMessage.line(
      .received(message, on: ConnectionID(rawValue: 3)), of: "Lobby TV", at: .milliseconds(1234))
    let text = line.serialized()
    #expect(!text.contains("\n"))
    let read = try #require(try Recording(parsing: Array(text.utf8)).messages.first)
    #expect(read.payload.sent == message.payload && read.namespace == message.namespace)
    #expect(read.source == message.source && read.destination == message.destination)
    #expect(read.at == .milliseconds(1234) && read.connection == 3 && read.receiver == "Lobby TV")
    #expect(read.direction == .toReceiver)
  }

  @Test("Of a proof nothing is kept but that it was asked for")
  func proof() {
    let challenge = CastMessage(
      source: .sender, destination: .receiver, namespace: .deviceAuth, payload: .binary([1, 2, 3]))
    let line = RecordedMessage.line(.received(challenge, on: ConnectionID(rawValue: 1)), of: "TV", at: .zero)
    #expect(line["payloadHex"] == nil && line["namespace"]?.string == Namespace.deviceAuth.rawValue)
  }

  @Test("Credentials are not kept, wherever they stand")
  func credentials() {
    let load = CastMessage(
      source: .sender, destination: .receiver, namespace: .media,
      json: ["type": "LOAD", "credentials": "s3cret", "list": [["credentials": "s3cret", "credentialsType": "web"]]])
    let line = RecordedMessage.line(.received(load, on: ConnectionID(rawValue: 1)), of: "TV", at: .zero)
    #expect(!line.serialized().contains("s3cret"))
    #expect(line["payload"]?["list"]?.array?.first?["credentialsType"] == "web")
  }

  @Test("Connections, platform messages, other namespaces and unknown members are passed over")
  func foreign() throws {
    let list = """
      [{"direction":"platform","namespace":"urn:x-cast:com.google.cast.system","payload":{}},
       {"direction":"in","namespace":"mdns:_googlecast._tcp","payload":{}},
       {"direction":"in","namespace":"urn:x-cast:a","payload":{"type":"X"},"note":"?","destinationId":"*:*"}]
      """
    let recording = try Recording(parsing: Array(list.utf8))
    #expect(recording.messages.map(\.destination) == [.everyone] && !recording.hasTimes && recording.receivers == [])
  }

  static let problems: [(text: String, line: Int?, message: String)] = [
    ("", nil, "it holds no message of a sender or a receiver"),
    ("[]", nil, "it holds no message of a sender or a receiver"),
    ("{\"recording\":2}\n", 1, "a newer showcaller wrote it (version 2)"),
    ("{}\nhello\n{}\n", 2, "this is no JSON object"),
    ("name: yaml\n", 1, "this is no JSON object"),
  ]
  @Test("What is no recording is refused with its line", arguments: problems)
  func refused(text: String, line: Int?, message: String) {
    #expect(throws: Recording.Problem(line: line, message: message)) { try Recording(parsing: Array(text.utf8)) }
  }

  @Test("A last line that is cut off is left out and known")
  func cut() throws {
    let message = #"{"direction":"in","namespace":"urn:x-cast:a","payload":{}}"#
    let recording = try Recording(parsing: Array((message + "\n" + message.prefix(20)).utf8))
    #expect(recording.isCut && recording.messages.count == 1)
  }

  @Test("A payload as deep as any message may be is read again")
  func deep() throws {
    let depth = JSONValue.Limits().depth
    let payload = try JSONValue(
      parsing: String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
    let message = CastMessage(
      source: EndpointID("sender-0"), destination: EndpointID("app"), namespace: Namespace(rawValue: "urn:x-cast:a"),
      json: payload)
    let line = RecordedMessage.line(.received(message, on: ConnectionID(rawValue: 1)), of: "TV", at: .zero).serialized()
    #expect(try Recording(parsing: Array((line + "\n").utf8)).messages.map(\.payload) == [.json(payload)])
  }

  @Test("One receiver of several answers from what was its own")
  func receivers() throws {
    let lines = ["A", "B", "A"].map {
      #"{"receiver":"\#($0)","direction":"in","namespace":"urn:x-cast:a","payload":{}}"#
    }
    let recording = try Recording(parsing: Array(lines.joined(separator: "\n").utf8))
    #expect(recording.receivers == ["A", "B"])
    #expect(recording.of("B").messages.count == 1 && recording.of("C").messages.count == 3)
  }
}
