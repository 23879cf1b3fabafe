import CastProtocol
import Simulation
import Synchronization
import TestSupport
import Testing

@testable import CastClient

/// A device that says anything at any time (docs/security.md S6).
@Suite struct LyingDeviceTests {
  /// Says seeded nonsense, much of it nearly right.
  private final class Liar: Sendable {
    private let generator: Mutex<SeededGenerator>
    init(seed: UInt64) { generator = Mutex(SeededGenerator(seed: seed)) }

    func pick<T>(_ choices: [T]) -> T { choices[number(below: choices.count)] }
    func number(below bound: Int) -> Int { generator.withLock { Int($0.next() % UInt64(bound)) } }

    func speak(_ peer: ScriptedPeer, about id: Int) {
      let type = pick([
        "RECEIVER_STATUS", "MEDIA_STATUS", "LAUNCH_STATUS", "LAUNCH_ERROR", "LOAD_FAILED", "LOAD_CANCELLED", "ERROR",
        "INVALID_REQUEST", "INVALID_PLAYER_STATE", "CLOSE", "PING", "QUEUE_CHANGE", "",
      ])
      var json: JSONObject = ["type": .string(type)]
      json["requestId"] = pick([.int(id), .int(id), 0, nil, -1, .int(id + 1), .double(1e300), "7", .null])
      json["launchRequestId"] = pick([.int(id), nil, "x"])
      json["reason"] = pick([
        nil, "CANCELLED", "INVALID_MEDIA_SESSION_ID", .string(String(repeating: "ä", count: 999)), 5,
      ])
      json["detailedErrorCode"] = pick([nil, 104, 901, -1, .double(1e99), "104"])
      json["status"] = pick([nil, .null, [], [:], "USER_PENDING_AUTHORIZATION", media(), [media()], receiver(), 4])
      let namespaces: [Namespace] = [.receiver, .media, .connection, .heartbeat, Namespace(rawValue: "urn:x-cast:x")]
      let right: [String: Namespace] = ["RECEIVER_STATUS": .receiver, "MEDIA_STATUS": .media]
      let namespace = number(below: 3) > 0 ? right[type] ?? pick(namespaces) : pick(namespaces)
      let source = pick([EndpointID.receiver, EndpointID("t-1"), EndpointID("t-1"), EndpointID("t-2")])
      // A CLOSE of the platform ends everything too soon to be of interest.
      if type == "CLOSE", source == .receiver { return }
      peer.send(.object(json), in: namespace, from: source, to: pick([.everyone, .sender, EndpointID("?")]))
    }

    private func media() -> JSONValue {
      let times: [JSONValue] = [0, -5, .double(1e300), "12", .null, 3.5]
      return [
        "mediaSessionId": pick([1, 2, 3, -1, "2", .double(1e30)]),
        "playerState": pick(["PLAYING", "IDLE", "PAUSED", "BUFFERING", "X", .null, 3]),
        "idleReason": pick([.null, "ERROR", "INTERRUPTED", "CANCELLED", "X"]), "currentTime": pick(times),
        "playbackRate": pick(times), "media": pick([.null, ["contentId": "a.mp4"], ["contentId": "b.mp4"], [], 5]),
        "extendedStatus": pick([.null, ["playerState": "LOADING"], 5]),
      ]
    }

    private func receiver() -> JSONValue {
      let apps: [JSONValue] = [
        .null, [], [ScriptedPeer.app], [ScriptedPeer.app], [ScriptedPeer.application("233637DE", session: "s-2")],
        [ScriptedPeer.application(session: "s-2", transport: "t-2")], [ScriptedPeer.application(namespaces: [])], [5],
        .array(Array(repeating: ScriptedPeer.app, count: 300)),
      ]
      return ["applications": pick(apps), "volume": ["level": pick([7, -1, 0.5, "0.5", .null]), "muted": true]]
    }
  }

