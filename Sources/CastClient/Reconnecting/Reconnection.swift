package import CastProtocol
import Logging
import Synchronization

/// Gets a lost device back: tries as ``ReconnectStateMachine`` says, each time at a fresh address.
package struct Reconnection: Sendable {
  /// What a try is told of, for logs and views.
  package enum Progress: Sendable {
    case trying(number: Int)
    case failed(number: Int, ClientError, nextIn: Duration)
  }

  private let times: TimeSources
  private let longestWait: Duration
  private let random: @Sendable () -> Double
  private let reappearance: (@Sendable () async -> Void)?
  private let report: (@Sendable (Progress) -> Void)?
  private let log = Logger(label: LogComponent.reconnect.rawValue)

  /// - Parameters:
  ///   - longestWait: What the waits between two tries grow to.
  ///   - random: Numbers from 0 to 1 for the jitter.
  ///   - reappearance: Returns when discovery sees the device anew, not for what it remembers; may be cancelled.
  package init(
    times: TimeSources, longestWait: Duration = ReconnectStateMachine.usualLongestWait,
    random: @escaping @Sendable () -> Double,
    reappearance: (@Sendable () async -> Void)? = nil, report: (@Sendable (Progress) -> Void)? = nil
  ) {
    self.times = times
    self.longestWait = longestWait
    self.random = random
    self.reappearance = reappearance
    self.report = report
  }

  /// Tries `connect` until it succeeds, show time `deadline` has passed, or the task is cancelled.
  /// - Parameter connect: Asks for the address anew and opens a connection there; when cancelled it leaves none open.
  /// - Throws: What the last try threw; `connection_lost` where none came to an end.
  package func run<Opened: Sendable>(
    until deadline: Duration, connect: @escaping @Sendable () async throws(ClientError) -> Opened
  ) async throws(ClientError) -> Opened {
    let shared = Shared<Opened>(machine: ReconnectStateMachine(lostAt: times.network.now, longestWait: longestWait))
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await keepTrying(shared, connect) }
      group.addTask { [times] in try? await times.show.sleep(until: deadline) }
      await group.next()
      group.cancelAll()
    }
    let (opened, lastError) = shared.state.withLock { ($0.opened, $0.lastError) }
    if let opened { return opened }
    throw lastError ?? ClientError(.connectionLost, "the device did not come back")
  }

  /// What the tasks of one run share.
  private final class Shared<Opened: Sendable>: Sendable {
    struct State {
      var machine: ReconnectStateMachine
      var opened: Opened?
      var lastError: ClientError?
    }
    let state: Mutex<State>
    init(machine: ReconnectStateMachine) { state = Mutex(State(machine: machine)) }
  }

  private func keepTrying<Opened: Sendable>(
    _ shared: Shared<Opened>, _ connect: @escaping @Sendable () async throws(ClientError) -> Opened
  ) async {
    while !Task.isCancelled {
      let now = times.network.now
      let (isDue, nextTry, number) = shared.state.withLock { state in
        (state.machine.timerFired(at: now), state.machine.nextTry, state.machine.failedTries + 1)
      }
      if isDue {
        report?(.trying(number: number))
        log.debug("try \(number)")
        do throws(ClientError) {
          let opened = try await connect()
          return shared.state.withLock { $0.opened = opened }
        } catch {
          // A try that was cut short tells less than the one before it.
          if Task.isCancelled { return shared.state.withLock { $0.lastError = $0.lastError ?? error } }
          let failedAt = times.network.now
          let next = shared.state.withLock { state in
            state.lastError = error
            state.machine.failed(at: failedAt, random: random())
            return state.machine.nextTry ?? failedAt
          }
          report?(.failed(number: number, error, nextIn: next - failedAt))
          log.info("try \(number) failed: \(error.message); the next in \((next - failedAt).seconds) s")
        }
      } else if let nextTry {
        await wait(until: nextTry, shared)
      }
    }
  }

  /// Waits for the next try, or until discovery sees the device.
  private func wait<Opened: Sendable>(until nextTry: Duration, _ shared: Shared<Opened>) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [times] in try? await times.network.sleep(until: nextTry) }
      if let reappearance {
        group.addTask { [times] in
          await reappearance()
          if Task.isCancelled { return }
          let now = times.network.now
          shared.state.withLock { $0.machine.sighted(at: now) }
        }
      }
      await group.next()
      group.cancelAll()
    }
  }
}
