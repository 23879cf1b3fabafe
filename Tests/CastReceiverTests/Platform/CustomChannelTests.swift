import CastProtocol
import Testing

@testable import CastReceiver

@Suite struct CustomChannelTests {
  static let chat = Namespace(rawValue: "urn:x-cast:com.example.chat")

  static func started() -> ReceiverHarness {
    var receiver = ReceiverHarness { $0.customNamespaces["A1B2C3D4"] = [chat] }
    receiver.start(app: "A1B2C3D4")
    return receiver
  }

  /// What comes back for a payload to the app, or the platform.
  static func answers(
    to payload: CastMessage.Payload, on namespace: Namespace = chat, from sender: EndpointID = .sender,
    platform: Bool = false, _ receiver: inout ReceiverHarness
  ) -> [CastMessage] {
    let message = CastMessage(
      source: sender, destination: platform ? .receiver : EndpointID(receiver.transport), namespace: namespace,
      payload: payload)
    let effects = receiver.machine.receive(.message(ConnectionID(rawValue: 1), message), at: .zero)
    return effects.compactMap { if case .send(_, let message) = $0 { message } else { nil } }
  }

  static let payloads: [CastMessage.Payload] = [
    .text(#"{"type":"HELLO","n":[1,2]}"#), .text("no JSON at all"), .text(""), .binary([0, 255, 7]), .binary([]),
  ]
  @Test("An app sends back what comes on its own namespace, to the one who sent it", arguments: payloads)
  func echo(payload: CastMessage.Payload) {
    var receiver = Self.started()
    let answers = Self.answers(to: payload, &receiver)
    #expect(
      answers == [
        CastMessage(
          source: EndpointID(receiver.transport), destination: .sender, namespace: Self.chat, payload: payload)
      ])
  }

  @Test("Nothing comes back on a namespace the app does not offer, from the platform, or without a connection")
  func silence() {
    var receiver = Self.started()
    let hello = CastMessage.Payload.text("{}")
    #expect(Self.answers(to: hello, on: Namespace(rawValue: "urn:x-cast:com.example.other"), &receiver) == [])
    #expect(Self.answers(to: hello, platform: true, &receiver) == [])
    #expect(Self.answers(to: hello, from: EndpointID("stranger"), &receiver) == [])
    var other = ReceiverHarness { $0.customNamespaces["A1B2C3D4"] = [Self.chat] }
    other.start()
    #expect(Self.answers(to: hello, &other) == [])
  }

  @Test("The status of an app lists its own namespaces behind those of every media app")
  func namespaces() {
    var receiver = Self.started()
    let status = receiver.send(["type": "GET_STATUS", "requestId": 9]).first?.json["status"]
    let names = status?["applications"]?.array?.first?["namespaces"]?.array?.compactMap { $0["name"]?.string }
    #expect(names?.last == Self.chat.rawValue && names?.contains(Namespace.media.rawValue) == true)
  }
}
