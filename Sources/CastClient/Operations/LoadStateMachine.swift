import CastProtocol

/// Loads media; done as soon as a status of the new media session appears.
///
/// Judged on state, not on the echoed id, which may be on the first status, the last or none (cast-protocol.md 6.2).
struct LoadStateMachine: OperationStateMachine {
  /// An IDLE/ERROR status often comes just before the LOAD_FAILED that carries the code (cast-protocol.md 6.3).
  static let codeGrace = Duration.milliseconds(250)
  /// An ERROR without an id is blamed on the load when nothing else came in this time (quirk 17).
  static let errorGrace = Duration.seconds(1)

  private let request: OperationEffect.Request
  /// What may play then; empty: anything.
  private let wanted: [MediaInformation]
  private let target: AppSession
  /// What is sent before the load cannot tell of its media session: answers to requests up to this one.
  private let lastEarlierSequence: Int
  /// The media session before the load; `nil`: there was none.
  private var before: Int?
  /// Whether something played there when we began, and has not ended since.
  private var isBeforeActive: Bool
  private var suspicion: (error: ClientError, until: Duration)?
  private var sawOtherMedia = false

  /// - Parameters:
  ///   - current: The merged media status of the app now.
  ///   - lastSequence: The newest request sent on this connection.
  init(_ load: LoadRequest, in target: AppSession, current: MediaStatus?, lastSequence: Int) {
    self.init(
      .media(.load(load), to: target.transportID), wanted: [load.media], in: target, current: current,
      lastSequence: lastSequence)
  }

  /// Loads a queue; done as soon as one of its items is there, because the first may be skipped.
  init(_ queue: QueueLoadRequest, in target: AppSession, current: MediaStatus?, lastSequence: Int) {
    self.init(
      .media(.queueLoad(queue), to: target.transportID), wanted: queue.items.compactMap(\.media), in: target,
      current: current, lastSequence: lastSequence)
  }

  /// Goes on where another device stood (cast-protocol.md 3.7).
  init(resuming state: JSONValue, in target: AppSession, current: MediaStatus?, lastSequence: Int) {
    let object: JSONObject = ["type": "RESUME_SESSION", "sessionState": state]
    self.init(
      .raw(.load, object, to: target.transportID), wanted: [], in: target, current: current,
      lastSequence: lastSequence)
  }

  private init(
    _ request: OperationEffect.Request, wanted: [MediaInformation], in target: AppSession, current: MediaStatus?,
    lastSequence: Int
  ) {
    self.request = request
    self.wanted = wanted
    self.target = target
    before = current?.mediaSessionID
    isBeforeActive = current?.isActive ?? false
    lastEarlierSequence = lastSequence
  }

  var session: AppSession? { target }
  var needsMedia: Bool { true }
  var wakeAt: Duration? { suspicion?.until }
  var timeout: ClientError {
    if let suspicion { return suspicion.error }
    return ClientError(
      .timeout,
      sawOtherMedia ? "a media session appeared, but it plays something else" : "no status of a new media session came")
  }

  mutating func begin(at now: Duration) -> [OperationEffect] {
    [.request(request)]
  }

  mutating func receive(_ event: OperationEvent, at now: Duration) -> [OperationEffect] {
    switch event {
    case .mediaStatus(let status, target.transportID, let correlation): judge(status, correlation, at: now)
    case .refused(let refusal, _, .own(.load)): [.finish(.failure(ClientError(refusal)))]
    case .refused(let refusal, target.transportID, .spontaneous): suspect(refusal, at: now)
    default: []
    }
  }

  mutating func timerFired(at now: Duration) -> [OperationEffect] {
    guard let suspicion, suspicion.until <= now else { return [] }
    return [.finish(.failure(suspicion.error))]
  }

  private mutating func judge(_ status: MediaStatus?, _ correlation: Correlation, at now: Duration)
    -> [OperationEffect]
  {
    if case .other(.mediaStatus, let sequence) = correlation, sequence <= lastEarlierSequence {
      before = status?.mediaSessionID
      isBeforeActive = status?.isActive ?? false
      return []
    }
    guard let status else {
      isBeforeActive = false
      return []
    }
    // The end of the old session is reported after our LOAD was sent (quirk 15).
    if status.mediaSessionID == before {
      isBeforeActive = status.isActive
      return []
    }
    guard correlation == .own(.load) || wanted.isEmpty || wanted.contains(where: status.mayPlay) else {
      sawOtherMedia = true
      return []
    }
    if status.playerState == .idle, status.loadingItemID == nil {
      switch status.idleReason {
      case .error:
        suspicion = (ClientError(.loadFailed, "the player is idle with ERROR"), now + Self.codeGrace)
        return []
      case .cancelled, .interrupted:
        return [.finish(.failure(ClientError(.loadCancelled, "the new media session was ended at once")))]
      case .finished, .unknown, nil: break
      }
    }
    return [.finish(.success(.mediaSession(status.mediaSessionID)))]
  }

  /// Weighs a failure that names no request.
  private mutating func suspect(_ refusal: Refusal, at now: Duration) -> [OperationEffect] {
    switch refusal.kind {
    case .loadFailed:
      return [.finish(.failure(ClientError(refusal)))]
    case .error:
      // What plays until our load takes effect may be what failed, and a broken ad ends no load.
      let isOfBreak = refusal.detailedErrorCode == 901 || refusal.detailedErrorCode == 902
      if isBeforeActive || isOfBreak { return [] }
      var error = ClientError(refusal)
      error.class = .loadFailed
      suspicion = (error, now + Self.errorGrace)
      return []
    case .launchError, .loadCancelled, .invalidPlayerState, .invalidRequest:
      return []
    }
  }
}

extension MediaStatus {
  /// Whether something plays or is about to; an unknown state counts as busy (quirk 19).
  var isActive: Bool { playerState != .idle || loadingItemID != nil || extendedPlayerState == "LOADING" }

  /// Whether this may be `wanted`: it says the same content, or none (quirk 20).
  func mayPlay(_ wanted: MediaInformation) -> Bool {
    let present = Self.names(of: media ?? extendedMedia)
    return present.isEmpty || !present.isDisjoint(with: Self.names(of: wanted))
  }

  private static func names(of media: MediaInformation?) -> Set<String> {
    guard let media else { return [] }
    return Set([media.contentID, media.contentURL ?? ""].filter { !$0.isEmpty })
  }
}
