import CastProtocol
import CastTransport
import FleetJobs
import FleetMessages

/// The jobs of one command line on a broker, until the last is over.
actor LabSession {
  /// What came of a job.
  typealias End = JobSender.End

  private struct Running {
    var job: LabJobs.Job
    var sender: JobSender
    var end: End?
  }

  private let queue: SiteName
  private let key: SigningKey
  private let link: any BrokerLink
  private let clock: TimeSource
  private let unixTime: @Sendable () -> Double
  private let tell: @Sendable (_ place: Int, JobSender.News) -> Void
  private let done: @Sendable (_ place: Int, End) -> Void
  private var jobs: [Running]
  private var places: [String: Int] = [:]
  private(set) var agents: [SiteName: AgentReport] = [:]
  /// Why there is no connection.
  private(set) var failure: BrokerFailure?
  private var isConnected = false
  /// What the broker has to have before this ends.
  private var unacknowledged: Set<Int> = []
  /// Subscriptions that wait for the link to take them.
  private var waiting: [BrokerCommand] = []
  private var lastID = 0

  /// How often it is looked whether something is due.
  private static let beat = Duration.milliseconds(200)
  /// How long the last messages may take.
  private static let lastWait = Duration.seconds(3)
  private static let mostAgents = 10_000

  init(
    _ jobs: [LabJobs.Job], limits: JobSender.Limits, queue: SiteName, key: SigningKey, link: any BrokerLink,
    clock: TimeSource, unixTime: @escaping @Sendable () -> Double,
    tell: @escaping @Sendable (_ place: Int, JobSender.News) -> Void,
    done: @escaping @Sendable (_ place: Int, End) -> Void
  ) {
    (self.queue, self.key, self.link, self.clock, self.unixTime) = (queue, key, link, clock, unixTime)
    (self.tell, self.done) = (tell, done)
    let now = clock.now
    self.jobs = jobs.map { Running(job: $0, sender: JobSender(limits, at: now)) }
    for (place, job) in jobs.enumerated() { places[job.offer.id] = place }
  }

  /// Goes on until all jobs are over.
  /// - Parameter interruptions: Each ends what is left.
  func run(until interruptions: AsyncStream<Void>) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [link] in for await event in link.events { await self.take(event) } }
      group.addTask { for await _ in interruptions { await self.cancel() } }
      await beat()
      group.cancelAll()
    }
    await link.close()
  }

  private func beat() async {
    while !jobs.allSatisfy(\.sender.isOver) {
      advance()
      guard (try? await clock.sleep(for: Self.beat)) != nil else { return }
    }
    let end = clock.now + Self.lastWait
    while isConnected, !unacknowledged.isEmpty, clock.now < end {
      guard (try? await clock.sleep(for: .milliseconds(20))) != nil else { return }
    }
  }

  private func cancel() { for place in jobs.indices { perform(jobs[place].sender.cancel(), place) } }

  private func advance() {
    if isConnected { pump() }
    let now = clock.now
    // Whatever waits for a device is offered by turns: an offer that no free device hears is lost.
    var turns: [String: Int] = [:]
    for place in jobs.indices {
      let kind = jobs[place].job.offer.kind
      let left = turns[kind] ?? max(1, agents.values.map { $0.devices(for: kind).free }.reduce(0, +))
      let isWaiting = !jobs[place].sender.isOver && !jobs[place].sender.isLeased
      perform(jobs[place].sender.advance(to: now, mayOffer: left > 0), place)
      turns[kind] = isWaiting ? left - 1 : left
    }
  }

  /// Asks for what is said of the jobs, as fast as the link takes it.
  private func pump() {
    while let next = waiting.first, link.send(next) { waiting.removeFirst() }
  }

  // MARK: What comes

  private func take(_ event: BrokerEvent) {
    switch event {
    case .connected:
      (isConnected, failure, agents, waiting) = (true, nil, [:], [])
      unacknowledged = []
      link.send(.subscribe("\(JobTopic.root)/\(queue)/agent/+"))
      for place in jobs.indices where !jobs[place].sender.isOver {
        let id = jobs[place].job.offer.id
        for topic in [
          JobTopic.lease(queue: queue, job: id), .answer(queue: queue, job: id), .result(queue: queue, job: id),
        ] {
          waiting.append(.subscribe(topic.text))
        }
        jobs[place].sender.connected(at: clock.now)
      }
      pump()
      seeAgents()
    case .disconnected(let why):
      (isConnected, failure) = (false, why)
      for place in jobs.indices { jobs[place].sender.disconnected() }
    case .acknowledged(let id), .denied(let id): unacknowledged.remove(id)
    case .message(let message): take(message)
    }
  }

  private func take(_ message: BrokerMessage) {
    guard let topic = JobTopic(message.topic), topic.queue == queue else { return }
    switch topic {
    case .offer, .cancel: break
    case .agent(_, let name):
      if let report = AgentReport(payload: message.payload), agents.count < Self.mostAgents {
        agents[name] = report
      } else {
        agents[name] = nil
      }
      seeAgents()
      // A device that has become free may take the next job at once.
      advance()
    case .lease(_, let id):
      guard let place = places[id], let lease = JobLease(payload: message.payload) else { return }
      perform(jobs[place].sender.take(lease, at: clock.now), place)
    case .answer(_, let id):
      guard let place = places[id], let answer = JobAnswer(payload: message.payload) else { return }
      perform(jobs[place].sender.take(answer, at: clock.now), place)
    case .result(_, let id):
      guard let place = places[id], let result = JobResult(payload: message.payload) else { return }
      perform(jobs[place].sender.take(result), place)
    }
  }

  private func seeAgents() {
    for place in jobs.indices where !jobs[place].sender.isOver {
      let kind = jobs[place].job.offer.kind
      let fitting = agents.filter { $0.value.devices(for: kind).all > 0 }.map(\.key.text)
      perform(jobs[place].sender.see(agents: Set(fitting), at: clock.now), place)
    }
  }

  // MARK: What follows

  private func perform(_ effects: [JobSender.Effect], _ place: Int) {
    let offer = jobs[place].job.offer
    for effect in effects {
      switch effect {
      case .offer(let attempt):
        let topic = JobTopic.offer(queue: queue, kind: offer.kind).text
        sign(offer.offered(attempt, at: unixTime()).body, for: topic)
      case .cancel(let attempt):
        sign(JobCancel(id: offer.id, attempt: attempt).body, for: JobTopic.cancel(queue: queue, job: offer.id).text)
      case .forget:
        for topic in [JobTopic.lease(queue: queue, job: offer.id), .result(queue: queue, job: offer.id)] {
          publish(.removal(of: topic.text))
        }
      case .tell(let news): tell(place, news)
      case .ended(let end):
        jobs[place].end = end
        for topic in [JobTopic.answer(queue: queue, job: offer.id), .result(queue: queue, job: offer.id)] {
          link.send(.unsubscribe(topic.text))
        }
        done(place, end)
      }
    }
  }

  private func sign(_ body: [UInt8]?, for topic: String) {
    guard let body, let payload = SignedEnvelope.sealed(body, for: topic, by: key) else { return }
    publish(BrokerMessage(topic, payload))
  }

  private func publish(_ message: BrokerMessage) {
    lastID += 1
    if link.send(.publish(message, id: lastID)) { unacknowledged.insert(lastID) }
  }
}
