import NIOCore
import NIOPosix
import Synchronization

/// Makes a virtual receiver visible on the network for as long as it is open.
package final class DeviceAdvertiser: Sendable {
  /// The name in use; Avahi adds ` #2` where another machine has ours already.
  package let instanceName: String
  private let thread: ServiceThread
  private let ended: Outcome<Void>

  /// How long to wait before trying again when the daemon went.
  private static let retryInterval = Duration.seconds(5)
  /// How long the daemon may take to say goodbye for us.
  private static let closingLimit = Duration.seconds(2)

  /// Registers a device; takes about a second, in which the network is asked whether the name is free.
  ///
  /// If the daemon dies later, it is registered again once one is back.
  /// - Throws: ``TransportError/Code/discoveryUnavailable`` or ``TransportError/Code/nameInUse``.
  package static func advertise(
    _ advertisement: DeviceAdvertisement, limit: Duration = .seconds(5)
  ) async throws(TransportError) -> DeviceAdvertiser {
    let registered = Outcome<String>()
    let ended = Outcome<Void>()
    let thread: ServiceThread
    do {
      thread = try ServiceThread.start { poller in
        run(advertisement, poller, registered)
        registered.complete(.failure(.noDaemon))
        ended.complete(.success(()))
      }
    } catch {
      // A promise must be kept, also where nobody waits.
      registered.complete(.failure(error))
      ended.complete(.success(()))
      throw error
    }
    registered.complete(.failure(.noDaemon), after: limit)
    do {
      let name = try await registered.value()
      return DeviceAdvertiser(instanceName: name, thread: thread, ended: ended)
    } catch {
      thread.stop()
      throw error
    }
  }

  private init(instanceName: String, thread: ServiceThread, ended: Outcome<Void>) {
    self.instanceName = instanceName
    self.thread = thread
    self.ended = ended
  }

  deinit { thread.stop() }

  /// Takes the device off the network; returns when the daemon has done so, after 2 s at most.
  package func close() async {
    thread.stop()
    ended.complete(.success(()), after: Self.closingLimit)
    try? await ended.value()
  }

  /// The thread's life.
  private static func run(
    _ advertisement: DeviceAdvertisement, _ poller: ServiceThread.Poller, _ registered: Outcome<String>
  ) {
    let replies = Replies()
    while true {
      do throws(TransportError) {
        let reference = try ServiceReference.register(
          name: advertisement.instanceName, port: advertisement.port, txt: advertisement.txt.bytes
        ) { replies.newest = $0 }
        while poller.wait(for: [reference], until: nil) {
          if case .failed(let number) = replies.newest { throw .discovery(number) }
          if case .registered(let name) = replies.newest { registered.complete(.success(name)) }
        }
        return
      } catch {
        registered.complete(.failure(error))
      }
      replies.newest = nil
      let retry = poller.now + retryInterval
      while poller.now < retry { if !poller.wait(for: [], until: retry) { return } }
    }
  }

  private final class Replies { var newest: ServiceReference.Reply? }
}

/// A result that several threads may bring; the first one counts.
private final class Outcome<Value: Sendable>: Sendable {
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
