import CastProtocol
import CastTransport
import Foundation
import TestSupport
import Testing

@testable import CastClient

/// What real devices do that breaks naive clients: the table of docs/protocol.md 9, by number.
@Suite struct QuirkTests {
  private typealias Peer = ScriptedPeer

  /// One line of the table: how the peer behaves, and what our client makes of it.
  struct Quirk: Sendable, CustomTestStringConvertible {
    var number: Int
    var behaviour: String
    var script: ScriptedPeer.Script = ScriptedPeer.healthy
    var configuration = ClientConfiguration.remembering
    var expectation: @Sendable (Stage) async throws -> Void

    var testDescription: String { "\(number): \(behaviour)" }

    init(
      _ number: Int, _ behaviour: String, script: @escaping ScriptedPeer.Script = ScriptedPeer.healthy,
      configuration: ClientConfiguration = .remembering,
      expectation: @escaping @Sendable (Stage) async throws -> Void
    ) {
      self.number = number
      self.behaviour = behaviour
      self.script = script
      self.configuration = configuration
      self.expectation = expectation
    }
  }

  @Test("Each quirk of real devices is borne", arguments: replies + statuses + sessions + media + ends)
  func quirk(_ quirk: Quirk) throws {
    try onStage(configuration: quirk.configuration, quirk.script) { stage in
      try await quirk.expectation(stage)
      // Whatever it was, the connection goes on, unless its loss was the point.
      guard quirk.number != 24 else { return }
      #expect(await stage.connection.snapshot.isConnected)
      let after = await failure { () throws(ClientError) in try await stage.connection.refreshReceiver() }
      #expect(after == nil)
    }
  }

  /// Quirks of discovery, of queues and of set-up, which are borne elsewhere: the test that shows it.
  static let elsewhere: [(number: Int, file: String, test: String)] = [
    (27, "CastClientTests/Connection/OpeningTests.swift", "also while a request is pending (quirks 27, 28)"),
    (28, "CastClientTests/Connection/OpeningTests.swift", "A PING is answered whatever its addresses"),
    (30, "CastTransportTests/Discovery/DeviceWatchTests.swift", "A group that gets another leader has moved"),
    (30, "DeviceControlTests/Devices/DeviceResolverTests.swift", "A group is found again by its id, whatever"),
    (43, "CastClientTests/Operations/QueueOperationTests.swift", "The ids come first, then the items"),
  ]

  @Test("Every quirk has its line, here or elsewhere")
  func complete() throws {
    let lines = Self.replies + Self.statuses + Self.sessions + Self.media + Self.ends
    #expect(Set(lines.map(\.number)).union(Self.elsewhere.map(\.number)) == Set(1...45))
    for line in Self.elsewhere {
      #expect(try TestElsewhere.checks(line.test, in: line.file), "quirk \(line.number): \(line.file) does not test it")
    }
  }

  /// A wait long enough for what was just sent to arrive; no time passes on the link itself.
  private static let moment = Duration.milliseconds(1)

  private static func pause(_ stage: Stage, _ app: AppSession, session: Int = 1) async -> ClientError? {
    await failure { () throws(ClientError) in
      try await stage.connection.command(
        MediaRequest(.pause, session: session), in: app, until: stage.now + .seconds(60))
    }
  }

  // MARK: replies

