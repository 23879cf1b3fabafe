/// What a watch tells that outlives the mDNS daemon.
package enum DeviceWatchEvent: Hashable, Sendable {
  case changed(DeviceChange)
  /// The daemon went; what was seen stays known until it is back.
  case lost(TransportError)
  /// The daemon is back. Devices that do not return within a while are told as removed.
  case back
}

/// Watches the network until the sequence or its task is given up, over every restart of the mDNS daemon.
package struct DeviceWatch: AsyncSequence, Sendable {
  package typealias Element = DeviceWatchEvent
  package typealias Failure = TransportError

  private let clock: @Sendable () -> Duration

  /// - Parameter clock: Moves only forward, from an arbitrary start.
  package init(clock: @escaping @Sendable () -> Duration) { self.clock = clock }

  package func makeAsyncIterator() -> Iterator { Iterator(clock) }

  package struct Iterator: AsyncIteratorProtocol {
    private let clock: @Sendable () -> Duration
    private var machine = WatchStateMachine()
    private var current: Current?
    private var waiting: [DeviceWatchEvent] = []

    /// The look at the network that is under way; ends with the iterator.
    private final class Current {
      let session = BrowseSession()
      var news: AsyncStream<Void>.Iterator

      init(after wait: Duration) {
        news = session.news.makeAsyncIterator()
        session.start(after: wait)
      }
      deinit { session.stop() }
    }

    fileprivate init(_ clock: @escaping @Sendable () -> Duration) { self.clock = clock }

    /// - Returns: `nil` once the task is cancelled.
    /// - Throws: ``TransportError/Code/discoveryUnavailable`` when no daemon answers at the start.
    package mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(TransportError) -> DeviceWatchEvent? {
      while waiting.isEmpty {
        let current = self.current ?? Current(after: .zero)
        self.current = current
        let hasNews = await current.news.next(isolation: actor) != nil
        let seen = current.session.snapshot
        if let failure = seen.failure {
          let (events, wait) = try machine.failed(failure)
          waiting += events
          self.current = Current(after: wait)
          continue
        }
        guard hasNews else { return nil }
        guard seen.isBrowsing else { continue }
        let (events, settling) = machine.saw(seen.records, at: clock())
        waiting += events
        if let settling { current.session.wake(after: settling) }
      }
      return waiting.removeFirst()
    }
  }
}

/// Decides what a watch tells when the daemon goes and comes back. Holds no clock.
struct WatchStateMachine {
  /// How long devices may take to be seen again after the daemon is back, before they count as gone.
  static let settlingTime = Duration.seconds(6)
  static let firstRetry = Duration.seconds(1)
  static let longestRetry = Duration.seconds(10)

  /// What was told.
  private var known: [DeviceRecord] = []
  private var hasWorked = false
  private var isLost = false
  private var retry = Self.firstRetry
  private var settlesAt: Duration?

  /// The daemon browses, and this is all it knows.
  /// - Returns: What to tell, and after which time to call again even without news.
  mutating func saw(_ records: [DeviceRecord], at now: Duration) -> ([DeviceWatchEvent], wakeAfter: Duration?) {
    var events: [DeviceWatchEvent] = []
    var wake: Duration?
    hasWorked = true
    if isLost {
      isLost = false
      retry = Self.firstRetry
      settlesAt = now + Self.settlingTime
      wake = Self.settlingTime
      events.append(.back)
    }
    var records = records
    if let settlesAt, now < settlesAt {
      let seen = Set(records.map(\.instanceName))
      records += known.filter { !seen.contains($0.instanceName) }
    } else {
      settlesAt = nil
    }
    events += DeviceChange.differences(from: known, to: records).map { .changed($0) }
    known = records
    return (events, wake)
  }

  /// Looking ended.
  /// - Returns: What to tell, and how long to wait before looking again.
  /// - Throws: The failure, where nothing ever answered.
  mutating func failed(_ error: TransportError) throws(TransportError) -> ([DeviceWatchEvent], retryAfter: Duration) {
    guard hasWorked else { throw error }
    defer {
      isLost = true
      retry = min(retry * 2, Self.longestRetry)
    }
    return (isLost ? [] : [.lost(error)], retry)
  }
}
