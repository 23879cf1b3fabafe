import CastProtocol
import Simulation
import TestSupport
import Testing

@testable import CastClient

@Suite struct MediaTests {
  private typealias Peer = ScriptedPeer

  /// What a device does after LOAD; session 1 played before.
  static let loads: [(name: String, answer: @Sendable (ScriptedPeer, Int) -> Void, session: Int)] = [
    (
      "variant A, id on PLAYING",
      { peer, id in
        peer.media(2, "IDLE", more: ["extendedStatus": ["playerState": "LOADING"], "media": ["contentId": "a.mp4"]])
        peer.media(2, "PLAYING", id: id)
      }, 2
    ),
    (
      "the old session's end comes after our LOAD (quirk 15)",
      { peer, id in
        peer.media(
          1, "IDLE",
          more: ["idleReason": "INTERRUPTED", "extendedStatus": ["playerState": "LOADING", "mediaSessionId": 2]])
        peer.media(2, "PLAYING", id: id)
      }, 2
    ),
    (
      "an empty status in between (quirk 4)",
      { peer, id in
        peer.media(0, nil)
        peer.media(0, nil)
        peer.media(2, "BUFFERING", more: ["media": ["contentId": "a.mp4"]])
      }, 2
    ),
    (
      "another sender's reply with our id from another app (quirk 2)",
      { peer, id in
        peer.media(7, "PLAYING", id: id, from: "t-9")
        peer.send(["type": "LOAD_FAILED", "requestId": .int(id)], in: .media, from: EndpointID("t-9"))
        peer.send(["type": "LOAD_FAILED", "requestId": .int(id)], in: .receiver)
        peer.media(2, "PLAYING", id: id)
      }, 2
    ),
    (
      "our id on the old session with other media, by chance (quirk 2)",
      { peer, id in
        peer.media(1, "PAUSED", id: id, more: ["media": ["contentId": "other.mp4"]])
        peer.media(2, "PLAYING", more: ["media": ["contentId": "a.mp4"]])
      }, 2
    ),
    (
      "the state is unknown (quirk 19)",
      { peer, id in peer.media(2, "TRANSITIONING", more: ["media": ["contentId": "a.mp4"]]) }, 2
    ),
    (
      "the type is called responseType (quirk 9)",
      { peer, id in
        peer.send(
          [
            "responseType": "MEDIA_STATUS", "requestId": .int(id),
            "status": ["mediaSessionId": 2, "playerState": "PLAYING"],
          ], in: .media, from: EndpointID("t-1"))
      }, 2
    ),
    (
      "what is no JSON object comes first (quirk 40)",
      { peer, id in
        for text in ["", "null", "[1]", "{\"type\":", "\u{0}"] {
          peer.send(
            CastMessage(source: EndpointID("t-1"), destination: .everyone, namespace: .media, payload: .text(text)))
        }
        peer.media(2, "PLAYING", id: id)
      }, 2
    ),
  ]
  @Test("LOAD ends with the new media session", arguments: loads)
  func load(name: String, answer: @escaping @Sendable (ScriptedPeer, Int) -> Void, session: Int) throws {
    try onStage(
      Peer.healthy { peer, request in
        guard request.type == "LOAD", peer.requests("LOAD").count == 2 else { return false }
        answer(peer, request.id)
        return true
      }
    ) { stage in
      let app = try await stage.launch()
      #expect(try await stage.load(in: app) == 1)
      #expect(try await stage.load(in: app) == session)
      #expect(stage.now == .zero)
    }
  }

