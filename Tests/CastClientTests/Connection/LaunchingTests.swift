import CastProtocol
import Simulation
import TestSupport
import Testing

@testable import CastClient

@Suite struct LaunchingTests {
  private typealias Peer = ScriptedPeer

  @Test("After LAUNCH, CONNECT to the app and its GET_STATUS leave in one write; LOAD follows without waiting")
  func lean() throws {
    try onStage { stage in
      let app = try await stage.launch()
      #expect(app == film)
      let session = try await stage.load(in: app)
      #expect(session == 1 && stage.now == .zero)
      let types = stage.peer.requests.map(\.type)
      #expect(types == ["CONNECT", "GET_STATUS", "GET_STATUS", "LAUNCH", "CONNECT", "GET_STATUS", "LOAD"])
      #expect(stage.peer.requests[4].destination == app.transportID)
      #expect(stage.peer.batches.prefix(3) == [2, 2, 2])
    }
  }

  @Test("LAUNCH answered by LAUNCH_STATUS and then a broadcast is a launch (quirk 6)")
  func launchStatusThenBroadcast() throws {
    try onStage(
      Peer.healthy { peer, request in
        guard request.type == "LAUNCH" else { return false }
        peer.send(
          ["type": "LAUNCH_STATUS", "launchRequestId": .int(request.id), "status": "USER_ALLOWED"], in: .receiver,
          to: .sender)
        peer.status([Peer.app])
        return true
      }
    ) { stage in
      let app = try await stage.launch()
      #expect(app == film)
    }
  }

  @Test("LAUNCH answered by LAUNCH_STATUS and nothing else is a timeout at the caller's deadline")
  func launchStatusThenNothing() throws {
    try onStage(
      Peer.healthy { peer, request in
        if request.type == "LAUNCH" {
          peer.send(
            ["type": "LAUNCH_STATUS", "launchRequestId": .int(request.id), "status": "USER_ALLOWED"], in: .receiver)
        }
        if request.type == "GET_STATUS" { peer.status(nil, id: request.id) }
        return true
      }
    ) { stage in
      let error = await failure { () throws(ClientError) in try await stage.launch(within: .seconds(30)) }
      #expect(error?.class == .timeout && stage.now == .seconds(30))
    }
  }

  @Test("While a person is asked a launch may take two minutes")
  func consent() throws {
    try onStage(
      Peer.healthy { peer, request in
        guard request.type == "LAUNCH" else { return request.namespace == .receiver && request.id > 1 }
        peer.send(
          [
            "type": "LAUNCH_STATUS", "launchRequestId": .int(request.id), "status": "USER_PENDING_AUTHORIZATION",
          ], in: .receiver)
        return true
      }
    ) { stage in
      async let launch = stage.launch(within: .seconds(10))
      try await stage.wait(.seconds(110))
      stage.peer.status([Peer.app])
      #expect(try await launch == film)
      await stage.connection.disconnect()
    }
  }

  @Test("Nobody's consent is a timeout after two minutes")
  func noConsent() throws {
    try onStage(
      Peer.healthy { peer, request in
        guard request.type == "LAUNCH" else {
          peer.status(nil, id: request.id)
          return true
        }
        peer.send(
          [
            "type": "LAUNCH_STATUS", "launchRequestId": .int(request.id), "status": "USER_PENDING_AUTHORIZATION",
          ], in: .receiver)
        peer.send(["type": "LAUNCH_STATUS", "launchRequestId": 99, "status": "USER_NOT_ALLOWED"], in: .receiver)
        return true
      }
    ) { stage in
      let error = await failure { () throws(ClientError) in
        try await stage.connection.launch("AAAAAAAA", join: .auto, until: .seconds(10))
      }
      #expect(error?.class == .timeout && stage.now == .seconds(120))
      #expect(error?.message == "nobody allowed AAAAAAAA on the device")
    }
  }

  @Test(
    "A status that lists the app incompletely is asked after (quirk 5)",
    arguments: [
      Peer.application(namespaces: []), Peer.application(transport: nil), Peer.application("E8C28D3C", session: "home"),
    ] as [JSONValue?] + [nil])
  func incomplete(first: JSONValue?) throws {
    try onStage(
      Peer.healthy { peer, request in
        guard request.type == "LAUNCH" else { return false }
        peer.status(first.map { [$0] }, id: request.id)
        return true
      }
    ) { stage in
      let app = try await stage.launch()
      #expect(app == film)
      #expect(stage.now == .seconds(1))
    }
  }

