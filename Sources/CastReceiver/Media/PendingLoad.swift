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

  /// When the content is there.
  let due: Duration
  let autoplay: Bool?
  /// The id of the request that loads, and whose it is.
  let loader: Int
  let sender: ReceiverStateMachine.Sender?
  /// The id that statuses still owe the loader; 0: none.
  let replyID: Int
  var held: [Command] = []
}

/// What happens while content is being loaded. Source: docs/protocol.md 6.3.
extension MediaSessionStateMachine {
  /// Says that content is loaded, and plays it when its time has come.
  mutating func beginLoad(autoplay: Bool?, activeTracks: Bool, loader: Int, at now: Duration) {
    keepsReplyID = loadReply == .last
    broadcastLoading(activeTracks: activeTracks, at: now)
    let time = loadTime.drawn(using: &random)
    if time > .zero {
      session?.load = PendingLoad(
        due: now + time, autoplay: autoplay, loader: loader, sender: requester, replyID: replyID)
    } else {
      playLoadedItem(autoplay: autoplay, loader: loader, at: now)
    }
    keepsReplyID = false
  }

  /// Plays what is loaded now, then does what was to wait for it.
  mutating func endLoad(at now: Duration) {
    guard let load = session?.load else { return }
    session?.load = nil
    let before = (requester, replyID)
    requester = load.sender
    replyID = load.replyID
    keepsReplyID = loadReply == .last
    playLoadedItem(autoplay: load.autoplay, loader: load.loader, at: now)
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
    reply(["requestId": .int(load.loader), "type": "LOAD_CANCELLED"])
    for command in load.held {
      requester = command.sender
      refuse(.invalidMediaSessionID, command.requestID)
    }
    requester = before
  }
}
