import CastProtocol
import Testing

@testable import CastClient

@Suite struct RequestStateMachineTests {
  private static let app = EndpointID("t-1")

  private static func message(
    _ type: String, id: Int?, from source: EndpointID = .receiver, in namespace: Namespace = .receiver,
    key: String = "requestId"
  ) -> IncomingMessage {
    var json: JSONObject = ["type": .string(type)]
    json[key] = id.map { .int($0) }
    return IncomingMessage(.object(json), in: namespace, from: source)
  }

  @Test(
    "Ids start where told, count up, and stay within 31 bits",
    arguments: [
      (1, [1, 2, 3]), (77, [77, 78, 79]), (0x7FFF_FFFE, [0x7FFF_FFFE, 0x7FFF_FFFF, 1]), (0, [1, 2, 3]),
      (-5, [1, 2, 3]), (Int.max, [1, 2, 3]),
    ])
  func ids(first: Int, expected: [Int]) {
    var machine = RequestStateMachine(firstID: first)
    let ids = (0..<3).map { _ in machine.issue(.receiverStatus, owner: nil, peer: .receiver, deadline: nil).id }
    #expect(ids == expected)
  }

  @Test("An id still in use is not issued again after a wrap")
  func wrap() {
    var machine = RequestStateMachine(firstID: RequestStateMachine.largestID)
    let last = machine.issue(.load, owner: 1, peer: Self.app, deadline: nil)
    let first = machine.issue(.command, owner: 2, peer: Self.app, deadline: nil)
    #expect(last.id == RequestStateMachine.largestID && first.id == 1)
    machine = RequestStateMachine(firstID: 1)
    let kept = machine.issue(.load, owner: 1, peer: Self.app, deadline: nil)
    #expect(kept.id == 1)
    #expect(machine.issue(.load, owner: 1, peer: Self.app, deadline: nil).id == 2)
  }

  /// What must agree before a message counts as the reply to request 7, a media command to t-1.
  static let replies: [(type: String, id: Int?, source: String, namespace: Namespace, fits: Bool)] = [
    ("MEDIA_STATUS", 7, "t-1", .media, true),
    ("INVALID_REQUEST", 7, "t-1", .media, true),
    ("INVALID_PLAYER_STATE", 7, "t-1", .media, true),
    ("MEDIA_STATUS", 8, "t-1", .media, false),
    ("MEDIA_STATUS", 0, "t-1", .media, false),
    ("MEDIA_STATUS", nil, "t-1", .media, false),
    ("MEDIA_STATUS", -7, "t-1", .media, false),
    ("MEDIA_STATUS", 7, "t-2", .media, false),
    ("MEDIA_STATUS", 7, "receiver-0", .media, false),
    ("MEDIA_STATUS", 7, "t-1", .receiver, false),
    ("RECEIVER_STATUS", 7, "t-1", .media, false),
    ("LOAD_FAILED", 7, "t-1", .media, false),
    ("QUEUE_CHANGE", 7, "t-1", .media, false),
  ]
  @Test("A reply agrees in id, namespace, source and type", arguments: replies)
  func correlation(type: String, id: Int?, source: String, namespace: Namespace, fits: Bool) {
    var machine = RequestStateMachine(firstID: 7)
    let request = machine.issue(.command, owner: 3, peer: Self.app, deadline: nil)
    let message = Self.message(type, id: id, from: EndpointID(source), in: namespace)
    #expect(machine.request(answeredBy: message) == (fits ? request : nil))
  }

  @Test("LAUNCH_STATUS names its LAUNCH in launchRequestId (quirk 6)")
  func launchStatus() {
    var machine = RequestStateMachine(firstID: 7)
    let launch = machine.issue(.launch, owner: 3, peer: .receiver, deadline: nil)
    let status = Self.message("LAUNCH_STATUS", id: 7, key: "launchRequestId")
    #expect(machine.request(answeredBy: status) == launch)
    let other = Self.message("LAUNCH_STATUS", id: 8, key: "launchRequestId")
    #expect(machine.request(answeredBy: other) == nil)
  }

  @Test("A reply whose type is called responseType counts (quirks 8 and 9)")
  func responseType() {
    var machine = RequestStateMachine(firstID: 7)
    let poll = machine.issue(.mediaStatus, owner: nil, peer: Self.app, deadline: nil)
    let json: JSONValue = ["responseType": "MEDIA_STATUS", "requestId": 7]
    let message = IncomingMessage(json, in: .media, from: Self.app)
    #expect(machine.request(answeredBy: message) == poll)
  }

  @Test(
    "An id written as text, and a type beside one that is no text, count (quirk 18)",
    arguments: [
      ["type": "MEDIA_STATUS", "requestId": "7"], ["type": "MEDIA_STATUS", "requestId": "7.0"],
      ["type": 4, "responseType": "MEDIA_STATUS", "requestId": 7],
    ] as [JSONValue])
  func writtenOtherwise(json: JSONValue) {
    var machine = RequestStateMachine(firstID: 7)
    let poll = machine.issue(.mediaStatus, owner: nil, peer: Self.app, deadline: nil)
    let message = IncomingMessage(json, in: .media, from: Self.app)
    #expect(machine.request(answeredBy: message) == poll)
  }

  @Test(
    "What is no object with a type is no message",
    arguments: [.null, [], "text", [:], ["type": 4], ["requestId": 7]] as [JSONValue])
  func noMessage(json: JSONValue) {
    #expect(IncomingMessage(json, in: .receiver, from: .receiver).body == .unreadable)
  }

  @Test("A request expires once, at its deadline, oldest first")
  func expiry() {
    var machine = RequestStateMachine(firstID: 1)
    let first = machine.issue(.receiverStatus, owner: 1, peer: .receiver, deadline: .seconds(5))
    let second = machine.issue(.command, owner: 2, peer: Self.app, deadline: .seconds(3))
    let third = machine.issue(.load, owner: 3, peer: Self.app, deadline: nil)
    #expect(machine.nextDeadline == .seconds(3))
    #expect(machine.expire(at: .milliseconds(2999)).isEmpty)
    #expect(machine.expire(at: .seconds(5)) == [first, second])
    #expect(machine.expire(at: .seconds(99)).isEmpty)
    #expect(machine.pending == [third])
    machine.closeOwned(by: 3)
    #expect(machine.pending.isEmpty && machine.nextDeadline == nil)
  }
}
