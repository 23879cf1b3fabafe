import CastProtocol
import Testing

@testable import CastClient

/// Fetching queues, sending on channels, and taking sessions from one device to another.
@Suite struct QueueOperationTests {
  private static func status(items: [Int], current: Int) -> MediaStatus {
    var status = MediaStatus.session(3, .playing, content: "https://a/\(current).mp4")
    status.currentItemID = current
    status.items = items.map { ["itemId": .int($0), "media": ["contentId": .string("https://a/\($0).mp4")]] }
    return status
  }

  private static func ask(_ type: String, _ more: JSONObject = [:]) -> OperationEffect {
    var object: JSONObject = ["type": .string(type), "mediaSessionId": 3]
    object.members += more.members
    return .request(.raw(.queueInformation, object, to: film.transportID), within: .seconds(5))
  }

  private static func news(
    _ type: String, _ json: JSONValue, _ correlation: Correlation = .own(.queueInformation)
  ) -> OperationEvent {
    var object = json.object ?? [:]
    object["type"] = .string(type)
    let message = MediaMessage(.object(object)) ?? .other(type: nil, requestID: 0)
    return .news(message, content: .object(object), from: film.transportID, correlation)
  }

  private static func ids(of effects: [OperationEffect]) -> [Int?]? {
    guard case .queue(let items)? = effects.last?.outcome else { return nil }
    return items.map(\.itemID)
  }

  @Test("The ids come first, then the items that the status does not show, sixteen at a time")
  func fetch() throws {
    var machine = QueueFetchStateMachine(
      film, status: Self.status(items: [4, 5], current: 5), needsItems: true, replyTimeout: .seconds(5))
    #expect(machine.begin(at: .zero) == [Self.ask("QUEUE_GET_ITEM_IDS")])
    let all: [JSONValue] = (1...22).map { .int($0) }
    let first = machine.receive(Self.news("QUEUE_ITEM_IDS", ["itemIds": .array(all)]), at: .zero)
    let missing = all.filter { $0 != 4 && $0 != 5 }
    #expect(first == [Self.ask("QUEUE_GET_ITEMS", ["itemIds": .array(Array(missing.prefix(16)))])])
    func items(_ ids: some Sequence<JSONValue>) -> JSONValue {
      ["items": .array(ids.map { ["itemId": $0, "media": ["contentId": "x"]] })]
    }
    let second = machine.receive(Self.news("QUEUE_ITEMS", items(missing.prefix(16))), at: .zero)
    #expect(second == [Self.ask("QUEUE_GET_ITEMS", ["itemIds": .array(Array(missing.dropFirst(16)))])])
    let end = machine.receive(Self.news("QUEUE_ITEMS", items(missing.dropFirst(16))), at: .zero)
    #expect(Self.ids(of: end) == Array(1...22))
  }

  @Test("Where only the ids are wanted nothing else is asked for")
  func idsOnly() {
    var machine = QueueFetchStateMachine(
      film, status: Self.status(items: [1], current: 1), needsItems: false, replyTimeout: .seconds(5))
    _ = machine.begin(at: .zero)
    let end = machine.receive(Self.news("QUEUE_ITEM_IDS", ["itemIds": [1, 2, 3]]), at: .zero)
    #expect(Self.ids(of: end) == [1, 2, 3])
  }

  @Test("Ids written as text are ids (quirk 18)")
  func textIDs() {
    var machine = QueueFetchStateMachine(
      film, status: Self.status(items: [1], current: 1), needsItems: false, replyTimeout: .seconds(5))
    _ = machine.begin(at: .zero)
    let end = machine.receive(Self.news("QUEUE_ITEM_IDS", ["itemIds": ["1", 2, "x"]]), at: .zero)
    #expect(Self.ids(of: end) == [1, 2])
  }