  @Test("Whatever a device says, every call ends by its deadline and the numbers have no holes", arguments: 0..<60)
  func lies(seed: Int) throws {
    let liar = Liar(seed: UInt64(seed))
    try onStage(
      seed: UInt64(seed),
      ScriptedPeer.healthy { peer, request in
        if request.id <= 1 { return false }
        for _ in 0..<liar.number(below: 4) { liar.speak(peer, about: request.id) }
        return liar.number(below: 2) == 0
      }
    ) { stage in
      let connection = stage.connection
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          for _ in 0..<40 {
            try? await stage.wait(.milliseconds(250))
            liar.speak(stage.peer, about: 1 + liar.number(below: 12))
          }
        }
        let app = (try? await stage.launch(within: .seconds(5))) ?? film
        #expect(stage.now <= .seconds(120))
        group.addTask {
          let start = stage.now
          _ = await failure { () throws(ClientError) in try await stage.load(in: app, within: .seconds(9)) }
          #expect(stage.now - start <= .seconds(9))
        }
        group.addTask {
          let start = stage.now
          for command in [MediaRequest(.pause, session: 1), MediaRequest(.stop, session: 1)] {
            _ = await failure { () throws(ClientError) in
              try await connection.command(command, in: app, until: start + .seconds(9))
            }
          }
          _ = await failure { () throws(ClientError) in try await connection.refreshMedia(in: app) }
          #expect(stage.now - start <= .seconds(15))
        }
        group.addTask {
          let start = stage.now
          let until = start + .seconds(9)
          _ = await failure { () throws(ClientError) in
            try await connection.setVolume(level: 0.3, muted: true, until: until)
          }
          _ = await failure { () throws(ClientError) in try await connection.stopApp(app, until: until) }
          #expect(stage.now - start <= .seconds(9))
        }
      }
      let observations = await connection.observations(after: 0)
      #expect(observations.map(\.number) == Array(1...observations.count))
      #expect(zip(observations, observations.dropFirst()).allSatisfy { $0.at <= $1.at })
    }
  }

  /// What has to become of a connection that receives some bytes.
  private enum Fate {
    case ends(after: Duration)
    case lives

    init(of bytes: [UInt8]) {
      var decoder = FrameDecoder()
      decoder.append(bytes)
      do {
        while let body = try decoder.next() { _ = try CastMessage(decoding: body) }
        self = decoder.hasUnfinishedFrame ? .ends(after: ClientConfiguration().frameTimeout) : .lives
      } catch {
        self = .ends(after: .zero)
      }
    }
  }

  @Test("Bytes that are no Cast end the connection at once or at the frame limit, others never", arguments: 0..<100)
  func garbage(seed: Int) throws {
    let liar = Liar(seed: UInt64(seed))
    try onStage { stage in
      let app = try await stage.launch()
      // The answer to what is asked of a new app would go on in the middle of what is cut.
      try await stage.wait(.milliseconds(1))
      let message = CastMessage(
        source: app.transportID, destination: .everyone, namespace: .media,
        json: ["type": "MEDIA_STATUS", "status": []])
      var bytes = try ChannelStateMachine.encode([message, message])
      for _ in 0...liar.number(below: 4) { bytes[liar.number(below: bytes.count)] = UInt8(liar.number(below: 256)) }
      let sent = Array(bytes.prefix(1 + liar.number(below: bytes.count)))
      let start = stage.now
      var last = await stage.connection.lastObservation
      stage.peer.send(raw: sent)
      var endedAfter: Duration?
      while endedAfter == nil, stage.now < start + .seconds(20) {
        let seen = await stage.connection.nextObservations(after: last, until: start + .seconds(20))
        last = seen.last?.number ?? last
        if seen.contains(where: { $0.loss != nil }) { endedAfter = stage.now - start }
      }
      let error = await failure { () throws(ClientError) in try await stage.connection.refreshReceiver() }
      switch Fate(of: sent) {
      case .ends(let time): #expect(endedAfter == time && error != nil, "after \(endedAfter ?? .zero), not \(time)")
      case .lives: #expect(endedAfter == nil && error == nil)
      }
    }
  }
}
