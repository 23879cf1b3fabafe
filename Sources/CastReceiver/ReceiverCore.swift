import CastProtocol
import CastTransport

/// What ``VirtualReceiver`` guards by its lock: the rules, the open channels, and what is to be done with them.
struct ReceiverCore {
  /// Something to do with a channel, outside the lock.
  struct Action: Sendable {
    let channel: (any ByteChannel)?
    /// Framed, in their order.
    var messages: [[UInt8]] = []
    var closes = false
    /// A volume to be told.
    var change: ReceiverConfiguration.VolumeChange?

    func perform(telling: (@Sendable (ReceiverConfiguration.VolumeChange) -> Void)?) {
      if let change { telling?(change) }
      if !messages.isEmpty { channel?.send(messages) }
      if closes { channel?.close() }
    }
  }

  private struct Peer {
    let channel: any ByteChannel
    var machine: ChannelStateMachine
    var isClosing = false
  }

  var showTimer = ReceiverTimer()
  var networkTimer = ReceiverTimer()
  private var machine: ReceiverStateMachine
  private let limits: ChannelStateMachine.Limits
  private var peers: [ConnectionID: Peer] = [:]
  /// The keys of `peers`, oldest first.
  private var order: [ConnectionID] = []
  private var lastID = 0
  private var actions: [Action] = []
  private var isPerforming = false
  private var isStopped = false

  init(configuration: ReceiverConfiguration) {
    machine = ReceiverStateMachine(configuration: configuration)
    limits = configuration.channelLimits
  }

  // MARK: inputs

  /// Takes in a channel; `nil` when there are too many or the receiver has stopped.
  mutating func open(_ channel: any ByteChannel, show: Duration, network: Duration) -> ConnectionID? {
    guard !isStopped, order.count < ReceiverLimits.connections else { return nil }
    lastID += 1
    let id = ConnectionID(rawValue: lastID)
    peers[id] = Peer(channel: channel, machine: ChannelStateMachine(role: .receiver, limits: limits, now: network))
    order.append(id)
    apply(machine.receive(.connected(id, certificate: channel.ownCertificateDER), at: show))
    return id
  }

  mutating func receive(_ bytes: [UInt8], on id: ConnectionID, show: Duration, network: Duration) {
    guard peers[id]?.isClosing == false, let effects = peers[id]?.machine.receive(bytes, at: network) else { return }
    apply(effects, on: id, show: show)
  }

  mutating func closed(_ id: ConnectionID, show: Duration) {
    guard peers.removeValue(forKey: id) != nil else { return }
    order.removeAll { $0 == id }
    apply(machine.receive(.closed(id), at: show))
  }

  mutating func follow(_ change: ReceiverConfiguration.VolumeChange, show: Duration) {
    if !isStopped { apply(machine.receive(.volume(change), at: show)) }
  }

  mutating func mediaTimerFired(at show: Duration) { apply(machine.receive(.timerFired, at: show)) }

  mutating func channelTimerFired(show: Duration, network: Duration) {
    for id in order {
      if let effects = peers[id]?.machine.timerFired(at: network) { apply(effects, on: id, show: show) }
    }
  }

  mutating func stop() {
    isStopped = true
    for id in order { close(id) }
    showTimer.cancel()
    networkTimer.cancel()
  }

  // MARK: deadlines

  var nextShowDeadline: Duration? { isStopped ? nil : machine.nextDeadline }

  var nextNetworkDeadline: Duration? {
    if isStopped { return nil }
    var earliest: Duration?
    for id in order {
      guard let peer = peers[id], !peer.isClosing else { continue }
      earliest = min(earliest ?? peer.machine.nextDeadline, peer.machine.nextDeadline)
    }
    return earliest
  }

  // MARK: effects

  /// Makes the caller the performer of what waits, unless there is one already.
  mutating func beginPerforming() -> Bool {
    if isPerforming || actions.isEmpty { return false }
    isPerforming = true
    return true
  }

  /// What the performer has to do next; `nil`: nothing, and it is the performer no longer.
  mutating func nextActions() -> [Action]? {
    if actions.isEmpty {
      isPerforming = false
      return nil
    }
    defer { actions = [] }
    return actions
  }

  private mutating func apply(_ effects: [ChannelStateMachine.Effect], on id: ConnectionID, show: Duration) {
    for effect in effects {
      switch effect {
      case .deliver(let message): apply(machine.receive(.message(id, message), at: show))
      case .send(let bytes): send(bytes, on: id)
      case .close: close(id)
      case .heartbeat, .oddity: break
      }
    }
  }

  private mutating func apply(_ effects: [ReceiverStateMachine.Effect]) {
    for effect in effects {
      switch effect {
      case .send(let id, let message):
        // The machine keeps its messages under the limit; one that is too long all the same is not sent.
        if let bytes = try? ChannelStateMachine.encode([message]) { send(bytes, on: id) }
      case .close(let id): close(id)
      case .volumeChanged(let change): actions.append(Action(channel: nil, change: change))
      }
    }
  }

  /// Adds to what the same channel still waits to send, so that one input leads to one write per connection.
  private mutating func send(_ bytes: [UInt8], on id: ConnectionID) {
    guard let peer = peers[id], !peer.isClosing else { return }
    if let index = actions.lastIndex(where: { $0.channel === peer.channel }) {
      actions[index].messages.append(bytes)
    } else {
      actions.append(Action(channel: peer.channel, messages: [bytes]))
    }
  }

  private mutating func close(_ id: ConnectionID) {
    guard let peer = peers[id], !peer.isClosing else { return }
    peers[id]?.isClosing = true
    if let index = actions.lastIndex(where: { $0.channel === peer.channel }) {
      actions[index].closes = true
    } else {
      actions.append(Action(channel: peer.channel, closes: true))
    }
  }
}
