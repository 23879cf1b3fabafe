import CastProtocol
import CastTransport

/// What ``VirtualReceiver`` guards by its lock: the rules, the open channels, and what is to be done with them.
struct ReceiverCore {
  /// Something to do outside the lock.
  enum Action: Sendable {
    case write(Writing)
    case tell(ReceiverConfiguration.VolumeChange)
    case prove(ReceiverStateMachine.ProofRequest)
    case fetch(ReceiverStateMachine.FetchRequest)
    case restart(FaultPlan.Restart)
    case fault(FaultPlan.Occurrence)
    case page(PageOrder)
    case show(ReceiverConfiguration.Showing)
    case unknown(ReceiverStateMachine.UnknownRequest)
  }

  /// What goes to one channel.
  struct Writing: Sendable {
    let channel: any ByteChannel
    /// Framed, in their order.
    var messages: [[UInt8]] = []
    var closes = false
    /// Closes without the courtesies.
    var aborts = false

    func perform() {
      if !messages.isEmpty { channel.send(messages) }
      if closes { channel.close() }
      if aborts { channel.abort() }
    }
  }

  private struct Peer {
    let channel: any ByteChannel
    var machine: ChannelStateMachine
    var isClosing = false
  }

  var showAlarm = Alarm()
  var networkAlarm = Alarm()
  /// What is done outside the lock.
  var actions = EffectPump<Action>()
  private var machine: ReceiverStateMachine
  private var configuration: ReceiverConfiguration
  private var faults: FaultStage
  private let limits: ChannelStateMachine.Limits
  private let answerTime: ClosedRange<Duration>
  private var random: SeededGenerator
  /// What waits for the time that a device takes to answer, and when it goes out; in the order of both.
  private var delayed: [(due: Duration, effect: ReceiverStateMachine.Effect)] = []
  private let wireTap: (@Sendable (ReceiverWireEvent) -> Void)?
  private var peers: [ConnectionID: Peer] = [:]
  /// The keys of `peers`, oldest first.
  private var order: [ConnectionID] = []
  private var lastID = 0
  private var shown = ReceiverConfiguration.Showing()
  private var isStopped = false
  /// Without power: nothing is taken in, and nothing goes out, not even the end of a connection.
  private(set) var isUnplugged = false
  private var isPlayerOpen = false

  init(configuration: ReceiverConfiguration) {
    machine = ReceiverStateMachine(configuration: configuration)
    self.configuration = configuration
    faults = FaultStage(configuration.faults, seed: configuration.seed &+ 2)
    limits = configuration.channelLimits
    answerTime = configuration.latency.answer
    random = SeededGenerator(seed: configuration.seed &+ 1)
    wireTap = configuration.wireTap
  }

  private var isOn: Bool { !isStopped && !isUnplugged }

  // MARK: inputs

  /// Takes in a channel; `nil` when there are too many or the receiver has stopped.
  mutating func open(_ channel: any ByteChannel, show: Duration, network: Duration) -> ConnectionID? {
    guard !isStopped, !isUnplugged, order.count < ReceiverLimits.connections else { return nil }
    let id = ConnectionID(rawValue: lastID + 1)
    guard faults.opened(id, at: show) else { return nil }
    lastID += 1
    peers[id] = Peer(channel: channel, machine: ChannelStateMachine(role: .receiver, limits: limits, now: network))
    order.append(id)
    wireTap?(.opened(id))
    apply(machine.receive(.connected(id, certificate: channel.ownCertificateDER), at: show), at: show)
    carryOutFaults(at: show, network: network)
    return id
  }

  mutating func receive(_ bytes: [UInt8], on id: ConnectionID, show: Duration, network: Duration) {
    guard !isUnplugged, peers[id]?.isClosing == false else { return }
    if faults.reads(bytes, on: id, at: show) { take(bytes, on: id, show: show, network: network) }
    carryOutFaults(at: show, network: network)
  }

  private mutating func take(_ bytes: [UInt8], on id: ConnectionID, show: Duration, network: Duration) {
    guard peers[id]?.isClosing == false, let effects = peers[id]?.machine.receive(bytes, at: network) else { return }
    apply(effects, on: id, show: show)
  }

  mutating func closed(_ id: ConnectionID, show: Duration) {
    guard peers.removeValue(forKey: id) != nil else { return }
    order.removeAll { $0 == id }
    faults.closed(id)
    wireTap?(.closed(id))
    apply(machine.receive(.closed(id), at: show), at: show)
  }

  mutating func proved(
    _ request: ReceiverStateMachine.ProofRequest, _ proof: DeviceCredentials.Proof?, show: Duration
  ) {
    if isOn { apply(machine.receive(.proof(request, proof), at: show), at: show) }
  }

