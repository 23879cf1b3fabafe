import CastProtocol

/// Loads media; done as soon as a status of the new media session appears.
///
/// Judged on state: the echoed id may be on the first status, the last or none (docs/protocol.md 6.2), and some apps
/// keep their media session id, where our id, our content or a new beginning tells the load (see ``EarlierMedia``).
struct LoadStateMachine: OperationStateMachine {
  /// An IDLE/ERROR status often comes just before the LOAD_FAILED that carries the code (docs/protocol.md 6.3).
  static let codeGrace = Duration.milliseconds(250)
  /// An ERROR without an id is blamed on the load when nothing else came in this time (quirk 17).
  static let errorGrace = Duration.seconds(1)
  /// How long an app has to say what plays. One that says nothing in this time is believed: there is no more to know.
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
  /// A media session that may be ours, but whose status names no content, and until when the app may tell what it plays.
  private var unnamed: (session: Int, until: Duration)?
  /// Before that the app is not asked again, however many sessions it tells of.
  private var nextQuestion = Duration.zero

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

  /// Goes on where another device stood (docs/protocol.md 3.7).
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
  var wakeAt: Duration? { [suspicion?.until, unnamed?.until].compactMap(\.self).min() }
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
    case .refused(_, target.transportID, .own(.mediaStatus)): believe()
    default: []
    }
  }

  mutating func timerFired(at now: Duration) -> [OperationEffect] {
    if let suspicion, suspicion.until <= now { return [.finish(.failure(suspicion.error))] }
    if let unnamed, unnamed.until <= now { return believe() }
    return []
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
      unnamed = nil
      return []
    }
    // The late answer to a load of long ago; nobody waits for it any more. Sessions count up, unless an app uses any
    // number, which then tells of ours without that id, too (docs/protocol.md 4.4).
    if correlation == .foreign, let earlier, status.mediaSessionID < earlier.mediaSessionID { return [] }
    let isAnswer = correlation == .own(.load)
    let saysWhatPlays = correlation.isOfMediaStatus && status.mediaSessionID == unnamed?.session
    if !saysWhatPlays, earlier?.mediaSessionID == status.mediaSessionID,
      earlier?.isReplaced(by: status, wanted: wanted, from: startTime, isAnswer: isAnswer) == false
    {
      if isAnswer { uselessAnswer = status.inWords }
      return []
    }
    guard isAnswer || wanted.isEmpty || wanted.contains(where: status.couldShow) else {
      otherMedia = status.contentInWords
      if status.mediaSessionID == unnamed?.session { unnamed = nil }
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
    // A status that nobody asked for and that names nothing may be of another's media. Some apps name no content even
    // when they are asked (quirk 20).
    if !isAnswer, !wanted.isEmpty, status.contentNames.isEmpty, !saysWhatPlays { return ask(about: status, at: now) }
    return [.finish(.success(.mediaSession(status.mediaSessionID)))]
  }

  /// Asks the app what it plays, unless it has been asked and may still answer.
  private mutating func ask(about status: MediaStatus, at now: Duration) -> [OperationEffect] {
    unnamed = (status.mediaSessionID, unnamed?.until ?? now + Self.contentPatience)
    guard nextQuestion <= now else { return [] }
    nextQuestion = now + Self.contentPatience
    return [.request(.media(.getStatus, to: target.transportID))]
  }

  /// Takes the media session that names nothing for ours.
  private func believe() -> [OperationEffect] {
    unnamed.map { [.finish(.success(.mediaSession($0.session)))] } ?? []
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

extension Correlation {
  /// Whether it answers a question about the media status, whoever asked it here.
  fileprivate var isOfMediaStatus: Bool {
    switch self {
    case .own(.mediaStatus), .other(.mediaStatus, _): true
    case .own, .other, .spontaneous, .foreign: false
    }
  }
}
