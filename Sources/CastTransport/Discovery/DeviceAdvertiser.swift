import NIOCore
import NIOPosix
import Synchronization

/// Makes virtual receivers visible on the network for as long as it is open, all of them by one thread.
package final class DeviceAdvertiser: Sendable {
  /// The names in use, in the order given; Avahi adds ` #2` where another machine has ours already.
  package let instanceNames: [String]
  /// That of the first device.
  package var instanceName: String { instanceNames.first ?? "" }
  private let thread: ServiceThread
  private let ended: Outcome<Void>

  /// How long to wait before trying again when the daemon went.
  private static let retryInterval = Duration.seconds(5)
  /// How long the daemon may take to say goodbye for us.
  private static let closingLimit = Duration.seconds(2)

  /// One device and what became of it.
  private final class Entry: Sendable {
    let advertisement: DeviceAdvertisement
    let registered = Outcome<String>()

    init(_ advertisement: DeviceAdvertisement) { self.advertisement = advertisement }
  }

  /// Registers a device, as ``advertise(_:limit:)`` of several does.
  package static func advertise(
    _ advertisement: DeviceAdvertisement, limit: Duration = .seconds(5)
  ) async throws(TransportError) -> DeviceAdvertiser {
    try await advertise([advertisement], limit: limit)
  }

  /// Registers devices; takes about a second, in which the network is asked whether the names are free.
  ///
  /// If the daemon dies later, it is registered again once one is back.
  /// - Throws: ``TransportError/Code/discoveryUnavailable`` or ``TransportError/Code/nameInUse``.
  package static func advertise(
    _ advertisements: [DeviceAdvertisement], limit: Duration = .seconds(5)
  ) async throws(TransportError) -> DeviceAdvertiser {
    let entries = advertisements.map(Entry.init)
    let ended = Outcome<Void>()
    let thread: ServiceThread
    do {
      thread = try ServiceThread.start { poller in
        run(entries, poller)
        for entry in entries { entry.registered.complete(.failure(.noDaemon)) }
        ended.complete(.success(()))
      }
    } catch {
      // A promise must be kept, also where nobody waits.
      for entry in entries { entry.registered.complete(.failure(error)) }
      ended.complete(.success(()))
      throw error
    }
    for entry in entries { entry.registered.complete(.failure(.noDaemon), after: limit) }
    do {
      var names: [String] = []
      for entry in entries { names.append(try await entry.registered.value()) }
      return DeviceAdvertiser(instanceNames: names, thread: thread, ended: ended)
    } catch {
      thread.stop()
      throw error
    }
  }

  private init(instanceNames: [String], thread: ServiceThread, ended: Outcome<Void>) {
    self.instanceNames = instanceNames
    self.thread = thread
    self.ended = ended
  }

  deinit { thread.stop() }

  /// Takes the devices off the network; returns when the daemon has done so, after 2 s at most.
  package func close() async {
    thread.stop()
    ended.complete(.success(()), after: Self.closingLimit)
    try? await ended.value()
  }

  /// The thread's life.
  private static func run(_ entries: [Entry], _ poller: ServiceThread.Poller) {
    while true {
      do throws(TransportError) {
        let replies = entries.map { _ in Replies() }
        var references: [ServiceReference] = []
        for (entry, replies) in zip(entries, replies) {
          let device = entry.advertisement
          references.append(
            try ServiceReference.register(name: device.instanceName, port: device.port, txt: device.txt.bytes) {
              replies.newest = $0
            })
        }
        while poller.wait(for: references, until: nil) {
          for (entry, replies) in zip(entries, replies) {
            switch replies.newest {
            case .failed(let number): throw .discovery(number)
            case .registered(let name): entry.registered.complete(.success(name))
            default: break
            }
            replies.newest = nil
          }
        }
        return
      } catch {
        for entry in entries { entry.registered.complete(.failure(error)) }
      }
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
