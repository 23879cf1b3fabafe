import CastProtocol

/// What a request is for: says which replies fit it.
enum RequestRole: Hashable, Sendable {
  case receiverStatus, launch, stopApp, deviceVolume
  case availability, deviceInfo, members
  case mediaStatus, load, command
  case queueCommand, queueInformation, sessionState

  /// Whether the reply says nothing about the device's state.
  var isInquiry: Bool { self == .availability || self == .deviceInfo || self == .members }

  /// Whether the reply is a snapshot we asked for rather than news.
  var isPoll: Bool { self == .receiverStatus || self == .mediaStatus }

  var namespace: Namespace {
    switch self {
    case .receiverStatus, .launch, .stopApp, .deviceVolume, .availability: .receiver
    case .deviceInfo: .deviceDiscovery
    case .members: .multizone
    case .mediaStatus, .load, .command, .queueCommand, .queueInformation, .sessionState: .media
    }
  }

  /// The role in which a refusal is a failure, never the end of interest.
  var asCommand: RequestRole { isPoll ? .command : self }

  /// Whether a message that says this can be the reply (docs/protocol.md 3.1, 3.4, 4.2, 4.3).
  func isAnswered(by body: IncomingMessage.Body) -> Bool {
    switch body {
    case .receiver(let message): isAnswered(by: message)
    case .media(let message): isAnswered(by: message)
    case .multizone(.status): self == .members
    case .deviceInfo: self == .deviceInfo
    case .multizone, .connection, .deviceAuth, .heartbeat, .other, .unreadable: false
    }
  }

  private func isAnswered(by message: ReceiverMessage) -> Bool {
    switch message {
    case .status: self == .receiverStatus || self == .launch || self == .stopApp || self == .deviceVolume
    case .launchStatus, .launchError: self == .launch
    case .appAvailability: self == .availability
    case .invalidRequest: namespace == .receiver
    case .other: false
    }
  }

  private func isAnswered(by message: MediaMessage) -> Bool {
    switch message {
    // For information on a queue it is wrong, but some apps know no other answer.
    case .status: namespace == .media && self != .sessionState
    case .loadFailed, .loadCancelled: self == .load
    case .queueChange: self == .queueCommand
    case .queueItemIDs, .queueItems: self == .queueInformation
    case .sessionState: self == .sessionState
    case .error: namespace == .media && self != .mediaStatus
    case .invalidPlayerState, .invalidRequest: namespace == .media
    case .other: false
    }
  }
}

/// Whom a message answers.
enum Correlation: Hashable, Sendable {
  /// No id: news, or caused by somebody who gave none.
  case spontaneous
  /// An id nobody here asked with, or with a type that does not fit: another sender's reply, or a lie.
  case foreign
  /// A request of the operation that looks at it.
  case own(RequestRole)
  /// A request of another operation on this connection; `sequence` says when it was sent.
  case other(RequestRole, sequence: Int)
}

/// Issues request ids and finds the request a message answers: by id AND namespace AND source AND type, because
/// replies go to everybody and other senders count too (docs/protocol.md 4.4). Times are network time.
struct RequestStateMachine: Sendable {
  /// A request under way.
  struct Pending: Hashable, Sendable {
    var id: Int
    /// 1, 2, 3 ... in the order of sending; ids can wrap, these do not.
    var sequence: Int
    var role: RequestRole
    /// The operation that sent it; `nil`: the connection itself.
    var owner: Int?
    var peer: EndpointID
    /// When its reply is overdue; `nil`: the operation's own limit decides.
    var deadline: Duration?
    /// Its type on the wire, and when it was sent on the show clock: for its record.
    var name = ""
    var sentAt = Duration.zero
    /// What a LOAD is about: what its content is called.
    var contents: Set<String> = []
    /// The device held it back when it would have been overdue.
    var wasHeldBack = false

    func isOverdue(at now: Duration) -> Bool { deadline.map { $0 <= now } ?? false }
  }

  /// The largest id: 31 bits, as every sender keeps to.
  static let largestID = 0x7FFF_FFFF

  private var nextID: Int
  private(set) var lastSequence = 0
  private(set) var pending: [Pending] = []

  /// - Parameter firstID: Brought into 1 to 2^31 - 1, whatever it is.
  init(firstID: Int) { nextID = (1...Self.largestID).contains(firstID) ? firstID : 1 }

  /// Notes a request and returns it with its id.
  mutating func issue(_ role: RequestRole, owner: Int?, peer: EndpointID, deadline: Duration?) -> Pending {
    while pending.contains(where: { $0.id == nextID }) { advance() }
    lastSequence += 1
    let request = Pending(
      id: nextID, sequence: lastSequence, role: role, owner: owner, peer: peer, deadline: deadline)
    pending.append(request)
    advance()
    return request
  }

  /// The request `message` answers, which stays pending: LAUNCH and LOAD get several messages.
  func request(answeredBy message: IncomingMessage) -> Pending? {
    guard message.requestID > 0 else { return nil }
    return pending.first {
      $0.id == message.requestID && $0.peer == message.source && $0.role.isAnswered(by: message.body)
    }
  }

  /// Notes what a request will be called in its record, and what it is about.
  mutating func describe(id: Int, as name: String, sentAt: Duration, contents: Set<String> = []) {
    guard let index = pending.firstIndex(where: { $0.id == id }) else { return }
    pending[index].name = name
    pending[index].sentAt = sentAt
    pending[index].contents = contents
  }

  /// Whether `status`, from whomever, answers a LOAD of ours with what was asked for.
  func isAnswerToLoad(_ id: Int, playing contents: Set<String>) -> Bool {
    id > 0 && pending.contains { $0.id == id && $0.role == .load && !$0.contents.isDisjoint(with: contents) }
  }

  /// The requests whose reply is overdue at `now`, oldest first.
  func overdue(at now: Duration) -> [Pending] { pending.filter { $0.isOverdue(at: now) } }

  /// Gives requests that are overdue at `now` `time` more while the device holds them back, and once more after that.
  mutating func postpone(at now: Duration, by time: Duration, heldBack: Set<Int>) {
    for index in pending.indices where pending[index].isOverdue(at: now) {
      let isHeld = heldBack.contains(pending[index].id)
      if isHeld || pending[index].wasHeldBack { pending[index].deadline = now + time }
      pending[index].wasHeldBack = isHeld
    }
  }

  /// Removes and returns a request.
  @discardableResult
  mutating func close(id: Int) -> Pending? {
    pending.firstIndex { $0.id == id }.map { pending.remove(at: $0) }
  }

  /// Removes and returns what an operation has under way, oldest first.
  @discardableResult
  mutating func closeOwned(by owner: Int) -> [Pending] { take { $0.owner == owner } }

  /// Removes and returns everything, oldest first.
  @discardableResult
  mutating func closeAll() -> [Pending] { take { _ in true } }

  private mutating func take(_ isTaken: (Pending) -> Bool) -> [Pending] {
    let taken = pending.filter(isTaken)
    if !taken.isEmpty { pending.removeAll(where: isTaken) }
    return taken
  }

  /// Removes and returns the requests whose reply is overdue at `now`, oldest first.
  mutating func expire(at now: Duration) -> [Pending] {
    take { $0.isOverdue(at: now) }
  }

  var nextDeadline: Duration? { pending.lazy.compactMap(\.deadline).min() }

  private mutating func advance() { nextID = nextID >= Self.largestID ? 1 : nextID + 1 }
}
