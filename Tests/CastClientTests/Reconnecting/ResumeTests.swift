import CastProtocol
import TestSupport
import Testing

@testable import CastClient

@Suite struct ResumeTests {
  /// A device that runs `app` and plays media session `playing`.
  private func device(_ app: JSONValue?, playing: Int? = nil, title: String = "Film") -> ScriptedPeer.Script {
    { peer, request in
      switch (request.namespace, request.type) {
      case (.receiver, "GET_STATUS"): peer.status(app.map { [$0] }, id: request.id)
      case (.media, "GET_STATUS"):
        let media: JSONValue = ["contentId": "x.mp4", "metadata": ["metadataType": 0, "title": .string(title)]]
        peer.media(
          playing ?? 0, playing == nil ? nil : "PLAYING", id: request.id, from: request.destination.rawValue,
          more: ["media": media])
      default: break
      }
    }
  }

  @Test("The app still runs and plays what was ours: CONNECT, GET_STATUS, and it goes on")
  func goesOn() throws {
    try onStage(device(ScriptedPeer.app, playing: 7)) { stage in
      let session = try await stage.connection.resume(film, playing: 7, until: stage.now + .seconds(5))
      #expect(session == film)
      #expect(stage.peer.requests.map(\.type) == ["CONNECT", "GET_STATUS", "CONNECT", "GET_STATUS"])
      #expect(await stage.connection.snapshot.media?.mediaSessionID == 7)
      // Commands work again.
      try await stage.connection.refreshMedia(in: session)
    }
  }

  @Test("The app runs under another transport id: that one is connected to")
  func otherTransport() throws {
    let app = ScriptedPeer.application(transport: "t-9")
    try onStage(device(app, playing: 7)) { stage in
      let session = try await stage.connection.resume(film, playing: 7, until: stage.now + .seconds(5))
      #expect(session.transportID == EndpointID("t-9") && session.isOurs)
      #expect(stage.peer.requests.last?.destination == EndpointID("t-9"))
    }
  }

  /// What the device shows after the reconnect, and the class that follows.
  static let losses: [(name: String, app: JSONValue?, playing: Int?, expected: ClientError.Class)] = [
    ("nothing", nil, nil, .appGone),
    (
      "the idle screen", ScriptedPeer.application("E8C28D3C", session: "s-0", more: ["isIdleScreen": true]), nil,
      .appGone
    ),
    ("another app", ScriptedPeer.application("233637DE", session: "s-2"), nil, .takenOver),
    ("the same app in another session", ScriptedPeer.application(session: "s-2"), nil, .takenOver),
    ("another's media in our app", ScriptedPeer.app, 8, .takenOver),
  ]
  @Test("What is not ours any more is told as app_gone or taken_over", arguments: losses)
  func lost(name: String, app: JSONValue?, playing: Int?, expected: ClientError.Class) throws {
    try onStage(device(app, playing: playing, title: "Theirs")) { stage in
      let until = stage.now + .seconds(5)
      let error = await failure { () throws(ClientError) in
        try await stage.connection.resume(film, playing: 7, until: until)
      }
      #expect(error?.class == expected, "\(name): \(error?.message ?? "none")")
      if playing != nil { #expect(error?.message.contains("Theirs") == true) }
    }
  }

  @Test("Media that ended meanwhile, or that were never certain, are no takeover")
  func ended() throws {
    try onStage(device(ScriptedPeer.app)) { stage in
      _ = try await stage.connection.resume(film, playing: 7, until: stage.now + .seconds(5))
    }
    try onStage(device(ScriptedPeer.app, playing: 8)) { stage in
      _ = try await stage.connection.resume(film, playing: nil, until: stage.now + .seconds(5))
    }
  }

  @Test("An app that does not answer GET_STATUS is still ours")
  func silent() throws {
    try onStage({ peer, request in
      if request.namespace == .receiver { peer.status([ScriptedPeer.app], id: request.id) }
    }) { stage in
      let start = stage.now
      let session = try await stage.connection.resume(film, playing: 7, until: start + .seconds(20))
      #expect(session == film && stage.now - start == .seconds(5))
    }
  }

  /// What an app says by itself a second after it was connected to, and the class of the error; `nil`: it goes on.
  static let news: [(title: String?, session: Int, after: Duration, expected: ClientError.Class?)] = [
    ("Film", 7, .seconds(1), nil), (nil, 7, .seconds(5), nil), ("Theirs", 8, .seconds(1), .takenOver),
  ]
  @Test(
    "Where the answer is lost, a status that names what plays is as good; one that names nothing is not",
    arguments: news)
  func toldByItself(title: String?, session: Int, after: Duration, expected: ClientError.Class?) throws {
    try onStage({ peer, request in
      if request.namespace == .receiver { peer.status([ScriptedPeer.app], id: request.id) }
    }) { stage in
      let start = stage.now
      async let failed = failure { () throws(ClientError) in
        let session = try await stage.connection.resume(film, playing: 7, until: start + .seconds(20))
        #expect(session == film)
      }
      try await stage.wait(.seconds(1))
      let media: JSONValue? = title.map {
        ["contentId": "x.mp4", "metadata": ["metadataType": 0, "title": .string($0)]]
      }
      stage.peer.media(session, "PLAYING", more: media.map { ["media": $0] } ?? [:])
      #expect(await failed?.class == expected)
      #expect(stage.now - start == after)
    }
  }
}
