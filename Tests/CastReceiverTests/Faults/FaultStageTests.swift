import CastProtocol
import CastTransport
import Testing

@testable import CastReceiver

/// The stage between rules and channels on manual time.
@Suite struct FaultStageTests {
  static let sender = ConnectionID(rawValue: 1)

  static func stage(_ faults: FaultPlan.Fault..., seed: UInt64 = 1) -> FaultStage {
    var stage = FaultStage(FaultPlan(faults), seed: seed)
    _ = stage.opened(sender, at: .zero)
    return stage
  }

  static func status(_ state: String = "PLAYING", to destination: EndpointID = .everyone, id: Int = 0) -> CastMessage {
    CastMessage(
      source: EndpointID("app"), destination: destination, namespace: .media,
      json: [
        "type": "MEDIA_STATUS", "requestId": .int(id),
        "status": [["mediaSessionId": 1, "playerState": .string(state), "media": ["contentId": "a"]]],
      ])
  }

  static func request(_ type: String, id: Int = 5) -> CastMessage {
    CastMessage(
      source: EndpointID("sender-0"), destination: EndpointID("app"), namespace: .media,
      json: ["type": .string(type), "requestId": .int(id), "mediaSessionId": 1])
  }

  @Test("Of every third event at most two count")
  func counting() {
    var fault = FaultPlan.Fault(.mediaStatus, .message(.drop))
    (fault.every, fault.times) = (3, 2)
    var stage = Self.stage(fault)
    let sent = (1...10).map { _ in stage.sending(Self.status(), on: Self.sender, at: .zero).count }
    #expect(sent == [1, 1, 0, 1, 1, 0, 1, 1, 1, 1])
  }

  @Test("A chance is drawn by the seed: the same seed, the same faults")
  func chance() {
    func drops(_ seed: UInt64) -> [Int] {
      var fault = FaultPlan.Fault(.mediaStatus, .message(.drop))
      fault.chance = 0.5
      var stage = Self.stage(fault, seed: seed)
      return (1...64).map { _ in stage.sending(Self.status(), on: Self.sender, at: .zero).count }
    }
    #expect(drops(1) == drops(1))
    #expect(drops(1) != drops(2))
    #expect((16...48).contains(drops(1).reduce(0, +)))
  }

  @Test("Something comes so long after its event, and not before")
  func delay() {
    var fault = FaultPlan.Fault(.state(.playing), .cut(isOrderly: false, away: .seconds(4)))
    fault.delay = .seconds(2)
    var stage = Self.stage(fault)
    _ = stage.sending(Self.status(), on: Self.sender, at: .seconds(1))
    #expect(stage.nextDeadline == .seconds(3))
    #expect(stage.due(at: .milliseconds(2999)) == [])
    #expect(stage.due(at: .seconds(3)) == [.cut(isOrderly: false)])
    let early = stage.opened(ConnectionID(rawValue: 2), at: .milliseconds(6999))
    let later = stage.opened(ConnectionID(rawValue: 2), at: .seconds(7))
    #expect(!early && later)
  }

  @Test("A reordered message goes out behind the next, or by itself after a second")
  func reorder() {
    var fault = FaultPlan.Fault(.state(.paused), .message(.reorder))
    fault.times = 2
    var stage = Self.stage(fault)
    let (paused, playing) = (Self.status("PAUSED"), Self.status())
    #expect(stage.sending(paused, on: Self.sender, at: .zero) == [])
    #expect(stage.sending(playing, on: Self.sender, at: .zero) == [.message(playing), .message(paused)])
    #expect(stage.due(at: .seconds(1)) == [])
    #expect(stage.sending(paused, on: Self.sender, at: .seconds(2)) == [])
    #expect(stage.due(at: .seconds(3)) == [.output(Self.sender, .message(paused))])
  }

  @Test("What happens to the answers of a request happens to no other message")
  func answers() {
    var stage = Self.stage(.init(.request(.pause), .message(.duplicate)))
    #expect(stage.received(Self.request("PAUSE"), on: Self.sender, at: .zero) == .pass)
    #expect(stage.sending(Self.status(id: 5), on: Self.sender, at: .zero).count == 2)
    #expect(stage.sending(Self.status(id: 6), on: Self.sender, at: .zero).count == 1)
    #expect(stage.sending(Self.status(id: 5), on: ConnectionID(rawValue: 2), at: .zero).count == 1)
  }

