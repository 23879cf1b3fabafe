import CastProtocol
import FleetJobs
import FleetMessages
import Testing

/// Senders and agents together, while links are cut, messages come twice, agents are killed and the broker forgets all.
@Suite struct LabModelTests {
  /// Chance that a seed repeats.
  private struct Chance: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) ^ (state << 31)
    }
    mutating func happens(_ part: Double) -> Bool { Double.random(in: 0..<1, using: &self) < part }
  }

  private struct Worker {
    var agent: JobAgent
    var isUp = false
    var kinds: Set<String> = []
    var watched: Set<String> = []
    /// When the runs under way end, and whether they were told to stop.
    var runs: [String: (device: String, end: Int, isStopped: Bool)] = [:]
    /// How far its clock is ahead.
    var skew: Double
    var busy: [String: Int] = [:]
  }

  private struct Lab {
    var chance: Chance
    var now = 0
    var senders: [JobSender]
    var ends: [[JobSender.End]]
    var workers: [String: Worker] = [:]
    var isSenderUp = false
    var leases: [String: JobLease] = [:]
    var results: [String: JobResult] = [:]
    var faults = true
    var problems: [String] = []

    init(seed: UInt64, jobs: Int) {
      chance = Chance(state: seed)
      var limits = JobSender.Limits()
      (limits.retries, limits.timeout) = (1000, .seconds(100_000))
      senders = (0..<jobs).map { _ in JobSender(limits, at: .zero) }
      ends = Array(repeating: [], count: jobs)
    }

    var time: Duration { .seconds(now) }

    mutating func begin(_ name: String) {
      guard let site = SiteName(name) else { return }
      let devices = [LabDevice(name: "\(name)-1"), LabDevice(name: "\(name)-2")]
      let agent = JobAgent(JobAgent.Options(name: site), devices: devices)
      workers[name] = Worker(agent: agent, skew: Double.random(in: -25...25, using: &chance))
    }

    mutating func step() {
      now += 1
      if faults { disturb() } else { heal() }
      for (name, worker) in workers {
        for (job, run) in worker.runs where run.end <= now || run.isStopped {
          workers[name]?.runs[job] = nil
          workers[name]?.busy[run.device, default: 1] -= 1
          let summary = JobResult.Summary(agent: name, device: run.device, attempt: 1, exit: 0, seconds: 1)
          let outcome: JobOutcome = run.isStopped ? .stopped("told to") : .ended(JobResult(summary))
          let time = time
          perform(workers[name]?.agent.ended(job, outcome, at: time) ?? [], name)
        }
        let (time, clock) = (time, unix(name))
        perform(workers[name]?.agent.advance(to: time, unixTime: clock) ?? [], name)
      }
      for place in senders.indices { perform(senders[place].advance(to: time), place) }
    }

    func unix(_ name: String) -> Double { 1_000_000 + Double(now) + (workers[name]?.skew ?? 0) }

    private mutating func disturb() {
      for name in ["a", "b", "c"] {
        if workers[name] == nil, chance.happens(0.05) { begin(name) }
        guard let worker = workers[name] else { continue }
        if chance.happens(0.01) { workers[name] = nil }
        if worker.isUp, chance.happens(0.03) { cut(name) } else if !worker.isUp, chance.happens(0.1) { join(name) }
      }
      if isSenderUp, chance.happens(0.02) {
        isSenderUp = false
        for place in senders.indices { senders[place].disconnected() }
      } else if !isSenderUp, chance.happens(0.2) {
        joinSender()
      }
      if chance.happens(0.005) {
        // Without persistence.
        (leases, results) = ([:], [:])
        for name in workers.keys { cut(name) }
        isSenderUp = false
        for place in senders.indices { senders[place].disconnected() }
      }
    }

    private mutating func heal() {
      if workers["a"] == nil { begin("a") }
      for (name, worker) in workers where !worker.isUp { join(name) }
      if !isSenderUp { joinSender() }
    }

    private mutating func cut(_ name: String) {
      workers[name]?.isUp = false
      workers[name]?.agent.disconnected()
      workers[name]?.kinds = []
      workers[name]?.watched = []
    }

    private mutating func join(_ name: String) {
      workers[name]?.isUp = true
      let (time, clock) = (time, unix(name))
      perform(workers[name]?.agent.connected(at: time, unixTime: clock) ?? [], name)
    }

    private mutating func joinSender() {
      isSenderUp = true
      for place in senders.indices {
        senders[place].connected(at: time)
        _ = senders[place].see(agents: Set(["a"]), at: time)
        if let lease = leases["j\(place)"] { perform(senders[place].take(lease, at: time), place) }
        if let result = results["j\(place)"] { perform(senders[place].take(result), place) }
      }
    }

    private mutating func perform(_ effects: [JobSender.Effect], _ place: Int) {
      let id = "j\(place)"
      for effect in effects {
        if case .ended(let end) = effect { ends[place].append(end) }
        guard isSenderUp else { continue }
        switch effect {
        case .offer(let attempt):
          let offer = JobMessageTests.offer(id).offered(attempt, at: 1_000_000 + Double(now))
          let heard = workers.keys.sorted().filter { workers[$0]?.kinds.contains("any") == true }
          // One of the subscribers gets it, and now and then two, or one of them twice.
          for _ in 0..<(chance.happens(0.2) ? 2 : 1) {
            guard let name = heard.randomElement(using: &chance) else { continue }
            let (time, clock) = (time, unix(name))
            let answer = workers[name]?.agent.take(offer, at: time, unixTime: clock) ?? []
            perform(answer, name)
          }
        case .cancel(let attempt):
          for name in workers.keys.sorted() where workers[name]?.watched.contains(id) == true {
            perform(workers[name]?.agent.see(JobCancel(id: id, attempt: attempt)) ?? [], name)
          }
        case .forget: (leases[id], results[id]) = (nil, nil)
        case .tell, .ended: break
        }
      }
    }

    private mutating func perform(_ effects: [JobAgent.Effect], _ name: String) {
      for effect in effects {
        switch effect {
        case .start(let offer, let device):
          workers[name]?.busy[device.name, default: 0] += 1
          if workers[name]?.busy[device.name] != 1 { problems.append("\(device.name) has two runs at \(now)") }
          let end = now + Int.random(in: 3...50, using: &chance)
          workers[name]?.runs[offer.id] = (device.name, end, false)
        case .stop(let job): workers[name]?.runs[job]?.isStopped = true
        default: break
        }
        guard workers[name]?.isUp == true else { continue }
        publish(effect, name)
      }
    }

    private mutating func publish(_ effect: JobAgent.Effect, _ name: String) {
      switch effect {
      case .subscribe(let kind): workers[name]?.kinds.insert(kind)
      case .unsubscribe(let kind): workers[name]?.kinds.remove(kind)
      case .watch(let job):
        workers[name]?.watched.insert(job)
        if let lease = leases[job] { perform(workers[name]?.agent.see(lease, of: job) ?? [], name) }
      case .unwatch(let job): workers[name]?.watched.remove(job)
      case .lease(let job, let lease):
        leases[job] = lease
        for other in workers.keys.sorted() where other != name && workers[other]?.watched.contains(job) == true {
          perform(workers[other]?.agent.see(lease, of: job) ?? [], other)
        }
        if isSenderUp, let place = place(of: job) { perform(senders[place].take(lease, at: time), place) }
      case .removeLease(let job): leases[job] = nil
      case .answer(let job, let answer):
        if isSenderUp, let place = place(of: job) { perform(senders[place].take(answer, at: time), place) }
      case .result(let job, let result):
        results[job] = result
        for _ in 0..<(chance.happens(0.3) ? 2 : 1) where isSenderUp {
          if let place = place(of: job) { perform(senders[place].take(result), place) }
        }
        perform(workers[name]?.agent.delivered(job) ?? [], name)
      case .report, .start, .stop, .check, .tell, .finished: break
      }
    }

    private func place(of job: String) -> Int? { Int(job.dropFirst()) }
  }

  @Test(
    "Whatever goes wrong, each job ends once, with a result when all is well again, and no device has two",
    arguments: 1...200)
  func faults(_ seed: UInt64) {
    var lab = Lab(seed: seed, jobs: 8)
    for _ in 0..<400 { lab.step() }
    lab.faults = false
    for _ in 0..<1500 where !lab.senders.allSatisfy(\.isOver) { lab.step() }
    #expect(lab.problems == [])
    for (place, ends) in lab.ends.enumerated() {
      guard ends.count == 1, case .result = ends[0] else {
        Issue.record("job \(place) of seed \(seed): \(ends)")
        continue
      }
    }
  }
}
