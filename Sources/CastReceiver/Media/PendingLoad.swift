import CastProtocol

/// A load that takes its time, and the commands that wait for it.
struct PendingLoad: Hashable, Sendable {
  /// A command as it came.
  struct Command: Hashable, Sendable {
    var type: String
    var request: JSONObject
    var requestID: Int
    var sender: ReceiverStateMachine.Sender
  }

  /// When the content is there, or cannot come any more.
  var due: Duration
  /// The fetch that it waits for.
  let fetchID: Int?
  let autoplay: Bool?
  /// The id of the request that loads, and whose it is; `nil`: the queue went on to it.
  let loader: Int?
  let sender: ReceiverStateMachine.Sender?
  /// The id that statuses still owe the loader; 0: none.
  let replyID: Int
  /// The code that it fails with when it is due.
  var failure: Int?
  var held: [Command] = []
}

/// What happens while content is being loaded. Source: docs/protocol.md 6.3.
extension MediaSessionStateMachine {
  /// Says that content is loaded, unless the end of what it replaces has said so, and plays it when its time has come.
  mutating func beginLoad(
    autoplay: Bool?, activeTracks: Bool, isAnnounced: Bool, loader: Int, at now: Duration
  ) {
    keepsReplyID = behavior.loadReply == .last
    if !isAnnounced { broadcastLoading(activeTracks: activeTracks, at: now) }
    awaitContent(autoplay: autoplay, loader: loader, for: loadTime.drawn(using: &random), at: now)
    keepsReplyID = false
  }

  /// Plays the item that is on once its content is there: after `time`, or when it has been fetched.
  mutating func awaitContent(
    autoplay: Bool? = nil, loader: Int? = nil, for time: Duration = .zero, at now: Duration
  ) {
    if let lateFailure {
      session?.load = PendingLoad(
        due: now + lateFailure.after, fetchID: nil, autoplay: autoplay, loader: loader, sender: requester,
        replyID: replyID,
        failure: lateFailure.code)
      return
    }
    if player != nil, session?.media.isPlayable == true {
      return awaitPlayer(autoplay: autoplay, loader: loader, at: now)
    }
    var fetchID: Int?
    if fetches, let media = session?.media, plays(media), let address = media.object.contentAddress {
      fetchID = fetch(address)
    }
    if fetchID == nil, time == .zero { return playLoadedItem(autoplay: autoplay, loader: loader, at: now) }
    session?.load = PendingLoad(
      due: now + (fetchID == nil ? time : MediaFetch.limit), fetchID: fetchID, autoplay: autoplay, loader: loader,
      sender: requester, replyID: replyID)
  }

  /// Plays what is loaded now, then does what was to wait for it.
  /// - Parameter stands: Whether the player may not play it yet.
  mutating func endLoad(_ outcome: MediaFetch.Outcome? = nil, stands: Bool = false, at now: Duration) {
    guard let load = session?.load else { return }
    session?.load = nil
    let isOverdue = outcome == nil && session?.playback != nil
    if load.fetchID != nil || session?.playback != nil, !isOverdue { session?.learn(outcome ?? .missing) }
    let before = (requester, replyID)
    requester = load.sender
    replyID = load.replyID
    keepsReplyID = behavior.loadReply == .last
    if let code = load.failure {
      failLoad(.media(code: code), loader: load.loader, at: now)
    } else if isOverdue {
      failLoad(overdueFault, loader: load.loader, at: now)
    } else {
      playLoadedItem(autoplay: stands ? false : load.autoplay, loader: load.loader, at: now)
    }
    keepsReplyID = false
    for command in load.held {
      answer(command.type, command.request, command.requestID, from: command.sender, at: now)
    }
    (requester, replyID) = before
  }

  /// Lets a command wait until the content is there, as devices do.
  mutating func hold(_ type: String, _ request: JSONObject, _ requestID: Int) throws(Refusal) {
    guard let requester, let load = session?.load, load.held.count < ReceiverLimits.heldCommands else {
      throw .invalidRequest
    }
    session?.load?.held.append(.init(type: type, request: request, requestID: requestID, sender: requester))
  }

  /// Tells the loader that another request came in between, and all who wait that there is nothing to wait for.
  mutating func cancelLoad() {
    guard let load = session?.load else { return }
    session?.load = nil
    let before = requester
    requester = load.sender
    if let loader = load.loader { reply(["requestId": .int(loader), "type": "LOAD_CANCELLED"]) }
    for command in load.held {
      requester = command.sender
      refuse(.invalidMediaSessionID, command.requestID)
    }
    requester = before
  }
}