  mutating func fetched(
    _ request: ReceiverStateMachine.FetchRequest, _ outcome: MediaFetch.Outcome, show: Duration
  ) {
    if isOn { apply(machine.receive(.fetched(request, outcome), at: show), at: show) }
  }

  mutating func reported(_ report: PageReport, ofPage sessionID: String, show: Duration) {
    if isOn { apply(machine.receive(.page(sessionID: sessionID, report), at: show), at: show) }
  }

  mutating func player(_ input: PlayerInput, show: Duration) {
    if input == .came { isPlayerOpen = true }
    if input == .left { isPlayerOpen = false }
    if isOn { apply(machine.receive(.player(input), at: show), at: show) }
  }

  /// Whether no page is open that could play.
  var isPageGone: Bool { machine.playerGoneSince != nil }

  func screen(at show: Duration) -> ScreenSnapshot { machine.screen(at: show) }

  mutating func display(_ display: ReceiverDisplay, show: Duration) {
    if isOn { apply(machine.receive(.display(display), at: show), at: show) }
  }

  mutating func follow(_ change: ReceiverConfiguration.VolumeChange, show: Duration) {
    if isOn { apply(machine.receive(.volume(change), at: show), at: show) }
  }

  /// Does what a person does, unless it would change nothing.
  mutating func press(_ action: PersonAction, show: Duration, network: Duration) throws(PersonRefusal) {
    if isStopped { throw PersonRefusal(message: "it is shutting down") }
    if isUnplugged { throw PersonRefusal(message: "it is unplugged", help: "press `plug` first") }
    if let refusal = machine.refusal(of: action, at: show) { throw refusal }
    apply(machine.receive(.person(action), at: show), at: show)
    carryOutFaults(at: show, network: network)
  }

  func snapshot(at show: Duration) -> ReceiverSnapshot {
    var snapshot = machine.snapshot(at: show)
    snapshot.isPlugged = !isUnplugged
    return snapshot
  }

  /// Takes the power away: what is connected hears no more, and all is forgotten.
  mutating func unplug(at show: Duration) {
    if isStopped || isUnplugged { return }
    forgetAll(at: show)
    isUnplugged = true
  }

  /// Gives it back: who is still connected is cut off, as by a device that knows nothing of the connection.
  mutating func plug() {
    if isStopped || !isUnplugged { return }
    isUnplugged = false
    for id in order { close(id, aborting: true) }
  }

  mutating func showTimerFired(at show: Duration, network: Duration) {
    if isUnplugged { return }
    apply(machine.receive(.timerFired, at: show), at: show)
    carryOutFaults(at: show, network: network)
  }

  mutating func channelTimerFired(show: Duration, network: Duration) {
    if isUnplugged { return }
    for id in order {
      if let effects = peers[id]?.machine.timerFired(at: network) { apply(effects, on: id, show: show) }
    }
  }

  mutating func stop(at show: Duration) {
    isStopped = true
    delayed = []
    for effect in machine.stop() { perform(effect, at: show) }
    for id in order { close(id) }
    showAlarm.cancel()
    networkAlarm.cancel()
  }

  // MARK: deadlines

  var nextShowDeadline: Duration? {
    isStopped || isUnplugged
      ? nil : [machine.nextDeadline, delayed.first?.due, faults.nextDeadline].compactMap { $0 }.min()
  }

  var nextNetworkDeadline: Duration? {
    if isStopped || isUnplugged { return nil }
    var earliest: Duration?
    for id in order {
      guard let peer = peers[id], !peer.isClosing else { continue }
      earliest = min(earliest ?? peer.machine.nextDeadline, peer.machine.nextDeadline)
    }
    return earliest
  }

  // MARK: effects

  /// Has it told what is shown, where that has changed.
  mutating func noteShowing() {
    guard configuration.showingChanged != nil, !isStopped else { return }
    let showing = machine.showing
    if showing == shown { return }
    shown = showing
    actions.waiting.append(.show(showing))
  }

  /// Has it told which faults have come.
  mutating func noteFaults() {
    if faults.isEmpty { return }
    let occurrences = faults.takeOccurrences()
    if configuration.faultCame != nil { actions.waiting += occurrences.map { .fault($0) } }
  }

  private mutating func apply(_ effects: [ChannelStateMachine.Effect], on id: ConnectionID, show: Duration) {
    for effect in effects {
      switch effect {
      case .deliver(let message):
        wireTap?(.received(message, on: id))
        receive(message, on: id, show: show)
      case .send(let bytes): if !faults.isSilent(id) { send(bytes, on: id) }
      case .close: close(id)
      case .heartbeat, .oddity: break
      }
    }
  }