  @Test("An app that does not know the requests is taken at the word of its status")
  func oldApps() throws {
    let refused = OperationEvent.refused(
      try .sample(.invalidRequest, reason: "INVALID_COMMAND"), from: film.transportID, .own(.queueInformation))
    let answer = OperationEvent.mediaStatus(
      Self.status(items: [4, 5], current: 5), from: film.transportID, .own(.queueInformation))
    for event in [refused, .expired(.queueInformation), answer] {
      var machine = QueueFetchStateMachine(
        film, status: Self.status(items: [4, 5], current: 5), needsItems: true, replyTimeout: .seconds(5))
      _ = machine.begin(at: .zero)
      #expect(Self.ids(of: machine.receive(event, at: .zero)) == [4, 5])
    }
    // One that tells no items has at least the one that plays.
    var status = Self.status(items: [], current: 7)
    status.items = nil
    var machine = QueueFetchStateMachine(film, status: status, needsItems: true, replyTimeout: .seconds(5))
    _ = machine.begin(at: .zero)
    #expect(Self.ids(of: machine.receive(refused, at: .zero)) == [7])
  }

  @Test("An app that tells of no queue at all and does not answer the question either has not said that there is none")
  func unanswered() {
    let none = MediaStatus.session(3, .playing, content: "https://a/1.mp4")
    let wrong = OperationEvent.mediaStatus(none, from: film.transportID, .own(.queueInformation))
    let answers: [(OperationEvent, ClientError.Class, String)] = [
      (.expired(.queueInformation), .timeout, "no reply to QUEUE_GET_ITEM_IDS"),
      (wrong, .protocol, "QUEUE_GET_ITEM_IDS was answered by a MEDIA_STATUS that shows no queue"),
    ]
    for (event, expected, message) in answers {
      var machine = QueueFetchStateMachine(film, status: none, needsItems: true, replyTimeout: .seconds(5))
      _ = machine.begin(at: .zero)
      let effects = machine.receive(event, at: .zero)
      #expect(effects == [.finish(.failure(ClientError(expected, message)))])
    }
  }

  @Test("What other senders asked for is no answer to us, and a hostile list ends")
  func others() {
    var machine = QueueFetchStateMachine(
      film, status: Self.status(items: [1], current: 1), needsItems: false, replyTimeout: .seconds(5))
    _ = machine.begin(at: .zero)
    let ids = JSONValue.array((0..<5000).map { .int($0) })
    for answer in [Correlation.foreign, .spontaneous, .other(.queueInformation, sequence: 1)] {
      let event = Self.news("QUEUE_ITEM_IDS", ["itemIds": ids], answer)
      #expect(machine.receive(event, at: .zero).isEmpty)
    }
    let end = machine.receive(Self.news("QUEUE_ITEM_IDS", ["itemIds": ids]), at: .zero)
    #expect(Self.ids(of: end)?.count == MediaMessage.itemLimit)
  }

