import CastProtocol
import Simulation
import TestSupport
import Testing

@testable import CastClient

/// Apps that play no media, and the channels of apps.
@Suite struct PlainAppTests {
  private typealias Peer = ScriptedPeer

  private static let own = Namespace(rawValue: "urn:x-cast:com.madmod.dashcast")

  /// A device whose one app plays nothing and answers on a namespace of its own.
  private static let dashing: Peer.Script = { peer, request in
    let app = Peer.application("84912283", namespaces: [own])
    let isUp = !peer.requests("LAUNCH").isEmpty
    switch (request.namespace, request.type) {
    case (.receiver, "GET_STATUS"): peer.status(isUp ? [app] : nil, id: request.id)
    case (.receiver, "LAUNCH"): peer.status([app], id: request.id)
    case (.receiver, "STOP"): peer.status(nil, id: request.id)
    case (own, _): peer.send(request.json, in: own, from: request.destination, to: request.source)
    default: break
    }
  }

  private static func launch(_ stage: Stage) async throws(ClientError) -> AppSession {
    try await stage.connection.launch("84912283", join: .auto, until: stage.now + .seconds(30))
  }

  @Test("It is launched, is sent a message and answers; nobody asks it for media")
  func messages() throws {
    try onStage(Self.dashing) { stage in
      let app = try await Self.launch(stage)
      #expect(stage.now == .zero)
      let number = await stage.connection.lastObservation
      try await stage.connection.send(.text(#"{"url":"x"}"#), on: Self.own, to: app, until: stage.now + .seconds(1))
      let seen = await stage.connection.nextObservations(after: number, until: stage.now + .seconds(1))
      #expect(seen.last?.scope == .message && seen.last?.message == ["url": "x"])
      #expect(!stage.peer.requests.contains { $0.namespace == .media })
    }
  }

  @Test("What is about media fails at once with the app's name and what it offers; nothing is sent to it")
  func media() throws {
    try onStage(Self.dashing) { stage in
      let app = try await Self.launch(stage)
      try await stage.wait(.seconds(3))
      let began = stage.now
      let errors = [
        await failure { () throws(ClientError) in try await stage.load(in: app) },
        await failure { () throws(ClientError) in try await stage.connection.refreshMedia(in: app) },
        await failure { () throws(ClientError) in
          try await stage.connection.command(MediaRequest(.play, session: 1), in: app, until: stage.now + .seconds(9))
        },
      ]
      #expect(errors.map { $0?.class } == [.invalidState, .invalidState, .invalidState])
      #expect(errors.map { $0?.message } == Array(repeating: "App (84912283) plays no media", count: 3))
      #expect(errors[0]?.help?.contains(Self.own.rawValue) == true)
      #expect(stage.now == began && !stage.peer.requests.contains { $0.namespace == .media })
    }
  }

  @Test("A media namespace that comes a second after the rest is waited for by the first load")
  func lateMedia() throws {
    try onStage(
      Peer.healthy { peer, request in
        guard request.namespace == .receiver, request.type != "STOP" else { return false }
        let launched = !peer.requests("LAUNCH").isEmpty
        let asked = peer.requests("GET_STATUS").filter { $0.namespace == .receiver }.count
        let namespaces: [Namespace] = asked > 3 ? [Self.own, .media] : [Self.own]
        peer.status(launched ? [Peer.application("AAAAAAAA", namespaces: namespaces)] : nil, id: request.id)
        return true
      }
    ) { stage in
      let app = try await stage.connection.launch("AAAAAAAA", join: .auto, until: .seconds(30))
      let session = try await stage.load(in: app)
      #expect(session == 1 && stage.now == .milliseconds(500))
    }
  }

  @Test("After a reconnect the session is taken up again with CONNECT alone")
  func resumes() throws {
    try onStage(
      { peer, request in
        if request.namespace == .receiver {
          peer.status([Peer.application("84912283", transport: "t-7", namespaces: [Self.own])], id: request.id)
        }
      }
    ) { stage in
      let before = AppSession(
        appID: "84912283", sessionID: "s-1", transportID: EndpointID("t-1"), isOurs: true)
      let after = try await stage.connection.resume(before, playing: nil, until: stage.now + .seconds(5))
      #expect(after.transportID == EndpointID("t-7") && after.isOurs && stage.now == .zero)
      try await stage.connection.send(.binary([1]), on: Self.own, to: after, until: stage.now + .seconds(1))
      try await stage.wait(.milliseconds(1))
      #expect(stage.peer.requests.map(\.type) == ["CONNECT", "GET_STATUS", "CONNECT"])
    }
  }

  // MARK: channels

  @Test("A channel that is named before there is a session attaches to the first that offers it, ours or another's")
  func early() throws {
    try onStage(Self.dashing) { stage in
      async let sent: Void = stage.connection.sendToNextApp(
        .text(#"{"early":true}"#), on: Self.own, until: stage.now + .seconds(30))
      try await stage.wait(.seconds(7))
      #expect(!stage.peer.requests.contains { $0.namespace == Self.own })
      let app = try await Self.launch(stage)
      try await sent
      #expect(app.isOurs && stage.now == .seconds(7))
      // From then on it is there at once, without another CONNECT.
      try await stage.connection.sendToNextApp(.text("{}"), on: Self.own, until: stage.now + .seconds(1))
      try await stage.wait(.milliseconds(1))
      let received = stage.peer.requests.filter { $0.namespace == Self.own }
      #expect(received.map(\.json) == [["early": true], [:]])
      #expect(received.allSatisfy { $0.destination == app.transportID })
      try await stage.connection.stopApp(app, until: stage.now + .seconds(1))
    }
  }

  @Test("It connects to an app that another sender starts, or has started, and answers come back")
  func anothers() throws {
    for isRunning in [true, false] {
      try onStage(
        { peer, request in
          let apps = [Peer.application("84912283", namespaces: [Self.own])]
          if request.namespace == .receiver { peer.status(isRunning ? apps : nil, id: request.id) }
          if request.namespace == Self.own { peer.send(["ok": 1], in: Self.own, from: request.destination) }
        }
      ) { stage in
        async let sent: Void = stage.connection.sendToNextApp(
          .text("{}"), on: Self.own, until: stage.now + .seconds(30))
        try await stage.wait(.seconds(2))
        if !isRunning { stage.peer.status([Peer.application("84912283", namespaces: [Self.own])]) }
        try await sent
        let number = await stage.connection.lastObservation
        let seen = await stage.connection.nextObservations(after: number - 1, until: stage.now + .seconds(1))
        try await stage.wait(.milliseconds(1))
        #expect(
          stage.peer.requests.filter { $0.type == "CONNECT" }.map(\.destination.rawValue) == ["receiver-0", "t-1"])
        #expect(!seen.isEmpty)
        #expect(await stage.connection.observations(after: 0).last?.message == ["ok": 1])
      }
    }
  }

  @Test("It waits in vain for one that offers another namespace")
  func inVain() throws {
    try onStage(Self.dashing) { stage in
      let other = Namespace(rawValue: "urn:x-cast:com.example.other")
      async let sent = failure { () throws(ClientError) in
        try await stage.connection.sendToNextApp(.text("{}"), on: other, until: .seconds(60))
      }
      try await stage.wait(.seconds(1))
      _ = try await Self.launch(stage)
      let error = await sent
      #expect(error?.class == .timeout && stage.now == .seconds(60))
      #expect(error?.message == "no app came that offers the namespace urn:x-cast:com.example.other")
    }
  }
}