  static let replies: [Quirk] = [
    Quirk(1, "replies go to everyone, with our id") { stage in
      try await stage.connection.refreshReceiver()
      #expect(await stage.connection.observations(after: 0).last?.source == .polled)
    },
    Quirk(
      2, "another sender's reply carries our id",
      script: Peer.healthy { _, request in request.type == "PAUSE" }
    ) { stage in
      let app = try await stage.launch()
      _ = try await stage.load(in: app)
      let start = stage.now
      async let error = pause(stage, app)
      try await stage.wait(.seconds(1))
      let id = try #require(stage.peer.requests.last?.id)
      stage.peer.media(1, "PAUSED", id: id, from: "t-9")
      stage.peer.send(["type": "QUEUE_CHANGE", "requestId": .int(id)], in: .media, from: app.transportID)
      stage.peer.send(["type": "MEDIA_STATUS", "requestId": .int(id), "status": []], in: .receiver)
      try await stage.wait(.seconds(1))
      stage.peer.media(1, "PAUSED", id: id)
      #expect(await error == nil && stage.now - start >= .seconds(2))
    },
    Quirk(
      3, "the same status comes twice, as broadcast and as reply",
      script: Peer.healthy { peer, request in
        if request.type == "LOAD" { peer.media(1, "PLAYING", more: ["media": ["contentId": "a.mp4"]]) }
        return false
      }
    ) { stage in
      let app = try await stage.launch()
      #expect(try await stage.load(in: app) == 1)
      try await stage.wait(moment)
      let seen = await stage.connection.observations(after: 0).filter { $0.scope == .media }
      #expect(seen.suffix(2).map(\.snapshot.media?.mediaSessionID) == [1, 1] && seen.allSatisfy(\.others.isEmpty))
    },
    Quirk(
      6, "LAUNCH is answered by LAUNCH_STATUS without a requestId, then by a broadcast",
      script: Peer.healthy { peer, request in
        guard request.type == "LAUNCH" else { return false }
        let status: JSONObject = ["launchRequestId": .int(request.id), "status": "USER_ALLOWED"]
        peer.send(.object(["type": "LAUNCH_STATUS"] + status), in: .receiver, to: .sender)
        peer.status([Peer.app])
        return true
      }
    ) { stage in
      let app = try await stage.launch()
      #expect(app.transportID == EndpointID("t-1"))
    },
    Quirk(
      7, "LAUNCH is cancelled while another is under way",
      script: Peer.healthy { peer, request in
        guard request.type == "LAUNCH", peer.requests("LAUNCH").count == 1 else { return false }
        peer.send(
          ["type": "LAUNCH_ERROR", "requestId": .int(request.id), "reason": "CANCELLED"], in: .receiver, to: .sender)
        return true
      }
    ) { stage in
      let error = await failure { () throws(ClientError) in try await stage.launch() }
      #expect(error?.class == .launchCancelled)
      let app = try await stage.launch()
      #expect(app.appID == "CC1AD845")
    },
    Quirk(
      8, "GET_APP_AVAILABILITY is answered by a responseType",
      script: Peer.healthy { peer, request in
        guard request.type == "GET_APP_AVAILABILITY" else { return false }
        peer.send(
          [
            "responseType": "GET_APP_AVAILABILITY", "requestId": .int(request.id),
            "availability": ["CC1AD845": "APP_AVAILABLE", "0F5096E8": "APP_UNAVAILABLE"],
          ], in: .receiver)
        return true
      }
    ) { stage in
      let apps = try await stage.connection.availableApps(of: ["CC1AD845", "0F5096E8"])
      #expect(apps == ["CC1AD845"])
    },
    Quirk(
      16, "an error reply has no status",
      script: Peer.healthy { peer, request in
        guard request.type == "PAUSE" else { return false }
        peer.send(
          ["type": "INVALID_REQUEST", "requestId": .int(request.id), "reason": "INVALID_COMMAND"], in: .media,
          from: EndpointID("t-1"))
        return true
      }
    ) { stage in
      let app = try await stage.launch()
      _ = try await stage.load(in: app)
      #expect(await pause(stage, app)?.class == .invalidRequest)
      #expect(await stage.connection.snapshot.media?.mediaSessionID == 1)
    },
    Quirk(
      17, "a load problem is told by an ERROR without a requestId",
      script: Peer.healthy { peer, request in
        guard request.type == "LOAD" else { return false }
        peer.send(["type": "ERROR", "detailedErrorCode": 104, "itemId": 1], in: .media, from: EndpointID("t-1"))
        return true
      }
    ) { stage in
      let app = try await stage.launch()
      let error = await failure { () throws(ClientError) in try await stage.load(in: app) }
      #expect(error?.class == .loadFailed)
    },
    Quirk(
      29, "what is sent before CONNECT vanishes without a word",
      script: { peer, request in
        if peer.requests.first?.type == "CONNECT" { Peer.healthy(peer, request) }
      }
    ) { stage in
      #expect(stage.peer.requests.prefix(2).map(\.type) == ["CONNECT", "GET_STATUS"])
      let app = try await stage.launch()
      _ = try await stage.load(in: app)
      let toApp = stage.peer.requests.filter { $0.destination == app.transportID }
      #expect(toApp.first?.type == "CONNECT" && toApp.contains { $0.type == "LOAD" })
    },
    Quirk(
      35, "a stale media session id is refused",
      script: Peer.healthy { peer, request in
        switch request.type {
        case "PAUSE" where request.json["mediaSessionId"] == 1:
          peer.send(
            ["type": "INVALID_REQUEST", "requestId": .int(request.id), "reason": "INVALID_MEDIA_SESSION_ID"],
            in: .media, from: EndpointID("t-1"))
        case "PAUSE": peer.media(2, "PAUSED", id: request.id)
        case "GET_STATUS" where request.namespace == .media: peer.media(2, "PLAYING", id: request.id)
        default: return false
        }
        return true
      }
    ) { stage in
      let app = try await stage.launch()
      #expect(await pause(stage, app) == nil)
      #expect(stage.peer.requests("PAUSE").map { $0.json["mediaSessionId"] } == [1, 2])
    },
  ]

