import Logging

/// Finds Cast devices by mDNS, through the machine's Avahi daemon.
package enum DeviceBrowser {
  /// Looks for `duration`, or until what was found `isEnough`, and returns it, by name.
  ///
  /// A cancelled task gets what was found until then.
  /// - Throws: ``TransportError/Code/discoveryUnavailable`` where no daemon answers, also when it dies meanwhile.
  package static func discover(
    for duration: Duration, until isEnough: @Sendable ([DeviceRecord]) -> Bool = { _ in false }
  ) async throws(TransportError) -> [DeviceRecord] {
    let session = BrowseSession()
    session.start()
    session.stop(after: duration)
    defer { session.stop() }
    for await _ in session.news where isEnough(session.snapshot.records) { break }
    let end = session.snapshot
    let log = TransportLog.discovery.logger
    log.debug("\(end.records.count) devices after at most \(duration.forPeople)")
    for record in end.records { log.trace("\(record.name) at \(record.preferredHost):\(record.port)") }
    if let failure = end.failure { log.info("\(failure.message)") }
    if let failure = end.failure { throw failure }
    return end.records
  }

  /// Watches the network until the sequence or its task is given up.
  package static func changes() -> DeviceChanges { DeviceChanges() }
}

/// Something happened to a device; two services are two devices, even with one id.
package enum DeviceChange: Hashable, Sendable {
  case found(DeviceRecord)
  /// Its text, address or port is another; the id may be too.
  case updated(DeviceRecord)
  case removed(DeviceRecord)
}

/// What happens on the network, as it happens. A slow reader gets the differences to what it knew, not every step
/// between: what waits is bounded.
package struct DeviceChanges: AsyncSequence, Sendable {
  package typealias Element = DeviceChange
  package typealias Failure = TransportError

  package func makeAsyncIterator() -> Iterator { Iterator() }

  package struct Iterator: AsyncIteratorProtocol {
    private let lifetime = Lifetime()
    private var news: AsyncStream<Void>.Iterator
    private var known: [DeviceRecord] = []
    private var waiting: ArraySlice<DeviceChange> = []

    /// Ends the session with the iterator.
    private final class Lifetime: Sendable {
      let session = BrowseSession()
      deinit { session.stop() }
    }

    fileprivate init() {
      news = lifetime.session.news.makeAsyncIterator()
      lifetime.session.start()
    }

    /// - Returns: `nil` once the task is cancelled.
    /// - Throws: ``TransportError/Code/discoveryUnavailable`` when no daemon answers, or it dies.
    package mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(TransportError) -> DeviceChange? {
      while waiting.isEmpty {
        let hasNews = await news.next(isolation: actor) != nil
        let snapshot = lifetime.session.snapshot
        if let failure = snapshot.failure { throw failure }
        guard hasNews else { return nil }
        waiting = DeviceChange.differences(from: known, to: snapshot.records)[...]
        known = snapshot.records
        for change in waiting { TransportLog.discovery.logger.debug("\(change.text)") }
      }
      return waiting.popFirst()
    }
  }
}

extension DeviceChange {
  /// `found Kitchen at 192.0.2.5:8009`.
  fileprivate var text: String {
    switch self {
    case .found(let record): "found \(record.name) at \(record.preferredHost):\(record.port)"
    case .updated(let record): "changed: \(record.name) at \(record.preferredHost):\(record.port)"
    case .removed(let record): "gone: \(record.name)"
    }
  }

  /// What makes `old` into `new`: removals first, then the rest in the order of `new`.
  static func differences(from old: [DeviceRecord], to new: [DeviceRecord]) -> [DeviceChange] {
    let before = Dictionary(old.map { ($0.instanceName, $0) }) { first, _ in first }
    let after = Set(new.map(\.instanceName))
    return old.filter { !after.contains($0.instanceName) }.map { .removed($0) }
      + new.compactMap { record in
        guard let previous = before[record.instanceName] else { return .found(record) }
        return previous == record ? nil : .updated(record)
      }
  }
}
