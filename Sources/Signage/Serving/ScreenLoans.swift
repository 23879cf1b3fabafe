import CastProtocol
import Synchronization

/// A run that wants the device of a screen.
struct LoanRequest: Sendable {
  let taker: LedgerRecord.Taker
  /// Opens when the screen has let go of the device.
  let granted = Latch()
  /// Opens when the run is done with it, or does not want it any more.
  let ended = Latch()

  init(by taker: LedgerRecord.Taker) { self.taker = taker }
}

/// Opens once; whoever waits goes on then.
final class Latch: Sendable {
  private let stream: AsyncStream<Never>
  private let continuation: AsyncStream<Never>.Continuation

  init() { (stream, continuation) = AsyncStream<Never>.makeStream() }

  func open() { continuation.finish() }

  /// Waits until it opens, or the task is cancelled. One task at a time may wait.
  func wait() async { for await _ in stream {} }

  /// - Returns: Whether it opened within a time.
  func wait(for time: Duration, on clock: TimeSource) async -> Bool {
    await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        await self.wait()
        return !Task.isCancelled
      }
      group.addTask {
        try? await clock.sleep(for: time)
        return false
      }
      let hasOpened = await group.next() ?? false
      group.cancelAll()
      return hasOpened
    }
  }
}

/// Where a run asks one screen for its device.
final class ScreenLoans: Sendable {
  private struct State {
    var request: LoanRequest?
    var waiter: CheckedContinuation<Void, Never>?
  }
  private let state = Mutex(State())
  private let signals: ScreenSignals

  /// - Parameter signals: Wake the screen from whatever it watches.
  init(_ signals: ScreenSignals) { self.signals = signals }

  /// - Returns: Whether the screen learns of it: it was not asked by another that still waits.
  func ask(_ request: LoanRequest) -> Bool {
    let (isNew, waiter) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
      if state.request != nil { return (false, nil) }
      state.request = request
      defer { state.waiter = nil }
      return (true, state.waiter)
    }
    waiter?.resume()
    if isNew { signals.raise() }
    return isNew
  }

  /// Whether a run wants the device.
  var isAsked: Bool { state.withLock { $0.request != nil } }

  /// The scenario whose run wants it.
  var taker: LedgerRecord.Taker? { state.withLock { $0.request?.taker } }

  /// What is asked; from then on another may ask.
  func take() -> LoanRequest? {
    state.withLock { state in
      defer { state.request = nil }
      return state.request
    }
  }

  private func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.request != nil || Task.isCancelled { return true }
          state.waiter = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        defer { state.waiter = nil }
        return state.waiter
      }
      waiter?.resume()
    }
  }

  /// Does `body`, and cancels it as soon as a run wants the device.
  /// - Returns: `nil` where a run wants it.
  func interrupt<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value? {
    await withTaskGroup(of: Value?.self) { group in
      group.addTask { await body() }
      group.addTask {
        await self.wait()
        return nil
      }
      var result: Value?
      for await value in group {
        group.cancelAll()
        result = result ?? value
      }
      return isAsked ? nil : result
    }
  }
}