  // MARK: statuses

  /// Sends statuses one by one and gives what is believed after each.
  private static func media(
    _ stage: Stage, _ statuses: [(session: Int, state: String?, more: JSONObject)]
  ) async throws -> [MediaStatus?] {
    _ = try await stage.launch()
    // What the app says first is its own.
    try await stage.wait(moment)
    var believed: [MediaStatus?] = []
    for status in statuses {
      stage.peer.media(status.session, status.state, more: status.more)
      try await stage.wait(moment)
      believed.append(await stage.connection.snapshot.media)
    }
    return believed
  }

  static let statuses: [Quirk] = [
    Quirk(
      4, "the status is empty after CONNECT, in between and at the end",
      script: Peer.healthy { peer, request in
        if request.type == "LOAD" { for _ in 0..<2 { peer.media(0, nil) } }
        return false
      }
    ) { stage in
      let app = try await stage.launch()
      #expect(try await stage.load(in: app) == 1)
      stage.peer.media(0, nil)
      try await stage.wait(moment)
      #expect(await stage.connection.snapshot.media == nil)
    },
    Quirk(
      9, "responseType instead of type, and a status that is no array",
      script: Peer.healthy { peer, request in
        guard request.type == "GET_STATUS", request.namespace == .media else { return false }
        peer.send(
          [
            "responseType": "MEDIA_STATUS", "requestId": .int(request.id),
            "status": ["mediaSessionId": 7, "playerState": "PAUSED"],
          ], in: .media, from: EndpointID("t-1"))
        return true
      }
    ) { stage in
      try await stage.connection.refreshMedia(in: try await stage.launch())
      #expect(await stage.connection.snapshot.media?.mediaSessionID == 7)
    },
    Quirk(10, "nothing runs: no list of applications, an empty one, the idle screen") { stage in
      let idle: [JSONValue?] = [
        nil, [], .null, [Peer.application("E8C28D3C", transport: nil, namespaces: [])],
        [Peer.application("5A5A5A5A", transport: nil, namespaces: [], more: ["isIdleScreen": true])],
      ]
      for applications in idle {
        var status: JSONObject = ["volume": ["level": 0.5, "muted": false]]
        status["applications"] = applications
        stage.peer.send(["type": "RECEIVER_STATUS", "requestId": 0, "status": .object(status)], in: .receiver)
        try await stage.wait(moment)
        #expect(await stage.connection.snapshot.receiver?.application?.isIdle ?? true, "\(applications ?? "none")")
        let error = await failure { () throws(ClientError) in try await stage.launch(join: .only) }
        #expect(error?.class == .launchFailed)
      }
    },
    Quirk(11, "media is left out of updates, and carries over within a session only") { stage in
      let believed = try await media(
        stage, [(1, "PLAYING", ["media": ["contentId": "a.mp4"]]), (1, "PAUSED", [:]), (2, "PLAYING", [:])])
      #expect(believed.map { $0?.media?.contentID } == ["a.mp4", "a.mp4", nil])
    },
    Quirk(12, "the reason for being idle is over when it is not repeated") { stage in
      let believed = try await media(stage, [(1, "IDLE", ["idleReason": "FINISHED"]), (1, "PLAYING", [:])])
      #expect(believed.map { $0?.idleReason } == [.finished, nil])
    },
    Quirk(13, "loading is IDLE with LOADING beside it") { stage in
      let loading: JSONObject = ["extendedStatus": ["playerState": "LOADING", "media": ["contentId": "a.mp4"]]]
      let believed = try await media(stage, [(1, "IDLE", loading)])
      #expect(believed.last??.isActive == true && believed.last??.media?.contentID == "a.mp4")
    },
    Quirk(14, "IDLE FINISHED with a loading item is a step of a queue") { stage in
      let believed = try await media(stage, [(1, "IDLE", ["idleReason": "FINISHED", "loadingItemId": 2])])
      #expect(believed.last??.isActive == true)
    },
    Quirk(18, "values come back as they were sent: numbers as text, nothing as null, times that are none") { stage in
      let echoed: JSONObject = [
        "media": [
          "contentId": "a.mp4", "contentType": .null, "streamType": 1, "duration": -1,
          "textTrackStyle": ["fontScale": "1.5"], "tracks": [["trackId": "4", "type": "TEXT"]],
        ], "currentTime": "12.5", "mediaSessionId": "1",
      ]
      let believed = try await media(stage, [(1, "PLAYING", echoed)])
      let status = try #require(believed.last ?? nil)
      #expect(status.mediaSessionID == 1 && status.currentTime == 12.5)
      #expect(status.media?.duration == nil && status.media?.contentType == nil)
      #expect(status.media?.textTrackStyle?.fontScale == 1.5 && status.media?.tracks?.first?.trackID == 4)
    },
    Quirk(
      19, "a metadataType and a state that nobody knows",
      script: Peer.healthy { peer, request in
        guard request.type == "LOAD" else { return false }
        let media: JSONValue = ["contentId": "a.mp4", "metadata": ["metadataType": 103, "title": "T"]]
        peer.media(1, "STALLED", id: request.id, more: ["media": media])
        return true
      }
    ) { stage in
      let app = try await stage.launch()
      #expect(try await stage.load(in: app) == 1)
      let status = await stage.connection.snapshot.media
      #expect(status?.playerState == .unknown("STALLED") && status?.isActive == true)
      #expect(status?.media?.metadata?["title"] == "T")
    },
    Quirk(
      20, "an app of Android TV says next to nothing of its media",
      script: Peer.healthy { peer, request in
        guard request.type == "LOAD" else { return false }
        let bare: JSONValue = ["contentId": "", "duration": 0]
        peer.media(1, "PLAYING", id: request.id, more: ["media": bare, "supportedMediaCommands": 207])
        return true
      }
    ) { stage in
      let app = try await stage.launch()
      #expect(try await stage.load(in: app) == 1)
    },
    Quirk(
      21, "numbers are widened from 32 bits",
      script: Peer.healthy { peer, request in
        guard request.type == "SET_VOLUME" else { return false }
        let volume: JSONValue = [
          "level": 0.10000000149011612, "muted": false, "stepInterval": 0.05000000074505806,
          "controlType": "attenuation",
        ]
        peer.status([Peer.app], id: request.id, volume: volume)
        return true
      }
    ) { stage in
      try await stage.connection.setVolume(level: 0.1, muted: nil, until: stage.now + .seconds(5))
    },
    Quirk(
      22, "a fixed volume is answered, and stays",
      script: Peer.healthy { peer, request in
        guard request.namespace == .receiver, request.type == "GET_STATUS" else { return false }
        peer.status(nil, id: request.id, volume: ["level": 1, "muted": false, "controlType": "fixed"])
        return true
      }
    ) { stage in
      let error = await failure { () throws(ClientError) in
        try await stage.connection.setVolume(level: 0.5, muted: nil, until: stage.now + .seconds(5))
      }
      #expect(error?.class == .refusedLocally && stage.peer.requests("SET_VOLUME").isEmpty)
    },
    Quirk(23, "the device's volume and the stream's are told apart") { stage in
      let believed = try await media(stage, [(1, "PLAYING", ["volume": ["level": 0.25, "muted": true]])])
      stage.peer.status([Peer.app], volume: ["level": 0.75, "muted": false])
      try await stage.wait(moment)
      let snapshot = await stage.connection.snapshot
      #expect(believed.last??.volume.level == 0.25 && snapshot.media?.volume.level == 0.25)
      #expect(snapshot.receiver?.volume.level == 0.75 && snapshot.receiver?.volume.muted == false)
    },
    Quirk(44, "a live stream that is paused is told as ended") { stage in
      let app = try await stage.launch()
      _ = try await stage.load(in: app)
      async let error = pause(stage, app)
      stage.peer.media(1, "IDLE", id: stage.peer.requests.last?.id ?? 0, more: ["idleReason": "CANCELLED"])
      #expect(await error == nil)
    },
  ]