  /// What a device does after LOAD, and how the load fails.
  static let failures:
    [(name: String, answer: @Sendable (ScriptedPeer, Int) -> Void, expected: ClientError.Class, message: String)] = [
      (
        "LOAD_FAILED with its code",
        { peer, id in
          peer.send(
            ["type": "LOAD_FAILED", "requestId": .int(id), "detailedErrorCode": 104, "itemId": 1], in: .media,
            from: EndpointID("t-1"), to: .sender)
        }, .loadFailed, "LOAD_FAILED 104 MEDIA_SRC_NOT_SUPPORTED"
      ),
      (
        "IDLE with ERROR, then LOAD_FAILED",
        { peer, id in
          peer.media(2, "IDLE", more: ["idleReason": "ERROR"])
          peer.send(
            ["type": "LOAD_FAILED", "requestId": .int(id), "detailedErrorCode": 311], in: .media,
            from: EndpointID("t-1"))
        }, .loadFailed, "LOAD_FAILED 311 HLS_NETWORK_MASTER_PLAYLIST"
      ),
      (
        "IDLE with ERROR alone", { peer, id in peer.media(2, "IDLE", more: ["idleReason": "ERROR"]) }, .loadFailed,
        "the player is idle with ERROR"
      ),
      (
        "LOAD_CANCELLED",
        { peer, id in
          peer.send(["type": "LOAD_CANCELLED", "requestId": .int(id)], in: .media, from: EndpointID("t-1"))
        }, .loadCancelled, "LOAD_CANCELLED"
      ),
      (
        "INVALID_REQUEST",
        { peer, id in
          peer.send(
            ["type": "INVALID_REQUEST", "requestId": .int(id), "reason": "INVALID_PARAMS"], in: .media,
            from: EndpointID("t-1"))
        }, .invalidRequest, "INVALID_REQUEST INVALID_PARAMS"
      ),
      (
        "ERROR without an id while nothing else plays (quirk 17)",
        { peer, id in
          peer.send(["type": "ERROR", "detailedErrorCode": 104], in: .media, from: EndpointID("t-1"))
        }, .loadFailed, "ERROR 104 MEDIA_SRC_NOT_SUPPORTED"
      ),
      (
        "CLOSE from the app, which then is not listed (quirk 26)",
        { peer, id in
          peer.send(["type": "CLOSE"], in: .connection, from: EndpointID("t-1"), to: .sender)
          peer.status(nil)
        }, .appGone, "the app is no longer running"
      ),
      (
        "CLOSE from an app that is still listed",
        { peer, id in
          peer.send(["type": "CLOSE"], in: .connection, from: EndpointID("t-1"), to: .sender)
        }, .appGone, "the app closed its virtual connection"
      ),
      (
        "a status without the app", { peer, id in peer.status(nil) }, .appGone, "the app is no longer running"
      ),
      (
        "another sender's app",
        { peer, id in
          peer.send(["type": "CLOSE"], in: .connection, from: EndpointID("t-1"), to: .sender)
          peer.status([ScriptedPeer.application("233637DE", session: "s-9", more: ["displayName": "YouTube"])])
        }, .takenOver, "YouTube replaced the app"
      ),
      (
        "nothing at all", { peer, id in }, .timeout,
        "no reply to LOAD, and no status of a new media session came"
      ),
      (
        "only another sender's media",
        { peer, id in peer.media(2, "PLAYING", id: id + 5, more: ["media": ["contentId": "other.mp4"]]) }, .timeout,
        "no reply to LOAD; a media session appeared, but it is of `other.mp4`"
      ),
    ]
  @Test("A load that fails says how, and soon", arguments: failures)
  func loadFails(
    name: String, answer: @escaping @Sendable (ScriptedPeer, Int) -> Void, expected: ClientError.Class,
    message: String
  ) throws {
    try onStage(
      Peer.healthy { peer, request in
        if request.type == "LOAD" { answer(peer, request.id) }
        return request.type == "LOAD"
      }
    ) { stage in
      let app = try await stage.launch()
      let error = await failure { () throws(ClientError) in try await stage.load(in: app, within: .seconds(20)) }
      #expect(error?.class == expected && error?.message == message)
      #expect(expected == .timeout ? stage.now == .seconds(20) : stage.now <= .seconds(1))
    }
  }

