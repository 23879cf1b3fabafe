import CastProtocol
import CastTransport
import Testing

@testable import CastClient

@Suite struct ClientErrorTests {
  static let transport: [(TransportError.Code, ClientError.Class)] = [
    (.unreachable, .unreachable), (.unknownHost, .unreachable), (.tlsHandshakeFailed, .tls),
    (.connectionLost, .connectionLost), (.backlogExceeded, .connectionLost), (.setupFailed, .tls),
  ]
  @Test(
    "A failure of the transport keeps its words and cure, and gets a class a retry policy knows", arguments: transport)
  func mapped(code: TransportError.Code, expected: ClientError.Class) {
    let error = ClientError(TransportError(code, "why", help: "cure"))
    #expect(error == ClientError(expected, "why", help: "cure"))
  }

  static let failures: [(ChannelStateMachine.Failure, ClientError.Class, String)] = [
    (.peerSilent(.seconds(10)), .connectionLost, "nothing came from the device for 10 s"),
    (.frameStalled, .protocol, "a frame stayed unfinished"),
    (.flood, .protocol, "device.flood: the device floods the connection with messages"),
    (
      .protocolBroken(.frameTooLong(declared: 71680, limit: 65536)), .protocol,
      "a frame announces 71680 bytes, 65536 are allowed"
    ),
    (.protocolBroken(.frameEmpty), .protocol, "a frame is empty"),
  ]
  @Test("A peer that breaks the protocol is told from one that is gone", arguments: failures)
  func channel(failure: ChannelStateMachine.Failure, expected: ClientError.Class, message: String) {
    let error = ClientError(failure)
    #expect(error.class == expected && error.message == message)
  }

  @Test("Only messages that refuse something are errors")
  func refusals() {
    #expect(ClientError(refusal: ["type": "MEDIA_STATUS", "status": []]) == nil)
    #expect(ClientError(refusal: ["type": "LAUNCH_STATUS", "status": "USER_ALLOWED"]) == nil)
    #expect(ClientError(refusal: "LOAD_FAILED") == nil)
    #expect(ClientError(refusal: ["type": "LOAD_CANCELLED", "requestId": 4])?.class == .loadCancelled)
  }

  @Test("A code written as text is one, and a reason written as a number is told (quirk 18)")
  func writtenOtherwise() {
    let failed: JSONValue = ["type": "LOAD_FAILED", "detailedErrorCode": "104", "requestId": "4"]
    #expect(ClientError(refusal: failed)?.message == "LOAD_FAILED 104 MEDIA_SRC_NOT_SUPPORTED")
    let refused: JSONValue = ["type": "INVALID_REQUEST", "reason": 7, "extendedError": 8]
    #expect(ClientError(refusal: refused)?.message == "INVALID_REQUEST 7 8")
  }

  @Test("What a device says is cut to a length a report can bear")
  func long() {
    let json: JSONValue = ["type": "INVALID_REQUEST", "reason": .string(String(repeating: "x", count: 60_000))]
    #expect(ClientError(refusal: json)?.message.count ?? 0 < 200)
    // What is cut in two might be half of a secret.
    let words = String(repeating: "no ", count: 41) + "https://x.example.com/?t=canary"
    let cut: JSONValue = ["type": "INVALID_REQUEST", "reason": .string(words), "requestId": 1]
    #expect(ClientError(refusal: cut)?.message.hasSuffix("no no…") == true)
  }
}
