import CastProtocol

/// Loads media; done as soon as a status of the new media session appears.
///
/// Judged on state: the echoed id may be on the first status, the last or none (cast-protocol.md 6.2), and some apps keep
/// their media session id, where our id, our content or a new beginning tells the load (see ``EarlierMedia``).
struct LoadStateMachine: OperationStateMachine {
  /// An IDLE/ERROR status often comes just before the LOAD_FAILED that carries the code (cast-protocol.md 6.3).
  static let codeGrace = Duration.milliseconds(250)
  /// An ERROR without an id is blamed on the load when nothing else came in this time (quirk 17).
  static let errorGrace = Duration.seconds(1)
  /// How long the answer to "what plays?" may take before it is asked again.
  static let contentPatience = Duration.seconds(5)

  private let request: OperationEffect.Request
  /// What may play then; empty: anything.
  private let wanted: [MediaInformation]
  private let target: AppSession
  /// What is sent before the load cannot tell of its media session: answers to requests up to this one.
  private let lastEarlierSequence: Int
  /// What was there before the load; `nil`: nothing.
  private var earlier: EarlierMedia?
  private let startTime: Double
  private var suspicion: (error: ClientError, until: Duration)?
  /// A status with our id that told of what was there before, in words.
  private var uselessAnswer: String?
  /// Media of somebody else that appeared, in words.
  private var otherMedia: String?
  /// A media session that may be ours, but whose status names no content: the app has been asked what it plays.
  private var unnamed: Int?

  /// - Parameters:
  ///   - current: The merged media status of the app now.
  ///   - position: Where that is now, in seconds.
  ///   - lastSequence: The newest request sent on this connection.
  init(
    _ load: LoadRequest, in target: AppSession, current: MediaStatus?, position: Double? = nil, lastSequence: Int
  ) {
    self.init(
      .media(.load(load), to: target.transportID), wanted: [load.media], from: load.currentTime, in: target,
      current: current, position: position, lastSequence: lastSequence)
  }

  /// Loads a queue; done as soon as one of its items is there, because the first may be skipped.
  init(
    _ queue: QueueLoadRequest, in target: AppSession, current: MediaStatus?, position: Double? = nil,
    lastSequence: Int
  ) {
    self.init(
      .media(.queueLoad(queue), to: target.transportID), wanted: queue.items.compactMap(\.media),
      from: queue.currentTime, in: target, current: current, position: position, lastSequence: lastSequence)
  }

  /// Goes on where another device stood (cast-protocol.md 3.7).
  init(resuming state: JSONValue, in target: AppSession, current: MediaStatus?, lastSequence: Int) {
    let object: JSONObject = ["type": "RESUME_SESSION", "sessionState": state]
    self.init(
      .raw(.load, object, to: target.transportID), wanted: [], from: nil, in: target, current: current, position: nil,
      lastSequence: lastSequence)
  }

  private init(
    _ request: OperationEffect.Request, wanted: [MediaInformation], from startTime: Double?, in target: AppSession,
    current: MediaStatus?, position: Double?, lastSequence: Int
  ) {
    self.request = request
    self.wanted = wanted
    self.startTime = startTime ?? 0
    self.target = target
    earlier = current.map { EarlierMedia($0, position: position) }
    lastEarlierSequence = lastSequence
  }

  var session: AppSession? { target }
  var needsMedia: Bool { true }
  var isLoading: Bool { true }
  var wakeAt: Duration? { suspicion?.until }
  var timeout: ClientError { suspicion?.error ?? ClientError(.timeout, whatCame) }

  /// What came instead of the new media session.
  private var whatCame: String {
    let name = request.json(requestID: 0)["type"]?.string ?? "LOAD"
    if let uselessAnswer {
      return "\(name) was answered, but by a status of what was there before: \(uselessAnswer)"
    }
    if let otherMedia { return "no reply to \(name); a media session appeared, but it is of \(otherMedia)" }
    if unnamed != nil { return "no reply to \(name); a media session appeared, but the app did not say what it plays" }
    return "no reply to \(name), and no status of a new media session came"
  }

  mutating func begin(at now: Duration) -> [OperationEffect] {
    [.request(request)]
  }

  mutating func receive(_ event: OperationEvent, at now: Duration) -> [OperationEffect] {
    switch event {
    case .mediaStatus(let status, target.transportID, let correlation): judge(status, correlation, at: now)
    case .refused(let refusal, _, .own(.load)): [.finish(.failure(ClientError(refusal)))]
    case .refused(let refusal, target.transportID, .spontaneous): suspect(refusal, at: now)
    case .expired(.mediaStatus): unnamed == nil ? [] : [askContent]
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
      earlier = status.map { EarlierMedia($0, position: $0.currentTime) }
      return []
    }
    guard let status else {
      earlier?.isActive = false
      return []
    }
    let isAnswer = correlation == .own(.load)
    let saysWhatPlays = correlation == .own(.mediaStatus) && status.mediaSessionID == unnamed
    if !saysWhatPlays, earlier?.mediaSessionID == status.mediaSessionID,
      earlier?.isReplaced(by: status, wanted: wanted, from: startTime, isAnswer: isAnswer) == false
    {
      if isAnswer { uselessAnswer = status.inWords }
      return []
    }
    guard isAnswer || wanted.isEmpty || wanted.contains(where: status.mayPlay) else {
      otherMedia = status.contentInWords
      unnamed = nil
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
    // Another sender's media may begin now as well. Some apps name no content even when they are asked (quirk 20).
    if !isAnswer, !wanted.isEmpty, status.contentNames.isEmpty, !saysWhatPlays { return ask(about: status) }
    return [.finish(.success(.mediaSession(status.mediaSessionID)))]
  }

  /// Asks the app what it plays, once for each media session that does not say it.
  private mutating func ask(about status: MediaStatus) -> [OperationEffect] {
    guard unnamed != status.mediaSessionID else { return [] }
    unnamed = status.mediaSessionID
    return [askContent]
  }

  private var askContent: OperationEffect {
    .request(.media(.getStatus, to: target.transportID), within: Self.contentPatience)
  }

  /// Weighs a failure that names no request.
  private mutating func suspect(_ refusal: Refusal, at now: Duration) -> [OperationEffect] {
    switch refusal.kind {
    case .loadFailed:
      return [.finish(.failure(ClientError(refusal)))]
    case .error:
      // What plays until our load takes effect may be what failed, and a broken ad ends no load.
      let isOfBreak = refusal.detailedErrorCode == 901 || refusal.detailedErrorCode == 902
      if earlier?.isActive == true || isOfBreak { return [] }
      var error = ClientError(refusal)
      error.class = .loadFailed
      suspicion = (error, now + Self.errorGrace)
      return []
    case .launchError, .loadCancelled, .invalidPlayerState, .invalidRequest:
      return []
    }
  }
}
