import NIOCore
import NIOPosix
import Synchronization

/// One look at the network: a thread that feeds ``BrowseStateMachine``, and what it has found so far.
final class BrowseSession: Sendable {
  /// Yields, at most once for any number of them, when there is news; ends with the session.
  let news: AsyncStream<Void>
  private let announce: AsyncStream<Void>.Continuation
  private let state = Mutex(State())

  /// What is known, and what became of the session.
  struct State: Sendable {
    var records: [DeviceRecord] = []
    /// The daemon took our request.
    var isBrowsing = false
    var failure: TransportError?
    fileprivate var isStopped = false
    fileprivate var isWindowOver = false
    fileprivate var thread: ServiceThread?
    fileprivate var timers: [Scheduled<Void>] = []
  }

  /// How long the daemon may take to accept the first request. The calls into it block, and one that hangs would for
  /// 25 s: the thread is then left to its end.
  static let startLimit = Duration.seconds(3)

  init() { (news, announce) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  var snapshot: State { state.withLock { $0 } }

  /// Begins; failures come as news.
  func start() {
    do throws(TransportError) {
      let thread = try ServiceThread.start { [self] poller in
        do throws(TransportError) {
          try browse(poller)
          stop()
        } catch {
          fail(error)
        }
      }
      let isTooLate = state.withLock { state in
        state.thread = thread
        return state.isStopped
      }
      if isTooLate { thread.stop() }
    } catch {
      fail(error)
    }
    after(Self.startLimit) { [self] in if !snapshot.isBrowsing { fail(.noDaemon) } }
  }

  /// Begins after a time; as ``start()``.
  func start(after wait: Duration) {
    if wait > .zero { after(wait) { [self] in start() } } else { start() }
  }

  /// Tells of news after a time, whether there is any or not.
  func wake(after wait: Duration) { after(wait) { [self] in announce.yield() } }

  /// Ends the session and its thread. What was found stays.
  func stop() {
    let (thread, timers) = state.withLock { state in
      state.isStopped = true
      defer { (state.thread, state.timers) = (nil, []) }
      return (state.thread, state.timers)
    }
    thread?.stop()
    for timer in timers { timer.cancel() }
    announce.finish()
  }

  /// Stops after `duration`, or once the daemon has taken our request, whichever is later.
  func stop(after duration: Duration) {
    after(duration) { [self] in
      let isBrowsing = state.withLock { state in
        state.isWindowOver = true
        return state.isBrowsing
      }
      if isBrowsing { stop() }
    }
  }

  private func after(_ duration: Duration, _ body: @escaping @Sendable () -> Void) {
    let timer = TransportEventLoops.shared.group.next().scheduleTask(in: TimeAmount(limit: duration), body)
    let isTooLate = state.withLock { state in
      state.timers.append(timer)
      return state.isStopped
    }
    if isTooLate { timer.cancel() }
  }

  private func fail(_ error: TransportError) {
    state.withLock { state in
      if !state.isStopped { state.failure = error }
    }
    stop()
  }

  private func publish(_ records: [DeviceRecord]) {
    let (isNew, isWindowOver) = state.withLock { state in
      let isNew = !state.isStopped && (!state.isBrowsing || state.records != records)
      state.isBrowsing = true
      if isNew { state.records = records }
      return (isNew, state.isWindowOver)
    }
    if isNew { announce.yield() }
    if isWindowOver { stop() }
  }

  /// The thread's life: until it is stopped, or the daemon goes.
  private func browse(_ poller: ServiceThread.Poller) throws(TransportError) {
    let lookups = Lookups()
    var machine = BrowseStateMachine()
    let browser = try ServiceReference.browse { lookups.replies.append((nil, $0)) }
    publish([])
    while poller.wait(for: [browser] + lookups.references, until: machine.nextDeadline) {
      let replies = lookups.replies
      lookups.replies = []
      for (lookup, reply) in replies {
        let inputs = try lookups.inputs(for: reply, to: lookup)
        for input in inputs { lookups.perform(machine.receive(input, at: poller.now)) }
      }
      lookups.perform(machine.receive(.timerFired, at: poller.now))
      publish(machine.records)
    }
  }
}

/// The running lookups of one session's thread.
private final class Lookups {
  typealias Key = BrowseStateMachine.Key

  /// What a reply answers; `nil` stands for the browsing itself.
  struct Lookup: Hashable {
    var key: Key
    /// `nil` is the service itself.
    var recordType: ServiceReference.RecordType?
  }

  var replies: [(Lookup?, ServiceReference.Reply)] = []
  /// In the order they began.
  private var running: [(lookup: Lookup, reference: ServiceReference)] = []

  var references: [ServiceReference] { running.map(\.reference) }

  /// What a reply means to the machine.
  /// - Throws: When the daemon is gone.
  func inputs(
    for reply: ServiceReference.Reply, to lookup: Lookup?
  ) throws(TransportError) -> [BrowseStateMachine.Input] {
    switch (reply, lookup) {
    case (.failed(let number), nil): throw .discovery(number)
    case (.browsed(let isAdded, let name, let domain), _):
      let key = Key(name: name, domain: domain)
      return [isAdded ? .appeared(key) : .disappeared(key)]
    case (.resolved(let host, let port, let txt), let lookup?):
      return [.resolved(lookup.key, host: host, port: port, txt: txt)]
    case (.record(let isAdded, let data, let interface), let lookup?):
      return DeviceAddress(data, interface: interface).map { [.address(lookup.key, $0, isAdded: isAdded)] } ?? []
    case (.failed, let lookup?):
      // A dead reference stays readable for ever.
      running.removeAll { $0.lookup == lookup }
      return lookup.recordType == nil ? [.resolveFailed(lookup.key)] : []
    default: return []
    }
  }

  func perform(_ effects: [BrowseStateMachine.Effect]) {
    for effect in effects {
      switch effect {
      case .startResolve(let key):
        start(Lookup(key: key)) { receive throws(TransportError) in
          try .resolve(name: key.name, domain: key.domain, receive)
        }
      case .startAddresses(let key, let host):
        for type in [ServiceReference.RecordType.a, .aaaa] {
          start(Lookup(key: key, recordType: type)) { receive throws(TransportError) in
            try .addresses(type, of: host, receive)
          }
        }
      case .stopResolve(let key): running.removeAll { $0.lookup == Lookup(key: key) }
      case .stopAddresses(let key):
        running.removeAll { $0.lookup.key == key && $0.lookup.recordType != nil }
      }
    }
  }

  /// Replaces a lookup of the same kind. One that cannot begin counts as failed; the machine tries again later.
  private func start(
    _ lookup: Lookup,
    _ begin: (@escaping (ServiceReference.Reply) -> Void) throws(TransportError) -> ServiceReference
  ) {
    running.removeAll { $0.lookup == lookup }
    do throws(TransportError) {
      let reference = try begin { [unowned self] in replies.append((lookup, $0)) }
      running.append((lookup, reference))
    } catch {
      replies.append((lookup, .failed(0)))
    }
  }
}
