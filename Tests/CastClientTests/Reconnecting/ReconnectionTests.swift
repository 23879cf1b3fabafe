import CastProtocol
import Simulation
import Synchronization
import Testing

@testable import CastClient

@Suite struct ReconnectionTests {
  /// Reconnects on the virtual clock to something that answers from `answersFrom` on; returns what came and when tries
  /// were made.
  private func play(
    answersFrom: Duration, until deadline: Duration, reappearance: Duration? = nil, tryTakes: Duration = .zero
  ) throws -> (error: ClientError?, tries: [Duration], end: Duration) {
    let executor = SimulationExecutor(seed: 3)
    let times = TimeSources(show: TimeSource(executor.clock, executor: executor))
    let tries = Mutex<[Duration]>([])
    let error = try executor.run { _ -> ClientError? in
      let reconnection = Reconnection(
        times: times, random: { 0.5 },
        reappearance: reappearance.map { time in { @Sendable in try? await times.show.sleep(until: time) } })
      return await failure { () throws(ClientError) in
        try await reconnection.run(until: deadline) { () throws(ClientError) -> Bool in
          let now = times.network.now
          tries.withLock { $0.append(now) }
          try? await times.network.sleep(for: tryTakes)
          if now >= answersFrom { return true }
          throw ClientError(.unreachable, "no route")
        }
      }
    }
    return (error, tries.withLock { $0 }, executor.now)
  }

  @Test("Tries go on until one succeeds")
  func succeeds() throws {
    let result = try play(answersFrom: .seconds(10), until: .seconds(100))
    #expect(result.error == nil && result.tries == [0, 1, 3, 7, 15].map { .seconds($0) })
  }

  @Test("At the deadline the last try's error is told, and nothing is left running")
  func deadline() throws {
    let result = try play(answersFrom: .seconds(1000), until: .seconds(20))
    #expect(result.error?.class == .unreachable && result.end == .seconds(20))
    #expect(result.tries == [0, 1, 3, 7, 15].map { .seconds($0) })
  }

  @Test("A try that never ends is cut short at the deadline")
  func cutShort() throws {
    let result = try play(answersFrom: .zero, until: .seconds(5), tryTakes: .seconds(3600))
    #expect(result.end == .seconds(5) && result.tries == [.zero])
  }

  @Test("Discovery that sees the device ends the wait")
  func reappearance() throws {
    let result = try play(answersFrom: .seconds(9), until: .seconds(100), reappearance: .seconds(9))
    #expect(result.error == nil && result.tries == [0, 1, 3, 7, 9].map { .seconds($0) })
  }
}
