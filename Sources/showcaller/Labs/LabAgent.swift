import CastProtocol
import CastTransport
import FleetJobs
import FleetMessages
import ScenarioLanguage
import Workspace

/// An agent of a lab on a broker: what ``JobAgent`` decides is done here.
actor LabAgent {
  private let queue: SiteName
  private let name: SiteName
  private let keys: [VerifyingKey]
  private let link: any BrokerLink
  private let clock: TimeSource
  private let unixTime: @Sendable () -> Double
  private let processes: JobProcess
  private let reaches: [String: JobProcess.Reach]
  private let health: [FleetDocument.File]?
  private let firmware: LabFirmware
  private var agent: JobAgent
  private var works: [String: Task<Void, Never>] = [:]
  /// Which job has its result with the broker, by the id of the message.
  private var sent: [Int: String] = [:]
  private var lastID = 0
  private var isFinished = false
  /// The last message, until the broker has it.
  private var farewell: Int?
  private var isConnected = false
  /// Of messages that nobody of ours signed.
  private var refusals = 0

  private static let beat = Duration.milliseconds(200)
  /// How long the last message may take.
  private static let lastWait = Duration.seconds(3)
  /// More refusals are counted, and not told.
  private static let mostTold = 20

  init(
    _ agent: JobAgent, name: SiteName, queue: SiteName, keys: [VerifyingKey], link: any BrokerLink,
    processes: JobProcess, reaches: [String: JobProcess.Reach], health: [FleetDocument.File]?, firmware: LabFirmware,
    clock: TimeSource, unixTime: @escaping @Sendable () -> Double
  ) {
    (self.agent, self.name, self.queue, self.keys, self.link) = (agent, name, queue, keys, link)
    (self.processes, self.reaches, self.health, self.firmware) = (processes, reaches, health, firmware)
    (self.clock, self.unixTime) = (clock, unixTime)
  }

  /// Goes on until it was told to end and has nothing left to do.
  /// - Parameter interruptions: The first ends it as `drains` says, the second at once.
  func run(until interruptions: AsyncStream<Void>, drains: Bool) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [link] in for await event in link.events { await self.take(event) } }
      group.addTask {
        var isFirst = true
        for await _ in interruptions {
          if isFirst { await self.end(drains: drains) } else { await self.stopNow() }
          isFirst = false
        }
      }
      while !isFinished {
        perform(agent.advance(to: clock.now, unixTime: unixTime()))
        guard (try? await clock.sleep(for: Self.beat)) != nil else { break }
      }
      await sayGoodbye()
      group.cancelAll()
    }
    await link.close()
  }

  /// Removes its report; when the broker has that, it has all that was said before, such as that jobs are given back.
  private func sayGoodbye() async {
    lastID += 1
    farewell = lastID
    guard isConnected,
      link.send(.publish(.removal(of: JobTopic.agent(queue: queue, agent: name).text), id: lastID))
    else { return }
    let end = clock.now + Self.lastWait
    while farewell != nil, isConnected, clock.now < end {
      guard (try? await clock.sleep(for: .milliseconds(20))) != nil else { return }
    }
  }

  private func end(drains: Bool) {
    Terminal.say(drains ? "ends when its jobs are done" : "gives its jobs back, and ends")
    perform(agent.end(drains: drains))
    // Nobody hears that jobs are given back where there is no broker.
    if !isConnected, agent.runningJobs.isEmpty { isFinished = true }
  }

  private func stopNow() {
    ChildProgram.killAll()
    isFinished = true
  }

  // MARK: What comes

  private func take(_ event: BrokerEvent) {
    switch event {
    case .connected:
      isConnected = true
      sent = [:]
      Terminal.say("connected: waits for jobs of the queue `\(queue)`")
      perform(agent.connected(at: clock.now, unixTime: unixTime()))
    case .disconnected(let why):
      isConnected = false
      Terminal.say(TerminalText.escaped("no connection to the broker: \(why.message)"))
      if let help = why.help { Terminal.say("help: \(TerminalText.escaped(help))") }
      agent.disconnected()
    case .denied(let id):
      Terminal.say(
        "the broker does not take what this agent publishes: let its access list give it the topics below \(JobTopic.root)/\(queue)/"
      )
      if id == farewell { farewell = nil }
      sent[id] = nil
    case .acknowledged(let id):
      if id == farewell { farewell = nil }
      if let job = sent.removeValue(forKey: id) { perform(agent.delivered(job)) }
    case .message(let message): take(message)
    }
  }

  private func take(_ message: BrokerMessage) {
    guard let topic = JobTopic(message.topic), topic.queue == queue else { return }
    switch topic {
    case .offer(_, let kind):
      guard let envelope = opened(message) else { return }
      do throws(JobOffer.Problem) {
        let offer = try JobOffer(signed: envelope)
        guard offer.kind == kind else { return refuse("an offer for another kind than its topic") }
        perform(agent.take(offer, at: clock.now, unixTime: unixTime()))
      } catch { refuse(error.message) }
    case .lease(_, let id):
      if let lease = JobLease(payload: message.payload) { perform(agent.see(lease, of: id)) }
    case .cancel(_, let id):
      guard let envelope = opened(message) else { return }
      if let cancel = JobCancel(signed: envelope), cancel.id == id { perform(agent.see(cancel)) }
    case .answer, .result, .agent: break
    }
  }

  private func opened(_ message: BrokerMessage) -> SignedEnvelope? {
    do throws(SignedEnvelope.Problem) {
      return try SignedEnvelope(message.payload, on: message.topic, by: keys)
    } catch {
      refuse(error.message)
      return nil
    }
  }

  private func refuse(_ why: String) {
    refusals += 1
    if refusals <= Self.mostTold { Terminal.say("warning: a message is not obeyed: \(TerminalText.escaped(why))") }
  }

  // MARK: What follows

  private func perform(_ effects: [JobAgent.Effect]) { for effect in effects { perform(effect) } }

  private func perform(_ effect: JobAgent.Effect) {
    switch effect {
    case .subscribe(let kind): link.send(.subscribe(JobTopic.sharedOffers(queue: queue, kind: kind)))
    case .unsubscribe(let kind): link.send(.unsubscribe(JobTopic.sharedOffers(queue: queue, kind: kind)))
    case .watch(let job): for topic in topics(of: job) { link.send(.subscribe(topic)) }
    case .unwatch(let job): for topic in topics(of: job) { link.send(.unsubscribe(topic)) }
    case .lease(let job, let lease): retain(JobTopic.lease(queue: queue, job: job), lease.payload)
    case .removeLease(let job): link.send(.publish(.removal(of: JobTopic.lease(queue: queue, job: job).text)))
    case .answer(let job, let answer):
      link.send(.publish(BrokerMessage(JobTopic.answer(queue: queue, job: job).text, answer.payload)))
    case .result(let job, let result): send(result, of: job)
    case .report(let report): retain(JobTopic.agent(queue: queue, agent: name), report.payload)
    case .start(let offer, let device): start(offer, on: device)
    case .stop(let job): works[job]?.cancel()
    case .check(let device): check(device)
    case .tell(let news): Terminal.say(TerminalText.escaped(news.text))
    case .finished: isFinished = true
    }
  }

  private func topics(of job: String) -> [String] {
    [JobTopic.lease(queue: queue, job: job).text, JobTopic.cancel(queue: queue, job: job).text]
  }

  private func retain(_ topic: JobTopic, _ payload: [UInt8]) {
    // Of agents that vanish without a word nothing stays for ever.
    link.send(.publish(BrokerMessage(topic.text, payload, isRetained: true, expiry: JobResult.expiry)))
  }

  private func send(_ result: JobResult, of job: String) {
    let topic = JobTopic.result(queue: queue, job: job).text
    func publish(_ result: JobResult) -> Bool {
      lastID += 1
      sent[lastID] = job
      let message = BrokerMessage(topic, result.payload, isRetained: true, expiry: JobResult.expiry)
      if link.send(.publish(message, id: lastID)) { return true }
      sent[lastID] = nil
      return false
    }
    if publish(result) || !isConnected { return }
    var short = result
    short.archive = []
    short.summary.note = "its archive of \(result.archive.count >> 10) KiB is too much for the connection"
    _ = publish(short)
  }

  private func start(_ offer: JobOffer, on device: LabDevice) {
    let reach = reaches[device.name] ?? .named(device.name)
    works[offer.id] = clock.spawn { [processes] in
      let end = await processes.perform(offer, on: device, by: reach)
      await self.ended(offer.id, end, on: device)
    }
  }

  private func ended(_ job: String, _ end: JobProcess.End, on device: LabDevice) {
    works[job] = nil
    note(end.firmware, of: device)
    perform(agent.ended(job, end.outcome, at: clock.now))
    if agent.runningJobs.isEmpty, !isConnected, agent.report.isEnding { isFinished = true }
  }

  private func check(_ device: LabDevice) {
    let reach = reaches[device.name] ?? .named(device.name)
    let health = health ?? []
    clock.spawn { [processes] in
      let (why, firmware) = await processes.check(device, by: reach, with: health)
      await self.checked(device, why, firmware)
    }
  }

  private func checked(_ device: LabDevice, _ why: String?, _ build: String?) {
    note(build, of: device)
    perform(agent.checked(device.name, why, at: clock.now))
  }

  /// Tells where a device runs other software than the last time.
  private func note(_ build: String?, of device: LabDevice) {
    guard let build else { return }
    let was = firmware.replace(build, of: device.name)
    perform(agent.found(build, was: was, on: device.name))
  }
}

extension JobAgent.News {
  /// For people.
  fileprivate var text: String {
    switch self {
    case .took(let job, let attempt, let device, let sender):
      "\(device): job \(job)\(attempt > 1 ? " (offer \(attempt))" : "")\(sender.isEmpty ? "" : " of \(sender)")"
    case .ended(let job, let device, let exit): "\(device): job \(job) ended with \(exit)"
    case .gaveBack(let job, let why): "job \(job) is given back: \(why)"
    case .yielded(let job, let agent): "job \(job) is stopped: \(agent) has it now"
    case .cancelled(let job): "job \(job) is stopped: nobody waits for it any more"
    case .aside(let device, let why): "\(device) is put aside: \(why)"
    case .fine(let device): "\(device) takes jobs"
    case .firmware(let device, let was, let now): "\(device) has other firmware: \(now), before it \(was)"
    }
  }
}