  @Test("A queue is loaded once one of its items is there; QUEUE_CHANGE answers a command of the queue")
  func loads() {
    let items = ["https://a/1.mp4", "https://a/2.mp4"].map { QueueItem(media: MediaInformation(content: $0)) }
    var load = LoadStateMachine(QueueLoadRequest(items: items), in: film, current: nil, lastSequence: 0)
    #expect(load.begin(at: .zero).count == 1)
    let other = MediaStatus.session(1, .playing, content: "https://a/other.mp4")
    #expect(load.receive(.mediaStatus(other, from: film.transportID, .spontaneous), at: .zero).isEmpty)
    let second = MediaStatus.session(1, .playing, content: "https://a/2.mp4")
    #expect(
      load.receive(.mediaStatus(second, from: film.transportID, .spontaneous), at: .zero)
        == [.finish(.success(.mediaSession(1)))])
    var command = CommandStateMachine(
      MediaRequest(.queueRemove(itemIDs: [2]), session: 1), in: film, replyTimeout: .seconds(5))
    _ = command.begin(at: .zero)
    let change = Self.news("QUEUE_CHANGE", [:], .own(.queueCommand))
    #expect(command.receive(change, at: .zero) == [.finish(.success(.done))])
  }

  // MARK: channels

  private static let score = Namespace(rawValue: "urn:x-cast:com.example.score")

  private static func send(on namespace: Namespace = score, to target: AppSession? = film, offering: [Namespace])
    -> SendStateMachine
  {
    let running = ReceiverStatus.running("CC1AD845", namespaces: offering).application
    return SendStateMachine(.text("{}"), on: namespace, to: target.map { .app($0) } ?? .platform, running: running)
  }

  @Test("A message leaves at once on a namespace that the app offers, text or bytes, and to the platform on any")
  func sends() {
    var machine = Self.send(offering: [.media, Self.score])
    #expect(
      machine.begin(at: .zero) == [
        .message(Self.score, .text("{}"), to: film.transportID), .finish(.success(.done)),
      ])
    var bytes = SendStateMachine(
      .binary([1, 2]), on: Self.score, to: .app(film),
      running: ReceiverStatus.running("CC1AD845", namespaces: [Self.score]).application)
    #expect(bytes.begin(at: .zero).first == .message(Self.score, .binary([1, 2]), to: film.transportID))
    var platform = Self.send(to: nil, offering: [])
    #expect(platform.begin(at: .zero).first == .message(Self.score, .text("{}"), to: .receiver))
  }

  @Test("An app that lists its namespace late is waited for; one that never does is an error that says what it offers")
  func lateNamespaces() {
    var machine = Self.send(offering: [.media])
    #expect(machine.begin(at: .zero) == [.request(.receiver(.getStatus), within: .seconds(2))])
    let late = ReceiverStatus.running("CC1AD845", namespaces: [.media, Self.score])
    #expect(machine.receive(.receiverStatus(late, .spontaneous), at: .seconds(1)).count == 2)

    var never = Self.send(offering: [.media, Namespace(rawValue: "urn:x-cast:com.example.chat")])
    _ = never.begin(at: .zero)
    #expect(never.timerFired(at: .milliseconds(500)).count == 1)
    let end = never.timerFired(at: .seconds(2))
    #expect(end.first?.failure == .invalidRequest)
    #expect(
      never.timeout.message
        == "CC1AD845 does not offer the namespace urn:x-cast:com.example.score: it offers urn:x-cast:com.example.chat")
  }

  @Test("What does not begin with urn:x-cast: is refused here", arguments: ["com.example.score", "urn:x-cast:", ""])
  func wrongNamespaces(_ name: String) {
    var machine = Self.send(on: Namespace(rawValue: name), offering: [Namespace(rawValue: name)])
    #expect(machine.begin(at: .zero).first?.failure == .refusedLocally)
  }

  // MARK: sessions

  @Test("A stored session goes on elsewhere in the app's own words; refusals keep their class")
  func sessions() throws {
    var store = StoreSessionStateMachine(film, mediaSessionID: 3, replyTimeout: .seconds(5))
    #expect(
      store.begin(at: .zero) == [
        .request(
          .raw(.sessionState, ["type": "STORE_SESSION", "mediaSessionId": 3], to: film.transportID),
          within: .seconds(5))
      ])
    let state: JSONValue = ["loadRequestData": ["media": ["contentId": "x"]]]
    let reply = Self.news("SESSION_STATE", ["sessionState": state], .own(.sessionState))
    #expect(store.receive(reply, at: .zero) == [.finish(.success(.sessionState(state)))])
    let refusal = try Refusal.sample(.invalidRequest, reason: "INVALID_COMMAND")
    let refused = store.receive(.refused(refusal, from: film.transportID, .own(.sessionState)), at: .zero)
    #expect(refused.first?.failure == .invalidRequest)

    var resume = LoadStateMachine(resuming: state, in: film, current: nil, lastSequence: 0)
    #expect(
      resume.begin(at: .zero) == [
        .request(.raw(.load, ["type": "RESUME_SESSION", "sessionState": state], to: film.transportID))
      ])
    let playing = MediaStatus.session(1, .playing, content: "anything")
    #expect(
      resume.receive(.mediaStatus(playing, from: film.transportID, .spontaneous), at: .zero)
        == [.finish(.success(.mediaSession(1)))])
  }
}
