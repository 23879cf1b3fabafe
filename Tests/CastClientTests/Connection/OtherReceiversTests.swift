import CastProtocol
import Simulation
import TestSupport
import Testing

@testable import CastClient

/// Receivers of other makers: they break a rule of the protocol and still do what they are asked.
@Suite struct OtherReceiversTests {
  private typealias Peer = ScriptedPeer

  private static func content(_ name: String, _ more: JSONObject = [:]) -> JSONObject {
    JSONObject([.init("media", ["contentId": .string(name)])] + more.members)
  }
  private static let loading: JSONValue = ["playerState": "LOADING"]

  // MARK: an app that keeps its media session id

  /// What a device that plays `old.mp4` says before our LOAD of `content`, what after it, and whether that is our load.
  static let loads:
    [(
      name: String, content: String, before: JSONObject, answer: @Sendable (ScriptedPeer, Int) -> Void, isOurs: Bool
    )] = [
      (
        "our id and our content", "new.mp4", [:],
        { peer, id in peer.media(1, "PLAYING", id: id, more: content("new.mp4")) }, true
      ),
      (
        "our content without any id", "new.mp4", [:],
        { peer, _ in peer.media(1, "PLAYING", more: content("new.mp4")) }, true
      ),
      (
        "our id, and it loads", "new.mp4", [:],
        { peer, id in peer.media(1, "IDLE", id: id, more: ["extendedStatus": loading]) }, true
      ),
      (
        "our id on what played before", "new.mp4", [:],
        { peer, id in peer.media(1, "PLAYING", id: id, more: content("old.mp4")) }, false
      ),
      (
        "what played before is told again", "new.mp4", [:],
        { peer, _ in peer.media(1, "PLAYING", more: content("old.mp4")) }, false
      ),
      (
        "the end of what played before, with our id", "new.mp4", [:],
        { peer, id in peer.media(1, "IDLE", id: id, more: ["idleReason": "INTERRUPTED"]) }, false
      ),
      (
        "the same content, with our id", "old.mp4", ["currentTime": 100],
        { peer, id in peer.media(1, "PLAYING", id: id, more: content("old.mp4")) }, true
      ),
      (
        "the same content goes on", "old.mp4", ["currentTime": 100],
        { peer, _ in peer.media(1, "PLAYING", more: content("old.mp4", ["currentTime": 101])) }, false
      ),
      (
        "the same content goes on, and another sender asked", "old.mp4", ["currentTime": 100],
        { peer, id in peer.media(1, "PLAYING", id: id + 7, more: content("old.mp4", ["currentTime": 101])) }, false
      ),
      (
        "the same content begins anew", "old.mp4", ["currentTime": 100],
        { peer, _ in peer.media(1, "PLAYING", more: content("old.mp4")) }, true
      ),
      (
        "the same content begins anew because it repeats", "old.mp4",
        ["currentTime": 100, "repeatMode": "REPEAT_SINGLE"],
        { peer, _ in peer.media(1, "PLAYING", more: content("old.mp4")) }, false
      ),
      (
        "the same content loads and plays", "old.mp4", [:],
        { peer, _ in
          peer.media(1, "IDLE", more: ["extendedStatus": loading])
          peer.media(1, "PLAYING", more: content("old.mp4"))
        }, true
      ),
      (
        "the same content ended before and plays now", "old.mp4", ["playerState": "IDLE", "idleReason": "FINISHED"],
        { peer, _ in peer.media(1, "PLAYING", more: content("old.mp4")) }, true
      ),
    ]
  @Test("A LOAD under a kept media session id is ours by our id, our content, or a new beginning", arguments: loads)
  func keptSession(
    name: String, content: String, before: JSONObject, answer: @escaping @Sendable (ScriptedPeer, Int) -> Void,
    isOurs: Bool
  ) throws {
    try onStage(
      Peer.healthy { peer, request in
        guard request.type == "LOAD", peer.requests("LOAD").count == 2 else { return false }
        answer(peer, request.id)
        return true
      }
    ) { stage in
      let app = try await stage.launch()
      #expect(try await stage.load(in: app, "old.mp4") == 1)
      stage.peer.media(1, "PLAYING", more: before)
      try await stage.wait(.milliseconds(1))
      let start = stage.now
      let error = await failure { () throws(ClientError) in
        #expect(try await stage.load(in: app, content, within: .seconds(20)) == 1)
      }
      #expect(isOurs ? error == nil && stage.now == start : error?.class == .timeout, "\(String(describing: error))")
    }
  }

  @Test("What a question during the LOAD is answered is no proof of the LOAD when the same plays on")
  func polled() throws {
    try onStage(
      Peer.healthy { peer, request in
        if request.type == "GET_STATUS", request.namespace == .media {
          peer.media(1, "PLAYING", id: request.id, more: Self.content("old.mp4", ["currentTime": 101]))
          return true
        }
        return request.type == "LOAD" && peer.requests("LOAD").count == 2
      }
    ) { stage in
      let app = try await stage.launch()
      _ = try await stage.load(in: app, "old.mp4")
      stage.peer.media(1, "PLAYING", more: ["currentTime": 100])
      try await stage.wait(.milliseconds(1))
      async let error = failure { () throws(ClientError) in
        try await stage.load(in: app, "old.mp4", within: .seconds(20))
      }
      try await stage.wait(.milliseconds(1))
      try await stage.connection.refreshMedia(in: app)
      #expect(await error?.class == .timeout)
    }
  }

