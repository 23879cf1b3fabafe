import CastProtocol

/// The media rules of one app session: requests in, statuses out. Holds no clock.
///
/// Source: docs/protocol.md 4 to 6. Times are show time. What is due happens at its own time even when the caller is
/// late, so positions do not drift.
struct MediaSessionStateMachine: Hashable, Sendable {
  /// A message of the media namespace.
  enum Output: Hashable, Sendable {
    case everyone(JSONValue)
    case one(ReceiverStateMachine.Sender, JSONValue)
    /// Have the content looked at; ``fetched(_:_:at:)`` takes the outcome.
    case fetch(MediaFetch)
    /// The app ends itself.
    case exit
  }

  /// Why a request is refused (docs/protocol.md 4.3).
  enum Refusal: String, Error {
    case invalidCommand = "INVALID_COMMAND"
    case invalidMediaSessionID = "INVALID_MEDIA_SESSION_ID"
    case invalidParameters = "INVALID_PARAMS"
    case invalidRequest = "INVALID_REQUEST"
    case languageNotSupported = "LANGUAGE_NOT_SUPPORTED"
    case notSupported = "NOT_SUPPORTED"
    /// SKIP_AD while no ad plays; answered by ERROR.
    case notInBreak = "NOT_IN_BREAK"
    /// Answered by a type of its own.
    case invalidPlayerState = "INVALID_PLAYER_STATE"
  }

  /// The content loaded last, until it ends.
  var session: MediaSession?
  /// Up to when everything that was due has been done.
  var caughtUp = Duration.zero
  /// The content that ended last.
  var ended: EndedSession?
  /// The id of the last session; the first LOAD makes it 1.
  var lastSessionID = 0
  /// The id of the last queue item of this app session.
  var lastItemID = 0
  /// Counts the changes of queues, so that a sender notices when it has missed one.
  var queueSequence = 0
  var changes = ItemChangeLimit()
  var random: SeededGenerator
  let behavior: MediaBehavior
  var idleExit: IdleExit
  /// The rate that the player runs at or ran at last; it outlasts what is loaded.
  var playerRate = PlaybackRate.normal
  /// The rate that a sender asked for last, for what is loaded next.
  var preferredRate = PlaybackRate.normal
  /// The caption style that a sender set last, for what is loaded next.
  var preferredStyle: JSONValue?
  var streamLevel = 1.0
  var isStreamMuted = false
  /// Whether content is fetched before it plays.
  let fetches: Bool
  /// The types that the app plays: categories, or MIME types; `nil`: whatever devices play.
  private let types: [String]?
  private let durations: ContentDurations
  private var lastFetchID = 0
  /// The player outside, such as a page; `nil`: playback follows the clock.
  var player: OutsidePlayer?
  /// Why what was loaded last does not play.
  var fault: MediaFault?
  /// How long a load takes.
  let loadTime: ClosedRange<Duration>
  private var outputs: [Output] = []
  /// Whose request is being handled.
  var requester: ReceiverStateMachine.Sender?
  /// The id for the next status to everyone: the request's on its first status, 0 after that.
  var replyID = 0
  /// How the load at hand is to fail.
  var lateFailure: LateFailure?
  /// Whether statuses keep ``replyID`` for the one that ends the load.
  var keepsReplyID = false

  init(_ configuration: ReceiverConfiguration, playing types: [String]? = nil, seed: UInt64) {
    self.types = types
    random = SeededGenerator(seed: seed)
    behavior = configuration.media
    idleExit = IdleExit(after: configuration.media.idleExit)
    loadTime = configuration.latency.load
    fetches = configuration.fetch != nil
    player = configuration.playsOutside ? OutsidePlayer(goneSince: .zero) : nil
    durations = configuration.durations
  }

  /// Has the item that is on last as long as is known of it.
  mutating func learnDuration() {
    guard let address = session?.media.object.contentAddress, let known = durations.duration(of: address) else {
      return
    }
    session?.learn(.found(duration: known))
  }

  /// Handles one request of a sender.
  mutating func receive(
    _ request: JSONObject, from sender: ReceiverStateMachine.Sender, at now: Duration
  ) -> [Output] {
    performDue(at: now)
    if let requestID = ReceiverStateMachine.requestID(request), let type = request["type"]?.string {
      answer(type, request, requestID, from: sender, at: now)
      performDue(at: now)
    }
    return takeOutputs()
  }

  mutating func answer(
    _ type: String, _ request: JSONObject, _ requestID: Int, from sender: ReceiverStateMachine.Sender, at now: Duration
  ) {
    requester = sender
    replyID = requestID
    do throws(Refusal) {
      try perform(type, request, requestID, at: now)
    } catch {
      refuse(error, requestID)
    }
    replyID = 0
    requester = nil
  }

  /// Does what is due by `now`.
  mutating func advance(to now: Duration) -> [Output] {
    performDue(at: now)
    noteIdle(at: now)
    if let deadline = idleExit.deadline, deadline <= now { outputs.append(.exit) }
    return takeOutputs()
  }

  mutating func takeOutputs() -> [Output] {
    if player != nil { settleOrders() }
    defer { outputs = [] }
    return outputs
  }

