package import FleetMessages

/// An agent of a lab: which jobs its devices take and keep; pure, with the time (since any moment) and Unix time as inputs.
///
/// A device has one job at most. Only while one is free the agent is subscribed to the offers of its kinds.
package struct JobAgent: Sendable {
  package struct Options: Hashable, Sendable {
    package var name: SiteName
    /// Of Showcaller.
    package var version = ""
    /// Whether jobs may start programs.
    package var allowsPrograms = false
    /// Whether there is a scenario that says how a device is.
    package var checksHealth = false
    /// When a device that is aside is looked at again.
    package var patience = Duration.seconds(300)

    package init(name: SiteName) { self.name = name }
  }

  package enum Effect: Hashable, Sendable {
    /// To the offers of a kind, with the others of the queue.
    case subscribe(kind: String)
    case unsubscribe(kind: String)
    /// To what is said of a job: its lease and its cancelling.
    case watch(job: String)
    case unwatch(job: String)
    case lease(job: String, JobLease)
    case removeLease(job: String)
    case answer(job: String, JobAnswer)
    /// Publish it, and tell when the broker has it.
    case result(job: String, JobResult)
    case report(AgentReport)
    case start(JobOffer, on: LabDevice)
    /// End its run, as an interruption does.
    case stop(job: String)
    case check(LabDevice)
    case tell(News)
    /// It has nothing left to do.
    case finished
  }

  package enum News: Hashable, Sendable {
    case took(job: String, attempt: Int, device: String, sender: String)
    case ended(job: String, device: String, exit: Int)
    case gaveBack(job: String, why: String)
    case yielded(job: String, to: String)
    case cancelled(job: String)
    case aside(device: String, why: String)
    case fine(device: String)
    case firmware(device: String, was: String, is: String)
  }

  private enum DeviceState: Hashable, Sendable {
    case unchecked, checking, free
    case busy(job: String)
    case aside(why: String, until: Duration)
  }

  private enum JobState: Hashable, Sendable {
    case running
    /// It is being stopped: another has it, or nobody wants it.
    case dropped
    /// It is being stopped, and somebody else is to have it.
    case returning(String)
  }

  private struct Job: Sendable {
    var offer: JobOffer
    var device: String
    var state: JobState
    var renewed: Duration
  }

  /// How many jobs are remembered, so that none is taken twice.
  private static let memory = 10_000

  private let options: Options
  private var devices: [(device: LabDevice, state: DeviceState)]
  private var jobs: [String: Job] = [:]
  /// Results that the broker does not have yet.
  private var results: [String: JobResult] = [:]
  /// The last attempt of each job that was here, and their order.
  private var seen: [String: Int] = [:]
  private var order: [String] = []
  private var subscribed: Set<String> = []
  private var isConnected = false
  private var isEnding = false

  package init(_ options: Options, devices: [LabDevice]) {
    self.options = options
    self.devices = devices.map { ($0, options.checksHealth ? .unchecked : .free) }
  }

  package var runningJobs: [String] { jobs.keys.sorted() }

  /// When ``advance(to:unixTime:)`` has something to do again.
  package var next: Duration? {
    var times = jobs.values.filter { $0.state == .running }.map { $0.renewed + JobLease.renewal }
    for case (_, .aside(_, let until)) in devices where !isEnding { times.append(until) }
    if !isEnding, devices.contains(where: { $0.state == .unchecked }) { times.append(.zero) }
    return times.min()
  }

  // MARK: What happens

  package mutating func advance(to now: Duration, unixTime: Double) -> [Effect] {
    var effects: [Effect] = []
    for (id, job) in jobs.sorted(by: { $0.key < $1.key })
    where job.state == .running && now >= job.renewed + JobLease.renewal {
      jobs[id]?.renewed = now
      effects.append(.lease(job: id, lease(of: job, unixTime)))
    }
    if isEnding { return effects }
    var hasChanged = false
    for index in devices.indices {
      switch devices[index].state {
      case .unchecked: break
      case .aside(_, let until) where now >= until: break
      case .aside, .checking, .free, .busy: continue
      }
      hasChanged = true
      if options.checksHealth {
        devices[index].state = .checking
        effects.append(.check(devices[index].device))
      } else {
        devices[index].state = .free
        effects.append(.tell(.fine(device: devices[index].device.name)))
      }
    }
    return effects + (hasChanged ? changed() : [])
  }

  /// The broker may have forgotten all, and so have we been forgotten.
  package mutating func connected(at now: Duration, unixTime: Double) -> [Effect] {
    isConnected = true
    subscribed = []
    var effects: [Effect] = []
    for (id, job) in jobs.sorted(by: { $0.key < $1.key }) where job.state == .running {
      // The lease comes after the subscription: that of another with a later attempt is seen, too.
      effects += [.watch(job: id), .lease(job: id, lease(of: job, unixTime))]
      jobs[id]?.renewed = now
    }
    for (id, result) in results.sorted(by: { $0.key < $1.key }) { effects.append(.result(job: id, result)) }
    return effects + changed()
  }

  package mutating func disconnected() { isConnected = false }

  /// A job that was signed by one of our operators.
  package mutating func take(_ offer: JobOffer, at now: Duration, unixTime: Double) -> [Effect] {
    if let job = jobs[offer.id] {
      // The sender has not seen our lease, and offered again: it is ours with the new number as well.
      guard job.state == .running, offer.attempt >= job.offer.attempt else { return [] }
      jobs[offer.id]?.offer.attempt = offer.attempt
      remember(offer)
      return [.lease(job: offer.id, lease(of: jobs[offer.id] ?? job, unixTime))]
    }
    if let last = seen[offer.id], last >= offer.attempt { return [] }
    if let result = results[offer.id] { return [.result(job: offer.id, result)] }
    if let problem = offer.problem(at: unixTime) { return answer(offer, .unfit, problem.message) }
    if isEnding { return answer(offer, .busy, "it is ending") }
    if offer.startsPrograms, !options.allowsPrograms {
      return answer(offer, .unfit, "the scenario starts programs, which this agent does not allow (--allow-exec)")
    }
    let fitting = devices.indices.filter { devices[$0].device.problem(with: offer) == nil }
    if fitting.isEmpty {
      let reasons = devices.prefix(3).map { "\($0.device.name): \($0.device.problem(with: offer) ?? "")" }
      return answer(offer, .unfit, reasons.isEmpty ? "it has no device" : reasons.joined(separator: "; "))
    }
    guard let index = fitting.first(where: { devices[$0].state == .free }) else {
      return answer(offer, .busy, "no device of this kind is free")
    }
    let device = devices[index].device
    devices[index].state = .busy(job: offer.id)
    let job = Job(offer: offer, device: device.name, state: .running, renewed: now)
    jobs[offer.id] = job
    remember(offer)
    let news = News.took(job: offer.id, attempt: offer.attempt, device: device.name, sender: offer.sender)
    return [
      .watch(job: offer.id), .lease(job: offer.id, lease(of: job, unixTime)), .start(offer, on: device), .tell(news),
    ] + changed()
  }

  /// Somebody says that it has a job of ours.
  package mutating func see(_ lease: JobLease, of id: String) -> [Effect] {
    guard let job = jobs[id], job.state == .running, lease.agent != options.name.text,
      lease.outranks(self.lease(of: job, 0))
    else { return [] }
    jobs[id]?.state = .dropped
    return [.stop(job: id), .tell(.yielded(job: id, to: lease.agent))]
  }

  /// A sender that was checked wants a job no more.
  package mutating func see(_ cancel: JobCancel) -> [Effect] {
    if results.removeValue(forKey: cancel.id) != nil { return [] }
    guard let job = jobs[cancel.id], job.state != .dropped, cancel.attempt >= job.offer.attempt else { return [] }
    let wasRunning = job.state == .running
    jobs[cancel.id]?.state = .dropped
    return (wasRunning ? [.stop(job: cancel.id)] : [])
      + [.removeLease(job: cancel.id), .tell(.cancelled(job: cancel.id))]
  }

  /// A run that was started is over.
  package mutating func ended(_ id: String, _ outcome: JobOutcome, at now: Duration) -> [Effect] {
    guard let job = jobs.removeValue(forKey: id) else { return [] }
    var effects: [Effect] = []
    var isBad: String?
    switch (outcome, job.state) {
    case (_, .dropped): break
    case (.ended(var result), _):
      result.summary.attempt = job.offer.attempt
      results[id] = result
      effects += [.result(job: id, result), .tell(.ended(job: id, device: job.device, exit: result.summary.exit))]
      // 1 is what the scenario found out; 4 and more may be the device.
      if ![0, 1, 3, 7].contains(result.summary.exit) { isBad = "a run ended with \(result.summary.exit)" }
    case (.noDevice(let why), let state), (.stopped(let why), let state):
      let told = if case .returning(let why) = state { why } else { why }
      effects += [
        .answer(
          job: id,
          JobAnswer(agent: options.name.text, attempt: job.offer.attempt, kind: .returned, why: told)),
        .removeLease(job: id), .tell(.gaveBack(job: id, why: told)),
      ]
      if case .noDevice = outcome { isBad = why }
    }
    effects.append(.unwatch(job: id))
    release(job.device, isBad: isBad, outcome: outcome, at: now, &effects)
    return effects + changed() + endIfDone()
  }

  /// The broker has the result of a job.
  package mutating func delivered(_ id: String) -> [Effect] {
    guard results.removeValue(forKey: id) != nil else { return [] }
    return [.removeLease(job: id)] + endIfDone()
  }

  /// A device has been looked at.
  /// - Parameters:
  ///   - why: What is wrong; `nil`: nothing.
  package mutating func checked(_ name: String, _ why: String?, at now: Duration) -> [Effect] {
    guard let index = devices.firstIndex(where: { $0.device.name == name }), devices[index].state == .checking else {
      return []
    }
    var effects: [Effect] = []
    if let why {
      devices[index].state = .aside(why: why, until: now + options.patience)
      effects.append(.tell(.aside(device: name, why: why)))
    } else {
      devices[index].state = .free
      effects.append(.tell(.fine(device: name)))
    }
    return effects + changed()
  }

  /// A device has said which software it runs.
  /// - Parameter was: What it ran the last time that this agent knows of.
  package mutating func found(_ firmware: String, was: String?, on name: String) -> [Effect] {
    guard let index = devices.firstIndex(where: { $0.device.name == name }) else { return [] }
    if devices[index].device.firmware == firmware { return [] }
    devices[index].device.firmware = firmware
    let isOther = was.map { $0 != firmware } ?? false
    return (isOther ? [.tell(.firmware(device: name, was: was ?? "", is: firmware))] : []) + changed()
  }

  /// It takes no more jobs.
  /// - Parameter drains: Whether those that it has are brought to their ends, or given back.
  package mutating func end(drains: Bool) -> [Effect] {
    isEnding = true
    var effects: [Effect] = []
    if !drains {
      for (id, job) in jobs.sorted(by: { $0.key < $1.key }) where job.state == .running {
        jobs[id]?.state = .returning("the agent ends")
        effects.append(.stop(job: id))
      }
    }
    return effects + changed() + endIfDone()
  }

  // MARK: What follows from it

  private mutating func release(
    _ name: String, isBad why: String?, outcome: JobOutcome, at now: Duration, _ effects: inout [Effect]
  ) {
    guard let index = devices.firstIndex(where: { $0.device.name == name }) else { return }
    guard let why else {
      devices[index].state = .free
      return
    }
    if options.checksHealth, !isEnding {
      devices[index].state = .checking
      effects.append(.check(devices[index].device))
    } else if case .noDevice = outcome {
      devices[index].state = .aside(why: why, until: now + options.patience)
      effects.append(.tell(.aside(device: name, why: why)))
    } else {
      devices[index].state = .free
    }
  }

  private func answer(_ offer: JobOffer, _ kind: JobAnswer.Kind, _ why: String) -> [Effect] {
    [.answer(job: offer.id, JobAnswer(agent: options.name.text, attempt: offer.attempt, kind: kind, why: why))]
  }

  private func lease(of job: Job, _ unixTime: Double) -> JobLease {
    JobLease(
      agent: options.name.text, attempt: job.offer.attempt, device: job.device,
      until: Int(unixTime) + Int(JobLease.life.components.seconds))
  }

  private mutating func remember(_ offer: JobOffer) {
    if seen.updateValue(offer.attempt, forKey: offer.id) == nil { order.append(offer.id) }
    if order.count > Self.memory { seen[order.removeFirst()] = nil }
  }

  /// The kinds of free devices, and the report.
  private mutating func changed() -> [Effect] {
    guard isConnected else { return [] }
    let free = devices.filter { $0.state == .free }.flatMap(\.device.kinds)
    let wanted = isEnding ? [] : Set(free)
    let effects =
      wanted.subtracting(subscribed).sorted().map { Effect.subscribe(kind: $0) }
      + subscribed.subtracting(wanted).sorted().map { Effect.unsubscribe(kind: $0) }
    subscribed = wanted
    return effects + [.report(report)]
  }

  private mutating func endIfDone() -> [Effect] { isEnding && jobs.isEmpty && results.isEmpty ? [.finished] : [] }

  /// The report of the agent.
  package var report: AgentReport {
    let all = devices.map { device, state in
      var told = AgentReport.Device(name: device.name, kinds: device.kinds, state: .free)
      (told.id, told.model, told.firmware) = (device.id, device.model, device.firmware)
      switch state {
      case .free: break
      case .unchecked, .checking: told.state = .checking
      case .busy(let job): (told.state, told.job) = (.busy, job)
      case .aside(let why, _): (told.state, told.why) = (.aside, why)
      }
      return told
    }
    return AgentReport(agent: options.name.text, version: options.version, devices: all, isEnding: isEnding)
  }
}
