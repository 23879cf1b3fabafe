import CastTransport
import CastProtocol
import FleetJobs
import FleetMessages
import RunReporting
import ScenarioLanguage
import Workspace

/// Runs a document on one device by `run`, in a process of its own: it can be ended, whatever it does.
struct JobProcess: Sendable {
  /// Where the agent keeps what runs leave behind.
  let runs: String
  /// The agent, so that two in one folder do not meet.
  let agent: SiteName
  let allowsPrograms: Bool

  /// A run that is told to end has this long for its `finally`.
  private static let grace = Duration.seconds(60)
  private static let outputLimit = 1 << 20
  private static let textLimit = 16 << 10
  private static let mode: UInt32 = 0o600
  /// The newest runs of the agent stay.
  private static let keptRuns = 100

  /// What came of it.
  struct End: Sendable {
    var outcome: JobOutcome
    /// What the device said it runs.
    var firmware: String?
  }

  /// How a run reaches its device.
  enum Reach: Sendable {
    case named(String)
    case virtual

    var words: [String] {
      switch self {
      case .named(let name): ["--device", name]
      case .virtual: ["--virtual"]
      }
    }
  }

  /// Removes what an agent of this name left that was killed.
  func clean() {
    for name in Files.names(in: runs) where name.hasPrefix(prefix) { RunFolders.discard("\(runs)/\(name)") }
  }

  private var prefix: String { ".job-\(agent)-" }

  /// Does a job to its end; cancelling the task ends it as SIGTERM ends `run`.
  func perform(_ offer: JobOffer, on device: LabDevice, by reach: Reach) async -> End {
    var words = reach.words
    if let speed = offer.speed, case .virtual = reach { words += ["--speed", "\(speed.decimals(6))x"] }
    for row in offer.row { words += ["--row", row] }
    for setting in offer.settings { words += ["--set", setting] }
    if let seed = offer.seed { words += ["--seed", String(seed)] }
    if offer.startsPrograms, allowsPrograms { words.append("--allow-exec") }
    return await perform(
      offer.files, words, called: "\(prefix)\(offer.id)", limit: .seconds(offer.limit), attempt: offer.attempt,
      on: device)
  }

  /// Looks at a device by the health scenario.
  /// - Returns: What is wrong; `nil`: nothing.
  func check(_ device: LabDevice, by reach: Reach, with health: [FleetDocument.File]) async -> (
    why: String?, firmware: String?
  ) {
    let words = reach.words + (allowsPrograms ? ["--allow-exec"] : [])
    let end = await perform(
      health, words, called: "\(prefix)health-\(TopicLevel.of(device.name))", limit: .seconds(600), attempt: 1,
      on: device)
    switch end.outcome {
    case .ended(let result):
      let exit = result.summary.exit
      return (
        exit == 0 ? nil : "its health scenario ended with \(exit)\(result.summary.note.map { ": \($0)" } ?? "")",
        end.firmware
      )
    case .noDevice(let why), .stopped(let why): return (why, end.firmware)
    }
  }

  private func perform(
    _ files: [FleetDocument.File], _ words: [String], called name: String, limit: Duration, attempt: Int,
    on device: LabDevice
  ) async -> End {
    let folder = "\(runs)/\(name)"
    RunFolders.discard(folder)
    defer { RunFolders.discard(folder) }
    let work: String
    do throws(FileError) {
      for file in files {
        let path = "\(folder)/work/\(file.name)"
        try Files.makeFolders(Files.folder(of: path))
        try Files.store(Array(file.text.utf8), at: path, mode: Self.mode)
      }
      work = try Files.realPath(of: "\(folder)/work")
    } catch {
      return End(outcome: .stopped("the agent cannot write \(folder): \(error.message)"))
    }
    // `env -C` goes to the folder and becomes the command: paths of the document are below it.
    let own = (try? Files.realPath(of: "/proc/self/exe")) ?? "/proc/self/exe"
    let command =
      ["env", "-C", work, own, "run", files[0].name, "--runs", "../runs", "--quiet", "--keep-failed"] + words
    var program = ChildProgram(
      command: command, environment: Surroundings.process.environment.entries, outputLimit: Self.outputLimit,
      standardError: .kept(Self.textLimit), limit: limit)
    program.grace = Self.grace
    let began = ContinuousClock.now
    let end = await program.run()
    let seconds = (ContinuousClock.now - began).seconds
    var summary = JobResult.Summary(
      agent: agent.text, device: device.name, attempt: attempt, exit: 0, seconds: seconds)
    let code: RunExit
    switch end {
    case .exited(let status, _, let errors):
      code = RunExit(rawValue: status) ?? .bug
      let told = String(decoding: errors, as: UTF8.self).split(separator: "\n").map(String.init)
      let why = told.first { $0.hasPrefix("error: ") }.map { String($0.dropFirst("error: ".count)) } ?? told.last ?? ""
      switch code {
      case .noDevice, .busy: return End(outcome: .noDevice(why.isEmpty ? code.meaning : String(why.prefix(500))))
      case .interrupted, .terminated: return End(outcome: .stopped("it was interrupted"))
      case .commandLineWrong, .documentInvalid: summary.note = String(why.prefix(500))
      case .passed, .expectationFailed, .stepFailed, .deadlinePassed, .flaky, .reportNotWritten, .bug: break
      }
    case .overdue:
      if Task.isCancelled { return End(outcome: .stopped("it was stopped")) }
      (code, summary.note) = (.deadlinePassed, "it took longer than the job may")
    case .signalled(let number, _): return End(outcome: .stopped("it was ended by signal \(number)"))
    case .tooMuchOutput: return End(outcome: .stopped("it told too much"))
    case .notStarted(let why): return End(outcome: .stopped("it cannot be started: \(why)"))
    }
    summary.exit = Int(code.rawValue)
    return collect(summary, in: "\(folder)/runs")
  }

  /// Keeps the run with the agent's, and packs it for the sender.
  private func collect(_ summary: JobResult.Summary, in folder: String) -> End {
    var summary = summary
    guard let id = StoredRun.ids(in: folder).first else { return End(outcome: .ended(JobResult(summary))) }
    summary.run = id
    var firmware: String?
    do throws(WorkspaceError) {
      let stored = try StoredRun(id, in: folder, surroundings: .process)
      _ = try stored.read { event in
        if case .deviceSoftware(let software) = event.kind { firmware = software.build ?? software.firmware }
      }
      var archive = try RunExport(stored, hash: Digest.sha256).archive()
      if archive.count > JobResult.archiveLimit {
        archive = try RunExport(stored, hash: Digest.sha256, hasPictures: false).archive()
        summary.note = "its pictures stay with the agent, as run \(id)"
      }
      do throws(FileError) {
        try Files.move("\(folder)/\(id)", to: "\(runs)/\(id)")
        RunFolders(
          path: runs, count: Self.keptRuns, keepsFailed: false, own: id, ownPassed: summary.exit == 0,
          now: Surroundings.process.unixTime()
        ).prune()
      } catch {
        Terminal.say("warning: run \(id) is not kept here: \(TerminalText.escaped(error.message))")
      }
      return End(outcome: .ended(JobResult(summary, archive: archive)), firmware: firmware)
    } catch {
      summary.note = "its run cannot be sent: \(error.message)"
      return End(outcome: .ended(JobResult(summary)), firmware: firmware)
    }
  }
}