  @Test("Two identical statuses in a row are two observations and one result (quirk 3)")
  func duplicates() throws {
    try onStage(
      Peer.healthy { peer, request in
        guard request.type == "PAUSE" else { return false }
        peer.media(1, "PAUSED")
        peer.media(1, "PAUSED", id: request.id)
        return true
      }
    ) { stage in
      let app = try await stage.launch()
      _ = try await stage.load(in: app)
      let number = await stage.connection.lastObservation
      try await stage.connection.command(MediaRequest(.pause, session: 1), in: app, until: stage.now + .seconds(5))
      try await stage.wait(.milliseconds(1))
      let seen = await stage.connection.observations(after: number)
      #expect(seen.map(\.number) == [number + 1, number + 2])
      #expect(seen.allSatisfy { $0.snapshot.media?.playerState == .paused && $0.source == .push })
    }
  }

  /// What the device answers to PAUSE, and the class of the result; `nil`: it succeeds.
  static let commands: [(name: String, reply: JSONValue?, expected: ClientError.Class?, after: Duration)] = [
    ("wrong state", ["type": "INVALID_PLAYER_STATE"], .invalidState, .zero),
    ("refused (quirk 16)", ["type": "INVALID_REQUEST", "reason": "INVALID_COMMAND"], .invalidRequest, .zero),
    (
      "a stale session that stays the same", ["type": "INVALID_REQUEST", "reason": "INVALID_MEDIA_SESSION_ID"],
      .invalidRequest, .zero
    ),
    ("nothing", nil, .timeout, .seconds(5)),
    ("another type (quirk 2)", ["type": "QUEUE_CHANGE"], .timeout, .seconds(5)),
    ("no session any more", ["type": "MEDIA_STATUS", "status": []], nil, .zero),
  ]
  @Test("A command ends at its reply or after the reply time", arguments: commands)
  func command(name: String, reply: JSONValue?, expected: ClientError.Class?, after: Duration) throws {
    try onStage(
      Peer.healthy { peer, request in
        guard request.type == "PAUSE" else { return false }
        if var object = reply?.object {
          object["requestId"] = .int(request.id)
          peer.send(.object(object), in: .media, from: EndpointID("t-1"))
        }
        return true
      }
    ) { stage in
      let app = try await stage.launch()
      _ = try await stage.load(in: app)
      let error = await failure { () throws(ClientError) in
        try await stage.connection.command(MediaRequest(.pause, session: 1), in: app, until: stage.now + .seconds(60))
      }
      #expect(error?.class == expected && stage.now == after)
    }
  }

  @Test("The caller's deadline counts when it is shorter than the reply time")
  func shortDeadline() throws {
    try onStage(Peer.healthy { _, request in request.type == "PAUSE" }) { stage in
      let app = try await stage.launch()
      for wait in [Duration.seconds(2), .zero, .seconds(-1)] {
        let start = stage.now
        let error = await failure { () throws(ClientError) in
          try await stage.connection.command(MediaRequest(.pause, session: 1), in: app, until: start + wait)
        }
        #expect(error?.class == .timeout && stage.now - start == max(.zero, wait))
      }
      #expect(stage.peer.requests("PAUSE").count == 1)
    }
  }

  @Test("A media session that changed under us is found and the command sent once more (quirk 35)")
  func staleSession() throws {
    try onStage(
      Peer.healthy { peer, request in
        guard request.namespace == .media, peer.requests("LOAD").count == 1, request.type != "LOAD" else {
          return false
        }
        if request.json["mediaSessionId"]?.int == 1 {
          peer.send(
            ["type": "INVALID_REQUEST", "reason": "INVALID_MEDIA_SESSION_ID", "requestId": .int(request.id)],
            in: .media,
            from: EndpointID("t-1"))
        } else {
          peer.media(8, "PAUSED", id: request.id, more: ["media": ["contentId": "a.mp4"]])
        }
        return true
      }
    ) { stage in
      let app = try await stage.launch()
      _ = try await stage.load(in: app)
      try await stage.connection.command(MediaRequest(.pause, session: 1), in: app, until: stage.now + .seconds(5))
      #expect(stage.peer.requests("PAUSE").map { $0.json["mediaSessionId"]?.int } == [1, 8])
    }
  }

