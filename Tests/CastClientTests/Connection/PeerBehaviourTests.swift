import CastProtocol
import CastReceiver
import CastTransport
import Foundation
import Simulation
import TestSupport
import Testing

@testable import CastClient

/// In what devices differ: the check list of docs/protocol.md 10, from the sender's side.
@Suite struct PeerBehaviourTests {
  private typealias Peer = ScriptedPeer

  /// One line of the list: how the peer behaves, and what our client makes of it.
  struct Behaviour: Sendable, CustomTestStringConvertible {
    var area: String
    var behaviour: String
    var script: ScriptedPeer.Script
    /// Whether the connection is of use afterwards.
    var endsConnection: Bool
    var expectation: @Sendable (Stage) async throws -> Void

    var testDescription: String { "\(area): \(behaviour)" }

    init(
      _ area: String, _ behaviour: String, endsConnection: Bool = false,
      script: @escaping ScriptedPeer.Script = ScriptedPeer.healthy,
      expectation: @escaping @Sendable (Stage) async throws -> Void
    ) {
      self.area = area
      self.behaviour = behaviour
      self.endsConnection = endsConnection
      self.script = script
      self.expectation = expectation
    }
  }

  @Test("Each way in which devices differ is borne", arguments: wire + launches + loads + commands + others)
  func behaviour(_ line: Behaviour) throws {
    try onStage(line.script) { stage in
      try await line.expectation(stage)
      #expect(await stage.connection.snapshot.isConnected != line.endsConnection)
      let after = await failure { () throws(ClientError) in try await stage.connection.refreshReceiver() }
      #expect((after != nil) == line.endsConnection)
    }
  }

  /// What is shown elsewhere: over real sockets, or by the parts themselves.
  static let elsewhere: [(area: String, file: String, test: String)] = [
    ("Queue", "CastProtocolTests/Status/QueueOrderTests.swift", "A change of the queue is followed; after one"),
    ("Clock", "CastProtocolTests/Status/PositionTests.swift", "The position moves while playing, with the rate"),
    ("Network", "CastClientTests/Connection/BadDaysTests.swift", "A device that comes back with a new certificate"),
    ("Network", "CastClientTests/Connection/BadDaysTests.swift", "A device that moved to another port is found"),
  ]