  @Test("Requests of any number are remembered up to a limit, and what waits, too")
  func limits() {
    var stage = Self.stage(
      .init(.request(.pause), .message(.duplicate)), .init(.mediaStatus, .message(.delay(.seconds(1)))))
    for id in 1...10_000 {
      _ = stage.received(Self.request("PAUSE", id: id), on: Self.sender, at: .zero)
      _ = stage.sending(Self.status(id: id), on: Self.sender, at: .zero)
    }
    #expect(stage.answers.count == ReceiverLimits.faultyRequests)
    #expect(stage.waiting.count <= ReceiverLimits.delayedMessages)
  }

  @Test("Mute is deaf to nothing and sends no message; silent takes nothing in")
  func silence() {
    var mute = Self.stage(.init(.start, .mute(for: .seconds(5))))
    _ = mute.due(at: .zero)
    #expect(mute.received(Self.request("PAUSE"), on: Self.sender, at: .zero) == .pass)
    #expect(mute.sending(Self.status(), on: Self.sender, at: .zero) == [])
    #expect(!mute.isSilent(Self.sender))
    _ = mute.due(at: .seconds(5))
    #expect(mute.sending(Self.status(), on: Self.sender, at: .seconds(5)).count == 1)

    var silent = Self.stage(.init(.start, .silence(for: nil)))
    _ = silent.due(at: .zero)
    #expect(silent.received(Self.request("PAUSE"), on: Self.sender, at: .zero) == .lose)
    #expect(silent.isSilent(Self.sender))
    // Who connects anew is heard.
    _ = silent.opened(ConnectionID(rawValue: 2), at: .seconds(1))
    #expect(!silent.isSilent(ConnectionID(rawValue: 2)))
  }

  @Test("A poll is answered by the first status of the session, with the id of the request")
  func stale() {
    var stage = Self.stage(.init(.start, .stalePolls))
    _ = stage.due(at: .zero)
    _ = stage.sending(Self.status("PLAYING"), on: Self.sender, at: .zero)
    let poll = stage.sending(Self.status("PAUSED", to: EndpointID("sender-0"), id: 9), on: Self.sender, at: .zero)
    #expect(poll == [.message(Self.status("PLAYING", to: EndpointID("sender-0"), id: 9))])
  }

  @Test("Bytes are read at the rate, in their order; a sender with too many is cut off, and the others are read on")
  func slow() {
    var stage = Self.stage(.init(.start, .slowReads(bytesPerSecond: 100)))
    _ = stage.due(at: .zero)
    for _ in 1...2 {
      let isTaken = stage.reads(Array(repeating: 1, count: 50), on: Self.sender, at: .zero)
      #expect(!isTaken)
    }
    #expect(stage.due(at: .milliseconds(499)) == [])
    #expect(stage.due(at: .milliseconds(500)).count == 1)
    #expect(stage.due(at: .seconds(1)).count == 1)
    _ = stage.reads(Array(repeating: 3, count: ReceiverLimits.unreadBytes + 1), on: Self.sender, at: .seconds(1))
    #expect(stage.due(at: .seconds(1)) == [.end(Self.sender)])
    let other = ConnectionID(rawValue: 77)
    _ = stage.reads([9], on: other, at: .seconds(1))
    #expect(stage.due(at: .seconds(2)) == [.read(other, [9])])
  }

  @Test("What a sender left unread when it went takes no room from others")
  func goneSenders() {
    var stage = Self.stage(.init(.start, .slowReads(bytesPerSecond: 1)))
    _ = stage.due(at: .zero)
    for _ in 1...40 {
      let isTaken = stage.reads(Array(repeating: 1, count: 60_000), on: Self.sender, at: .zero)
      #expect(!isTaken)
      #expect(stage.due(at: .zero) == [])
      stage.closed(Self.sender)
    }
  }

  @Test("A request id that a sender uses again brings the faults of the new request only")
  func repeatedIDs() {
    var stage = Self.stage(.init(.request(.refresh), .message(.duplicate)))
    for _ in 1...30 {
      _ = stage.received(Self.request("GET_STATUS", id: 7), on: Self.sender, at: .zero)
      #expect(stage.sending(Self.status(id: 7), on: Self.sender, at: .zero).count == 2)
    }
  }