  @Test("Commands, loads and questions that run at the same time each get their own reply")
  func concurrent() throws {
    for seed in 0..<20 {
      try onStage(seed: UInt64(seed)) { stage in
        let app = try await stage.launch()
        let connection = stage.connection
        await withTaskGroup(of: ClientError?.self) { group in
          for index in 0..<20 {
            group.addTask {
              await failure { () throws(ClientError) in
                switch index % 4 {
                case 0: try await connection.refreshReceiver()
                case 1: try await connection.refreshMedia(in: app)
                case 2: try await connection.command(MediaRequest(.play, session: 1), in: app, until: .seconds(100))
                default: try await connection.setVolume(level: 0.5, muted: nil, until: .seconds(1))
                }
              }
            }
          }
          for await error in group { #expect(error == nil || error?.class == .timeout) }
        }
        let ids = stage.peer.requests.map(\.id).filter { $0 > 0 }
        #expect(Set(ids).count == ids.count)
      }
    }
  }

  @Test("A message too long for a frame is refused here and costs nothing else")
  func tooLong() throws {
    try onStage { stage in
      let app = try await stage.launch()
      let error = await failure { () throws(ClientError) in
        try await stage.load(in: app, String(repeating: "x", count: 70_000))
      }
      #expect(error?.class == .refusedLocally)
      #expect(try await stage.load(in: app) == 1)
    }
  }

  @Test("Only an app we are connected to is heard, and only while it is current")
  func strangers() throws {
    try onStage { stage in
      let app = try await stage.launch()
      _ = try await stage.load(in: app)
      stage.peer.media(9, "PLAYING", from: "t-9")
      try await stage.wait(.milliseconds(1))
      #expect(await stage.connection.snapshot.media?.mediaSessionID == 1)
      stage.peer.status([Peer.application("233637DE", session: "s-9", transport: "t-9")])
      stage.peer.media(1, "PLAYING")
      try await stage.wait(.milliseconds(1))
      #expect(await stage.connection.snapshot.media == nil)
      #expect(await stage.connection.observations(after: 0).last?.scope == .receiver)
    }
  }

  @Test("The merged status carries media over, clears the idle reason, and knows loading (quirks 11, 12, 13)")
  func merging() throws {
    try onStage { stage in
      let app = try await stage.launch()
      _ = try await stage.load(in: app)
      stage.peer.media(1, "PAUSED")
      try await stage.wait(.milliseconds(1))
      #expect(await stage.connection.snapshot.media?.media?.contentID == "a.mp4")
      stage.peer.media(1, "IDLE", more: ["idleReason": "FINISHED", "loadingItemId": 2])
      try await stage.wait(.milliseconds(1))
      let step = await stage.connection.snapshot.media
      #expect(step?.idleReason == .finished && step?.loadingItemID == 2)
      stage.peer.media(1, "IDLE", more: ["extendedStatus": ["playerState": "LOADING"]])
      try await stage.wait(.milliseconds(1))
      let loading = await stage.connection.snapshot.media
      #expect(loading?.idleReason == nil && loading?.extendedPlayerState == "LOADING")
    }
  }

  @Test("A failure after the load is an observation with its code")
  func laterFailure() throws {
    try onStage { stage in
      let app = try await stage.launch()
      _ = try await stage.load(in: app)
      stage.peer.send(
        ["type": "ERROR", "requestId": 0, "detailedErrorCode": 301, "reason": "APP_ERROR"], in: .media,
        from: app.transportID)
      try await stage.wait(.milliseconds(1))
      let last = try #require(await stage.connection.observations(after: 0).last)
      #expect(last.scope == .error && last.snapshot.detailedErrorCode == 301)
      let error = try #require(last.message.flatMap { ClientError(refusal: $0) })
      #expect(error.class == .mediaError && error.message == "ERROR 301 SEGMENT_NETWORK APP_ERROR")
    }
  }
}