  @Test("Every area of the list has its lines, here or elsewhere")
  func complete() throws {
    let areas = Set((Self.wire + Self.launches + Self.loads + Self.commands + Self.others).map(\.area))
    #expect(
      areas.union(Self.elsewhere.map(\.area)) == [
        "Framing", "VC", "Heartbeat", "LAUNCH", "LOAD reply id", "Status", "mediaSessionId", "Load errors", "Deferral",
        "Validation", "Queue", "Breaks", "Volume", "Clock", "Takeover", "Network",
      ])
    for line in Self.elsewhere {
      #expect(try TestElsewhere.checks(line.test, in: line.file), "\(line.area): \(line.file) does not test it")
    }
  }

  private static let moment = Duration.milliseconds(1)
  private static let app = EndpointID("t-1")

  // MARK: the wire

  private static func status(level: Double, padding: Int = 0) -> CastMessage {
    CastMessage(
      source: .receiver, destination: .everyone, namespace: .receiver,
      json: [
        "type": "RECEIVER_STATUS", "requestId": 0, "status": ["volume": ["level": JSONValue(level), "muted": false]],
        "padding": .string(String(repeating: "x", count: padding)),
      ])
  }

  private static func level(_ stage: Stage) async -> Double? { await stage.connection.snapshot.receiver?.volume.level }

  static let wire: [Behaviour] = [
    Behaviour("Framing", "a header and a body come a byte at a time") { stage in
      for byte in try ChannelStateMachine.encode([status(level: 0.25)]) { stage.peer.send(raw: [byte]) }
      try await stage.wait(moment)
      #expect(await level(stage) == 0.25)
    },
    Behaviour("Framing", "several frames and a half come at once") { stage in
      let frames = try [0.1, 0.2, 0.3].flatMap { try ChannelStateMachine.encode([status(level: $0)]) }
      stage.peer.send(raw: Array(frames.dropLast(7)))
      try await stage.wait(moment)
      #expect(await level(stage) == 0.2)
      stage.peer.send(raw: Array(frames.suffix(7)))
      try await stage.wait(moment)
      #expect(await level(stage) == 0.3)
    },
    Behaviour("Framing", "a body of exactly 65 536 bytes") { stage in
      let body = status(level: 0.75, padding: 60_000).encoded().count
      // One length more of the padding needs no byte more than that.
      let message = status(level: 0.75, padding: 60_000 + FrameDecoder.maximumBodyLength - body)
      #expect(message.encoded().count == FrameDecoder.maximumBodyLength)
      stage.peer.send(message)
      try await stage.wait(moment)
      #expect(await level(stage) == 0.75)
    },
    Behaviour("Framing", "a body of 65 537 bytes is announced", endsConnection: true) { stage in
      stage.peer.send(raw: [0, 1, 0, 1])
      try await stage.wait(moment)
      #expect(await stage.connection.observations(after: 0).last?.loss?.class == .protocol)
    },
    Behaviour("VC", "CLOSE from a transport that nobody talks to") { stage in
      let app = try await stage.launch()
      stage.peer.send(["type": "CLOSE"], in: .connection, from: EndpointID("t-77"))
      #expect(try await stage.load(in: app) == 1)
    },
    Behaviour("VC", "statuses go to everyone, to us and to nobody we know") { stage in
      for (level, destination) in [(0.1, "*"), (0.2, "sender-0"), (0.3, "?")] {
        var message = status(level: level)
        message.destination = EndpointID(destination)
        stage.peer.send(message)
        try await stage.wait(moment)
        #expect(await Self.level(stage) == level)
      }
    },
    Behaviour("Heartbeat", "PINGs stay unanswered while statuses come") { stage in
      stage.peer.mute()
      for _ in 0..<20 {
        stage.peer.status(nil)
        try await stage.wait(.seconds(4))
      }
      #expect(await stage.connection.snapshot.isConnected)
      stage.peer.unmute()
    },
    Behaviour("Heartbeat", "the device goes silent", endsConnection: true) { stage in
      stage.peer.mute()
      try await stage.wait(.seconds(11))
      #expect(await stage.connection.observations(after: 0).last?.loss?.class == .connectionLost)
    },
  ]

  // MARK: LAUNCH

  /// A device that answers LAUNCH as `answer` does.
  private static func launching(_ answer: @escaping ScriptedPeer.Script) -> ScriptedPeer.Script {
    Peer.healthy { peer, request in
      if request.type == "LAUNCH" { answer(peer, request) }
      return request.type == "LAUNCH"
    }
  }

  static let launches: [Behaviour] = [
    Behaviour(
      "LAUNCH", "a status without apps comes between",
      script: launching { peer, request in
        peer.status(nil)
        peer.status([Peer.app], id: request.id)
      }
    ) { stage in
      let app = try await stage.launch()
      #expect(app.transportID == Self.app)
    },
    Behaviour(
      "LAUNCH", "a person is asked, and takes a minute and a half",
      script: Peer.healthy { peer, request in
        guard request.namespace == .receiver, !peer.requests("LAUNCH").isEmpty else { return false }
        let asked: JSONValue = [
          "type": "LAUNCH_STATUS", "launchRequestId": .int(request.id), "status": "USER_PENDING_AUTHORIZATION",
        ]
        if request.type == "LAUNCH" {
          peer.send(asked, in: .receiver, to: .sender)
        } else {
          // We ask once a second.
          peer.status(peer.requests("GET_STATUS").count > 90 ? [Peer.app] : nil, id: request.id)
        }
        return true
      }
    ) { stage in
      let app = try await stage.launch(within: .seconds(30))
      #expect(app.isOurs && stage.now > .seconds(80))
    },
    Behaviour(
      "LAUNCH", "the app lists its namespaces late",
      script: Peer.healthy { peer, request in
        guard request.namespace == .receiver, !peer.requests("LAUNCH").isEmpty else { return false }
        let isLate = peer.requests("GET_STATUS").count > 4
        peer.status([Peer.application(namespaces: isLate ? [.media] : [])], id: request.id)
        return true
      }
    ) { stage in
      let app = try await stage.launch()
      #expect(app.transportID == Self.app && stage.now >= .seconds(1))
    },
    Behaviour(
      "LAUNCH", "there is no such app",
      script: launching { peer, request in
        peer.send(["type": "LAUNCH_ERROR", "requestId": .int(request.id), "reason": "NOT_FOUND"], in: .receiver)
      }
    ) { stage in
      let error = await failure { () throws(ClientError) in try await stage.launch() }
      #expect(error?.class == .launchFailed && error?.help != nil)
    },
    Behaviour("LAUNCH", "the app that runs is launched again, and goes on") { stage in
      let app = try await stage.launch()
      let again = try await stage.launch()
      #expect(again == app && stage.peer.requests("LAUNCH").count == 1)
    },
  ]

  // MARK: LOAD

  /// A device that answers LOAD as `answer` does.
  private static func loading(_ answer: @escaping ScriptedPeer.Script) -> ScriptedPeer.Script {
    Peer.healthy { peer, request in
      if request.type == "LOAD" { answer(peer, request) }
      return request.type == "LOAD"
    }
  }

  private static let starting: JSONObject = [
    "extendedStatus": ["playerState": "LOADING", "media": ["contentId": "a.mp4"], "mediaSessionId": 1]
  ]

  private static func refuse(_ peer: ScriptedPeer, _ type: String, _ id: Int, _ more: JSONObject = [:]) {
    peer.send(
      .object(JSONObject([.init("type", .string(type)), .init("requestId", .int(id))] + more.members)),
      in: .media, from: app)
  }

  private static func loadError(_ stage: Stage) async throws -> ClientError? {
    let app = try await stage.launch()
    return await failure { () throws(ClientError) in try await stage.load(in: app) }
  }

  static let loads: [Behaviour] = [
    Behaviour(
      "LOAD reply id", "the id is on PLAYING (variant A)",
      script: loading { peer, request in
        peer.media(1, "IDLE", more: starting)
        peer.media(1, "BUFFERING", more: ["media": ["contentId": "a.mp4"]])
        peer.media(1, "PLAYING", id: request.id)
      }
    ) { stage in
      let app = try await stage.launch()
      #expect(try await stage.load(in: app) == 1)
      try await stage.wait(moment)
      #expect(await stage.connection.snapshot.media?.playerState == .playing)
    },
    Behaviour(
      "LOAD reply id", "the id is on LOADING (variant B)",
      script: loading { peer, request in
        peer.media(1, "IDLE", id: request.id, more: starting)
        peer.media(1, "PLAYING", more: ["media": ["contentId": "a.mp4"]])
      }
    ) { stage in
      let app = try await stage.launch()
      #expect(try await stage.load(in: app) == 1)
      try await stage.wait(moment)
      #expect(await stage.connection.snapshot.media?.playerState == .playing)
    },
    Behaviour(
      "LOAD reply id", "no status has the id",
      script: loading { peer, _ in peer.media(1, "PLAYING", more: ["media": ["contentId": "a.mp4"]]) }
    ) { stage in
      let app = try await stage.launch()
      #expect(try await stage.load(in: app) == 1)
    },
    Behaviour(
      "mediaSessionId", "every load has a new one, whatever number it is",
      script: loading { peer, request in
        let id = [1, 2, 1_330_335_753, 7][min(3, peer.requests("LOAD").count - 1)]
        peer.media(id, "PLAYING", id: request.id, more: ["media": request.json["media"] ?? [:]])
      }
    ) { stage in
      let app = try await stage.launch()
      var ids: [Int] = []
      for name in ["a", "b", "c", "d"] { ids.append(try await stage.load(in: app, name)) }
      #expect(ids == [1, 2, 1_330_335_753, 7])
    },
    Behaviour(
      "Load errors", "LOAD_FAILED comes before IDLE ERROR",
      script: loading { peer, request in
        refuse(peer, "LOAD_FAILED", request.id, ["detailedErrorCode": 104])
        peer.media(1, "IDLE", more: ["idleReason": "ERROR"])
      }
    ) { stage in
      let error = try await loadError(stage)
      #expect(error?.class == .loadFailed && error?.message.contains("104") == true)
    },
    Behaviour(
      "Load errors", "LOAD_FAILED comes after IDLE ERROR, and its code counts",
      script: loading { peer, request in
        peer.media(1, "IDLE", more: ["idleReason": "ERROR"])
        refuse(peer, "LOAD_FAILED", request.id, ["detailedErrorCode": 104])
      }
    ) { stage in
      let error = try await loadError(stage)
      #expect(error?.class == .loadFailed && error?.message.contains("104") == true)
    },
    Behaviour(
      "Load errors", "LOAD_FAILED has no code",
      script: loading { peer, request in refuse(peer, "LOAD_FAILED", request.id) }
    ) { stage in
      let error = try await loadError(stage)
      #expect(error?.message == "LOAD_FAILED")
    },
    Behaviour(
      "Load errors", "IDLE ERROR is all that comes",
      script: loading { peer, _ in peer.media(1, "IDLE", more: ["idleReason": "ERROR"]) }
    ) { stage in
      let error = try await loadError(stage)
      #expect(error?.class == .loadFailed)
    },
    Behaviour(
      "Deferral", "a second LOAD cancels the first",
      script: loading { peer, request in
        let loads = peer.requests("LOAD")
        guard loads.count == 2 else { return }
        refuse(peer, "LOAD_CANCELLED", loads[0].id)
        peer.media(1, "PLAYING", id: request.id, more: ["media": request.json["media"] ?? [:]])
      }
    ) { stage in
      let app = try await stage.launch()
      async let first = failure { () throws(ClientError) in try await stage.load(in: app, "a") }
      try await stage.wait(.seconds(1))
      #expect(try await stage.load(in: app, "b") == 1)
      #expect(await first?.class == .loadCancelled)
    },
    Behaviour(
      "Deferral", "commands during a load wait for its end",
      script: Peer.healthy { peer, request in
        guard ["LOAD", "PAUSE"].contains(request.type) else { return false }
        if let load = peer.requests("LOAD").last, request.type == "PAUSE" {
          peer.media(1, "PLAYING", id: load.id, more: ["media": load.json["media"] ?? [:]])
          peer.media(1, "PAUSED", id: request.id)
        }
        return true
      }
    ) { stage in
      let app = try await stage.launch()
      async let load = stage.load(in: app)
      try await stage.wait(.seconds(2))
      try await stage.connection.command(MediaRequest(.pause, session: 1), in: app, until: stage.now + .seconds(9))
      #expect(try await load == 1)
      #expect(await stage.connection.snapshot.media?.playerState == .paused)
    },
  ]

  // MARK: commands

  /// Something plays, and `type` is answered as `answer` does.
  private static func playing(
    _ type: String, _ answer: @escaping ScriptedPeer.Script
  ) -> ScriptedPeer.Script {
    Peer.healthy { peer, request in
      if request.type == type { answer(peer, request) }
      return request.type == type
    }
  }

  private static func command(_ stage: Stage, _ request: MediaRequest) async throws -> ClientError? {
    let app = try await stage.launch()
    _ = try await stage.load(in: app)
    return await failure { () throws(ClientError) in
      try await stage.connection.command(request, in: app, until: stage.now + .seconds(20))
    }
  }

  static let commands: [Behaviour] =
    ["INVALID_COMMAND", "INVALID_PARAMS", "DUPLICATE_REQUEST_ID", "SOMETHING_NEW"].map { reason in
      Behaviour(
        "Validation", "a command is refused with \(reason)",
        script: playing("PAUSE") { peer, request in
          refuse(peer, "INVALID_REQUEST", request.id, ["reason": .string(reason)])
        }
      ) { stage in
        let error = try await command(stage, MediaRequest(.pause, session: 1))
        #expect(error?.class == .invalidRequest && error?.message.contains(reason) == true)
      }
    } + [
      Behaviour("Validation", "a command is ignored without a word", script: playing("PAUSE") { _, _ in }) { stage in
        let error = try await command(stage, MediaRequest(.pause, session: 1))
        #expect(error?.class == .timeout && stage.now == .seconds(5))
      },
      Behaviour(
        "Validation", "there is no player to command",
        script: playing("PAUSE") { peer, request in refuse(peer, "INVALID_PLAYER_STATE", request.id) }
      ) { stage in
        let error = try await command(stage, MediaRequest(.pause, session: 1))
        #expect(error?.class == .invalidState)
      },
      Behaviour(
        "Breaks", "SKIP_AD comes too early",
        script: playing("SKIP_AD") { peer, request in
          refuse(peer, "INVALID_REQUEST", request.id, ["reason": "INVALID_REQUEST"])
        }
      ) { stage in
        let error = try await command(stage, MediaRequest(.skipAd, session: 1))
        #expect(error?.class == .invalidRequest)
      },
      Behaviour(
        "Breaks", "SEEK inside a break is answered and changes nothing",
        script: playing("SEEK") { peer, request in
          let inside: JSONValue = ["breakId": "b", "breakClipId": "c", "currentBreakClipTime": 2]
          peer.media(1, "PLAYING", id: request.id, more: ["breakStatus": inside])
        }
      ) { stage in
        let seek = MediaRequest(.seek(.init(currentTime: 90, resume: true)), session: 1)
        let error = try await command(stage, seek)
        #expect(error == nil)
        let media = await stage.connection.snapshot.media
        #expect(media?.breakStatus?.breakClipID == "c" && media?.currentTime == 0)
      },
      Behaviour(
        "Queue", "a step to the next item is told as an end with the item that loads",
        script: playing("QUEUE_NEXT") { peer, request in
          peer.media(1, "IDLE", more: ["idleReason": "INTERRUPTED", "loadingItemId": 2, "currentItemId": 1])
          peer.media(1, "PLAYING", id: request.id, more: ["currentItemId": 2, "media": ["contentId": "b.mp4"]])
        }
      ) { stage in
        let error = try await command(stage, MediaRequest(.queueNext, session: 1))
        #expect(error == nil)
        let media = await stage.connection.snapshot.media
        #expect(media?.currentItemID == 2 && media?.media?.contentID == "b.mp4" && media?.mediaSessionID == 1)
      },
      Behaviour(
        "Volume", "the level is rounded to the device's steps",
        script: playing("SET_VOLUME") { peer, request in
          peer.status(nil, id: request.id, volume: ["level": 0.35, "muted": false, "stepInterval": 0.05])
        }
      ) { stage in
        try await stage.connection.setVolume(level: 0.33, muted: nil, until: stage.now + .seconds(5))
        #expect(await level(stage) == 0.35)
      },
      Behaviour(
        "Volume", "the level never changes",
        script: playing("SET_VOLUME") { peer, request in peer.status(nil, id: request.id) }
      ) { stage in
        let error = await failure { () throws(ClientError) in
          try await stage.connection.setVolume(level: 0.9, muted: nil, until: stage.now + .seconds(3))
        }
        #expect(error?.class == .timeout)
      },
    ]

  // MARK: others

  /// What is told of others after `act`.
  private static func acts(_ stage: Stage, _ act: (ScriptedPeer) -> Void) async throws -> [OtherSenderAction] {
    let app = try await stage.launch()
    _ = try await stage.load(in: app)
    try await stage.wait(.seconds(2))
    let number = await stage.connection.lastObservation
    act(stage.peer)
    try await stage.wait(moment)
    return await stage.connection.observations(after: number).flatMap(\.others)
  }

  static let others: [Behaviour] = [
    Behaviour("Status", "the same status again is no news of anybody") { stage in
      let acts = try await acts(stage) { peer in for _ in 0..<2 { peer.media(1, "PLAYING") } }
      #expect(acts.isEmpty)
    },
    Behaviour("Takeover", "another sender loads in our app") { stage in
      let acts = try await acts(stage) { $0.media(2, "PLAYING", more: ["media": ["contentId": "theirs.mp4"]]) }
      #expect(acts == [.loaded("theirs.mp4")])
    },
    Behaviour("Takeover", "another sender launches another app") { stage in
      let theirs = Peer.application("233637DE", session: "s-9", transport: "t-9")
      let acts = try await acts(stage) { $0.status([theirs]) }
      #expect(acts == [.launched(appID: "233637DE", name: "App")])
      #expect(await stage.connection.snapshot.media == nil)
    },
    Behaviour("Takeover", "another sender stops our app") { stage in
      let acts = try await acts(stage) { $0.status(nil) }
      #expect(acts == [.stoppedApp(appID: "CC1AD845", name: "App")])
    },
    Behaviour("Takeover", "another sender sets the volume") { stage in
      let acts = try await acts(stage) { $0.status([Peer.app], volume: ["level": 0.9, "muted": true]) }
      #expect(acts == [.setVolume(0.9), .muted(true)])
    },
    Behaviour("Network", "the socket is dropped", endsConnection: true) { stage in
      let app = try await stage.launch()
      stage.peer.close()
      let error = await failure { () throws(ClientError) in try await stage.load(in: app) }
      #expect(error?.class == .connectionLost && stage.now == .zero)
    },
  ]

  // MARK: the virtual receiver's choices

  /// Everything in which our own receiver can differ, drawn by a seed.
  private static func choices(seed: Int) -> ReceiverConfiguration {
    var configuration = ReceiverConfiguration(id: "a")
    configuration.sendsLaunchStatus = seed & 1 == 0
    configuration.sendsInterimStatus = seed & 2 == 0
    configuration.media.supportsStreamTransfer = seed & 4 == 0
    configuration.media.joining = seed & 8 == 0 ? .status : .silent
    configuration.reportsSenderConnected = seed & 16 == 0
    configuration.media.sendsQueueChange = seed & 32 == 0
    configuration.volumeControl = seed & 64 == 0 ? .attenuation : .master
    configuration.volumeStep = [0.01, 0.05, 0.1, 0.04][seed % 4]
    configuration.consent = seed % 5 == 0 ? .given(after: .seconds(20)) : .notNeeded
    return configuration
  }

  @Test("A show with a queue goes well whatever the device chooses to say", arguments: 0..<128)
  func choices(seed: Int) throws {
    let executor = SimulationExecutor(seed: UInt64(seed))
    let network = SimulatedNetwork(
      executor: executor, seed: UInt64(seed), latency: .milliseconds(1)...Duration.milliseconds(200))
    try executor.run { clock in
      let receiver = VirtualReceiver(configuration: Self.choices(seed: seed), times: network.times)
      defer { receiver.stop() }
      let (sender, device, _) = network.connect()
      receiver.accept(device)
      let connection = CastConnection(channel: sender, times: network.times, configuration: .remembering)
      func until() -> Duration { clock.now.offset + .seconds(150) }
      try await connection.open()
      let app = try await connection.launch("CC1AD845", join: .auto, until: until())
      let items = (1...3).map { number in
        var media = MediaInformation(content: "https://cdn.example.com/\(number).mp4")
        media.contentType = "video/mp4"
        media.duration = 600
        return QueueItem(media: media)
      }
      let id = try await connection.load(QueueLoadRequest(items: items), in: app, until: until())
      try await connection.command(MediaRequest(.queueNext, session: id), in: app, until: until())
      try await connection.refreshMedia(in: app)
      #expect(await connection.snapshot.media?.media?.contentID.hasSuffix("/2.mp4") == true)
      try await connection.command(MediaRequest(.pause, session: id), in: app, until: until())
      #expect(await connection.snapshot.media?.playerState == .paused)
      try await connection.setVolume(level: 0.42, muted: true, until: until())
      let queue = try await connection.queue(in: app, needsItems: true, until: until())
      #expect(queue.count == 3)
      try await connection.stopApp(app, until: until())
      #expect(await connection.observations(after: 0).allSatisfy { $0.loss == nil && $0.others.isEmpty })
      await connection.disconnect()
    }
  }
}