  // MARK: apps and their sessions

  /// What runs already, whoever asks.
  private static func running(_ apps: [JSONValue]) -> ScriptedPeer.Script {
    Peer.healthy { peer, request in
      guard request.namespace == .receiver, request.type == "GET_STATUS" else { return false }
      peer.status(apps, id: request.id)
      return true
    }
  }

  static let sessions: [Quirk] = [
    Quirk(
      5, "LAUNCH is answered by a status that lacks the app, then by one that lacks its namespace",
      script: Peer.healthy { peer, request in
        guard request.type == "LAUNCH" else { return false }
        peer.status(nil, id: request.id)
        peer.status([Peer.application(transport: nil, namespaces: [])])
        peer.status([Peer.application(namespaces: [])])
        return true
      }
    ) { stage in
      let app = try await stage.launch()
      #expect(app.transportID == EndpointID("t-1"))
    },
    Quirk(25, "after a reconnect nothing is pushed", script: running([Peer.app])) { stage in
      let app = try await stage.launch(join: .only)
      #expect(!app.isOurs)
      #expect(stage.peer.requests.map(\.type) == ["CONNECT", "GET_STATUS", "CONNECT", "GET_STATUS"])
    },
    Quirk(31, "what mDNS says of the app is old: the device is asked", script: running([Peer.app])) { stage in
      #expect(await stage.connection.snapshot.receiver?.application?.appID == "CC1AD845")
    },
    Quirk(
      32, "a member of a group that plays shows an app without media",
      script: running([Peer.application("705D30C6", namespaces: [.multizone])])
    ) { stage in
      let follower = try await stage.connection.launch("705D30C6", join: .only, until: stage.now + .seconds(10))
      let error = await failure { () throws(ClientError) in try await stage.load(in: follower) }
      #expect(error?.class == .invalidState && stage.peer.requests("LOAD").isEmpty)
      let absent = await failure { () throws(ClientError) in try await stage.launch(join: .only) }
      #expect(absent?.class == .launchFailed)
    },
    Quirk(33, "an app needs a pause before CONNECT", configuration: patient) { stage in
      let start = stage.now
      _ = try await stage.launch()
      #expect(stage.now - start >= .seconds(1))
    },
    Quirk(
      34, "the first status after joining lacks what plays",
      script: Peer.healthy { peer, request in
        if request.namespace == .receiver { peer.status([Peer.app], id: request.id) }
        guard request.namespace == .media else { return true }
        let isFirst = peer.requests.filter { $0.namespace == .media }.count == 1
        peer.media(4, "PLAYING", id: request.id, more: isFirst ? [:] : ["media": ["contentId": "x.mp4"]])
        return true
      }
    ) { stage in
      _ = try await stage.launch()
      #expect(await stage.connection.snapshot.media?.media == nil)
      try await stage.wait(.seconds(2))
      #expect(await stage.connection.snapshot.media?.media?.contentID == "x.mp4")
    },
    Quirk(37, "LAUNCH names no native app, so that what starts is the web one") { stage in
      let app = try await stage.launch()
      let until = stage.now + .seconds(10)
      try await stage.connection.stopApp(app, until: until)
      _ = try await stage.connection.launch("CC1AD845", supportedAppTypes: ["WEB"], join: .auto, until: until)
      #expect(stage.peer.requests("LAUNCH").map { $0.json["supportedAppTypes"] } == [nil, ["WEB"]])
    },
    Quirk(
      42, "another app id under the same universal one",
      script: running([Peer.application("2FE23A98", more: ["universalAppId": "CC1AD845"])])
    ) { stage in
      let app = try await stage.launch(join: .only)
      #expect(app.appID == "2FE23A98")
    },
    Quirk(
      45, "two senders launch at once: the last wins",
      script: Peer.healthy { peer, request in
        guard request.namespace == .receiver, !peer.requests("LAUNCH").isEmpty else { return false }
        peer.status([Peer.application("233637DE", session: "s-9", transport: "t-9")], id: request.id)
        return true
      }
    ) { stage in
      let error = await failure { () throws(ClientError) in try await stage.launch() }
      #expect(error?.class == .takenOver)
    },
  ]