  private mutating func perform(
    _ type: String, _ request: JSONObject, _ requestID: Int, at now: Duration
  ) throws(Refusal) {
    let namedSession = request.given("mediaSessionId")
    if let namedSession, session == nil || namedSession.whole != session?.id { throw .invalidMediaSessionID }
    switch type {
    case "GET_STATUS":
      reply(statusReply(requestID, options: request["options"]?.whole ?? 0, at: now))
      return
    case "LOAD":
      try load(request, requestID, at: now)
      return
    case "QUEUE_LOAD":
      try queueLoad(request, requestID, at: now)
      return
    case "RESUME_SESSION" where behavior.supportsStreamTransfer:
      try resumeSession(request, requestID, at: now)
      return
    case "PLAY_AGAIN":
      try playAgain(requestID, at: now)
      return
    case "PRECACHE":
      precache(request, requestID)
      return
    case "PLAY", "PAUSE", "STOP", "SEEK", "SET_PLAYBACK_RATE", "SET_VOLUME", "EDIT_TRACKS_INFO", "SKIP_AD": break
    case "QUEUE_INSERT", "QUEUE_UPDATE", "QUEUE_REMOVE", "QUEUE_REORDER", "QUEUE_NEXT", "QUEUE_PREV", "QUEUE_SHUFFLE",
      "QUEUE_GET_ITEM_IDS", "QUEUE_GET_ITEMS", "EDIT_AUDIO_TRACKS":
      break
    case "STORE_SESSION" where behavior.supportsStreamTransfer: break
    default: throw .invalidCommand
    }
    guard namedSession != nil, session != nil else { throw .invalidMediaSessionID }
    if session?.load != nil {
      if type == "STOP" { cancelLoad() } else { return try hold(type, request, requestID) }
    }
    switch type {
    case "STORE_SESSION": storeSession(requestID, at: now)
    case "EDIT_AUDIO_TRACKS": try editAudioTracks(request, at: now)
    case "QUEUE_INSERT": try queueInsert(request, at: now)
    case "QUEUE_UPDATE": try queueUpdate(request, at: now)
    case "QUEUE_REMOVE": try queueRemove(request, at: now)
    case "QUEUE_REORDER": try queueReorder(request, at: now)
    case "QUEUE_NEXT": jump(by: 1, at: now)
    case "QUEUE_PREV": jump(by: -1, at: now)
    case "QUEUE_SHUFFLE": shuffleQueue(at: now)
    case "QUEUE_GET_ITEM_IDS": queueItemIDs(requestID)
    case "QUEUE_GET_ITEMS": try queueItems(request, requestID)
    case "PLAY": play(at: now)
    case "PAUSE": pause(at: now)
    case "STOP": finish(.cancelled, at: now)
    case "SEEK": try seek(request, at: now)
    case "SET_PLAYBACK_RATE": try setPlaybackRate(request, at: now)
    case "SET_VOLUME": try setVolume(request, at: now)
    case "EDIT_TRACKS_INFO": try editTracks(request, at: now)
    default: try skipAd(at: now)
    }
  }

  mutating func refuse(_ refusal: Refusal, _ requestID: Int) {
    switch refusal {
    case .invalidPlayerState: reply(["requestId": .int(requestID), "type": .string(refusal.rawValue)])
    case .notInBreak: reply(["requestId": .int(requestID), "type": "ERROR", "reason": "INVALID_COMMAND"])
    default: reply(["requestId": .int(requestID), "type": "INVALID_REQUEST", "reason": .string(refusal.rawValue)])
    }
  }

  /// Sends a message to the sender of the request.
  mutating func reply(_ json: JSONValue) {
    if let requester { outputs.append(.one(requester, json)) }
  }

  /// Whether content can be played, and the app is one that plays it.
  func plays(_ media: LoadedMedia) -> Bool {
    guard media.isPlayable, let category = media.category else { return false }
    guard let types else { return true }
    let type = (media.object["contentType"]?.string ?? "").lowercased().prefix { $0 != ";" && $0 != " " }
    return types.contains(category.rawValue.lowercased()) || types.contains(String(type))
  }

  /// Has the content of the item that is on looked at.
  /// - Returns: The id of the fetch.
  mutating func fetch(_ address: String) -> Int {
    lastFetchID += 1
    outputs.append(.fetch(MediaFetch(id: lastFetchID, address: address)))
    return lastFetchID
  }

  /// Takes what came of a fetch.
  mutating func fetched(_ id: Int, _ outcome: MediaFetch.Outcome, at now: Duration) -> [Output] {
    performDue(at: now)
    if session?.load?.fetchID == id { endLoad(outcome, at: now) }
    performDue(at: now)
    return takeOutputs()
  }

  /// Sends a message that is no status to everyone.
  mutating func tellEveryone(_ json: JSONValue) { outputs.append(.everyone(json)) }

  /// Sends a status to everyone; the first one after a request carries its id (docs/protocol.md 4.2).
  mutating func broadcast(_ status: JSONValue, spontaneous: Bool = false) {
    let isNews = spontaneous || keepsReplyID
    outputs.append(.everyone(Self.message(status: [status], answering: isNews ? 0 : replyID)))
    if !isNews { replyID = 0 }
  }

  static func message(status: [JSONValue], answering requestID: Int) -> JSONValue {
    ["type": "MEDIA_STATUS", "status": .array(status), "requestId": .int(requestID)]
  }
}
