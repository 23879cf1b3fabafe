import FleetJobs
import Testing

/// One job, as its sender sees it (docs/fleet.md "Labs").
@Suite struct JobSenderTests {
  private static func lease(_ agent: String, _ attempt: Int = 1) -> JobLease {
    JobLease(agent: agent, attempt: attempt, device: "tv", until: 0)
  }

  private static func result(_ agent: String, _ attempt: Int = 1, exit: Int = 0) -> JobResult {
    JobResult(.init(agent: agent, device: "tv", attempt: attempt, exit: exit, seconds: 1))
  }

  /// A job that agents `a` and `b` would take, offered once.
  private static func offered(_ change: (inout JobSender.Limits) -> Void = { _ in }) -> JobSender {
    var limits = JobSender.Limits()
    change(&limits)
    var job = JobSender(limits, at: .zero)
    job.connected(at: .zero)
    _ = job.see(agents: ["a", "b"], at: .zero)
    _ = job.advance(to: .zero)
    return job
  }

  @Test("What nobody takes is offered again, each time with a number of its own, at most every 15 s")
  func unheard() {
    var job = Self.offered()
    var times: [Duration] = []
    while times.count < 6, let next = job.next {
      if job.advance(to: next) == [.offer(attempt: times.count + 2)] { times.append(next) }
    }
    #expect(times == [2, 6, 14, 29, 44, 59].map { .seconds($0) })
  }

  @Test("Nothing is offered without a connection, or where it is not the job's turn; then at once")
  func turns() {
    var job = JobSender(JobSender.Limits(), at: .zero)
    _ = job.see(agents: ["a"], at: .zero)
    #expect(job.advance(to: .zero) == [])
    job.connected(at: .seconds(1))
    #expect(job.advance(to: .seconds(1), mayOffer: false) == [])
    #expect(job.advance(to: .seconds(1)) == [.offer(attempt: 1)])
    job.disconnected()
    #expect(job.advance(to: .seconds(60)) == [])
    job.connected(at: .seconds(61))
    #expect(job.advance(to: .seconds(61)) == [.offer(attempt: 2)])
  }

  @Test("Without an agent it ends after --wait-agent, and never while one is there")
  func noAgent() {
    var job = Self.offered()
    _ = job.see(agents: [], at: .seconds(10))
    #expect(job.advance(to: .seconds(129)).contains { if case .ended = $0 { true } else { false } } == false)
    #expect(job.advance(to: .seconds(130)).last == .ended(.failed(.noAgent(waited: .seconds(120)))))
    #expect(job.next == nil)

    var other = Self.offered()
    #expect(other.advance(to: .seconds(3599)).last == .offer(attempt: 2))
    #expect(other.advance(to: .seconds(3600)) == [.cancel(attempt: 2), .forget, .ended(.failed(.overdue))])
  }

  @Test("A broker that cannot be reached is no agent either")
  func unreachable() {
    var job = JobSender(JobSender.Limits(), at: .zero)
    #expect(job.next == .seconds(120))
    #expect(job.advance(to: .seconds(120)) == [.ended(.failed(.noAgent(waited: .seconds(120))))])
  }

  @Test("A lease that is renewed lasts; 30 s after the last renewal it is over, and the job is offered again")
  func lease() {
    var job = Self.offered()
    #expect(job.take(Self.lease("a"), at: .seconds(1)) == [.tell(.began(agent: "a", device: "tv"))])
    for time in [11, 21, 31, 41] { #expect(job.take(Self.lease("a"), at: .seconds(time)) == []) }
    #expect(job.advance(to: .seconds(70)) == [])
    #expect(job.next == .seconds(71))
    #expect(job.advance(to: .seconds(71)) == [.tell(.lost(agent: "a")), .offer(attempt: 2)])
    #expect(job.take(Self.lease("b", 2), at: .seconds(72)) == [.tell(.began(agent: "b", device: "tv"))])
    #expect(
      job.take(Self.result("b", 2)) == [.forget, .ended(.result(Self.result("b", 2), tries: 2))])
  }

  @Test("Leases do not end while the sender itself has no connection, nor at once when it has one again")
  func ownCut() {
    var job = Self.offered()
    _ = job.take(Self.lease("a"), at: .seconds(1))
    job.disconnected()
    #expect(job.advance(to: .seconds(500)) == [])
    job.connected(at: .seconds(500))
    #expect(job.advance(to: .seconds(529)) == [])
    #expect(job.advance(to: .seconds(530)).first == .tell(.lost(agent: "a")))
  }

