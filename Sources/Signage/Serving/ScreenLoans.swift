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
  private let request = Mutex<LoanRequest?>(nil)
  private let bell = Bell()
  private let signals: ScreenSignals

  /// - Parameter signals: Wake the screen from whatever it watches.
  init(_ signals: ScreenSignals) { self.signals = signals }

  /// - Returns: Whether the screen learns of it: no other request waits.
  func ask(_ new: LoanRequest) -> Bool {
    let isFirst = request.withLock { request in
      if request != nil { return false }
      request = new
      return true
    }
    guard isFirst else { return false }
    bell.ring()
    signals.raise()
    return true
  }

  /// Whether a run wants the device.
  var isAsked: Bool { request.withLock { $0 != nil } }

  /// The scenario whose run wants the device.
  var taker: LedgerRecord.Taker? { request.withLock { $0?.taker } }

  /// The request that waits; from then on another may ask.
  func take() -> LoanRequest? {
    bell.reset()
    return request.withLock { request in
      defer { request = nil }
      return request
    }
  }

  /// Does `body`, and cancels it as soon as a run wants the device.
  /// - Returns: `nil` where a run wants it.
  func interrupt<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value? {
    let result = await bell.interrupt(body)
    return isAsked ? nil : result
  }
}
