package import FleetMessages

/// How a document reaches sites: a canary first, then waves, and back where one of them is worse off with it
/// (docs/fleet.md "Roll-outs").
///
/// It knows names and editions only: whoever performs its effects signs and publishes. All of them are safe to do twice.
package struct Rollout: Sendable {
  package struct Plan: Sendable {
    package var waves: RolloutWaves
    /// What the sites are given, and what those that got it are given when it is put back.
    package var edition: Int
    package var editionBack: Int
    /// What a site reports when it has done it; `removed` where a document is taken off.
    package var wanted = DocumentReport.State.on
    /// How long the canary is watched after it has it; the waves after it a fifth as long.
    package var watch = Duration.seconds(300)
    /// How long a site may take until it reports.
    package var answerLimit = Duration.seconds(120)
    /// How long a site may be away from the broker meanwhile.
    package var offlineGrace = Duration.seconds(60)
    /// How long a screen may be dark meanwhile: one that begins, or whose device changed, has to be found and connected to.
    package var darkGrace = Duration.seconds(20)
    /// How long the operator may be away from the broker.
    package var lostLimit = Duration.seconds(600)
    /// Where it is worse, it is put back.
    package var putsBack = true

    package init(_ waves: RolloutWaves, edition: Int) {
      self.waves = waves
      self.edition = edition
      editionBack = edition + 1
    }

    func watch(ofWave index: Int) -> Duration { index == 0 ? watch : watch / 5 }
  }

  package enum Input: Sendable {
    case report(SiteName, DocumentReport)
    case pulse(SiteName, SitePulse)
    case connected, disconnected
    /// Somebody wants it to end.
    case stop
  }

  package enum Effect: Hashable, Sendable {
    /// Keeps what the site has as its previous one, and gives it the new one.
    case put(SiteName)
    case putBack(SiteName)
    case tell(RolloutNote)
    case end(RolloutEnd)
  }

  private enum Phase: Sendable {
    case ready
    case wave(Int, watchedUntil: Duration?)
    case puttingBack(RolloutFailure)
    case ended
  }

  private struct Given: Sendable {
    var time: Duration
    var sent: Duration
    var hasIt = false
    var baseline: SitePulse
    var offlineSince: Duration?
    /// Since when it has more dark screens than before.
    var darkSince: Duration?
    var backSince: Duration?
    var isBack = false
  }

  /// So often a site that does not answer is told again.
  private static let resend = Duration.seconds(20)

  private let plan: Plan
  private var phase = Phase.ready
  private var given: [SiteName: Given] = [:]
  private var pulses: [SiteName: SitePulse]
  /// Time without a connection does not count.
  private var outage = Duration.zero
  private var lostAt: Duration?

  /// - Parameter pulses: How the sites are before anything is done; those that are missing count as being away.
  package init(_ plan: Plan, pulses: [SiteName: SitePulse]) {
    self.plan = plan
    let targets = Set(plan.waves.waves.joined()).union(plan.waves.absent)
    self.pulses = pulses.filter { targets.contains($0.key) }
    for site in targets where self.pulses[site] == nil { self.pulses[site] = SitePulse(isOnline: false) }
  }

  package var isEnded: Bool { if case .ended = phase { true } else { false } }

  package mutating func start(at now: Duration) -> [Effect] {
    guard case .ready = phase else { return [] }
    return begin(0, at: time(now))
  }

  package mutating func receive(_ input: Input, at now: Duration) -> [Effect] {
    switch input {
    case .report(let site, let report):
      let time = time(now)
      let effects = take(report, of: site, at: time)
      return effects + judge(at: time)
    case .pulse(let site, let pulse):
      // Nobody asked the others.
      guard pulses[site] != nil else { return [] }
      pulses[site] = pulse
      return judge(at: time(now))
    case .disconnected:
      guard lostAt == nil, !isEnded else { return [] }
      lostAt = now
      return [.tell(.connectionLost)]
    case .connected:
      guard let lost = lostAt else { return [] }
      outage += now - lost
      lostAt = nil
      return isEnded ? [] : [.tell(.connectionBack)] + sendAgain(at: time(now), after: .zero)
    case .stop:
      if isEnded { return [] }
      phase = .ended
      return [.end(.interrupted(standing))]
    }
  }

  /// Lets the time pass.
  package mutating func advance(to now: Duration) -> [Effect] {
    guard !isEnded else { return [] }
    if let lostAt {
      guard now - lostAt >= plan.lostLimit else { return [] }
      phase = .ended
      return [.end(.connectionLost(standing))]
    }
    let time = time(now)
    return sendAgain(at: time, after: Self.resend) + judge(at: time)
  }

  private func time(_ now: Duration) -> Duration { (lostAt ?? now) - outage }

  // MARK: waves

  private mutating func begin(_ index: Int, at time: Duration) -> [Effect] {
    guard index < plan.waves.waves.count else { return finish() }
    let sites = plan.waves.waves[index]
    phase = .wave(index, watchedUntil: nil)
    for site in sites {
      let pulse = pulses[site] ?? SitePulse(isOnline: false)
      given[site] = Given(time: time, sent: time, baseline: pulse, offlineSince: pulse.isOnline ? nil : time)
    }
    return [.tell(.waveBegan(index + 1, of: plan.waves.waves.count, sites))] + sites.map { .put($0) }
  }

  private mutating func finish() -> [Effect] {
    phase = .ended
    let absent = plan.waves.absent
    return absent.map { .put($0) } + [.end(.done(sites: given.count, absent: absent))]
  }

  private mutating func take(_ report: DocumentReport, of site: SiteName, at time: Duration) -> [Effect] {
    guard given[site] != nil else { return [] }
    switch phase {
    case .ready, .ended: return []
    case .wave:
      // Late ones of other editions, and those that are told twice, change nothing.
      if report.edition > plan.edition {
        // What they gave counts, and is not to be overwritten.
        phase = .ended
        let failure = RolloutFailure(site, .superseded(report.edition))
        return [.tell(.failed(failure)), .end(.stopped(failure, standing))]
      }
      guard report.edition == plan.edition else { return [] }
      guard report.state == plan.wanted else {
        return stop(RolloutFailure(site, .refused(report.why ?? "it says \(report.state.rawValue)")), at: time)
      }
      guard given[site]?.hasIt == false else { return [] }
      given[site]?.hasIt = true
      return [.tell(plan.wanted == .removed ? .tookItOff(site) : .hasIt(site))]
    case .puttingBack:
      guard report.edition == plan.editionBack, given[site]?.isBack == false else { return [] }
      if report.state == .refused {
        // It has answered, and nothing is to be waited for any more.
        given[site]?.backSince = time - plan.answerLimit
        return []
      }
      given[site]?.isBack = true
      return [.tell(.isBack(site))]
    }
  }

  /// What follows from what is known and how late it is.
  private mutating func judge(at time: Duration) -> [Effect] {
    switch phase {
    case .ready, .ended: return []
    case .wave(let index, let until):
      for site in given.keys { noteTroubles(of: site, at: time) }
      for site in given.keys.sorted() {
        if let failure = failure(of: site, at: time) { return stop(failure, at: time) }
      }
      let sites = plan.waves.waves[index]
      guard
        sites.allSatisfy({ given[$0]?.hasIt == true && given[$0]?.offlineSince == nil && given[$0]?.darkSince == nil })
      else { return [] }
      let watch = plan.watch(ofWave: index)
      let end = until ?? time + watch
      if time >= end { return [.tell(.waveDone(index + 1))] + begin(index + 1, at: time) }
      guard until == nil else { return [] }
      phase = .wave(index, watchedUntil: end)
      return [.tell(.watching(watch))]
    case .puttingBack(let failure):
      let waiting = given.values.contains { given in
        !given.isBack && time - (given.backSince ?? time) < plan.answerLimit
      }
      if waiting { return [] }
      phase = .ended
      return [.end(.stopped(failure, standing))]
    }
  }

  private mutating func noteTroubles(of site: SiteName, at time: Duration) {
    let isDarker = (pulses[site]?.dark ?? 0) > (given[site]?.baseline.dark ?? 0)
    let since = given[site]?.darkSince ?? time
    given[site]?.darkSince = isDarker ? since : nil
    if pulses[site]?.isOnline == true {
      given[site]?.offlineSince = nil
    } else if given[site]?.offlineSince == nil {
      given[site]?.offlineSince = time
    }
  }

  private func failure(of site: SiteName, at time: Duration) -> RolloutFailure? {
    guard let given = given[site], let pulse = pulses[site] else { return nil }
    if let since = given.offlineSince, time - since >= plan.offlineGrace {
      return RolloutFailure(site, .offline(time - since))
    }
    // Of a site that is not there nothing else is new.
    if given.offlineSince != nil { return nil }
    if let since = given.darkSince, time - since >= plan.darkGrace {
      return RolloutFailure(site, .dark(pulse.dark, before: given.baseline.dark))
    }
    if let alert = pulse.alerts.subtracting(given.baseline.alerts).min() { return RolloutFailure(site, .alert(alert)) }
    if !given.hasIt, time - given.time >= plan.answerLimit {
      return RolloutFailure(site, .noAnswer(plan.answerLimit))
    }
    return nil
  }

  // MARK: back

  private mutating func stop(_ failure: RolloutFailure, at time: Duration) -> [Effect] {
    let sites = given.keys.sorted()
    guard plan.putsBack else {
      phase = .ended
      return [.tell(.failed(failure)), .end(.stopped(failure, standing))]
    }
    phase = .puttingBack(failure)
    for site in sites {
      given[site]?.backSince = time
      given[site]?.sent = time
    }
    return [.tell(.failed(failure)), .tell(.puttingBack(sites))] + sites.map { .putBack($0) }
  }

  private mutating func sendAgain(at time: Duration, after wait: Duration) -> [Effect] {
    var effects: [Effect] = []
    for site in given.keys.sorted() {
      guard let entry = given[site], time - entry.sent >= wait else { continue }
      switch phase {
      case .wave where !entry.hasIt: effects.append(.put(site))
      case .puttingBack where !entry.isBack: effects.append(.putBack(site))
      default: continue
      }
      given[site]?.sent = time
    }
    return effects
  }

  /// What is where.
  private var standing: RolloutStanding {
    var standing = RolloutStanding()
    for (site, entry) in given.sorted(by: { $0.key < $1.key }) {
      if entry.isBack {
        standing.back.append(site)
      } else if entry.backSince != nil {
        standing.unsure.append(site)
      } else if entry.hasIt {
        standing.have.append(site)
      } else {
        standing.unsure.append(site)
      }
    }
    standing.without = (plan.waves.waves.joined() + plan.waves.absent).filter { given[$0] == nil }.sorted()
    return standing
  }
}
