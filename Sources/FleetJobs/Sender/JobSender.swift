/// One job from its first offer to its end, as its sender sees it: pure, with the time (since any moment) as an input.
///
/// A job is offered until an agent has it, and again where that agent is heard of no more. Each offer has a number of its
/// own, and of two agents that have the job the one with the higher number goes on.
package struct JobSender: Sendable {
  package struct Limits: Hashable, Sendable {
    /// How often an agent may be lost, or give the job back.
    package var retries = 2
    /// How long it may have no agent at all.
    package var waitAgent = Duration.seconds(120)
    /// How long all may take.
    package var timeout = Duration.seconds(3600)

    package init() {}
  }

  /// Between the first two offers that nobody hears; each wait is twice as long as the one before it.
  static let firstPace = Duration.seconds(2)
  static let longestPace = Duration.seconds(15)

  package enum Effect: Hashable, Sendable {
    /// Sign and publish it with this number.
    case offer(attempt: Int)
    /// Sign and publish that nobody waits any more.
    case cancel(attempt: Int)
    /// Remove the retained lease and result.
    case forget
    case tell(News)
    case ended(End)
  }

  package enum News: Hashable, Sendable {
    case began(agent: String, device: String)
    case lost(agent: String)
    case returned(agent: String, why: String)
    case declined(agent: String, why: String)
  }

  package enum End: Hashable, Sendable {
    /// - Parameter tries: How often an agent had the job.
    case result(JobResult, tries: Int)
    case failed(Failure)
  }

  package enum Failure: Hashable, Sendable {
    case noAgent(waited: Duration)
    /// All agents that are there have said why not.
    case unfit([String])
    case lost(tries: Int, last: String)
    case overdue
    case cancelled
  }

  private enum Phase: Hashable, Sendable {
    case waiting(until: Duration)
    case leased(JobLease, seen: Duration)
    case ended
  }

  private let limits: Limits
  private let begun: Duration
  private var phase: Phase
  private var pace = firstPace
  /// The last one that was offered; 0: none.
  private var attempt = 0
  private var losses = 0
  /// Agents that have a device for it, whatever that does now.
  private var agents: Set<String> = []
  private var unfit: [String: String] = [:]
  /// Since when there is no such agent; `nil`: there is one.
  private var unservedSince: Duration?
  private var isConnected = false

  package init(_ limits: Limits, at now: Duration) {
    self.limits = limits
    begun = now
    phase = .waiting(until: now)
    unservedSince = now
  }

  package var isOver: Bool { phase == .ended }
  /// Whether an agent has it.
  package var isLeased: Bool { if case .leased = phase { true } else { false } }
  /// Whether it has been offered and waits for an agent.
  package var isOffered: Bool { !isOver && !isLeased && attempt > 0 }

  /// When ``advance(to:mayOffer:)`` has something to do again.
  package var next: Duration? {
    var times = [begun + limits.timeout]
    switch phase {
    case .ended: return nil
    case .waiting(let until):
      if let unservedSince { times.append(unservedSince + limits.waitAgent) }
      if isConnected { times.append(until) }
    case .leased(_, let seen): if isConnected { times.append(seen + JobLease.life) }
    }
    return times.min()
  }

  // MARK: What happens

  /// - Parameter mayOffer: Whether it is its turn among the jobs of one sender.
  package mutating func advance(to now: Duration, mayOffer: Bool = true) -> [Effect] {
    if isOver { return [] }
    if now >= begun + limits.timeout { return end(.failed(.overdue)) }
    switch phase {
    case .ended: return []
    case .leased(let lease, let seen):
      guard isConnected, now >= seen + JobLease.life else { return [] }
      return again(.lost(agent: lease.agent), last: "\(lease.agent) was not heard of any more", at: now)
        + (isOver ? [] : advance(to: now, mayOffer: mayOffer))
    case .waiting(let until):
      if let unservedSince, now >= unservedSince + limits.waitAgent {
        return end(.failed(.noAgent(waited: now - unservedSince)))
      }
      guard isConnected, now >= until, mayOffer else { return [] }
      attempt += 1
      phase = .waiting(until: now + pace)
      pace = min(pace * 2, Self.longestPace)
      return [.offer(attempt: attempt)]
    }
  }

  /// There is a connection: what the broker has retained may be gone, and offers may not have arrived.
  package mutating func connected(at now: Duration) {
    isConnected = true
    switch phase {
    case .leased(let lease, _): phase = .leased(lease, seen: now)
    case .waiting: phase = .waiting(until: now)
    case .ended: break
    }
  }

  /// Nobody is heard of while there is no connection: leases do not end.
  package mutating func disconnected() { isConnected = false }

  /// - Parameter agents: Those that have a device for the job.
  package mutating func see(agents: Set<String>, at now: Duration) -> [Effect] {
    self.agents = agents
    if agents.isEmpty {
      unservedSince = unservedSince ?? now
    } else {
      unservedSince = nil
    }
    return endIfUnfit()
  }

  package mutating func take(_ lease: JobLease, at now: Duration) -> [Effect] {
    guard (1...max(1, attempt)).contains(lease.attempt), attempt > 0, !isOver else { return [] }
    if case .leased(let held, _) = phase {
      if held.agent == lease.agent, held.attempt <= lease.attempt {
        phase = .leased(lease, seen: now)
        return []
      }
      guard lease.outranks(held) else { return [] }
    }
    phase = .leased(lease, seen: now)
    pace = Self.firstPace
    unservedSince = nil
    return [.tell(.began(agent: lease.agent, device: lease.device))]
  }

  package mutating func take(_ answer: JobAnswer, at now: Duration) -> [Effect] {
    switch (answer.kind, phase) {
    case (.returned, .leased(let held, _)) where held.agent == answer.agent && held.attempt == answer.attempt:
      return again(.returned(agent: answer.agent, why: answer.why), last: "\(answer.agent): \(answer.why)", at: now)
    case (.unfit, .waiting(let until)) where answer.attempt <= attempt:
      let isNew = unfit.updateValue(answer.why, forKey: answer.agent) == nil
      // Another one may be next to get it.
      if isNew { phase = .waiting(until: min(until, now + .seconds(1))) }
      // An agent that answers is there, whatever it tells of itself; more of them than a lab has are not counted.
      if unfit.count > 1000 { unfit = [answer.agent: answer.why] }
      return (isNew ? [.tell(.declined(agent: answer.agent, why: answer.why))] : []) + endIfUnfit()
    case (.busy, .waiting(let until)) where answer.attempt == attempt:
      phase = .waiting(until: min(until, now + .seconds(2)))
      return []
    case (.busy, _), (.unfit, _), (.returned, _), (.unknown, _): return []
    }
  }

  /// The first result counts, also of an agent that was given up.
  package mutating func take(_ result: JobResult) -> [Effect] {
    guard attempt > 0, (1...attempt).contains(result.summary.attempt), !isOver else { return [] }
    let isOfHolder =
      if case .leased(let held, _) = phase { held.agent == result.summary.agent } else { false }
    let tries = isLeased ? losses + 1 : max(1, losses)
    // Other agents that have it, or are about to take it, are to stop.
    let rest: [Effect] = isOfHolder ? [] : [.cancel(attempt: attempt)]
    phase = .ended
    return rest + [.forget, .ended(.result(result, tries: tries))]
  }

  /// Somebody wants no result any more.
  package mutating func cancel() -> [Effect] { isOver ? [] : end(.failed(.cancelled)) }

  private mutating func again(_ news: News, last: String, at now: Duration) -> [Effect] {
    losses += 1
    if losses > limits.retries { return [.tell(news)] + end(.failed(.lost(tries: losses, last: last))) }
    phase = .waiting(until: now)
    pace = Self.firstPace
    if agents.isEmpty { unservedSince = now }
    return [.tell(news)]
  }

  private mutating func endIfUnfit() -> [Effect] {
    guard case .waiting = phase, !agents.isEmpty, agents.allSatisfy({ unfit[$0] != nil }) else { return [] }
    return end(.failed(.unfit(agents.sorted().map { "\($0): \(unfit[$0] ?? "")" })))
  }

  private mutating func end(_ end: End) -> [Effect] {
    phase = .ended
    return (attempt > 0 ? [.cancel(attempt: attempt), .forget] : []) + [.ended(end)]
  }
}
