import CastProtocol

@testable import CastReceiver

/// A receiver state machine on manual time, with senders that write down what they hear.
struct ReceiverHarness {
  /// A message that came back.
  struct Heard: Equatable {
    var connection: Int
    var source: String
    var destination: String
    var namespace: Namespace
    var json: JSONValue

    var type: String? { json["type"]?.string }
    /// The one element of a MEDIA_STATUS.
    var media: JSONValue? { json["status"]?.array?.first }
    var requestID: Int? { json["requestId"]?.int }
  }

  var machine: ReceiverStateMachine
  var now: Duration = .zero
  var lastRequestID = 100
  var closed: [Int] = []
  var changes: [ReceiverConfiguration.VolumeChange] = []
  /// What the browser is told to do.
  var orders: [PageOrder] = []
  /// What a recording did not know.
  var unknown: [ReceiverStateMachine.UnknownRequest] = []
  /// The page that was started last.
  var lastPage: String?

  /// What a fetch of an address finds; it finds it at once.
  var fetched: @Sendable (String) -> MediaFetch.Outcome = { _ in .missing }

  init(_ change: (inout ReceiverConfiguration) -> Void = { _ in }) {
    var configuration = ReceiverConfiguration(id: "5a1c0000-0000-4000-8000-000000000001")
    configuration.appIDs.insert("A1B2C3D4")
    // Statuses that come by themselves every second would hide what a test is about.
    configuration.media.confirmsStart = false
    configuration.media.ticksInBreaks = false
    change(&configuration)
    machine = ReceiverStateMachine(configuration: configuration)
  }

  mutating func input(_ input: ReceiverStateMachine.Input) -> [Heard] {
    perform(machine.receive(input, at: now))
  }

  private mutating func perform(_ effects: [ReceiverStateMachine.Effect]) -> [Heard] {
    var heard: [Heard] = []
    for effect in effects {
      if case .fetch(let request) = effect {
        heard += input(.fetched(request, fetched(request.media.address)))
      } else if let message = note(effect) {
        heard.append(message)
      }
    }
    return heard
  }

  /// Keeps what the effect changes.
  /// - Returns: What a sender hears.
  private mutating func note(_ effect: ReceiverStateMachine.Effect) -> Heard? {
    switch effect {
    case .volumeChanged(let change):
      changes.append(change)
      return nil
    case .page(let order):
      orders.append(order)
      if case .start(let id, _, _) = order { lastPage = id }
      return nil
    case .unknown(let request):
      unknown.append(request)
      return nil
    case .prove, .fetch: return nil
    case .close(let id):
      closed.append(id.rawValue)
      return nil
    case .send(let id, let message):
      guard case .text(let text) = message.payload, let json = try? JSONValue(parsing: text) else { return nil }
      return Heard(
        connection: id.rawValue, source: message.source.rawValue, destination: message.destination.rawValue,
        namespace: message.namespace, json: json)
    }
  }

  mutating func open(_ connection: Int) -> [Heard] { input(.connected(ConnectionID(rawValue: connection))) }
  mutating func close(_ connection: Int) -> [Heard] { input(.closed(ConnectionID(rawValue: connection))) }

  mutating func send(
    _ json: JSONValue, on namespace: Namespace = .receiver, from sender: String = "sender-0",
    to endpoint: String = "receiver-0", connection: Int = 1
  ) -> [Heard] {
    input(
      .message(
        ConnectionID(rawValue: connection),
        CastMessage(
          source: EndpointID(sender), destination: EndpointID(endpoint), namespace: namespace, json: json)))
  }

  mutating func connect(_ sender: String = "sender-0", to endpoint: String = "receiver-0", connection: Int = 1)
    -> [Heard]
  {
    send(["type": "CONNECT"], on: .connection, from: sender, to: endpoint, connection: connection)
  }

  /// Lets time pass; what is due happens at its own time, as with a timer that is never late.
  mutating func advance(by duration: Duration) -> [Heard] {
    let end = now + duration
    var heard: [Heard] = []
    while let deadline = machine.nextDeadline, deadline <= end {
      now = max(now, deadline)
      heard += input(.timerFired)
    }
    now = end
    return heard
  }

  // MARK: a sender's common steps

  /// The transport id of the running app.
  var transport: String { machine.application?.transportID.rawValue ?? "none" }

  /// Opens connection 1, launches an app and joins it.
  @discardableResult
  mutating func start(app: String = "CC1AD845") -> [Heard] {
    var heard = open(1) + connect()
    heard += send(["type": "LAUNCH", "appId": .string(app), "requestId": 1])
    return heard + connect(to: transport)
  }

  /// Sends a media request with a fresh id and, unless it names one itself, the present media session.
  mutating func media(
    _ type: String, _ members: JSONObject = [:], from sender: String = "sender-0", connection: Int = 1
  )
    -> [Heard]
  {
    lastRequestID += 1
    var json: JSONObject = ["type": .string(type), "requestId": .int(lastRequestID)]
    if type != "LOAD", type != "GET_STATUS", let id = machine.application?.media?.session?.id {
      json["mediaSessionId"] = .int(id)
    }
    for member in members.members { json[member.name] = member.value }
    return send(.object(json), on: .media, from: sender, to: transport, connection: connection)
  }

  @discardableResult
  mutating func load(_ media: JSONValue, _ members: JSONObject = [:]) -> [Heard] {
    var members = members
    members["media"] = media
    return self.media("LOAD", members)
  }

  /// The answer to a media GET_STATUS.
  mutating func status() -> JSONValue? { media("GET_STATUS").first?.media }
  mutating func position() -> Double? { status()?["currentTime"]?.number }
}

/// A film of ten minutes without breaks.
let film: JSONValue = [
  "contentId": "https://cdn.example.com/film.mp4", "contentType": "video/mp4", "streamType": "BUFFERED",
  "duration": 600,
]

extension [ReceiverHarness.Heard] {
  /// Each message in few words: a media status as `PLAYING`, `IDLE/FINISHED`, `IDLE/LOADING` or `PLAYING break/clip`,
  /// an error as type and reason, with the request id behind `#` when there is one.
  var summary: [String] {
    map { heard in
      var words = heard.type ?? heard.json["responseType"]?.string ?? "?"
      if heard.type == "MEDIA_STATUS" {
        words = heard.media?["playerState"]?.string ?? "[]"
        if let reason = heard.media?["idleReason"]?.string { words += "/" + reason }
        if let extended = heard.media?["extendedStatus"]?["playerState"]?.string { words += "/" + extended }
        if let adBreak = heard.media?["breakStatus"], adBreak != [:] {
          words += " \(adBreak["breakId"]?.string ?? "?")/\(adBreak["breakClipId"]?.string ?? "?")"
        }
      } else if let reason = heard.json["reason"]?.string {
        words += " " + reason
      }
      if let id = heard.requestID, id != 0 { words += " #\(id)" }
      return words
    }
  }
}