  @Test("A LAUNCH_ERROR with another request's id, namespace or source is not ours (quirk 2)")
  func foreignError() throws {
    try onStage(
      Peer.healthy { peer, request in
        guard request.type == "LAUNCH" else { return false }
        let error: JSONValue = ["type": "LAUNCH_ERROR", "requestId": .int(request.id), "reason": "NOT_FOUND"]
        peer.send(["type": "LAUNCH_ERROR", "requestId": .int(request.id + 1), "reason": "NOT_FOUND"], in: .receiver)
        peer.send(error, in: .media, from: EndpointID("t-1"))
        peer.send(error, in: .receiver, from: EndpointID("t-1"))
        peer.send(["type": "LOAD_FAILED", "requestId": .int(request.id)], in: .receiver)
        peer.status([Peer.app])
        return true
      }
    ) { stage in
      let app = try await stage.launch()
      #expect(app == film)
    }
  }

  @Test("LAUNCH_ERROR CANCELLED is a class of its own, for a retry (quirk 7)")
  func cancelled() throws {
    try onStage(
      Peer.healthy { peer, request in
        guard request.namespace == .receiver, peer.requests("LAUNCH").count < 2 else { return false }
        guard request.type == "LAUNCH" else {
          peer.status(nil, id: request.id)
          return true
        }
        peer.send(["type": "LAUNCH_ERROR", "requestId": .int(request.id), "reason": "CANCELLED"], in: .receiver)
        return true
      }
    ) { stage in
      let error = await failure { () throws(ClientError) in try await stage.launch() }
      #expect(error?.class == .launchCancelled)
      let app = try await stage.launch()
      #expect(app == film)
    }
  }

  @Test("Joining asks the app what it plays first; a status that lacks the media is asked after (quirks 25, 34)")
  func join() throws {
    try onStage(
      Peer.healthy { peer, request in
        if request.namespace == .receiver { peer.status([Peer.app], id: request.id) }
        if request.namespace == .media, request.type == "GET_STATUS" {
          let isFirst = peer.requests.filter { $0.namespace == .media }.count == 1
          let media: JSONObject = isFirst ? [:] : ["media": ["contentId": "x.mp4", "contentType": "video/mp4"]]
          peer.media(4, "PLAYING", id: request.id, more: media)
        }
        return true
      }
    ) { stage in
      let app = try await stage.launch()
      #expect(!app.isOurs)
      let incomplete = await stage.connection.snapshot
      #expect(incomplete.media?.mediaSessionID == 4 && incomplete.media?.media == nil)
      try await stage.wait(.seconds(2))
      #expect(await stage.connection.snapshot.media?.media?.contentID == "x.mp4")
      #expect(stage.peer.requests.map(\.type) == ["CONNECT", "GET_STATUS", "CONNECT", "GET_STATUS", "GET_STATUS"])
    }
  }

  @Test("After a reconnect the app is joined again: CONNECT, GET_STATUS, CONNECT, GET_STATUS (quirk 25)")
  func reconnect() throws {
    let executor = SimulationExecutor()
    let network = SimulatedNetwork(executor: executor, seed: 0)
    try executor.run { clock in
      let (firstSender, firstReceiver, _) = network.connect()
      let peer = ScriptedPeer(firstReceiver, script: Peer.healthy)
      let first = CastConnection(channel: firstSender, times: network.times, configuration: ClientConfiguration())
      try await first.open()
      let launched = try await first.launch("CC1AD845", join: .auto, until: .seconds(10))
      peer.close()
      #expect(await first.nextObservations(after: first.lastObservation, until: .seconds(1)).last?.scope == .connection)
      await first.disconnect()

      let (secondSender, secondReceiver, _) = network.connect()
      let again = ScriptedPeer(secondReceiver) { peer, request in
        if request.namespace == .receiver { peer.status([Peer.app], id: request.id) }
        if request.namespace == .media { peer.media(1, "PLAYING", id: request.id, more: ["media": ["contentId": "a"]]) }
      }
      let second = CastConnection(channel: secondSender, times: network.times, configuration: ClientConfiguration())
      try await second.open()
      let joined = try await second.launch("CC1AD845", join: .only, until: clock.now.offset + .seconds(10))
      #expect(joined.sessionID == launched.sessionID && !joined.isOurs)
      #expect(again.requests.map(\.type) == ["CONNECT", "GET_STATUS", "CONNECT", "GET_STATUS"])
      #expect(await second.snapshot.media?.mediaSessionID == 1)
      await second.disconnect()
    }
  }