  @Test("After --retries lost agents it has failed", arguments: [0, 1, 2])
  func retries(_ retries: Int) {
    var job = Self.offered { $0.retries = retries }
    var now = Duration.zero
    for attempt in 1...retries + 1 {
      _ = job.take(Self.lease("a", attempt), at: now)
      now += .seconds(30)
      let effects = job.advance(to: now)
      let isLast = attempt == retries + 1
      #expect(job.isOver == isLast)
      #expect(effects.contains(.offer(attempt: attempt + 1)) == !isLast)
    }
  }

  @Test(
    "Of two agents with a job the later attempt counts; of one attempt, the first by name", arguments: [true, false])
  func twoAgents(_ isSwapped: Bool) {
    var job = Self.offered()
    _ = job.advance(to: .seconds(2))
    let leases = [Self.lease("a", 1), Self.lease("b", 2)]
    for lease in isSwapped ? leases.reversed() : leases { _ = job.take(lease, at: .seconds(3)) }
    // It is heard of no more, and what the other says does not keep it alive.
    _ = job.take(Self.lease("a", 1), at: .seconds(30))
    #expect(job.advance(to: .seconds(33)).first == .tell(.lost(agent: "b")))

    var same = Self.offered()
    let both = [Self.lease("a"), Self.lease("b")]
    for lease in isSwapped ? both.reversed() : both { _ = same.take(lease, at: .seconds(3)) }
    #expect(same.advance(to: .seconds(33)).first == .tell(.lost(agent: "a")))
  }

  @Test("The first result counts, also a late one of an agent that was given up; the other is told to stop")
  func lateResult() {
    var job = Self.offered()
    _ = job.take(Self.lease("a"), at: .seconds(1))
    _ = job.advance(to: .seconds(31))
    _ = job.take(Self.lease("b", 2), at: .seconds(32))
    let result = Self.result("a", 1, exit: 1)
    #expect(job.take(result) == [.cancel(attempt: 2), .forget, .ended(.result(result, tries: 2))])
    #expect(job.take(Self.result("b", 2)) == [])
    #expect(job.take(Self.lease("b", 2), at: .seconds(40)) == [])
  }

  @Test("A result without a lease is one: the lease may have been lost with the broker")
  func resultAlone() {
    var job = Self.offered()
    #expect(job.take(Self.result("a")).last == .ended(.result(Self.result("a"), tries: 1)))
  }

  @Test(
    "Leases, answers and results with numbers that were never offered count for nothing", arguments: [-1, 0, 2, .max])
  func madeUp(_ attempt: Int) {
    var job = Self.offered()
    #expect(job.take(Self.lease("x", attempt), at: .zero) == [])
    #expect(job.take(Self.result("x", attempt)) == [])
    #expect(job.take(JobAnswer(agent: "x", attempt: attempt, kind: .returned, why: ""), at: .zero) == [])
    #expect(!job.isLeased)
  }

  @Test("Where all agents that are there have declined for good, it ends and says why; busy ones are asked again")
  func declined() {
    func answer(_ agent: String, _ kind: JobAnswer.Kind) -> JobAnswer {
      JobAnswer(agent: agent, attempt: 1, kind: kind, why: "no exec")
    }
    var job = Self.offered()
    #expect(job.take(answer("a", .busy), at: .zero) == [])
    #expect(job.take(answer("a", .unfit), at: .zero) == [.tell(.declined(agent: "a", why: "no exec"))])
    #expect(job.advance(to: .seconds(1)) == [.offer(attempt: 2)])
    #expect(
      job.take(answer("b", .unfit), at: .seconds(1)).suffix(1) == [
        .ended(.failed(.unfit(["a: no exec", "b: no exec"])))
      ])
  }

  @Test("An agent that gives a job back is a try; another one gets it at once")
  func returned() {
    var job = Self.offered()
    _ = job.take(Self.lease("a"), at: .seconds(1))
    let answer = JobAnswer(agent: "a", attempt: 1, kind: .returned, why: "the device is gone")
    #expect(
      job.take(answer, at: .seconds(2)) == [.tell(.returned(agent: "a", why: "the device is gone"))])
    #expect(job.take(answer, at: .seconds(2)) == [])
    #expect(job.advance(to: .seconds(2)) == [.offer(attempt: 2)])
    #expect(job.take(Self.result("b", 2)).last == .ended(.result(Self.result("b", 2), tries: 1)))
  }

  @Test("Who cancels tells the agents, and removes what is retained")
  func cancelled() {
    var job = Self.offered()
    #expect(job.cancel() == [.cancel(attempt: 1), .forget, .ended(.failed(.cancelled))])
    #expect(job.cancel() == [])
  }
}
