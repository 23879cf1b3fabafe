import CastProtocol
import Simulation
import TestSupport
import Testing

@testable import CastClient

/// Commands that devices hold back, lose, or would obey on somebody else's media.
@Suite struct CommandPatienceTests {
  private typealias Peer = ScriptedPeer

  private static let held: Peer.Script = Peer.healthy { _, request in
    request.namespace == .media && ["LOAD", "SET_VOLUME"].contains(request.type)
  }

  /// How long a command waits: its deadline, when the LOAD is answered, when the command is; and when it ends, and how.
  static let waits: [(deadline: Int, loaded: Int?, answered: Int?, end: Int, error: ClientError.Class?)] = [
    (60, 8, 8, 8, nil),
    (60, 8, 10, 10, nil),
    (7, nil, nil, 7, .timeout),
    (60, nil, nil, 60, .timeout),
    (60, 8, nil, 15, .timeout),
  ]
  @Test("A command that is held back by a LOAD waits as long as its caller", arguments: waits)
  func heldBack(deadline: Int, loaded: Int?, answered: Int?, end: Int, error: ClientError.Class?) throws {
    try onStage(Self.held) { stage in
      let app = try await stage.launch()
      async let load = failure { () throws(ClientError) in
        try await stage.load(in: app, within: .seconds(90))
      }
      try await stage.wait(.milliseconds(1))
      let start = stage.now
      async let command: (ClientError?, Duration) = (
        failure { () throws(ClientError) in
          try await stage.connection.command(
            MediaRequest(.setVolume(level: 0.5, muted: nil), session: 1), in: app, until: start + .seconds(deadline))
        }, stage.now
      )
      for second in 1...90 {
        try await stage.wait(.seconds(1))
        if second == loaded {
          stage.peer.media(1, "PLAYING", id: stage.peer.requests("LOAD").last?.id ?? 0)
        }
        if second == answered {
          stage.peer.media(1, "PLAYING", id: stage.peer.requests("SET_VOLUME").last?.id ?? 0)
        }
      }
      _ = await load
      let (outcome, endedAt) = await command
      #expect(outcome?.class == error)
      #expect(endedAt - start >= .seconds(end) - .seconds(2) && endedAt - start <= .seconds(end))
    }
  }

  @Test("A stale command does not go to what another sender loaded")
  func stale() throws {
    try onStage(
      Peer.healthy { peer, request in
        guard request.namespace == .media, peer.requests("LOAD").count == 1, request.type != "LOAD" else {
          return false
        }
        if request.type == "STOP" {
          peer.send(
            ["type": "INVALID_REQUEST", "reason": "INVALID_MEDIA_SESSION_ID", "requestId": .int(request.id)],
            in: .media, from: EndpointID("t-1"))
        } else {
          peer.media(2, "PLAYING", id: request.id, more: ["media": ["contentId": "theirs.mp4"]])
        }
        return true
      }
    ) { stage in
      let app = try await stage.launch()
      _ = try await stage.load(in: app)
      let error = await failure { () throws(ClientError) in
        try await stage.connection.command(MediaRequest(.stop, session: 1), in: app, until: stage.now + .seconds(5))
      }
      #expect(error?.class == .invalidRequest && error?.message.contains("`theirs.mp4`") == true)
      #expect(stage.peer.requests("STOP").count == 1)
    }
  }

  @Test("SKIP_AD is done when the next clip of the break is told without an id")
  func skipAd() throws {
    @Sendable func clip(_ id: String) -> JSONObject { ["breakStatus": ["breakId": "b", "breakClipId": .string(id)]] }
    try onStage(
      Peer.healthy { peer, request in
        guard request.type == "SKIP_AD" else { return false }
        peer.media(1, "PLAYING", more: clip("one"))
        return true
      }
    ) { stage in
      let app = try await stage.launch()
      _ = try await stage.load(in: app)
      stage.peer.media(1, "PLAYING", more: clip("one"))
      try await stage.wait(.milliseconds(1))
      let start = stage.now
      async let error = failure { () throws(ClientError) in
        try await stage.connection.command(MediaRequest(.skipAd, session: 1), in: app, until: start + .seconds(60))
      }
      try await stage.wait(.seconds(1))
      stage.peer.media(1, "PLAYING", more: clip("two"))
      #expect(await error == nil && stage.now <= start + .seconds(2))
    }
  }

  @Test("LOADING and LOAD_FAILED in one read are a load that failed")
  func failsAtOnce() throws {
    try onStage(
      Peer.healthy { peer, request in
        guard request.type == "LOAD" else { return false }
        let app = EndpointID("t-1")
        let loading: JSONValue = [
          "type": "MEDIA_STATUS", "requestId": .int(request.id),
          "status": [["mediaSessionId": 1, "playerState": "IDLE", "extendedStatus": ["playerState": "LOADING"]]],
        ]
        let failed: JSONValue = ["type": "LOAD_FAILED", "requestId": .int(request.id), "detailedErrorCode": 104]
        let messages = [loading, failed].map {
          CastMessage(source: app, destination: .everyone, namespace: .media, json: $0)
        }
        peer.send(raw: (try? ChannelStateMachine.encode(messages)) ?? [])
        return true
      }
    ) { stage in
      let app = try await stage.launch()
      let error = await failure { () throws(ClientError) in try await stage.load(in: app, within: .seconds(5)) }
      #expect(error?.class == .loadFailed && error?.message == "LOAD_FAILED 104 MEDIA_SRC_NOT_SUPPORTED")
    }
  }

  /// What a device that never answered says when it is asked for its state, and how the command ends.
  static let afterSilence: [(command: MediaRequest, state: String, more: JSONObject, message: String?)] = [
    (MediaRequest(.pause, session: 1), "PAUSED", [:], nil),
    (MediaRequest(.pause, session: 1), "PLAYING", [:], "no reply to PAUSE"),
    (MediaRequest(.seek(.init(currentTime: 120)), session: 1), "PLAYING", ["currentTime": 121], nil),
    (MediaRequest(.seek(.init(currentTime: 120)), session: 1), "PLAYING", ["currentTime": 12.5], "no reply to SEEK"),
    (MediaRequest(.setPlaybackRate(.absolute(1.5)), session: 1), "PLAYING", ["playbackRate": 1.5], nil),
    (MediaRequest(.setPlaybackRate(.absolute(1.5)), session: 1), "PLAYING", [:], "no reply to SET_PLAYBACK_RATE"),
  ]
  @Test("After no reply the device's state says whether the command was done", arguments: afterSilence)
  func silence(command: MediaRequest, state: String, more: JSONObject, message: String?) throws {
    try onStage(
      Peer.healthy { peer, request in
        guard request.namespace == .media, !["LOAD"].contains(request.type) else { return false }
        if request.type == "GET_STATUS", peer.requests("LOAD").count == 1 {
          peer.media(1, state, id: request.id, more: more)
          return true
        }
        return request.type != "GET_STATUS"
      }
    ) { stage in
      let app = try await stage.launch()
      _ = try await stage.load(in: app)
      let error = await failure { () throws(ClientError) in
        try await stage.connection.command(command, in: app, until: stage.now + .seconds(60))
      }
      #expect(error?.message == message && (message == nil || error?.class == .timeout))
      // Whoever tells the failure says how things are: by what was just told.
      #expect(await stage.connection.snapshot.media?.playerState == (state == "PAUSED" ? .paused : .playing))
    }
  }
}