  @Test("What happens to one message adds up in whatever order the plan has it", arguments: [true, false])
  func reorderedAndMore(isFirst: Bool) throws {
    let reorder = FaultPlan.Fault(.mediaStatus, .message(.reorder))
    let broken = FaultPlan.Fault(.mediaStatus, .message(.brokenText))
    var stage = Self.stage(isFirst ? reorder : broken, isFirst ? broken : reorder)
    #expect(stage.sending(Self.status(), on: Self.sender, at: .zero) == [])
    let late = stage.due(at: .seconds(1))
    guard case .output(_, .message(let message))? = late.first, case .text(let text) = message.payload else {
      Issue.record("\(late)")
      return
    }
    #expect(late.count == 1 && (try? JSONValue(parsing: text)) == nil)
  }

  @Test("A fault at a state of the player happens to the status for each sender, and once to each")
  func stateForAll() {
    var stage = Self.stage(.init(.state(.playing), .message(.drop)))
    let senders = [Self.sender, ConnectionID(rawValue: 77), ConnectionID(rawValue: 78)]
    let status = Self.status("PLAYING")
    for sender in senders { #expect(stage.sending(status, on: sender, at: .zero) == []) }
    for sender in senders { #expect(stage.sending(status, on: sender, at: .zero) == [.message(status)]) }
  }

  @Test("Of faults that overlap the one that lasts longer decides")
  func overlapping() {
    func fault(_ action: FaultPlan.Action, after seconds: Int = 0) -> FaultPlan.Fault {
      var fault = FaultPlan.Fault(.start, action)
      fault.delay = .seconds(seconds)
      return fault
    }
    var stage = Self.stage(
      fault(.silence(for: .seconds(10))), fault(.silence(for: .seconds(1)), after: 2),
      fault(.playback(.stall(for: .seconds(10)))), fault(.playback(.freeze(for: .seconds(20))), after: 5))
    _ = stage.due(at: .zero)
    for second in 2...9 { _ = stage.due(at: .seconds(second)) }
    #expect(stage.isSilent(Self.sender))
    #expect(stage.due(at: .seconds(10)) == [])
    #expect(!stage.isSilent(Self.sender))
    #expect(stage.due(at: .seconds(25)) == [.directive(.goOn)])
  }

  @Test("A plan without faults lets all pass and waits for nothing")
  func none() {
    var stage = Self.stage()
    #expect(stage.received(Self.request("LOAD"), on: Self.sender, at: .zero) == .pass)
    #expect(stage.sending(Self.status(), on: Self.sender, at: .zero) == [.message(Self.status())])
    #expect(stage.nextDeadline == nil)
  }

  @Test("A fault that brings itself again does not go on for ever")
  func rounds() {
    var configuration = ReceiverConfiguration(id: "5a1c0000-0000-4000-8000-000000000001")
    configuration.faults = FaultPlan([.init(.message, .takeover(appID: "233637DE", name: "YouTube"))])
    var core = ReceiverCore(configuration: configuration)
    let channel = DeafChannel()
    let id = core.open(channel, show: .zero, network: .zero)
    let messages = [
      CastMessage(
        source: EndpointID("sender-0"), destination: .receiver, namespace: .connection, json: ["type": "CONNECT"]),
      CastMessage(
        source: EndpointID("sender-0"), destination: .receiver, namespace: .receiver,
        json: ["type": "GET_STATUS", "requestId": 1]),
    ]
    if let id, let bytes = try? ChannelStateMachine.encode(messages) {
      core.receive(bytes, on: id, show: .zero, network: .zero)
    }
    var sent = 0
    for action in core.actions.next() ?? [] { if case .write(let writing) = action { sent += writing.messages.count } }
    #expect((2...1000).contains(sent))
    #expect(core.nextShowDeadline == nil)
  }
}

/// Takes what is sent and says nothing.
private final class DeafChannel: ByteChannel {
  func start(_ receive: @escaping @Sendable (ByteChannelEvent) -> Void) {}
  func send(_ messages: [[UInt8]]) {}
  func close() {}
  func abort() {}
  var peerCertificateDER: [UInt8]? { nil }
  var securityProtocol: String? { nil }
}