  @Test("An app that runs under another id with the same universal one is joined (quirk 42)")
  func universal() throws {
    let atv = Peer.application("2C6A6E3D", more: ["universalAppId": "CC1AD845"])
    try onStage(
      Peer.healthy { peer, request in
        if request.namespace == .receiver { peer.status([atv], id: request.id) }
        return request.namespace == .receiver
      }
    ) { stage in
      let app = try await stage.launch()
      #expect(app.appID == "2C6A6E3D" && !app.isOurs)
    }
  }

  @Test("The pause an app needs before CONNECT is kept (quirk 33)")
  func pause() throws {
    var configuration = ClientConfiguration()
    configuration.appConnectDelay = .seconds(1)
    try onStage(configuration: configuration) { stage in
      _ = try await stage.launch()
      #expect(stage.now == .seconds(1))
      try await stage.wait(.milliseconds(1))
      #expect(stage.peer.requests("CONNECT").count == 2)
    }
  }

  @Test("join never stops what runs, waits until it is gone, and launches a new session")
  func never() throws {
    let fresh = Peer.application(session: "s-2", transport: "t-2")
    try onStage(
      Peer.healthy { peer, request in
        guard request.type == "LAUNCH", !peer.requests("STOP").isEmpty else { return false }
        peer.status([fresh], id: request.id)
        return true
      }
    ) { stage in
      let first = try await stage.launch()
      let second = try await stage.launch(join: .never)
      #expect(first.sessionID == "s-1" && second.sessionID == "s-2" && second.isOurs)
      #expect(stage.peer.requests("STOP").map { $0.json["sessionId"]?.string } == ["s-1"])
    }
  }

  @Test("The first of two launches by two senders learns that it was replaced (quirk 45)")
  func twoSenders() throws {
    let rival = Peer.application("233637DE", session: "s-9", transport: "t-9", namespaces: [])
    try onStage(
      Peer.healthy { peer, request in
        // From our LAUNCH on.
        if request.namespace == .receiver, request.id > 2 { peer.status([rival], id: request.id) }
        return request.id > 2
      }
    ) { stage in
      let error = await failure { () throws(ClientError) in try await stage.launch() }
      #expect(error?.class == .takenOver && stage.now < .seconds(1))
      #expect(await stage.connection.snapshot.receiver?.application?.appID == "233637DE")
    }
  }

  @Test("Stopping an app ends when no status lists it, even where only a broadcast tells")
  func stop() throws {
    try onStage(
      Peer.healthy { peer, request in
        guard request.type == "STOP" else { return false }
        peer.status([Peer.app], id: request.id)
        peer.status(nil)
        return true
      }
    ) { stage in
      let app = try await stage.launch()
      try await stage.connection.stopApp(app, until: stage.now + .seconds(5))
      let error = await failure { () throws(ClientError) in try await stage.load(in: app) }
      #expect(error?.class == .appGone)
      try await stage.connection.stopApp(app, until: stage.now + .seconds(5))
      #expect(stage.peer.requests("STOP").count == 1)
    }
  }

  @Test("A fixed volume is refused here, without a message (quirk 22)")
  func fixedVolume() throws {
    try onStage(
      Peer.healthy { peer, request in
        guard request.type == "GET_STATUS" else { return false }
        peer.status(nil, id: request.id, volume: ["level": 1, "muted": false, "controlType": "fixed"])
        return true
      }
    ) { stage in
      let error = await failure { () throws(ClientError) in
        try await stage.connection.setVolume(level: 0.4, muted: nil, until: stage.now + .seconds(5))
      }
      #expect(error?.class == .refusedLocally && stage.peer.requests("SET_VOLUME").isEmpty)
    }
  }

  @Test("A volume that never changes is a timeout that says what the device says")
  func deafVolume() throws {
    try onStage(
      Peer.healthy { peer, request in
        if request.type == "SET_VOLUME" { peer.status(nil, id: request.id) }
        return request.type == "SET_VOLUME"
      }
    ) { stage in
      let error = await failure { () throws(ClientError) in
        try await stage.connection.setVolume(level: 0.9, muted: nil, until: stage.now + .seconds(5))
      }
      #expect(error?.class == .timeout && error?.message == "the device still says level 0.5, muted false")
      try await stage.connection.setVolume(level: 0.5, muted: false, until: stage.now + .seconds(5))
    }
  }
}
