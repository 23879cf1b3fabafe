import CastProtocol
import Testing

@testable import CastReceiver

@Suite struct ConsentTests {
  /// A receiver that asks a person, and a sender that is connected to its platform.
  static func receiver(_ consent: ReceiverConfiguration.Consent) -> ReceiverHarness {
    var receiver = ReceiverHarness { $0.consent = consent }
    _ = receiver.open(1) + receiver.connect()
    return receiver
  }

  static func launch(_ receiver: inout ReceiverHarness, _ id: Int = 7, app: String = "CC1AD845", connection: Int = 1)
    -> [ReceiverHarness.Heard]
  {
    receiver.send(["type": "LAUNCH", "appId": .string(app), "requestId": .int(id)], connection: connection)
  }

  static func words(_ heard: [ReceiverHarness.Heard]) -> [String] {
    heard.map { message in
      let details = [
        message.json["status"]?.string, message.json["reason"]?.string, message.json["extendedError"]?.string,
      ]
      return ([message.type] + details).compactMap { $0 }.joined(separator: " ")
    }
  }

  @Test("A person who allows it lets the app start; the launcher alone hears that it waits")
  func allowed() {
    var receiver = Self.receiver(.given(after: .seconds(20)))
    _ = receiver.open(2) + receiver.connect(connection: 2)
    let asked = Self.launch(&receiver)
    #expect(Self.words(asked) == ["LAUNCH_STATUS USER_PENDING_AUTHORIZATION"])
    #expect(asked.first?.json["launchRequestId"] == 7 && asked.first?.connection == 1)
    #expect(receiver.machine.nextDeadline == .seconds(20))
    #expect(receiver.advance(by: .seconds(19)) == [])
    let started = receiver.advance(by: .seconds(1))
    #expect(Self.words(started) == ["LAUNCH_STATUS USER_ALLOWED", "RECEIVER_STATUS", "RECEIVER_STATUS"])
    #expect(started.last?.requestID == 7 && receiver.machine.application?.appID == "CC1AD845")
    #expect(receiver.machine.nextDeadline == nil)
  }

  @Test("A person who refuses, and a device that may not ask, answer LAUNCH_ERROR with the reason beside")
  func refused() {
    var receiver = Self.receiver(.refused(after: .seconds(3)))
    _ = Self.launch(&receiver)
    #expect(Self.words(receiver.advance(by: .seconds(3))) == ["LAUNCH_ERROR USER_NOT_ALLOWED"])
    #expect(receiver.machine.application == nil)
    var mute = Self.receiver(.impossible)
    let heard = Self.launch(&mute)
    #expect(Self.words(heard) == ["LAUNCH_ERROR USER_NOTIFICATIONS_DISABLED"] && heard.first?.requestID == 7)
  }

  @Test("Another launch, or a stop, cancels the one that waits")
  func cancelled() {
    var receiver = Self.receiver(.given(after: .seconds(5)))
    _ = receiver.open(2) + receiver.connect("b", connection: 2)
    _ = Self.launch(&receiver)
    let second = receiver.send(
      ["type": "LAUNCH", "appId": "A1B2C3D4", "requestId": 8], from: "b", connection: 2)
    #expect(Self.words(second) == ["LAUNCH_ERROR CANCELLED", "LAUNCH_STATUS USER_PENDING_AUTHORIZATION"])
    #expect(second.map(\.connection) == [1, 2] && second.first?.requestID == 7)
    _ = receiver.advance(by: .seconds(5))
    #expect(receiver.machine.application?.appID == "A1B2C3D4")
    _ = Self.launch(&receiver, 9)
    let stopped = receiver.send(["type": "STOP", "requestId": 10])
    #expect(Self.words(stopped).first == "LAUNCH_ERROR CANCELLED")
    #expect(receiver.machine.application == nil && receiver.machine.nextDeadline == nil)
  }

  @Test("A launcher that goes away takes its question along")
  func gone() {
    var receiver = Self.receiver(.given(after: .seconds(5)))
    _ = Self.launch(&receiver)
    _ = receiver.close(1)
    #expect(receiver.machine.nextDeadline == nil)
    #expect(receiver.advance(by: .seconds(10)) == [] && receiver.machine.application == nil)
  }

  @Test("Nobody is asked for an app that runs, or for one the device does not have")
  func notAsked() {
    var receiver = Self.receiver(.given(after: .zero))
    #expect(Self.words(Self.launch(&receiver, app: "DEADBEEF")) == ["LAUNCH_ERROR NOT_FOUND"])
    _ = Self.launch(&receiver) + receiver.advance(by: .zero)
    #expect(Self.words(Self.launch(&receiver, 8)) == ["RECEIVER_STATUS"])
  }

  // MARK: other senders

  @Test("Another sender's LOAD takes the app over: the first hears that its session is INTERRUPTED, and by what")
  func loadTakeover() throws {
    var receiver = ReceiverHarness()
    receiver.start()
    _ = receiver.open(2) + receiver.connect("b", connection: 2)
    _ = receiver.connect("b", to: receiver.transport, connection: 2)
    receiver.load(film)
    let heard = receiver.media(
      "LOAD", ["media": ["contentId": "other.mp4"]], from: "b", connection: 2
    ).filter { $0.connection == 1 }
    #expect(heard.summary == ["IDLE/INTERRUPTED/LOADING", "BUFFERING", "PLAYING #102"])
    #expect(heard.first?.media?["mediaSessionId"] == 1 && heard.last?.media?["mediaSessionId"] == 2)
    #expect(receiver.media("PAUSE", ["mediaSessionId": 1]).summary == ["INVALID_REQUEST INVALID_MEDIA_SESSION_ID #103"])
  }

  @Test("Another sender's launch ends the app: a status without it, CLOSE from it, a status with the new one")
  func launchTakeover() {
    var receiver = ReceiverHarness()
    receiver.start()
    _ = receiver.open(2) + receiver.connect("b", connection: 2)
    let old = receiver.transport
    let heard = receiver.send(
      ["type": "LAUNCH", "appId": "A1B2C3D4", "requestId": 8], from: "b", connection: 2
    ).filter { $0.connection == 1 }
    #expect(heard.map(\.type) == ["RECEIVER_STATUS", "CLOSE", "RECEIVER_STATUS"])
    #expect(heard[0].json["status"]?["applications"] == nil && heard[0].requestID == 0)
    #expect(heard[1].source == old)
    #expect(heard[2].json["status"]?["applications"]?.array?.first?["appId"] == "A1B2C3D4")
    #expect(receiver.send(["type": "GET_STATUS", "requestId": 5], on: .media, to: old) == [])
  }

  @Test("A sender that closes leaves the app playing; the last one to leave changes senderConnected")
  func leaving() {
    var receiver = ReceiverHarness { $0.media.joining = .status }
    receiver.start()
    receiver.load(film)
    let heard = receiver.send(["type": "CLOSE"], on: .connection, to: receiver.transport)
    #expect(heard.map(\.type) == ["RECEIVER_STATUS"])
    #expect(heard.first?.json["status"]?["applications"]?.array?.first?["senderConnected"] == false)
    _ = receiver.advance(by: .seconds(5))
    #expect(receiver.connect(to: receiver.transport).first?.media?["currentTime"] == 5)
  }
}
