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
    /// Ends one connection at once.
    case end(ConnectionID)
    case restart(FaultPlan.Restart)
    case directive(ReceiverStateMachine.Directive)
  }

  /// What waits for its time.
  enum Pending: Hashable, Sendable {
    case action(FaultPlan.Action, fault: Int)
    case effect(Effect)
    /// What was held back to go out behind the next message goes out at last.
    case release(ConnectionID)
    case endMute
    case endSilence
    /// What a stall or a freeze held up goes on, unless a later one holds it.
    case goOn(hindrance: Int)
  }

  /// A request whose answers something happens to.
  struct Asked: Hashable, Sendable {
    var connection: ConnectionID
    var requestID: Int
  }

  /// The last change of the player's state, as it was told.
  struct StateChange: Sendable {
    var status: CastMessage.Payload
    var faults: [FaultPlan.MessageFault]
    /// Those that were told already.
    var told: Set<ConnectionID>
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
  private var muteUntil = Duration.zero
  private var silentUntil = Duration.zero
  /// How many stalls and freezes there were.
  private var hindrances = 0
  /// Those that hear no more until they end.
  private var muted: Set<ConnectionID> = []
  private var silenced: Set<ConnectionID> = []
  var lastState: FaultPlan.State?
  var stateChange: StateChange?
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
    // Its unread bytes are dropped, so that they take no room from other senders.
    waiting.removeAll { entry in
      switch entry.what {
      case .effect(.read(let reader, let bytes)) where reader == id:
        unread -= bytes.count
        return true
      case .effect(.output(let receiver, _)): return receiver == id
      default: return false
      }
    }
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
    guard unread + bytes.count <= ReceiverLimits.unreadBytes, waiting.count < ReceiverLimits.waitingFaults else {
      // Without these bytes the rest of its messages would mean something else.
      insert(.effect(.end(id)), at: now)
      return false
    }
    unread += bytes.count
    let due = max(now, readFrom[id] ?? now) + .seconds(Double(bytes.count) / Double(max(1, readRate)))
    readFrom[id] = due
    insert(.effect(.read(id, bytes)), at: due)
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
      case .action(let action, let index):
        matching.note(index)
        begin(action, at: now, &effects)
      case .effect(let effect):
        if case .read(_, let bytes) = effect { unread -= bytes.count }
        effects.append(effect)
      case .release(let id): if let output = held.removeValue(forKey: id) { effects.append(.output(id, output)) }
      case .endMute: if now >= muteUntil { isMute = false } else { insert(.endMute, at: muteUntil) }
      case .endSilence: if now >= silentUntil { isSilent = false } else { insert(.endSilence, at: silentUntil) }
      case .goOn(let hindrance): if hindrance == hindrances { effects.append(.directive(.goOn)) }
      }
    }
    return effects
  }

  /// Forgets the faults that wait to happen, where they bring each other without end.
  mutating func dropDue(by now: Duration) {
    waiting.removeAll { entry in
      if case .action = entry.what { entry.due <= now } else { false }
    }
  }

  /// Begins what an event brings; what happens to a single message is not among it.
  mutating func raise(_ event: FaultPlan.Event, at now: Duration) {
    for (index, fault) in matching.faults(at: event) { begin(fault, index, at: now) }
  }

  /// Lets a fault go wrong when its delay is over.
  mutating func begin(_ fault: FaultPlan.Fault, _ index: Int, at now: Duration) {
    schedule(.action(fault.action, fault: index), at: now + fault.delay)
  }

  /// The faults that have come since this was asked.
  mutating func takeOccurrences() -> [FaultPlan.Occurrence] { matching.takeOccurrences() }

  /// Lets something wait, unless too much does; what waits for the same moment already does not come twice.
  mutating func schedule(_ what: Pending, at due: Duration) {
    if case .action(let action, _) = what,
      waiting.contains(where: { if case .action(action, _) = $0.what { $0.due == due } else { false } })
    {
      return
    }
    guard waiting.count < ReceiverLimits.waitingFaults else { return }
    insert(what, at: due)
  }

  private mutating func insert(_ what: Pending, at due: Duration) {
    let index = waiting.lastIndex { $0.due <= due }.map { $0 + 1 } ?? 0
    waiting.insert((due, what), at: index)
  }

  private mutating func begin(_ action: FaultPlan.Action, at now: Duration, _ effects: inout [Effect]) {
    switch action {
    case .mute(let time):
      guard let time else { return muted.formUnion(open) }
      muteUntil = max(muteUntil, now + time)
      if !isMute { insert(.endMute, at: muteUntil) }
      isMute = true
    case .silence(let time):
      guard let time else { return silenced.formUnion(open) }
      silentUntil = max(silentUntil, now + time)
      if !isSilent { insert(.endSilence, at: silentUntil) }
      isSilent = true
    case .cut(let isOrderly, let away):
      if away > .zero { awayUntil = max(awayUntil ?? .zero, now + away) }
      effects.append(.cut(isOrderly: isOrderly))
    case .restart(let restart):
      awayUntil = max(awayUntil ?? .zero, now + restart.away)
      lastState = nil
      firstStatus = nil
      effects.append(.restart(restart))
    case .takeover(let appID, let name): effects.append(.directive(.takeover(appID: appID, name: name)))
    case .playback(let fault):
      switch fault {
      case .error(let code): effects.append(.directive(.mediaError(code: code)))
      case .stall(let time):
        hinder(.stall, for: time, at: now, &effects)
      case .freeze(let time):
        hinder(.freeze, for: time, at: now, &effects)
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

  private mutating func hinder(
    _ hindrance: ReceiverStateMachine.Hindrance, for time: Duration?, at now: Duration, _ effects: inout [Effect]
  ) {
    hindrances += 1
    effects.append(.directive(.hinder(hindrance)))
    if let time { schedule(.goOn(hindrance: hindrances), at: now + time) }
  }
}
