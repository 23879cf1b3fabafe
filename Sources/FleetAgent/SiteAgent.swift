package import CastProtocol
package import CastTransport
package import FleetMessages
import Signage

/// A site on a broker: tells what its screens show, and takes documents and orders of the operator (docs/fleet.md "What
/// a site tells and takes").
///
/// It only looks on: no screen waits for it, or for the broker.
package actor SiteAgent {
  /// From one look at the site to the next.
  private static let lookPause = Duration.seconds(1)
  /// What is wrong outside of the screens rings no bell.
  private static let longestLookPause = Duration.seconds(15)
  private static let ledgerPause = Duration.seconds(60)

  private let host: SiteHost
  private let site: SiteName
  private let options: SiteAgentOptions
  private let clock: TimeSource
  private let unixTime: @Sendable () -> Double
  private var machine: SiteMachine
  private let (bell, documentBell, orderBell) = (Bell(), Bell(), Bell())
  private var wantsLook = true
  private var lookedAt: Duration?
  private var ledgers: [LedgerMark] = []
  private var ledgersReadAt: Duration?

  /// - Parameters:
  ///   - keys: Of the operators; without any no document and no signed order is taken.
  ///   - unixTime: Of the site, by which orders are late.
  package init(
    site: SiteName, host: SiteHost, keys: [VerifyingKey], options: SiteAgentOptions = SiteAgentOptions(),
    clock: TimeSource, unixTime: @escaping @Sendable () -> Double
  ) {
    self.site = site
    self.host = host
    self.options = options
    self.clock = clock
    self.unixTime = unixTime
    machine = SiteMachine(
      site: site, keys: keys, homeAssistant: options.homeAssistant, at: clock.now, unixTime: unixTime())
  }

  /// What the broker is to publish when the connection of a site is lost: for ``BrokerConfiguration/will``.
  package static func lastWill(of site: SiteName) -> BrokerMessage { availability(of: site, isOnline: false) }

  static func availability(of site: SiteName, isOnline: Bool) -> BrokerMessage {
    BrokerMessage(FleetTopic.availability(site).text, Array((isOnline ? "online" : "offline").utf8), isRetained: true)
  }

  /// Speaks on a link until the task is cancelled or the link ends; then says that the site is offline, and closes it.
  /// Once only.
  package func run(on link: any BrokerLink) async {
    machine.remember(await host.kept(), at: unixTime())
    await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        await self.listen(to: link)
        return true
      }
      group.addTask {
        await self.followChanges()
        return false
      }
      group.addTask {
        await self.tell(on: link)
        return false
      }
      group.addTask {
        await self.takeDocuments()
        return false
      }
      group.addTask {
        await self.obeyOrders(on: link)
        return false
      }
      for await isEnd in group where isEnd { group.cancelAll() }
    }
    link.send(.publish(Self.lastWill(of: site)))
    await link.close()
  }

  // MARK: what comes

  private func listen(to link: any BrokerLink) async {
    for await event in link.events {
      if Task.isCancelled { return }
      switch event {
      case .connected: send(machine.connected(at: clock.now), on: link)
      case .disconnected: machine.disconnected()
      case .acknowledged(let id): machine.acknowledged(id, at: clock.now)
      case .denied(let id):
        machine.denied(id, at: clock.now)
        for line in machine.takeLines() { options.tell(line) }
      case .message(let message): take(message, from: link)
      }
      bell.ring()
    }
  }

  private func take(_ message: BrokerMessage, from link: any BrokerLink) {
    let refused = machine.refused
    send(machine.receive(message, at: clock.now, unixTime: unixTime()), on: link)
    if machine.refused != refused { wantsLook = true }
    for line in machine.takeLines() { options.tell(line) }
    documentBell.ring()
    orderBell.ring()
  }

  private func takeDocuments() async {
    while !Task.isCancelled {
      documentBell.reset()
      while let document = machine.nextDocument() {
        let outcome = await host.take(document)
        // What was cut off tells nothing of the document.
        if Task.isCancelled { return }
        machine.finished(outcome, at: unixTime())
        wantsLook = true
        bell.ring()
      }
      await documentBell.wait()
    }
  }

  private func obeyOrders(on link: any BrokerLink) async {
    while !Task.isCancelled {
      orderBell.reset()
      while let order = machine.nextOrder() {
        var answer = order.late(at: unixTime())
        if answer == nil { answer = await order.obey(host.site, playlists: machine.playlists) }
        if let answer { send(machine.finished(answer, at: unixTime()), on: link) }
      }
      await orderBell.wait()
    }
  }

  private func followChanges() async {
    for await _ in host.site.changes() {
      wantsLook = true
      bell.ring()
    }
  }

  // MARK: what goes

  /// Looks at the site and sends what is to be sent, when something rang and when its time has come.
  private func tell(on link: any BrokerLink) async {
    while !Task.isCancelled {
      bell.reset()
      if clock.now >= lookTime { await look(on: link) }
      send(machine.due(at: clock.now), on: link)
      let wake = min(lookTime, machine.deadline(at: clock.now) ?? lookTime)
      let clock = clock
      _ = await bell.interrupt { try? await clock.sleep(until: wake) }
    }
  }

  /// When the next look is due.
  private var lookTime: Duration {
    guard let lookedAt else { return .zero }
    let earliest = lookedAt + Self.lookPause
    if wantsLook { return earliest }
    let changes = machine.nextLook.map { clock.now + .clamped(seconds: $0 - unixTime()) }
    return max(earliest, min(lookedAt + Self.longestLookPause, changes ?? lookedAt + Self.longestLookPause))
  }

  private func look(on link: any BrokerLink) async {
    wantsLook = false
    lookedAt = clock.now
    if ledgersReadAt.map({ clock.now - $0 >= Self.ledgerPause }) ?? true {
      ledgersReadAt = clock.now
      ledgers = await host.ledgers()
    }
    let view = await host.site.view()
    send(machine.look(view, ledgers: ledgers, at: clock.now), on: link)
  }

  private func send(_ commands: [BrokerCommand], on link: any BrokerLink) {
    for command in commands where !link.send(command) {
      switch command {
      case .publish(_, let id?): machine.dropped(id)
      case .publish(_, nil), .unsubscribe, .reconnect: break
      // Without its subscriptions a connection is worth nothing.
      case .subscribe: link.send(.reconnect(after: .seconds(1)))
      }
    }
  }
}
