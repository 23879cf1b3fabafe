import CastProtocol
import Simulation
import TestSupport
import Testing

@testable import CastClient

@Suite struct WatchingTests {
  @Test("A watcher gets what is newer at once, what comes when it comes, and nothing at its deadline")
  func waiting() throws {
    try onStage { stage in
      let connection = stage.connection
      #expect(await connection.nextObservations(after: 0, until: .zero).map(\.number) == [1, 2])
      let number = await connection.lastObservation
      async let next = connection.nextObservations(after: number, until: .seconds(60))
      async let later = connection.nextObservations(after: number + 1, until: .seconds(60))
      try await stage.wait(.seconds(3))
      stage.peer.status(nil)
      #expect(await next.map(\.number) == [number + 1])
      #expect(stage.now == .seconds(3))
      #expect(await connection.nextObservations(after: number + 1, until: .seconds(4)).isEmpty)
      #expect(stage.now == .seconds(4))
      stage.peer.status(nil)
      #expect(await later.map(\.number) == [number + 2])
      #expect(
        await connection.nextObservations(after: number, until: .seconds(99)).map(\.at) == [.seconds(3), .seconds(4)])
    }
  }

  @Test("Deadlines in any order are each kept")
  func deadlines() throws {
    try onStage { stage in
      let number = await stage.connection.lastObservation
      let ends = await withTaskGroup(of: (Duration, Duration).self) { group in
        for deadline in [7, 3, 5, 1, 1, 9].map({ Duration.seconds($0) }) {
          group.addTask {
            _ = await stage.connection.nextObservations(after: number, until: deadline)
            return (deadline, stage.now)
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(ends.count == 6 && ends.allSatisfy { $0 == $1 })
    }
  }

  @Test("A deadline beyond all clocks is one that never comes")
  func endless() throws {
    try onStage { stage in
      let number = await stage.connection.lastObservation
      async let next = stage.connection.nextObservations(after: number, until: .seconds(Int64.max))
      try await stage.wait(.seconds(6 * 3600))
      stage.peer.status(nil)
      #expect(await next.map(\.number).first == number + 1)
    }
  }

  @Test("The history keeps the newest and forgets the oldest")
  func history() throws {
    var configuration = ClientConfiguration()
    configuration.historyLimit = 8
    try onStage(configuration: configuration) { stage in
      for _ in 0..<50 { try await stage.connection.refreshReceiver() }
      #expect(await stage.connection.lastObservation == 52)
      #expect(await stage.connection.observations(after: 0).map(\.number) == Array(45...52))
    }
  }

  @Test("Every kind of wait ends at once when its task is cancelled, and leaves nothing behind", arguments: 0..<5)
  func cancellation(kind: Int) throws {
    try onStage(ScriptedPeer.healthy { _, request in request.id > 3 }) { stage in
      let app = try await stage.launch()
      let connection = stage.connection
      let number = await connection.lastObservation
      for isEarly in [false, true] {
        let start = stage.now
        await withTaskGroup(of: Void.self) { group in
          if isEarly { group.cancelAll() }
          group.addTask {
            switch kind {
            case 0: _ = await connection.nextObservations(after: number, until: .seconds(9999))
            case 1: _ = await failure { () throws(ClientError) in try await connection.refreshReceiver() }
            case 2: _ = await failure { () throws(ClientError) in try await stage.load(in: app) }
            case 3:
              _ = await failure { () throws(ClientError) in
                try await connection.launch("AAAAAAAA", join: .auto, until: .seconds(9999))
              }
            default:
              _ = await failure { () throws(ClientError) in
                try await connection.command(MediaRequest(.pause, session: 1), in: app, until: .seconds(9999))
              }
            }
          }
          if !isEarly {
            try? await stage.wait(.milliseconds(100))
            group.cancelAll()
          }
          await group.waitForAll()
        }
        #expect(stage.now - start == (isEarly ? .zero : .milliseconds(100)))
      }
    }
  }

  @Test("More waits than a connection may have are refused, not kept")
  func tooMany() throws {
    try onStage(ScriptedPeer.healthy { _, request in request.id > 1 }) { stage in
      let classes = await withTaskGroup(of: ClientError.Class?.self) { group in
        for _ in 0..<300 {
          group.addTask {
            await failure { () throws(ClientError) in try await stage.connection.refreshReceiver() }?.class
          }
        }
        return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
      }
      #expect(classes == [.timeout: 256, .refusedLocally: 44])
    }
  }

  @Test("The same script gives the same history under every seed")
  func seeds() throws {
    let histories = try (0..<50).map { seed in
      try onStage(seed: UInt64(seed)) { stage in
        let app = try await stage.launch()
        _ = try await stage.load(in: app)
        try await stage.connection.command(MediaRequest(.pause, session: 1), in: app, until: .seconds(10))
        return await stage.connection.observations(after: 0).map { "\($0.number) \($0.scope) \($0.source) \($0.at)" }
      }
    }
    #expect(Set(histories).count == 1)
  }
}
