import ArgumentParser
import CastProtocol
import ScenarioLanguage
import RunReporting
import ScenarioRunner
import Workspace

/// `showcaller run`: runs scenarios on the devices they name, or on virtual receivers, and exits with the verdict.
struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", _superCommandName: ShowcallerCommand.name,
    abstract: "Run scenarios on the devices they name, or on virtual receivers.",
    discussion: """
      Exits 0 when all passed, 1 when an expectation failed, 3 for an invalid document, 4 without a device, 5 when a \
      step failed for another reason, 6 when a deadline passed, 75 when another run has the device, 130 after Ctrl-C \
      (finally did run). Of several documents the worst counts.
      """)

  @OptionGroup var selection: SelectionOptions
  @OptionGroup var inputs: InputOptions
  @OptionGroup var options: RunOptions
  @OptionGroup var lock: LockOptions
  @OptionGroup var authentication: AuthOptions
  @OptionGroup(title: "Labs") var lab: LabOptions
  @OptionGroup var log: LogOptions

  func run() async throws {
    if selection.resume {
      if lab.queue != nil {
        throw CommandFailure(
          .commandLineWrong, "--resume is not for --queue", help: "a lab offers what was lost again by itself")
      }
      let code = try await NoRun.explaining(in: options.allReports, of: "run --resume") { try await resume() }
      throw code
    }
    let record = LastLineRecord(of: selection.wish, in: options.runs, surroundings: .process)
    let code: ExitCode
    var hasNothingToRun = false
    do {
      code = try await NoRun.explaining(in: options.allReports, of: selection.name) {
        try await perform(record, &hasNothingToRun)
      }
    } catch {
      record.end(ExitCode(any: error).exit)
      throw error
    }
    // Where a part of all is empty, this computer has run nothing, and knows of no failure.
    if !hasNothingToRun { record.end(code.exit) }
    throw code
  }

  /// - Parameter hasNothingToRun: Whether the part of all that is asked for is empty.
  /// - Returns: The exit code of a run that began, or of which nothing was left to do.
  /// - Throws: Why none did.
  private func perform(_ record: LastLineRecord, _ hasNothingToRun: inout Bool) async throws -> ExitCode {
    try ReportTarget.refuseSharedFiles(options.allReports)
    try ReportTarget.refuse(options.allReports, over: selection.files + inputs.given.files)
    let roots = try authentication.trust.readRoots()
    var inputs = inputs.given
    inputs.receiversAreHere =
      !options.pages.isEmpty || options.host.map { URLScalar.isLoopback($0.host) } ?? false
    let (faults, libraries) = try options.faults.read(beside: inputs)
    let laboratory = lab.queue.map { LabRun(options: options, lab: lab, queue: $0) }
    try laboratory?.validate(inputs)
    let chosen = try ChosenDocuments.choose(selection.wish, inputs: inputs, runs: options.runs, in: .process)
    tell(chosen)
    var preparation = RunPreparation(inputs: inputs, devices: options.deviceChoice, in: .process)
    preparation.row = options.row
    preparation.allowsPrograms = options.allowExec
    preparation.isQuiet = options.quiet
    preparation.reports = options.allReports
    var documents = try preparation.prepare(chosen)
    let left = chosen.left(beside: documents)
    var isOneOfSeveral = chosen.areSeveral
    if let shard = options.shard, !documents.isEmpty {
      let (all, own) = shard.choose(from: &documents, repeats: options.repeats ?? 1)
      hasNothingToRun = own == 0
      tell(shard, all, own)
      // What is empty has reports of nothing.
      if own == 0 { isOneOfSeveral = true }
    }
    try options.checkPages(documents.map(\.runnable), faults)
    // From here on programs may run that a signal has to end.
    let interruptions = await Interruptions.begin()
    if let laboratory {
      return try await laboratory.perform(documents, of: selection.name, record: record, until: interruptions)
    }
    let given = GivenSecrets()
    for index in documents.indices {
      documents[index].secrets = try await documents[index].loader.secrets(
        of: documents[index].runnable, allowsCommands: options.allowExec, remembering: given, until: interruptions)
    }
    var system = SystemRandomNumberGenerator()
    var run = DocumentRun(
      options: options, lock: lock, authentication: authentication, roots: roots,
      seed: options.seed ?? UInt64.random(in: 0...UInt64(UInt32.max), using: &system), interruptions: interruptions,
      shared: isOneOfSeveral ? try SeriesReportFiles(options.allReports, of: selection.name, in: .process) : nil,
      left: left, record: record)
    run.faults = faults
    run.libraries = libraries
    if options.jobs > 1 { run.jobs = RunJobs(options, documents: documents.count) }
    if let shared = run.shared { return await run.perform(documents, reportingTo: shared) }
    return try await run.perform(documents[0], runID: RunID.make(), series: nil, own: 1).code
  }

  private func tell(_ shard: RunShard, _ all: Int, _ own: Int) {
    if options.quiet, own > 0 { return }
    let scenarios = "\(all) scenario\(all == 1 ? "" : "s")"
    Terminal.say(
      own == 0
        ? "nothing to run: part \(shard.text) of \(scenarios) is empty"
        : "note: part \(shard.text): \(own) of \(scenarios)")
  }

  private func tell(_ chosen: ChosenDocuments) {
    // Where nothing is run, that is all there is to say.
    if options.quiet, !chosen.documents.isEmpty { return }
    for note in chosen.notes { Terminal.say(TerminalText.escaped(chosen.documents.isEmpty ? note : "note: \(note)")) }
  }
}