  /// Performs what is due by `now` and, in the time that a device takes to answer, `effects`.
  private mutating func apply(_ effects: [ReceiverStateMachine.Effect], at now: Duration) {
    let ripe = delayed.prefix { $0.due <= now }
    if !ripe.isEmpty {
      delayed.removeFirst(ripe.count)
      for (_, effect) in ripe { perform(effect, at: now) }
    }
    if effects.isEmpty { return }
    if delayed.count + effects.count > ReceiverLimits.delayedMessages {
      for (_, effect) in delayed { perform(effect, at: now) }
      delayed = []
      for effect in effects { perform(effect, at: now) }
      return
    }
    let due = max(delayed.last?.due ?? now, now + answerTime.drawn(using: &random))
    for effect in effects {
      switch effect {
      case .send, .close: if due > now { delayed.append((due, effect)) } else { perform(effect, at: now) }
      case .volumeChanged, .prove, .fetch, .page, .unknown: perform(effect, at: now)
      }
    }
  }

  private mutating func perform(_ effect: ReceiverStateMachine.Effect, at now: Duration) {
    switch effect {
    case .send(let id, let message): for output in faults.sending(message, on: id, at: now) { send(output, on: id) }
    case .close(let id): close(id)
    case .prove(let request): actions.waiting.append(.prove(request))
    case .fetch(let request): actions.waiting.append(.fetch(request))
    case .page(let order): actions.waiting.append(.page(order))
    case .volumeChanged(let change): actions.waiting.append(.tell(change))
    case .unknown(let request): actions.waiting.append(.unknown(request))
    }
  }

  private mutating func send(_ output: FaultStage.Output, on id: ConnectionID) {
    switch output {
    case .bytes(let bytes): send(bytes, on: id)
    case .message(let message):
      // The machine keeps its messages under the limit; one that is too long all the same is not sent.
      guard let bytes = try? ChannelStateMachine.encode([message]) else { return }
      if peers[id]?.isClosing == false { wireTap?(.sent(message, on: id)) }
      send(bytes, on: id)
    }
  }

  /// Adds to what the same channel still waits to send, so that one input leads to one write per connection.
  private mutating func send(_ bytes: [UInt8], on id: ConnectionID) {
    guard let peer = peers[id], !peer.isClosing else { return }
    write(to: peer.channel) { $0.messages.append(bytes) }
  }

  private mutating func write(to channel: any ByteChannel, _ change: (inout Writing) -> Void) {
    for index in actions.waiting.indices.reversed() {
      if case .write(var writing) = actions.waiting[index], writing.channel === channel {
        change(&writing)
        actions.waiting[index] = .write(writing)
        return
      }
    }
    var writing = Writing(channel: channel)
    change(&writing)
    actions.waiting.append(.write(writing))
  }

  private mutating func close(_ id: ConnectionID, aborting: Bool = false) {
    guard let peer = peers[id], !peer.isClosing else { return }
    peers[id]?.isClosing = true
    write(to: peer.channel) { if aborting { $0.aborts = true } else { $0.closes = true } }
  }

  // MARK: faults

  private mutating func receive(_ message: CastMessage, on id: ConnectionID, show: Duration) {
    switch faults.received(message, on: id, at: show) {
    case .pass: apply(machine.receive(.message(id, message), at: show), at: show)
    case .lose: return
    case .fault(let fault): apply(machine.receive(.faulty(id, message, fault), at: show), at: show)
    }
  }

  /// Does what has gone wrong by now; one thing may bring another.
  private mutating func carryOutFaults(at show: Duration, network: Duration) {
    if faults.isEmpty { return }
    for _ in 0..<ReceiverLimits.faultRounds {
      let effects = faults.due(at: show)
      if effects.isEmpty { return }
      for effect in effects { carryOut(effect, show: show, network: network) }
    }
    faults.dropDue(by: show)
  }

  /// Begins again, as a device that starts.
  private mutating func forgetAll(at show: Duration) {
    delayed = []
    // A page ends with the device that shows it.
    for effect in machine.stop() { perform(effect, at: show) }
    // Its sessions have other ids than before.
    configuration.seed = configuration.seed.mixed(with: "restart")
    machine = ReceiverStateMachine(configuration: configuration)
    // A page that is open stays open.
    if isPlayerOpen { machine.playerGoneSince = nil }
  }

  private mutating func carryOut(_ effect: FaultStage.Effect, show: Duration, network: Duration) {
    switch effect {
    case .output(let id, let output): if !faults.isMute(id) { send(output, on: id) }
    case .read(let id, let bytes): take(bytes, on: id, show: show, network: network)
    case .end(let id): close(id, aborting: true)
    case .cut(let isOrderly): for id in order { close(id, aborting: !isOrderly) }
    case .restart(let restart):
      for id in order { close(id, aborting: true) }
      forgetAll(at: show)
      actions.waiting.append(.restart(restart))
    case .directive(let directive): apply(machine.receive(.directive(directive), at: show), at: show)
    }
  }
}
