import CastClient
import CastProtocol
import ScenarioLanguage
import TestSupport
import Testing

@testable import DeviceControl
@testable import RunReporting

@Suite("send and refresh: what goes out, to whom, and which reply counts") struct SendVerbTests {
  typealias Setting = SessionLab.Setting
  typealias Scene = StageDevice.Scene

  static let namespace = Namespace(rawValue: "urn:x-cast:com.example")
  static let app = ScriptedPeer.application("AAAA0001", namespaces: [.media, namespace])

  static func send(_ message: JSONValue = ["a": 1], _ change: (inout Plan.SendAction) -> Void = { _ in })
    -> DeviceAction
  {
    var action = Plan.SendAction(namespace: namespace.rawValue, message: message)
    change(&action)
    return .send(action)
  }

  /// What a message is answered with, after so many seconds.
  static func answering(
    _ lab: SessionLab, _ messages: [(after: Double, JSONValue)], from transport: String = "t-1"
  ) -> Task<Void, Never> {
    lab.spawn {
      for (after, message) in messages {
        try? await lab.wait(.seconds(after))
        lab.stage.peer?.send(message, in: namespace, from: EndpointID(transport))
      }
    }
  }

  @Test("A message goes to the app as it stands; text and bytes that are no JSON go, too")
  func payloads() throws {
    try SessionLab.connected(.command { $0.scene = Scene(app: Self.app) }) { lab in
      #expect(await lab.perform(Self.send(["b": [1, 2]])) == nil)
      #expect(await lab.perform(Self.send { $0.payload = .text(#"{"x": 1}"#) }) == nil)
      #expect(await lab.perform(Self.send { $0.payload = .bytes([1, 2, 255]) }) == nil)
      try await lab.wait(.milliseconds(1))
      let sent = lab.stage.peer?.requests.filter { $0.namespace == Self.namespace } ?? []
      #expect(sent.map(\.json) == [["b": [1, 2]], ["x": 1]])
      #expect(sent.allSatisfy { $0.destination.rawValue == "t-1" })
      #expect(lab.stage.others.map(\.payload) == [.binary([1, 2, 255])])
    }
  }

  @Test("A message for the platform needs no app")
  func platform() throws {
    try SessionLab.connected { lab in
      #expect(await lab.perform(Self.send { $0.destination = .receiver }) == nil)
      try await lab.wait(.milliseconds(1))
      #expect(lab.stage.peer?.requests.last?.destination == .receiver)
    }
  }

  @Test("One that waits for an app goes to the first that offers the namespace, and fails where none comes")
  func nextApp() throws {
    try SessionLab.connected { lab in
      let coming = lab.spawn {
        try? await lab.wait(.seconds(2))
        lab.stage.showReceiver { $0.app = ScriptedPeer.app }
        try? await lab.wait(.seconds(1))
        lab.stage.showReceiver { $0.app = Self.app }
      }
      let start = lab.now
      #expect(await lab.perform(Self.send { $0.waitsForApp = true }) == nil)
      #expect(lab.now - start == .seconds(3))
      await coming.value
    }
    try SessionLab.connected { lab in
      let failure = await lab.perform(Self.send { $0.waitsForApp = true }, for: .seconds(4))
      #expect(failure?.errorClass == .timeout)
      #expect(failure?.message == "no app came that offers the namespace urn:x-cast:com.example")
    }
  }