  private static var patient: ClientConfiguration {
    var configuration = ClientConfiguration.remembering
    configuration.appConnectDelay = .seconds(1)
    return configuration
  }

  // MARK: media

  static let media: [Quirk] = [
    Quirk(
      15, "the old session's end comes after our LOAD",
      script: Peer.healthy { peer, request in
        guard request.type == "LOAD", peer.requests("LOAD").count == 2 else { return false }
        peer.media(1, "IDLE", more: ["idleReason": "INTERRUPTED"])
        peer.media(2, "PLAYING", id: request.id, more: ["media": request.json["media"] ?? [:]])
        return true
      }
    ) { stage in
      let app = try await stage.launch()
      #expect(try await stage.load(in: app) == 1)
      #expect(try await stage.load(in: app, "b.mp4") == 2)
    },
    Quirk(
      36, "QUEUE_NEXT on the last item ends the queue",
      script: Peer.healthy { peer, request in
        guard request.type == "QUEUE_UPDATE" || request.type == "QUEUE_NEXT" else { return false }
        peer.media(1, "IDLE", id: request.id, more: ["idleReason": "INTERRUPTED"])
        peer.media(0, nil)
        return true
      }
    ) { stage in
      let app = try await stage.launch()
      _ = try await stage.load(in: app)
      try await stage.connection.command(MediaRequest(.queueNext, session: 1), in: app, until: stage.now + .seconds(9))
      try await stage.wait(moment)
      #expect(await stage.connection.snapshot.media == nil)
      let ended = await stage.connection.observations(after: 0).compactMap(\.snapshot.media?.idleReason)
      #expect(ended == [.interrupted])
    },
    Quirk(
      39, "media that the device cannot fetch are a 104 and nothing else",
      script: Peer.healthy { peer, request in
        guard request.type == "LOAD" else { return false }
        peer.send(
          ["type": "LOAD_FAILED", "requestId": .int(request.id), "detailedErrorCode": 104], in: .media,
          from: EndpointID("t-1"))
        return true
      }
    ) { stage in
      let app = try await stage.launch()
      let error = await failure { () throws(ClientError) in try await stage.load(in: app) }
      #expect(error?.class == .loadFailed && error?.message == "LOAD_FAILED 104 MEDIA_SRC_NOT_SUPPORTED")
      #expect(error?.help?.contains("CORS") == true)
    },
    Quirk(40, "what comes on an app's namespace is no JSON, or no object") { stage in
      let app = try await stage.launch()
      for text in ["", "{", "[1]", "7", "\"MEDIA_STATUS\"", "{\"type\":5}", "{\"type\":\"MEDIA_STATUS\",\"status\":7}"]
      {
        for namespace in [Namespace.media, .receiver, .connection, Namespace(rawValue: "urn:x-cast:com.example")] {
          for source in [app.transportID, .receiver] {
            stage.peer.send(
              CastMessage(source: source, destination: .everyone, namespace: namespace, payload: .text(text)))
          }
        }
      }
      try await stage.wait(moment)
      #expect(try await stage.load(in: app) == 1)
    },
    Quirk(41, "an app has messages of its own") { stage in
      let app = try await stage.launch()
      try await stage.wait(moment)
      let own = Namespace(rawValue: "urn:x-cast:com.example.radio")
      stage.peer.send(["type": "TIME_TICK", "timeElapsed": 142], in: own, from: app.transportID)
      try await stage.wait(moment)
      let last = await stage.connection.observations(after: 0).last
      #expect(last?.scope == .message && last?.namespace == own && last?.message?["timeElapsed"] == 142)
    },
  ]

