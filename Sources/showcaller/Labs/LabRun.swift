import ArgumentParser
import CastProtocol
import CastTransport
import FleetJobs
import FleetMessages
import RunReporting
import ScenarioLanguage
import ScenarioRunner
import Synchronization
import Workspace

/// `run --queue`: the documents of a command line, run by the agents of a lab.
struct LabRun {
  let options: RunOptions
  let lab: LabOptions
  let queue: SiteName

  /// Refuses what means nothing where another computer runs it.
  func validate(_ inputs: GivenInputs) throws {
    func refuse(_ isThere: Bool, _ option: String, _ help: String) throws {
      if isThere { throw CommandFailure(.commandLineWrong, "\(option) is not for --queue", help: help) }
    }
    try refuse(options.host != nil, "--host", "agents know their devices: use --device or --kind")
    try refuse(!options.pages.isEmpty, "--receiver", "give the agents devices that show the page")
    try refuse(!options.faults.files.isEmpty, "--faults", "run it here: leave out --queue")
    try refuse(options.jobs > 1, "--jobs", "a lab runs as many at the same time as it has devices: leave it out")
    try refuse(options.wire, "--wire", "`report` tells it of the stored run: leave it out")
    try refuse(!inputs.variableFiles.isEmpty, "--vars", "give the values with --set")
    try refuse(
      !inputs.secrets.isEmpty, "--secret", "an agent reads secrets itself, where `secrets:` of the document says")
  }