  /// What a device says to a LOAD of `new.mp4` that it does not obey, and what the timeout says of it.
  static let unheard: [(name: String, answer: @Sendable (ScriptedPeer, Int) -> Void, message: String)] = [
    ("nothing", { _, _ in }, "no reply to LOAD, and no status of a new media session came"),
    (
      "an answer with the old content", { peer, id in peer.media(1, "PLAYING", id: id, more: content("old.mp4")) },
      "LOAD was answered, but by a status of what was there before: `old.mp4` plays"
    ),
    (
      "another sender's media",
      { peer, id in peer.media(2, "PLAYING", id: id + 5, more: content("theirs.mp4")) },
      "no reply to LOAD; a media session appeared, but it is of `theirs.mp4`"
    ),
  ]
  @Test("The timeout of a LOAD says what came instead", arguments: unheard)
  func timeout(name: String, answer: @escaping @Sendable (ScriptedPeer, Int) -> Void, message: String) throws {
    try onStage(
      Peer.healthy { peer, request in
        guard request.type == "LOAD", peer.requests("LOAD").count == 2 else { return false }
        answer(peer, request.id)
        return true
      }
    ) { stage in
      let app = try await stage.launch()
      _ = try await stage.load(in: app, "old.mp4")
      let error = await failure { () throws(ClientError) in
        try await stage.load(in: app, "new.mp4", within: .seconds(20))
      }
      #expect(error?.class == .timeout && error?.message == message, "\(String(describing: error))")
    }
  }

  // MARK: an app that speaks in another name

  /// Answers media requests in the name of `source`.
  private static func speaking(as source: String) -> Peer.Script {
    Peer.healthy { peer, request in
      guard request.namespace == .media else { return false }
      let id = request.id
      switch request.type {
      case "GET_STATUS": peer.media(0, nil, id: id, from: source)
      case "LOAD": peer.media(1, "PLAYING", id: id, from: source, more: content("a.mp4"))
      case "PAUSE": peer.media(1, "PAUSED", id: id, from: source)
      case "SEEK":
        peer.media(1, "PAUSED", id: id, from: source, more: ["currentTime": request.json["currentTime"] ?? 0])
      case "STOP":
        peer.send(
          ["type": "INVALID_REQUEST", "requestId": .int(id), "reason": "INVALID_COMMAND"], in: .media,
          from: EndpointID(source))
      default: return false
      }
      return true
    }
  }

  @Test(
    "Replies in the name of the platform, of the session or of anybody count", arguments: ["receiver-0", "s-1", "x"])
  func otherSource(source: String) throws {
    try onStage(Self.speaking(as: source)) { stage in
      let app = try await stage.launch()
      #expect(try await stage.load(in: app) == 1)
      let connection = stage.connection
      try await connection.command(MediaRequest(.pause, session: 1), in: app, until: stage.now + .seconds(5))
      try await connection.command(
        MediaRequest(.seek(.init(currentTime: 30)), session: 1), in: app, until: stage.now + .seconds(5))
      #expect(await connection.snapshot.media?.currentTime == 30)
      stage.peer.send(
        ["type": "MEDIA_STATUS", "status": [["mediaSessionId": 1, "playerState": "PLAYING"]]], in: .media,
        from: EndpointID(source))
      try await stage.wait(.milliseconds(1))
      #expect(await connection.snapshot.media?.playerState == .playing)
      let error = await failure { () throws(ClientError) in
        try await connection.command(MediaRequest(.stop, session: 1), in: app, until: stage.now + .seconds(5))
      }
      #expect(error?.class == .invalidRequest && stage.now <= .seconds(1))
    }
  }

  @Test("What strangers say counts neither before nor after, unless it answers our LOAD with our content")
  func strangers() throws {
    try onStage(
      Peer.healthy { peer, request in
        guard request.type == "LOAD" else { return false }
        peer.media(7, "PLAYING", from: "x", more: Self.content("a.mp4"))
        peer.media(7, "PLAYING", id: request.id, from: "x", more: Self.content("theirs.mp4"))
        peer.media(7, "PLAYING", id: request.id, from: "x")
        return true
      }
    ) { stage in
      let app = try await stage.launch()
      let error = await failure { () throws(ClientError) in try await stage.load(in: app, within: .seconds(8)) }
      #expect(error?.class == .timeout)
      #expect(await stage.connection.snapshot.media == nil)
    }
  }

  @Test("A question to an app that does not answer ends by the caller's deadline")
  func deadline() throws {
    try onStage(Peer.healthy { _, request in request.namespace == .media }) { stage in
      let app = try await stage.launch()
      let start = stage.now
      let error = await failure { () throws(ClientError) in
        try await stage.connection.refreshMedia(in: app, until: start + .seconds(2))
      }
      #expect(error?.class == .timeout && stage.now == start + .seconds(2))
      let again = await failure { () throws(ClientError) in
        try await stage.connection.refreshReceiver(until: stage.now)
      }
      #expect(again?.class == .timeout && stage.now == start + .seconds(2))
    }
  }
}
