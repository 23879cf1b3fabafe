import NIOCore
import NIOPosix
import Synchronization

/// A result that several threads may bring; the first one counts.
final class Outcome<Value: Sendable>: Sendable {
  private let promise = TransportEventLoops.shared.group.next().makePromise(of: Value.self)
  private let isComplete = Mutex(false)

  func complete(_ result: Result<Value, TransportError>) {
    let isFirst = isComplete.withLock { isComplete in
      defer { isComplete = true }
      return !isComplete
    }
    if isFirst { promise.completeWith(result.mapError { $0 as any Error }) }
  }

  /// The same after `limit`, if nothing else came.
  func complete(_ result: Result<Value, TransportError>, after limit: Duration) {
    let timer = promise.futureResult.eventLoop.scheduleTask(in: TimeAmount(limit: limit)) { self.complete(result) }
    promise.futureResult.whenComplete { _ in timer.cancel() }
  }

  /// Waits for the result; a cancelled task too, since every outcome is limited.
  func value() async throws(TransportError) -> Value {
    do {
      return try await promise.futureResult.get()
    } catch {
      throw error as? TransportError ?? TransportError(.setupFailed, "\(error)")
    }
  }
}
