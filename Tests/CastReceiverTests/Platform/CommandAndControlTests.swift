import CastProtocol
import Testing

@testable import CastReceiver

/// What assistants and the platform tell an app (docs/protocol.md 4.5).
@Suite struct CommandAndControlTests {
  static let commands: [(request: JSONObject, answer: JSONValue?)] = [
    (["type": "DISPLAY_STATUS", "requestId": 7], ["type": "SUCCESS", "requestId": 7]),
    (["type": "USER_ACTION", "userAction": "LIKE", "requestId": 7], ["type": "SUCCESS", "requestId": 7]),
    (
      ["type": "USER_ACTION", "requestId": 7],
      ["type": "ERROR", "requestId": 7, "code": "ERROR", "reason": "INVALID_PARAMS"]
    ),
    (
      ["type": "DANCE", "requestId": 7],
      ["type": "ERROR", "requestId": 7, "code": "ERROR", "reason": "INVALID_COMMAND"]
    ),
    (["type": "DISPLAY_STATUS"], nil),
  ]
  @Test(
    "An app accepts the commands it knows with what they need, to whoever asks, and ignores what has no id",
    arguments: commands)
  func answers(request: JSONObject, answer: JSONValue?) {
    var receiver = ReceiverHarness()
    receiver.start()
    let heard = receiver.send(
      .object(request), on: .commandAndControl, from: "sender-0", to: receiver.transport)
    #expect(heard.map(\.json) == [answer].compactMap { $0 })
    #expect(heard.allSatisfy { $0.destination == "sender-0" && $0.namespace == .commandAndControl })
  }

  @Test("The platform itself has no such commands")
  func platform() {
    var receiver = ReceiverHarness()
    receiver.start()
    #expect(receiver.send(["type": "DISPLAY_STATUS", "requestId": 7], on: .commandAndControl) == [])
  }

  @Test("A receiver of any app launches every id and says that it can; others refuse")
  func anyApp() {
    for launches in [true, false] {
      var receiver = ReceiverHarness { $0.launchesAnyApp = launches }
      let ask: JSONValue = ["type": "GET_APP_AVAILABILITY", "appId": ["12345678", ""], "requestId": 2]
      _ = receiver.open(1) + receiver.connect()
      let availability = receiver.send(ask).first?.json["availability"]
      #expect(availability == ["12345678": launches ? "APP_AVAILABLE" : "APP_UNAVAILABLE", "": "APP_UNAVAILABLE"])
      _ = receiver.send(["type": "LAUNCH", "appId": "12345678", "requestId": 3])
      #expect((receiver.machine.application?.appID == "12345678") == launches)
    }
  }
}