  // MARK: ends

  static let ends: [Quirk] = [
    Quirk(24, "a socket dies without a word") { stage in
      let app = try await stage.launch()
      let start = stage.now
      stage.link.sever()
      let last = await stage.connection.lastObservation
      // What there is after no reply is asked for until the connection is known to be dead.
      #expect(await pause(stage, app)?.class == .connectionLost)
      let loss = await stage.connection.nextObservations(after: last, until: start + .seconds(60))
      #expect(loss.last?.loss?.class == .connectionLost && stage.now - start <= .seconds(10))
    },
    Quirk(
      26, "an app closes its connection at any time",
      script: Peer.healthy { peer, request in
        guard request.type == "LOAD" else { return false }
        peer.send(["type": "CLOSE"], in: .connection, from: EndpointID("t-1"))
        return true
      }
    ) { stage in
      let app = try await stage.launch()
      let start = stage.now
      let error = await failure { () throws(ClientError) in try await stage.load(in: app) }
      #expect(error?.class == .appGone && stage.now - start <= .seconds(2))
      let again = try await stage.launch()
      #expect(again.transportID == app.transportID)
    },
    Quirk(38, "an app that has nothing to do quits by itself") { stage in
      let app = try await stage.launch()
      _ = try await stage.load(in: app)
      stage.peer.media(1, "IDLE", more: ["idleReason": "FINISHED"])
      stage.peer.media(0, nil)
      stage.peer.status(nil)
      try await stage.wait(moment)
      let snapshot = await stage.connection.snapshot
      #expect(snapshot.receiver?.application == nil && snapshot.media == nil)
      #expect(await pause(stage, app)?.class == .appGone)
    },
  ]
}

extension JSONObject {
  fileprivate static func + (left: JSONObject, right: JSONObject) -> JSONObject {
    JSONObject(left.members + right.members)
  }
}