  @Test("What is no namespace, or none of the app, is refused and not sent")
  func refused() throws {
    try SessionLab.connected(.command { $0.scene = Scene(app: Self.app) }) { lab in
      let nonsense = await lab.perform(Self.send { $0.namespace = "com.example" })
      #expect(nonsense?.errorClass == .refusedLocally && nonsense?.message == "a namespace begins with `urn:x-cast:`")
      let other = await lab.perform(Self.send { $0.namespace = "urn:x-cast:com.other" })
      #expect(other?.errorClass == .invalidRequest)
      #expect(
        other?.message
          == "AAAA0001 does not offer the namespace urn:x-cast:com.other: it offers urn:x-cast:com.example")
      #expect(lab.stage.peer?.requests.contains { $0.namespace.rawValue.hasPrefix("urn:x-cast:com.other") } == false)
    }
  }

  // MARK: replies

  struct Reply: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var answers: [(after: Double, JSONValue)]
    var at: Double
    var says: String?
  }

  static let replies: [Reply] = [
    Reply(testDescription: "soon", answers: [(0.1, ["type": "PONG", "n": 7])], at: 0.1),
    Reply(testDescription: "later", answers: [(2, ["type": "PONG", "n": 9])], at: 2),
    Reply(
      testDescription: "after others", answers: [(1, ["type": "HELLO"]), (1, ["type": "PONG", "n": 5])], at: 2),
    Reply(
      testDescription: "none", answers: [], at: 5, says: "no reply fits: no message came on urn:x-cast:com.example"),
    Reply(
      testDescription: "none that fits; the nearest is told",
      answers: [(1, ["type": "PONG", "n": 4]), (1, ["type": "X"])],
      at: 5, says: "no reply fits: n: expected min 5, observed 4"),
  ]

  static let pattern = Plan.MessagePattern(.all([Make.equal("type", "PONG"), Make.min("n", 5)]))

  @Test("A reply is the first message that fits from then on", arguments: replies)
  func reply(row: Reply) throws {
    try SessionLab.connected(.command { $0.scene = Scene(app: Self.app) }) { lab in
      // One that came before is no reply.
      await Self.answering(lab, [(0, ["type": "PONG", "n": 50])]).value
      try await lab.wait(.seconds(1))
      let start = lab.now
      let answering = Self.answering(lab, row.answers)
      let failure = await lab.perform(Self.send { $0.reply = Self.pattern }, for: .seconds(5))
      #expect(lab.now - start == .seconds(row.at) && failure?.message == row.says)
      if row.says != nil { #expect(failure?.errorClass == .timeout) }
      await answering.value
    }
  }

  @Test("A reply that is waited for is not worth more than the connection")
  func broken() throws {
    try SessionLab.connected(.command { $0.scene = Scene(app: Self.app) }) { lab in
      let cut = lab.spawn {
        try? await lab.wait(.seconds(1))
        lab.stage.peer?.cut()
      }
      let failure = await lab.perform(Self.send { $0.reply = Self.pattern }, for: .seconds(5))
      #expect(failure?.errorClass == .connectionLost)
      await cut.value
    }
  }

  // MARK: looking back

  @Test(
    "A message is looked for from where the last action, or the step that is named, began",
    arguments: [(nil, "two"), ("first", "one"), ("second", "two"), ("nowhere", "two")] as [(String?, String)])
  func since(step: String?, found: String) throws {
    try SessionLab.connected(.command { $0.scene = Scene(app: Self.app) }) { lab in
      _ = await lab.session.mark(step: "first")
      await Self.answering(lab, [(1, ["n": "one"])]).value
      try await lab.wait(.seconds(1))
      await lab.session.catchUp()
      var scope = lab.scope(.seconds(1))
      scope.mark = await lab.session.mark(step: "second")
      await Self.answering(lab, [(1, ["n": "two"])]).value
      scope.deadline = lab.now + .seconds(1)
      let pattern = Plan.MessagePattern(Make.field("n", .exists(true)))
      let search = try await lab.session.search(for: pattern, on: Self.namespace.rawValue, since: step, scope)
      #expect(search.found?["n"]?.string == found)
    }
  }

  @Test("A look-back over a connection that was made anew is told as that")
  func lostStart() throws {
    try SessionLab.connected(.command { $0.scene = Scene(app: Self.app) }) { lab in
      _ = await lab.session.mark(step: "first")
      _ = await lab.perform(.disconnect(abrupt: false))
      #expect(await lab.perform(.connect(host: nil, authentication: nil)) == nil)
      let failure = await #expect(throws: StepFailure.self) {
        try await lab.session.search(for: Self.pattern, on: Self.namespace.rawValue, since: "first", lab.scope())
      }
      #expect(
        failure?.errorClass == .connectionLost && failure?.message == "the connection was made anew since first began")
    }
  }

  // MARK: refresh

  struct Question: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var target: Plan.RefreshTarget
    var app: JSONValue?
    var receiver: Int
    var media: Int
  }

  static let plain = ScriptedPeer.application("AAAA0001", namespaces: [namespace])
  static let questions: [Question] = [
    Question(testDescription: "the receiver alone", target: .receiver, app: ScriptedPeer.app, receiver: 1, media: 0),
    Question(testDescription: "the media alone", target: .media, app: ScriptedPeer.app, receiver: 0, media: 1),
    Question(testDescription: "both", target: .both, app: ScriptedPeer.app, receiver: 1, media: 1),
    Question(testDescription: "both, where nothing runs", target: .both, app: nil, receiver: 1, media: 0),
    Question(testDescription: "both, where no media are played", target: .both, app: plain, receiver: 1, media: 0),
  ]

  @Test("refresh asks whom it names, and an app that plays no media for none", arguments: questions)
  func refresh(row: Question) throws {
    try SessionLab.connected(.command { $0.scene = Scene(app: row.app, media: [:]) }) { lab in
      func asked(_ namespace: Namespace) -> Int {
        lab.stage.peer?.requests("GET_STATUS").count { $0.namespace == namespace } ?? 0
      }
      let (receiver, media) = (asked(.receiver), asked(.media))
      #expect(await lab.perform(.refresh(row.target)) == nil)
      #expect(asked(.receiver) - receiver == row.receiver && asked(.media) - media == row.media)
    }
  }

  @Test("A device that does not answer is a timeout, after as long as a reply may take")
  func silent() throws {
    for target in [Plan.RefreshTarget.receiver, .media] {
      try SessionLab.connected(.command { $0.scene = Scene(app: ScriptedPeer.app) }) { lab in
        lab.stage.set { $0.silent = ["GET_STATUS"] }
        let start = lab.now
        #expect(await lab.perform(.refresh(target), for: .seconds(60))?.errorClass == .timeout)
        #expect(lab.now - start == .seconds(5))
      }
    }
  }
}
