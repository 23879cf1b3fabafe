import CastProtocol
import CastTransport
import FleetAgent
import FleetMessages
import Signage
import Synchronization
import Simulation

/// Sites, their operator and a broker under a script, on one virtual clock.
package struct FleetRun {
  package let script: FleetScript

  package init(_ script: FleetScript) { self.script = script }

  /// 2026-11-23 is a Monday.
  private static let start = 1_795_392_000.0
  /// After the end of all that goes wrong: waits before connecting, a broker that was left alone for a minute, and 60 s.
  private static let calmTime = Duration.seconds(180)

  /// - Throws: What is no error of the simulation.
  package func trace() throws -> FleetTrace {
    var trace = FleetTrace()
    trace.script = script
    do { try run(&trace) } catch let error as SimulationError { trace.error = error }
    return trace
  }

  private func run(_ trace: inout FleetTrace) throws {
    let executor = SimulationExecutor(seed: script.seed)
    let script = script
    let sites = Self.sites(script.seed, on: executor)
    guard let key = SearchedOperator.key(1), let stranger = SearchedOperator.key(2), let known = key.publicKey else {
      throw FleetTrace.Unusable()
    }
    let end = script.end + Self.calmTime
    let result = try executor.run(limit: .seconds(86_400), settling: .seconds(90)) { clock in
      let time = TimeSource(clock, executor: executor)
      let unixTime: @Sendable () -> Double = { Self.start + executor.now.seconds }
      var habits = BrokerModel.Habits()
      habits.passesOn = script.seed.isMultiple(of: 2)
      let broker = SimulatedBroker(time, seed: script.seed, habits: habits)
      let agents = sites.map { site in
        let link = broker.link(site.name.text, will: SiteAgent.lastWill(of: site.name))
        return time.spawn {
          let agent = SiteAgent(site: site.name, host: site.host, keys: [known], clock: time, unixTime: unixTime)
          await agent.run(on: link)
        }
      }
      let screens = sites.map { site in time.spawn { await site.serve() } }
      let link = broker.link("operator")
      let person = SearchedOperator(
        sites.map(\.name), key: key, stranger: stranger, link: link, time: time, unixTime: unixTime)
      let listening = time.spawn { await person.listen() }
      broker.play(script.faults)
      for part in script.parts { Self.plan(part, person, time) }
      var most = BrokerModel.Load()
      while time.now < end {
        try await time.sleep(for: .seconds(1))
        for site in sites { site.look() }
        let load = broker.load
        most.retained = max(most.retained, load.retained)
        most.waiting = max(most.waiting, load.waiting)
        if time.now >= script.end, time.now < script.end + .seconds(1) {
          broker.calm()
          // What a broker that lied left behind is told again with the next connection.
          broker.play([.crash(at: 0, down: 500, .all)])
        }
        if time.now.components.seconds.isMultiple(of: 10) { person.pushAgain() }
      }
      let retained = broker.retained
      for agent in agents { agent.cancel() }
      for agent in agents { await agent.value }
      for screen in screens { screen.cancel() }
      for screen in screens { await screen.value }
      await link.close()
      await listening.value
      await broker.stop()
      return (retained, most, person)
    }
    trace.retained = result.0
    trace.most = result.1
    // How the last item ends is the end of the run.
    let until = Self.start + end.seconds - 10
    trace.sites = sites.map { FleetTrace.Site($0, by: result.2, until: until) }
    for index in sites.indices { trace.sites[index].alone = try alone(index, sites[index], until: end) }
  }

  private static func sites(_ seed: UInt64, on executor: SimulationExecutor) -> [SearchedSite] {
    (0..<FleetScript.sites).compactMap { SearchedSite($0, seed: seed, on: executor, start: start) }
  }

  private static func plan(_ part: FleetScript.Part, _ person: SearchedOperator, _ time: TimeSource) {
    switch part {
    case .broker: break
    case .push(let site, let at, let kind):
      time.spawn {
        try? await time.sleep(until: .milliseconds(at))
        person.push(kind, to: site)
      }
    case .order(let site, let at, let verb, let copies):
      time.spawn {
        try? await time.sleep(until: .milliseconds(at))
        person.order(verb, to: site, copies: copies)
      }
    }
  }

  /// What the same site shows where there is no broker, and somebody does the same at the same times.
  private func alone(_ index: Int, _ site: SearchedSite, until end: Duration) throws -> [String] {
    let executor = SimulationExecutor(seed: script.seed)
    let deeds = site.state.withLock { $0.deeds }
    guard let twin = SearchedSite(index, seed: script.seed, on: executor, start: Self.start) else { return [] }
    try executor.run(limit: .seconds(86_400), settling: .seconds(90)) { clock in
      let time = TimeSource(clock, executor: executor)
      let serving = time.spawn { await twin.serve() }
      for (at, deed) in deeds where at <= end {
        try await time.sleep(until: at)
        await twin.do(deed)
      }
      try await time.sleep(until: end)
      serving.cancel()
      await serving.value
    }
    return twin.shown(before: Self.start + end.seconds - 10)
  }
}
