import CastProtocol
import Simulation
import Synchronization
import TestSupport
import Testing

@testable import CastClient

@Suite struct RequestRecordTests {
  private typealias Peer = ScriptedPeer

  /// Plays with a scripted device and returns what was told of requests, oldest first.
  private func records(
    _ script: @escaping Peer.Script = Peer.healthy, _ body: @escaping @Sendable (Stage) async throws -> Void
  ) throws -> [RequestRecord] {
    let seen = Mutex<[RequestRecord]>([])
    var configuration = ClientConfiguration()
    configuration.wireTap = .told { record in
      if case .finished(let request) = record.content { seen.withLock { $0.append(request) } }
    }
    try onStage(configuration: configuration, script, body)
    return seen.withLock { $0 }
  }

  /// The records as `LOAD completed`, without those of opening and launching.
  private func ends(_ records: [RequestRecord]) -> [String] {
    records.filter { $0.name != "GET_STATUS" && $0.name != "LAUNCH" }.map { "\($0.name) \($0.outcome.name)" }
  }

  @Test("Each request is told once when it is over, with id, name and time")
  func completed() throws {
    let all = try records(
      Peer.healthy { peer, request in
        guard request.type == "LAUNCH" else { return false }
        peer.status(nil, id: request.id)
        return true
      }
    ) { stage in
      // Its reply lists nothing; the question a second later does.
      let app = try await stage.launch()
      _ = try await stage.load(in: app)
    }
    #expect(Set(all.map(\.id)).count == all.count && all.allSatisfy { $0.id > 0 })
    let launch = try #require(all.first { $0.name == "LAUNCH" })
    #expect(launch.outcome == .completed && launch.duration == .seconds(1) && launch.namespace == .receiver)
    #expect(ends(all) == ["LOAD completed"])
    #expect(all.first?.name == "GET_STATUS" && all.first?.outcome == .completed && all.first?.duration == .zero)
  }

  /// The device's answer to LOAD, and what is told of it.
  static let refusals: [(JSONObject, String)] = [
    (["type": "LOAD_FAILED", "detailedErrorCode": 104], "failed"), (["type": "LOAD_CANCELLED"], "replaced"),
    (["type": "INVALID_REQUEST", "reason": "INVALID_PARAMS"], "failed"),
    (["type": "INVALID_PLAYER_STATE"], "failed"),
  ]
  @Test("A refused request failed with class and wire error; one that made way was replaced", arguments: refusals)
  func refused(reply: JSONObject, outcome: String) throws {
    let all = try records(
      Peer.healthy { peer, request in
        guard request.type == "LOAD" else { return false }
        var reply = reply
        reply["requestId"] = .int(request.id)
        peer.send(.object(reply), in: .media, from: request.destination)
        return true
      }
    ) { stage in
      let app = try await stage.launch()
      _ = await failure { () throws(ClientError) in try await stage.load(in: app) }
    }
    let load = try #require(all.last { $0.name == "LOAD" })
    #expect(load.outcome.name == outcome)
    if case .failed(let error) = load.outcome { #expect(error.wire?["type"] == reply["type"]) }
  }

  @Test("A request whose time is up failed with timeout; one nobody waits for was aborted")
  func unanswered() throws {
    let script = Peer.healthy { _, request in request.type == "PAUSE" || request.type == "PLAY" }
    let late = try records(script) { stage in
      let app = try await stage.launch()
      _ = try await stage.load(in: app)
      let until = stage.now + .seconds(30)
      let error = await failure { () throws(ClientError) in
        try await stage.connection.command(MediaRequest(.pause, session: 1), in: app, until: until)
      }
      #expect(error?.class == .timeout)
    }
    let pause = try #require(late.last { $0.name == "PAUSE" })
    guard case .failed(let error) = pause.outcome else {
      Issue.record("not failed: \(pause)")
      return
    }
    #expect(error.class == .timeout && pause.duration == .seconds(5))

    let cancelled = try records(script) { stage in
      let app = try await stage.launch()
      _ = try await stage.load(in: app)
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          try? await stage.connection.command(MediaRequest(.play, session: 1), in: app, until: .seconds(999))
        }
        try? await stage.wait(.seconds(1))
        group.cancelAll()
      }
    }
    #expect(ends(cancelled).last == "PLAY aborted")
  }

  @Test("What was under way failed when the device is lost, and was aborted when we leave")
  func ended() throws {
    let script = Peer.healthy { _, request in request.type == "LOAD" }
    for leaves in [false, true] {
      let all = try records(script) { stage in
        let app = try await stage.launch()
        async let load = failure { () throws(ClientError) in try await stage.load(in: app) }
        try await stage.wait(.seconds(1))
        if leaves { await stage.connection.disconnect() } else { stage.peer.close() }
        _ = await load
      }
      #expect(ends(all) == ["LOAD \(leaves ? "aborted" : "failed")"])
    }
  }
}