  /// - Returns: The exit code of all.
  func perform(
    _ documents: [PreparedDocument], of name: String, record: LastLineRecord, until line: InterruptionLine
  ) async throws -> ExitCode {
    let jobs = try LabJobs(options: options, lab: lab).make(of: documents)
    let key = try lab.key()
    let link = try lab.broker.connect(
      as: "showcaller-run-\(RunID.make())", messageLimit: JobResult.messageLimit)
    let outcome = Mutex(Outcome(count: jobs.count))
    let session = LabSession(
      jobs, limits: lab.limits, queue: queue, key: key, link: link, clock: TimeSource(ContinuousClock()),
      unixTime: Surroundings.process.unixTime,
      tell: { [options] place, news in
        guard !options.quiet else { return }
        Terminal.say(TerminalText.escaped("\(Self.head(place, jobs)): \(news.text)"))
      },
      done: { [options] place, end in outcome.withLock { $0.take(end, of: jobs, at: place, options) } })
    let (interruptions, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let watch = TimeSource(ContinuousClock()).spawn { for await _ in line.stream() { continuation.yield() } }
    await session.run(until: interruptions)
    watch.cancel()
    let state = await (session.agents, session.failure)
    let ended = outcome.withLock { $0 }
    ended.tellAgents(state.0, state.1, queue, lab)
    if let first = ended.runs.compactMap(\.self).first { record.began(first.run) }
    return try report(ended, of: name)
  }

  static func head(_ place: Int, _ jobs: [LabJobs.Job]) -> String {
    jobs.count == 1 ? jobs[place].label : "job \(place + 1) of \(jobs.count): \(jobs[place].label)"
  }

  /// Writes the reports of all, and the line of what they came to.
  private func report(_ ended: Outcome, of name: String) throws -> ExitCode {
    let runs = ended.runs.compactMap { $0?.stored }
    var exits = ended.exits
    var failures: [String] = []
    if runs.count == 1, ended.notRun.isEmpty {
      let (sources, _) = try runs[0].readSources()
      let shown = runs[0].reportSources(sources, hash: Digest.sha256, resumingIn: options.runs)
      let files = try options.allReports.map { try RemadeReport($0, sources: shown, in: .process) }
      _ = try runs[0].read { event in for file in files { file.record(event) } }
      failures = files.compactMap { $0.finish() }
    } else if !options.allReports.isEmpty {
      failures = try MergedRuns(runs).write(
        options.allReports, hash: Digest.sha256, in: .process, notRun: ended.notRun)
    }
    for failure in failures { Terminal.tell(failure) }
    if !failures.isEmpty { exits.append(.reportNotWritten) }
    if ended.exits.count > 1 {
      let passed = ended.exits.count { $0 == .passed }
      Terminal.say("\(passed) of \(ended.exits.count) jobs passed")
    }
    let exit = RunExit.worst(of: exits)
    if let last = ended.runs.compactMap({ $0?.run }).max() {
      RunFolders(
        path: options.runs, count: max(options.keep, runs.count), keepsFailed: options.keepFailed, own: last,
        ownPassed: exit == .passed, now: Surroundings.process.unixTime()
      ).prune()
    }
    return ExitCode(exit)
  }

  /// What the jobs came to.
  struct Outcome: Sendable {
    var runs: [(run: String, stored: StoredRun)?]
    var exits: [RunExit] = []
    var notRun: [(notice: RunNotice, exit: RunExit)] = []
    var hasNoAgent = false

    init(count: Int) { runs = Array(repeating: nil, count: count) }

    mutating func take(_ end: LabSession.End, of jobs: [LabJobs.Job], at place: Int, _ options: RunOptions) {
      let job = jobs[place]
      switch end {
      case .failed(let failure): fail(job, place, jobs, failure.exit, failure.message)
      case .result(let result, let tries):
        let summary = result.summary
        let exit = RunExit(rawValue: Int32(clamping: summary.exit)) ?? .bug
        let more = tries > 1 ? ", the \(tries == 2 ? "2nd" : tries == 3 ? "3rd" : "\(tries)th") agent that had it" : ""
        if !options.quiet || exit != .passed {
          let line =
            "\(LabRun.head(place, jobs)): exit \(summary.exit), by \(summary.agent) on \(summary.device)\(more)"
          Terminal.say(TerminalText.escaped(line))
        }
        if let note = summary.note { Terminal.say("note: \(TerminalText.escaped(note))") }
        guard let run = summary.run, !result.archive.isEmpty else {
          return fail(job, place, jobs, exit == .passed ? .reportNotWritten : exit, "the agent sent no run")
        }
        do throws(WorkspaceError) {
          let stored = try ReceivedRun.store(
            result.archive, run: run, in: options.runs, surroundings: .process)
          let (told, hash) = try Self.tellVerdict(of: stored, options)
          guard hash == Digest.sha256(Array(job.offer.files[0].text.utf8)) else {
            return fail(job, place, jobs, .stepFailed, "\(summary.agent) ran another document: \(run)")
          }
          // What the events say counts: who sent the line need not be who ran it.
          runs[place] = (run, stored)
          exits.append(RunExit.worst(of: [exit, told ?? .stepFailed]))
        } catch {
          fail(job, place, jobs, error.exit, error.message)
        }
      }
    }

    private mutating func fail(
      _ job: LabJobs.Job, _ place: Int, _ jobs: [LabJobs.Job], _ exit: RunExit, _ message: String
    ) {
      Terminal.tell("\(LabRun.head(place, jobs)): \(message)")
      exits.append(exit)
      if exit == .noDevice { hasNoAgent = true }
      notRun.append((RunNotice(of: job.file, .notRun, message, at: Surroundings.process.unixTime()), exit))
    }

    /// Prints what `run -q` prints of a run, from its events.
    /// - Returns: The exit code that they have, and the hash of the document.
    private static func tellVerdict(
      of stored: StoredRun, _ options: RunOptions
    ) throws(WorkspaceError) -> (exit: RunExit?, hash: String?) {
      var style = ConsoleReport.Style()
      style.level = .quiet
      style.hasColor = Terminal.usesColor(on: Terminal.errorIsTTY)
      style.eventsPath = stored.path
      let (sources, _) = try stored.readSources()
      style.sources = stored.reportSources(sources, hash: Digest.sha256).texts
      let console = ConsoleReport(style, offeringTo: { StandardError.offer($0, isVerdict: $1) })
      var exit: RunExit?
      var hash: String?
      _ = try stored.read { event in
        console.record(event)
        if case .runStarted(let started) = event.kind { hash = started.documents.first?.sha256 }
        if case .runFinished(let finished) = event.kind { exit = RunExit(rawValue: Int32(clamping: finished.exit)) }
      }
      console.endOfStream()
      return (exit, hash)
    }

    /// Says who is there, where nobody took a job.
    func tellAgents(_ agents: [SiteName: AgentReport], _ failure: BrokerFailure?, _ queue: SiteName, _ lab: LabOptions)
    {
      guard hasNoAgent else { return }
      if let failure {
        Terminal.say(TerminalText.escaped("note: there is no connection to the broker: \(failure.message)"))
        if let help = failure.help { Terminal.say("help: \(TerminalText.escaped(help))") }
        return
      }
      let kinds = Set(agents.values.flatMap { $0.devices.flatMap(\.kinds) }).sorted()
      let there =
        agents.isEmpty ? "no agent" : "agents for \(kinds.isEmpty ? "nothing" : kinds.joined(separator: ", "))"
      Terminal.say(TerminalText.escaped("note: the queue `\(queue)` has \(there)"))
      for (name, report) in agents.sorted(by: { $0.key < $1.key }).prefix(20) {
        for device in report.devices.prefix(20) {
          let why = device.why.map { ": \($0)" } ?? ""
          Terminal.say(TerminalText.escaped("note: \(name): \(device.name) is \(device.state.rawValue)\(why)"))
        }
      }
      if agents.isEmpty {
        Terminal.say("help: start one where the devices are: `showcaller fleet work --queue \(queue) ...`")
      }
    }
  }
}

extension JobSender.News {
  /// For people, behind the name of the job.
  fileprivate var text: String {
    switch self {
    case .began(let agent, let device): "\(agent) runs it on \(device)"
    case .lost(let agent): "\(agent) is not heard of any more; it is offered again"
    case .returned(let agent, let why): "\(agent) gave it back: \(why)"
    case .declined(let agent, let why): "\(agent) does not take it: \(why)"
    }
  }
}

extension JobSender.Failure {
  fileprivate var exit: RunExit {
    switch self {
    case .noAgent, .unfit: .noDevice
    case .lost: .stepFailed
    case .overdue: .deadlinePassed
    case .cancelled: SignalWatch.first?.exit ?? .interrupted
    }
  }

  fileprivate var message: String {
    switch self {
    case .noAgent(let waited):
      "no agent has a device for it, for \(Duration.seconds(waited.components.seconds).spelled)"
    case .unfit(let reasons): "no agent takes it: \(reasons.prefix(5).joined(separator: "; "))"
    case .lost(let tries, let last): "\(tries) agents had it and did not bring it to an end; the last: \(last)"
    case .overdue: "its time is over (--timeout)"
    case .cancelled: "interrupted"
    }
  }
}
