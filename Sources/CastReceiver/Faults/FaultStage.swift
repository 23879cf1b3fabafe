import CastProtocol

/// The stage between the effects of a receiver's rules and its channels: carries out a ``FaultPlan``. Holds no clock.
///
/// It sees what comes and what goes, and answers with what is to be done instead. What is due is taken with
/// ``due(at:)`` after each input and at ``nextDeadline``.
struct FaultStage: Sendable {
  /// A message as the rules made it, or bytes in its place.
  enum Output: Hashable, Sendable {
    case message(CastMessage)
    case bytes([UInt8])
  }

  /// What becomes of a message that came in.
  enum Intake: Hashable, Sendable {
    case pass
    case lose
    case fault(ReceiverStateMachine.RequestFault)
  }

  /// Something to do now.
  enum Effect: Hashable, Sendable {
    case output(ConnectionID, Output)
    case read(ConnectionID, [UInt8])
    case cut(isOrderly: Bool)
    case restart(FaultPlan.Restart)
    case directive(ReceiverStateMachine.Directive)
  }

  /// What waits for its time.
  enum Pending: Hashable, Sendable {
    case action(FaultPlan.Action)
    case effect(Effect)
    /// What was held back to go out behind the next message goes out at last.
    case release(ConnectionID)
    case endMute
    case endSilence
  }

  /// A request whose answers something happens to.
  struct Asked: Hashable, Sendable {
    var connection: ConnectionID
    var requestID: Int
  }

  let isEmpty: Bool
  var matching: FaultMatching
  var waiting: [(due: Duration, what: Pending)] = []
  var answers: [Asked: [FaultPlan.MessageFault]] = [:]
  /// The keys of `answers`, oldest first.
  var asked: [Asked] = []
  var held: [ConnectionID: Output] = [:]
  /// How answers to challenges go wrong.
  var auth: [ConnectionID: FaultPlan.AuthFault] = [:]
  var open: [ConnectionID] = []
  private var hasStarted = false
  private var awayUntil: Duration?
  private var isMute = false
  private var isSilent = false
  /// Those that hear no more until they end.
  private var muted: Set<ConnectionID> = []
  private var silenced: Set<ConnectionID> = []
  var lastState: FaultPlan.State?
  var givesStalePolls = false
  /// The first whole status of each media session, by its id; of the last one only.
  var firstStatus: (session: Int, status: JSONValue)?
  var namespacesFrom: Duration?
  private var readRate: Int?
  private var readFrom: [ConnectionID: Duration] = [:]
  private var unread = 0

  init(_ plan: FaultPlan, seed: UInt64) {
    isEmpty = plan.faults.isEmpty
    matching = FaultMatching(plan, seed: seed)
  }

  // MARK: connections

  /// - Returns: False where nobody is to be answered.
  mutating func opened(_ id: ConnectionID, at now: Duration) -> Bool {
    if isEmpty { return true }
    if let awayUntil, now < awayUntil { return false }
    open.append(id)
    if !hasStarted {
      hasStarted = true
      raise(.start, at: now)
    }
    raise(.connection, at: now)
    return true
  }

  mutating func closed(_ id: ConnectionID) {
    if isEmpty { return }
    open.removeAll { $0 == id }
    muted.remove(id)
    silenced.remove(id)
    auth[id] = nil
    held[id] = nil
    readFrom[id] = nil
  }

  /// Whether nothing at all goes out to `id`, not even a heartbeat.
  func isSilent(_ id: ConnectionID) -> Bool { isSilent || silenced.contains(id) }

  /// Whether no message but a heartbeat goes out to `id`.
  func isMute(_ id: ConnectionID) -> Bool { isMute || muted.contains(id) || isSilent(id) }

  // MARK: reading

  /// Bytes that came.
  /// - Returns: Whether they are taken in now; else ``due(at:)`` gives them later.
  mutating func reads(_ bytes: [UInt8], on id: ConnectionID, at now: Duration) -> Bool {
    guard let readRate else { return true }
    unread += bytes.count
    guard unread <= ReceiverLimits.unreadBytes else {
      schedule(.effect(.cut(isOrderly: false)), at: now)
      return false
    }
    let due = max(now, readFrom[id] ?? now) + .seconds(Double(bytes.count) / Double(max(1, readRate)))
    readFrom[id] = due
    schedule(.effect(.read(id, bytes)), at: due)
    return false
  }

  // MARK: time

  var nextDeadline: Duration? { waiting.first?.due }

  /// What is to be done by `now`; more may be due when that is done.
  mutating func due(at now: Duration) -> [Effect] {
    var effects: [Effect] = []
    while let first = waiting.first, first.due <= now {
      waiting.removeFirst()
      switch first.what {
      case .action(let action): begin(action, at: now, &effects)
      case .effect(let effect):
        if case .read(_, let bytes) = effect { unread -= bytes.count }
        effects.append(effect)
      case .release(let id): if let output = held.removeValue(forKey: id) { effects.append(.output(id, output)) }
      case .endMute: isMute = false
      case .endSilence: isSilent = false
      }
    }
    return effects
  }

  /// Forgets what waits to happen, where it does so without end.
  mutating func dropDue(by now: Duration) { waiting.removeAll { $0.due <= now } }

  /// Begins what an event brings; what happens to a single message is not among it.
  mutating func raise(_ event: FaultPlan.Event, at now: Duration) {
    for fault in matching.faults(at: event) { schedule(.action(fault.action), at: now + fault.delay) }
  }

  /// Lets something wait; what waits for the same moment already does not come twice.
  mutating func schedule(_ what: Pending, at due: Duration) {
    if case .action = what, waiting.contains(where: { $0.due == due && $0.what == what }) { return }
    guard waiting.count < ReceiverLimits.delayedMessages else { return }
    let index = waiting.lastIndex { $0.due <= due }.map { $0 + 1 } ?? 0
    waiting.insert((due, what), at: index)
  }

  private mutating func begin(_ action: FaultPlan.Action, at now: Duration, _ effects: inout [Effect]) {
    switch action {
    case .mute(let time):
      guard let time else { return muted.formUnion(open) }
      isMute = true
      schedule(.endMute, at: now + time)
    case .silence(let time):
      guard let time else { return silenced.formUnion(open) }
      isSilent = true
      schedule(.endSilence, at: now + time)
    case .cut(let isOrderly, let away):
      if away > .zero { awayUntil = now + away }
      effects.append(.cut(isOrderly: isOrderly))
    case .restart(let restart):
      awayUntil = now + restart.away
      lastState = nil
      firstStatus = nil
      effects.append(.restart(restart))
    case .takeover(let appID, let name): effects.append(.directive(.takeover(appID: appID, name: name)))
    case .playback(let fault):
      switch fault {
      case .error(let code): effects.append(.directive(.mediaError(code: code)))
      case .stall(let time):
        effects.append(.directive(.hinder(.stall)))
        if let time { schedule(.effect(.directive(.goOn)), at: now + time) }
      case .freeze(let time):
        effects.append(.directive(.hinder(.freeze)))
        if let time { schedule(.effect(.directive(.goOn)), at: now + time) }
      }
    case .stalePolls: givesStalePolls = true
    case .lateNamespaces(let time):
      namespacesFrom = now + time
      schedule(.effect(.directive(.announce)), at: now + time)
    case .slowReads(let rate): readRate = rate
    // These happen to a request or a message when it comes.
    case .fail, .ignore, .loseRequest, .message, .auth: return
    }
  }
}
