import CastProtocol

/// Which ids of a recording stand for which live ones.
struct ReplayIdentities: Hashable, Sendable {
  /// Sessions and transports.
  private var sessions: [String: String] = [:]
  private var media: [Int: Int] = [:]
  private var lastMedia = 0
  private var generator: SessionIDGenerator

  init(seed: UInt64) { generator = SessionIDGenerator(seed: seed) }

  /// What a recorded session or transport is called now.
  mutating func live(_ recorded: String) -> String {
    if let known = sessions[recorded] { return known }
    let id = generator.next()
    sessions[recorded] = id
    return id
  }

  mutating func live(_ recorded: EndpointID) -> EndpointID {
    recorded == .receiver || recorded == .everyone ? recorded : EndpointID(live(recorded.rawValue))
  }

  /// What a recorded session is called now; `nil` where nobody has heard of it.
  func knownSession(_ recorded: String) -> String? { sessions[recorded] }

  func knownMedia(_ recorded: Int) -> Int? { media[recorded] }

  /// What the recording calls a live media session.
  func recordedMedia(_ live: Int) -> Int? { media.first { $0.value == live }?.key }

  func recordedSession(_ live: String) -> String? { sessions.first { $0.value == live }?.key }

  /// Lets what `message` begins have another id from now on: it begins once more.
  mutating func renew(by message: RecordedMessage) {
    guard let object = message.object else { return }
    for app in object["status"]?["applications"]?.array ?? [] {
      for name in ["sessionId", "transportId"] { if let id = app[name]?.string { sessions[id] = nil } }
    }
    for status in object["status"]?.array ?? [] { if let id = status["mediaSessionId"]?.int { media[id] = nil } }
  }

  /// `payload` with live ids, as the answer to `requestID`, or to nobody.
  mutating func live(_ payload: RecordedMessage.Payload, answering requestID: Int?) -> RecordedMessage.Payload {
    guard case .json(let json) = payload, var object = json.object else { return payload }
    // An id of another sender would be taken for an answer by whoever has the same.
    for name in ["requestId", "launchRequestId"] where object[name]?.int != nil {
      object[name] = .int(requestID ?? 0)
    }
    return .json(live(.object(object)))
  }

  private mutating func live(_ json: JSONValue) -> JSONValue {
    switch json {
    case .object(var object):
      for index in object.members.indices {
        let member = object.members[index]
        switch (member.name, member.value) {
        // What belongs to apps is not ours to read.
        case ("customData", _), ("media", _): continue
        case ("sessionId", .string(let id)), ("transportId", .string(let id)):
          if !id.isEmpty { object.members[index].value = .string(live(id)) }
        case ("mediaSessionId", .int(let id)): object.members[index].value = .int(liveMedia(id))
        default: object.members[index].value = live(member.value)
        }
      }
      return .object(object)
    case .array(let values):
      var array: [JSONValue] = []
      for value in values { array.append(live(value)) }
      return .array(array)
    default: return json
    }
  }

  private mutating func liveMedia(_ recorded: Int) -> Int {
    if let known = media[recorded] { return known }
    // As it was, where nothing else is called that.
    let id = recorded > lastMedia ? recorded : lastMedia + 1
    guard id > 0, id < Int(Int32.max) else { return recorded }
    lastMedia = id
    media[recorded] = id
    return id
  }
}
