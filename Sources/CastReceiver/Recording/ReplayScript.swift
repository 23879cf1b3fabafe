import CastProtocol

/// A recording, sorted: requests, and what the receiver sent because of each or after it.
///
/// An answer belongs to the request whose id it has. What came unasked belongs to the last request before it that changed
/// something: looking changes nothing, and senders look at other moments each time.
struct ReplayScript: Hashable, Sendable {
  /// Something that the receiver sent.
  struct Output: Hashable, Sendable {
    let message: RecordedMessage
    /// After the request.
    let delay: Duration
    /// Whether it has the request's id.
    let isAnswer: Bool
    /// Whether it answers somebody of whom the recording says nothing: it says how things were, and is not sent.
    var isOnlyKnown = false
  }

  struct Exchange: Hashable, Sendable {
    let request: RecordedMessage
    let kind: Kind
    var outputs: [Output] = []
  }

  enum Kind: Hashable, Sendable {
    /// CONNECT.
    case connection
    /// Looks at the status.
    case status
    /// Looks at something else.
    case question
    /// Changes something.
    case command
  }

  private(set) var exchanges: [Exchange] = []
  /// What came before any request.
  private(set) var opening: [Output] = []
  /// Of all requests together.
  private(set) var outputCount = 0

  private struct Origin: Hashable {
    var publication: String?
    var requestID: Int
  }

  init(_ recording: Recording) {
    var asked: [Origin: Int] = [:]
    var anchor: Int?
    var last: RecordedMessage?
    var repeats: Set<Int?> = []
    for message in recording.messages {
      if message.namespace == .heartbeat || message.namespace == .deviceAuth { continue }
      if let last, message.origin != last.origin { anchor = nil }
      switch message.direction {
      case .toReceiver:
        last = message
        guard let kind = Self.kind(of: message) else { continue }
        let index = exchanges.count
        exchanges.append(Exchange(request: message, kind: kind))
        if let id = message.requestID { asked[Origin(publication: message.origin, requestID: id)] = index }
        if isAnchor(kind, message, after: anchor) { anchor = index }
      case .toSender:
        if message.namespace == .connection, message.type != "CLOSE" { continue }
        // A message for everyone was sent once to each connection.
        if let last, message.isSent(as: last), !repeats.contains(message.connection) {
          repeats.insert(message.connection)
          continue
        }
        last = message
        repeats = [message.connection]
        let answered = message.requestID.flatMap { asked[Origin(publication: message.origin, requestID: $0)] }
        add(message, to: answered ?? anchor, isAnswer: answered != nil)
      }
    }
  }

  private mutating func add(_ message: RecordedMessage, to index: Int?, isAnswer: Bool) {
    var delay = Duration.zero
    if let index, let start = exchanges[index].request.at, let time = message.at { delay = max(.zero, time - start) }
    // What stands for credentials in a recording is nothing to tell a sender.
    var sent = message
    if case .json(let json) = message.payload { sent.payload = .json(json.withoutStandIns) }
    var output = Output(message: sent, delay: delay, isAnswer: isAnswer)
    outputCount += 1
    output.isOnlyKnown = !isAnswer && message.requestID != nil && message.object?["type"] != nil
    if let index { exchanges[index].outputs.append(output) } else { opening.append(output) }
  }

  /// Whether what comes unasked belongs to it: to a command, and to those who connect before the next one.
  private func isAnchor(_ kind: Kind, _ message: RecordedMessage, after anchor: Int?) -> Bool {
    switch kind {
    case .command: return true
    case .status, .question: return false
    case .connection:
      guard let anchor else { return true }
      let before = exchanges[anchor]
      return message.destination != .receiver
        && (before.kind == .connection || before.request.namespace == .receiver && before.request.type == "LAUNCH")
    }
  }

  /// `nil` for what needs no answer of the recording's.
  private static func kind(of message: RecordedMessage) -> Kind? {
    let type = message.type ?? ""
    if message.namespace == .connection { return type == "CONNECT" ? .connection : nil }
    guard message.namespace.isOfPlatform else { return .command }
    return kind(ofType: type)
  }

  static func kind(ofType type: String) -> Kind {
    if type == "GET_STATUS" { return .status }
    return type.hasPrefix("GET_") || type.hasPrefix("QUEUE_GET_") ? .question : .command
  }
}

extension RecordedMessage {
  /// Whether it is the same message to everyone, sent over another connection.
  fileprivate func isSent(as other: RecordedMessage) -> Bool {
    destination == .everyone && connection != nil && direction == other.direction
      && other.destination == .everyone && source == other.source && namespace == other.namespace
      && payload == other.payload
  }
}
