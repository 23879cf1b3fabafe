import ArgumentParser
import CastTransport
import RunReporting
import ScenarioLanguage
import ScenarioRunner
import Workspace

/// `run --resume`: goes on with a run that died.
extension RunCommand {
  /// - Returns: The exit code of the run, or of the one that was over.
  func resume() async throws -> ExitCode {
    try ReportTarget.refuseSharedFiles(options.allReports)
    let past = try ResumableRun(selection.files.first, in: options.runs, surroundings: .process) {
      Digest.sha256($0) ?? ""
    }
    let run = past.past.run
    let runs = past.folderOfRuns(asked: options.runs, usual: ReportCommand.usualRuns)
    if let end = past.past.end {
      let reports =
        options.reports.isEmpty ? "" : "; `\(StoredRun.command("report", of: run, in: runs))` makes its reports"
      Terminal.say("run \(run) is over (\(end.result.rawValue)): there is nothing to go on with\(reports)")
      let exit = Int32(exactly: end.exit).flatMap(RunExit.init(rawValue:))
      return ExitCode(exit ?? RunExit.reportNotWritten)
    }
    let document = try past.document { Digest.sha256($0) ?? "" }
    var line = try command(of: past, document)
    line.options.runs = runs
    // Of several documents, those that did not run are still to be run.
    let files = past.series(in: runs)?.documents ?? [document.file]
    let wish = ChosenDocuments.Wish(
      files: files, selection: DocumentSelection(tags: [], only: []), isLastFailed: false)
    let record = LastLineRecord(of: wish, in: runs, surroundings: .process)
    do {
      let code = try await line.resume(past, document, record)
      record.end(code.exit)
      return code
    } catch {
      record.end(ExitCode(any: error).exit)
      throw error
    }
  }

  /// The command line that the run began with; what is told, and where, is for this one to say.
  private func command(of past: ResumableRun, _ document: RunnableDocument) throws -> RunCommand {
    if let option = foreignToResume {
      throw CommandFailure(
        .commandLineWrong, "\(option) is not for --resume: a run is gone on with as it began",
        help: "leave it out, or run the document again: `showcaller run \(ShellWord.quoted(document.file))`")
    }
    let words = try past.stored.arguments().words
    guard words.first == "run", let line = try? RunCommand.parse(Array(words.dropFirst()) + ["--", document.file])
    else {
      throw CommandFailure(
        .documentInvalid, "\(past.folder) has no record of its command line",
        help: "run the document again: `showcaller run \(ShellWord.quoted(document.file))`")
    }
    if line.options.allowExec, !options.allowExec {
      let name = ShellWord.quoted(selection.files.first ?? past.past.run)
      throw CommandFailure(
        .commandLineWrong, "run \(past.past.run) may start programs, and whoever goes on with it allows that anew",
        help: "`showcaller run --resume \(name)\(ResumableRun.option(options.runs)) --allow-exec` goes on with it, "
          + "if you trust what is in \(past.folder)")
    }
    if options.allowExec, !line.options.allowExec {
      throw CommandFailure(
        .commandLineWrong, "--allow-exec is not for --resume: run \(past.past.run) began without it",
        help: "leave it out, or run the document again: `showcaller run \(ShellWord.quoted(document.file))`")
    }
    var command = line
    command.options.tell(as: options)
    command.options.repeats = past.past.begin.repeats
    command.options.jobs = max(1, past.past.begin.jobs)
    command.options.seed = try past.stored.arguments().seed
    command.log = log
    return command
  }

  private func resume(
    _ past: ResumableRun, _ document: RunnableDocument, _ record: LastLineRecord
  ) async throws -> ExitCode {
    let prepared = past.prepared(document, inputs: inputs.given, in: .process)
    try ReportTarget.refuse(options.allReports, over: [document.file] + inputs.given.files)
    let roots = try authentication.trust.readRoots()
    tell(past, document)
    let interruptions = await Interruptions.begin()
    var ready = prepared
    ready.secrets = try await prepared.loader.secrets(
      of: document, allowsCommands: options.allowExec, remembering: GivenSecrets(), until: interruptions)
    var run = DocumentRun(
      options: options, lock: lock, authentication: authentication, roots: roots, seed: options.seed ?? 0,
      interruptions: interruptions, shared: nil, left: [], record: record)
    run.resumed = past
    if options.jobs > 1 { run.jobs = RunJobs(options, documents: 1) }
    return try await run.perform(ready, runID: RunID.make(), series: nil, own: 1).code
  }

  private func tell(_ past: ResumableRun, _ document: RunnableDocument) {
    if past.isTorn { Terminal.say("note: the last record of the journal is not whole, and counts as not written") }
    for source in document.sources {
      guard let now = try? SourceFile(readingFrom: source.name), now.bytes != source.bytes else { continue }
      Terminal.say("note: \(TerminalText.escaped(source.name)) was changed since: the run goes on as it began")
    }
    if options.quiet { return }
    let counts = past.past.work.counts
    let open = counts.open == 0 ? "" : ", \(counts.open) \(counts.open == 1 ? "was" : "were") under way"
    let steps = "\(counts.done) step\(counts.done == 1 ? "" : "s")"
    Terminal.say("note: goes on with run \(past.past.run): \(steps) done\(open)")
  }
}

extension RunCommand {
  /// What decides how a run goes, and is given to one that began already.
  private var foreignToResume: String? {
    let given =
      options.rerunArguments + lock.rerunArguments + inputs.given.rerunArguments + authentication.rerunArguments
    // Whether programs may be started is for each part of a run to say.
    if let option = given.first(where: { $0.hasPrefix("--") && $0 != "--allow-exec" }) { return option }
    // Those that a report tells apart from its command line.
    if options.seed != nil { return "--seed" }
    if !options.row.isEmpty { return "--row" }
    if options.jobs != 1 { return "--jobs" }
    if options.repeats != nil { return "--repeat" }
    return options.shard == nil ? nil : "--shard"
  }
}

extension RunOptions {
  /// Takes over what decides what is told, and where.
  fileprivate mutating func tell(as other: RunOptions) {
    (reports, runs, keep, keepFailed) = (other.reports, other.runs, other.keep, other.keepFailed)
    (verbose, quiet, wire) = (other.verbose, other.quiet, other.wire)
  }
}
