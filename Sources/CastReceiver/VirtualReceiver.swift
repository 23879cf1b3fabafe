package import CastProtocol
package import CastTransport
import Synchronization

/// The virtual receiver: a device in software that serves any number of senders.
///
/// Everything it does is decided by ``ReceiverStateMachine``; this class performs the effects. Not an actor: a message
/// is answered on the thread that delivers it, which saves two hops between threads for each.
package final class VirtualReceiver: Sendable {
  package let configuration: ReceiverConfiguration
  private let times: TimeSources
  private let core: Mutex<ReceiverCore>

  package init(configuration: ReceiverConfiguration, times: TimeSources) {
    self.configuration = configuration
    self.times = times
    core = Mutex(ReceiverCore(configuration: configuration))
  }

  /// Serves `channel` until it closes.
  package func accept(_ channel: any ByteChannel) {
    let (show, network) = (times.show.now, times.network.now)
    guard let id = update({ $0.open(channel, show: show, network: network) }) else {
      channel.close()
      return
    }
    channel.start { [self] event in
      let (show, network) = (times.show.now, times.network.now)
      switch event {
      case .received(let bytes): update { $0.receive(bytes, on: id, show: show, network: network) }
      case .closed: update { $0.closed(id, show: show) }
      }
    }
  }

  /// Takes a volume that another receiver has set: this one's, or that of a member of this group.
  package func follow(_ change: ReceiverConfiguration.VolumeChange) {
    let show = times.show.now
    update { $0.follow(change, show: show) }
  }

  /// Has somebody at the device switch its input or its power.
  package func show(_ display: ReceiverDisplay) {
    let show = times.show.now
    update { $0.display(display, show: show) }
  }

  /// Has somebody at the device, or at another phone, do something.
  /// - Throws: Where that changes nothing.
  package func press(_ action: PersonAction) throws(PersonRefusal) {
    let (show, network) = (times.show.now, times.network.now)
    try update { core in
      Result { () throws(PersonRefusal) in try core.press(action, show: show, network: network) }
    }.get()
  }

  /// What it is and does now.
  package var snapshot: ReceiverSnapshot {
    let show = times.show.now
    return core.withLock { $0.snapshot(at: show) }
  }

  /// Takes its power away: what is connected hears no more, not even an end, and all is forgotten.
  package func unplug() {
    let show = times.show.now
    update { $0.unplug(at: show) }
  }

  /// Gives its power back: who is still connected is cut off.
  package func plug() { update { $0.plug() } }

  /// Takes what comes of the player outside.
  package func player(_ input: PlayerInput) {
    let show = times.show.now
    update { $0.player(input, show: show) }
  }

  /// What a television would show now.
  package func screen() -> ScreenSnapshot {
    let show = times.show.now
    return core.withLock { $0.screen(at: show) }
  }

  /// Closes every connection and ends every task.
  package func stop() {
    let show = times.show.now
    update { $0.stop(at: show) }
  }

  // MARK: effects

  /// Changes the core, then performs what follows from it.
  ///
  /// Channels are written to outside the lock, because a channel may report its end from within `send`; by one thread
  /// at a time, so that the order of the effects is the order on the wire.
  @discardableResult
  private func update<Result: Sendable>(_ change: (inout ReceiverCore) -> Result) -> Result {
    let (result, isPerformer) = core.withLock { core in
      let result = change(&core)
      core.noteShowing()
      core.noteFaults()
      armTimers(&core)
      return (result, core.actions.begin())
    }
    if isPerformer {
      while let actions = core.withLock({ $0.actions.next() }) {
        for action in actions { perform(action) }
      }
    }
    configuration.changed?()
    return result
  }

  private func perform(_ action: ReceiverCore.Action) {
    switch action {
    case .write(let writing): writing.perform()
    case .tell(let change): configuration.volumeChanged?(change)
    case .prove(let request): prove(request)
    case .restart(let restart): configuration.restarted?(restart)
    case .fault(let occurrence): configuration.faultCame?(occurrence)
    case .fetch(let request):
      configuration.fetch?(request.media.address) { [self] outcome in
        let show = times.show.now
        update { $0.fetched(request, outcome, show: show) }
      }
    case .page(let order): perform(order)
    case .show(let showing): configuration.showingChanged?(showing)
    case .unknown(let request): configuration.unknownRequest?(request)
    }
  }

  private func perform(_ order: PageOrder) {
    let sessionID = order.sessionID
    guard let pages = configuration.pages else {
      if case .start = order { reported(.ended, ofPage: sessionID) }
      return
    }
    pages(order) { [self] report in reported(report, ofPage: sessionID) }
  }

  private func reported(_ report: PageReport, ofPage sessionID: String) {
    let show = times.show.now
    update { $0.reported(report, ofPage: sessionID, show: show) }
  }

  private func prove(_ request: ReceiverStateMachine.ProofRequest) {
    configuration.credentials?.prove(
      nonce: request.nonce ?? [], tlsCertificate: request.certificate, hash: request.hash
    ) { [self] proof in
      let show = times.show.now
      update { $0.proved(request, proof, show: show) }
    }
  }

  // MARK: timers

  /// Sees to it that the next deadline of each clock is noticed.
  private func armTimers(_ core: inout ReceiverCore) {
    if let deadline = core.nextShowDeadline {
      core.showAlarm.arm(for: deadline, on: times.show) { [weak self] number in self?.showAlarmRang(number) }
    } else {
      core.showAlarm.cancel()
    }
    if let deadline = core.nextNetworkDeadline {
      core.networkAlarm.arm(for: deadline, on: times.network) { [weak self] number in self?.networkAlarmRang(number) }
    } else {
      core.networkAlarm.cancel()
    }
  }

  private func showAlarmRang(_ number: Int) {
    let (show, network) = (times.show.now, times.network.now)
    update { core in
      if core.showAlarm.fired(number) { core.showTimerFired(at: show, network: network) }
    }
  }

  private func networkAlarmRang(_ number: Int) {
    let (show, network) = (times.show.now, times.network.now)
    update { core in
      if core.networkAlarm.fired(number) { core.channelTimerFired(show: show, network: network) }
    }
  }
}
