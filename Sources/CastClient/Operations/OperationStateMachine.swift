import CastProtocol
import CastTransport

/// The rules of one thing a device was asked to do, from the first request to "done when" or the error.
///
/// A pure value: it is told what the device said and answers effects. Times are network time.
protocol OperationStateMachine: Sendable {
  /// The app whose end ends this operation.
  var session: AppSession? { get }
  /// Whether it connects to ``session`` itself, rather than needing a connection to it.
  var opensAppConnection: Bool { get }
  /// Whether the app has to offer the media namespace.
  var needsMedia: Bool { get }
  /// Whether it is a LOAD, during which devices hold other requests back.
  var isLoading: Bool { get }
  /// Whether every message is told to it, besides what it asked for.
  var hearsEverything: Bool { get }
  /// Whether the device's proof may still come through it.
  var bringsProof: Bool { get }
  /// The volume that it sets, where that is what it does.
  var volumeChange: VolumeChange? { get }
  /// What of the device it may change; a change of that while it is under way is no act of others.
  var changes: Set<OtherSenderAction.Subject> { get }
  /// When ``timerFired(at:)`` wants to be called; `nil`: never.
  var wakeAt: Duration? { get }
  /// The error to report when the caller's deadline passes.
  var timeout: ClientError { get }

  mutating func begin(at now: Duration) -> [OperationEffect]
  mutating func receive(_ event: OperationEvent, at now: Duration) -> [OperationEffect]
  mutating func timerFired(at now: Duration) -> [OperationEffect]
}

extension OperationStateMachine {
  var session: AppSession? { nil }
  var opensAppConnection: Bool { false }
  var needsMedia: Bool { false }
  var isLoading: Bool { false }
  var hearsEverything: Bool { false }
  var bringsProof: Bool { false }
  var volumeChange: VolumeChange? { nil }
  var changes: Set<OtherSenderAction.Subject> { session == nil ? [] : [.media] }
  var wakeAt: Duration? { nil }
  mutating func timerFired(at now: Duration) -> [OperationEffect] { [] }
}

/// What an operation wants done.
enum OperationEffect: Hashable, Sendable {
  /// CONNECT to this endpoint; leaves in one write with the requests of the same step.
  case connect(EndpointID)
  /// A challenge of device authentication to the platform.
  case challenge([UInt8])
  /// A request; with `within`, ``OperationEvent/expired(_:)`` follows when no reply came in that time.
  case request(Request, within: Duration? = nil)
  /// A message that is no request of ours: nothing is awaited.
  case message(Namespace, CastMessage.Payload, to: EndpointID)
  /// The caller's deadline no longer counts; give up this much network time from now.
  case extend(by: Duration)
  /// Find out what this proof is worth: the answer is ``OperationEvent/judged(_:)``.
  case judge(AuthenticationExchange, CastMessage.Payload)
  /// The proof that was asked for may come until then, or has come and is being judged, but nobody waits for it.
  case proofFollows(AuthenticationExchange, isBeingJudged: Bool, until: Duration)
  case finish(Result<Outcome, ClientError>)

  /// A request with its destination.
  enum Request: Hashable, Sendable {
    case receiver(ReceiverRequest)
    case media(MediaRequest, to: EndpointID)
    /// A request on the media namespace, complete but for its id.
    case raw(RequestRole, JSONObject, to: EndpointID)
    /// What kind of device it is.
    case deviceInfo
    /// The members of a group.
    case members

    /// What a LOAD is about: what its content is called.
    var contents: Set<String> { if case .media(let request, _) = self { request.command.contents } else { [] } }

    var role: RequestRole {
      switch self {
      case .receiver(.getStatus): .receiverStatus
      case .receiver(.getAppAvailability): .availability
      case .deviceInfo: .deviceInfo
      case .members: .members
      case .receiver(.launch): .launch
      case .receiver(.stop): .stopApp
      case .receiver(.setVolume): .deviceVolume
      case .media(let request, _): request.command.role
      case .raw(let role, _, _): role
      }
    }

    func json(requestID: Int) -> JSONValue {
      switch self {
      case .receiver(let request): return request.json(requestID: requestID)
      case .media(let request, _): return request.json(requestID: requestID)
      case .raw(_, var object, _):
        object["requestId"] = .int(requestID)
        return .object(object)
      case .deviceInfo: return ["type": "GET_DEVICE_INFO", "requestId": .int(requestID)]
      case .members: return ["type": "GET_STATUS", "requestId": .int(requestID)]
      }
    }

    var destination: EndpointID {
      switch self {
      case .receiver, .deviceInfo, .members: .receiver
      case .media(_, let destination), .raw(_, _, let destination): destination
      }
    }
  }

  /// What an operation gives its caller.
  enum Outcome: Hashable, Sendable {
    case done
    case session(AppSession)
    case mediaSession(Int)
    /// All items of a queue in their order; one whose content is not known has only its id.
    case queue([QueueItem])
    case sessionState(JSONValue)
    /// A connection, with what the device's proof is worth where one was asked.
    case opened(DeviceAuthReport?)
    /// The reply to an inquiry.
    case answer(IncomingMessage.Body)
  }
}

/// What a device said, as an operation sees it.
enum OperationEvent: Hashable, Sendable {
  case receiverStatus(ReceiverStatus, Correlation)
  /// The merged status after a MEDIA_STATUS from this transport id; `nil` when it lists no session.
  case mediaStatus(MediaStatus?, from: EndpointID, Correlation)
  /// The reply to an inquiry of this operation.
  case answered(IncomingMessage.Body)
  /// LAUNCH_STATUS of our LAUNCH.
  case launchStatus(ReceiverMessage.LaunchStatus)
  /// News of a queue or a session, and all that the message says.
  case news(MediaMessage, content: JSONValue, from: EndpointID, Correlation)
  /// A message that reports a failure.
  case refused(Refusal, from: EndpointID, Correlation)
  /// A message of device authentication.
  case proof(CastMessage.Payload)
  /// What the proof is worth.
  case judged(DeviceAuthReport)
  /// Any other message; only operations that hear everything get it.
  case anything(Namespace)
  /// No reply came in time.
  case expired(RequestRole)
}

extension MediaCommand {
  /// What a LOAD is about: what its content is called.
  fileprivate var contents: Set<String> {
    switch self {
    case .load(let load): load.media.names
    case .queueLoad(let queue): queue.items.reduce(into: []) { $0.formUnion($1.media?.names ?? []) }
    default: []
    }
  }

  fileprivate var role: RequestRole {
    switch self {
    case .getStatus: .mediaStatus
    case .load, .queueLoad: .load
    case .queueInsert, .queueUpdate, .queueRemove, .queueReorder: .queueCommand
    default: .command
    }
  }
}
