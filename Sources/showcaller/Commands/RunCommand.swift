import ArgumentParser
import ScenarioLanguage
import RunReporting
import ScenarioRunner
import Workspace

/// `showcaller run`: runs scenarios on the devices they name, or on virtual receivers, and exits with the verdict.
struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run scenarios on the devices they name, or on virtual receivers.",
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
  @OptionGroup var log: LogOptions

  func run() async throws {
    let code = try await WrittenReports.explaining(options.reports, of: selection.name) { try await perform() }
    throw code
  }

  /// - Returns: The exit code of a run that began, or of which nothing was left to do.
  /// - Throws: Why none did.
  private func perform() async throws -> ExitCode {
    try WrittenReports.refuseSharedFiles(options.reports)
    let roots = try authentication.trust.readRoots()
    let chosen = try ChosenDocuments.choose(selection, inputs: inputs, runs: options.runs)
    tell(chosen)
    var documents = try chosen.areSeveral ? prepareAll(of: chosen) : chosen.documents.map { try prepare($0) }
    // From here on programs may run that a signal has to end.
    let interruptions = await Interruptions.begin()
    let given = GivenSecrets()
    for index in documents.indices {
      documents[index].secrets = try await documents[index].loader.secrets(
        of: documents[index].runnable, allowsCommands: options.allowExec, remembering: given, until: interruptions)
    }
    var system = SystemRandomNumberGenerator()
    let run = DocumentRun(
      options: options, lock: lock, authentication: authentication, roots: roots,
      seed: options.seed ?? UInt64.random(in: 0...UInt64(UInt32.max), using: &system), interruptions: interruptions,
      shared: chosen.areSeveral ? try WrittenSeries(options.reports, name: selection.name) : nil)
    if let shared = run.shared { return await SeriesRun(documents, by: run, reportingTo: shared).perform() }
    return try await run.perform(documents[0], runID: RunID.make(), series: nil, own: 1).code
  }

  private func tell(_ chosen: ChosenDocuments) {
    // Where nothing is run, that is all there is to say.
    if options.quiet, !chosen.documents.isEmpty { return }
    for note in chosen.notes { Terminal.say(TerminalText.escaped(chosen.documents.isEmpty ? note : "note: \(note)")) }
  }

  // MARK: before the first run

  /// Checks a document, and puts the devices of the command line into it.
  /// - Throws: Exit code 3 when it is invalid, 2 when it does not fit the command line.
  private func prepare(_ document: ChosenDocuments.Document) throws -> PreparedDocument {
    let loader = document.loader
    let whole = try loader.runnable(
      to: "run", row: options.row, allowsPrograms: options.allowExec, device: options.ownDevice)
    return try prepare(whole, by: loader)
  }

  private func prepare(_ whole: RunnableDocument, by loader: DocumentLoader) throws -> PreparedDocument {
    var runnable = whole
    if options.isVirtual {
      try options.refuseOtherDevices(of: runnable, from: loader.file)
    } else {
      try runnable.changeRows { try options.chooseDevice(of: &$0) }
    }
    if inputs.noSecrets, !runnable.secrets.isEmpty {
      throw CommandFailure(.commandLineWrong, "a run needs the secrets of its document: leave out --no-secrets")
    }
    try loader.refuse(runnable.localMediaRefusals, in: runnable)
    return PreparedDocument(loader: loader, runnable: runnable)
  }

  /// Checks all documents: none is run while one of them is wrong.
  private func prepareAll(of chosen: ChosenDocuments) throws -> [PreparedDocument] {
    var shared = try SharedInputs(inputs)
    try DocumentLoader.refuseMalformed(row: options.row)
    let problems = SharedProblems(variableFiles: inputs.variableFiles)
    var prepared: [PreparedDocument] = []
    var failures: [CommandFailure] = []
    var isInvalid = false
    var chosenRows: [String] = []
    for document in chosen.documents {
      do {
        var loader = document.loader
        loader.tell = { problems.tell($0, $1) }
        if let source = loader.source { loader.inputs = try shared.own(of: source) }
        let whole = try loader.scenario(to: "run", device: options.ownDevice)
        // `--row` chooses among the rows of all documents.
        guard let runnable = whole.withoutRows(document.passedRows).withRows(fitting: options.row) else { continue }
        if runnable.rows.count < whole.rows.count {
          chosenRows.append("\(whole.file): \(runnable.rows.count) of \(whole.rows.count) rows")
        }
        try loader.refuseUnrunnable(runnable, allowsPrograms: options.allowExec)
        prepared.append(try prepare(runnable, by: loader))
      } catch {
        if let failure = CommandFailure(any: error) {
          failures.append(failure)
        } else if error as? ExitCode == .documentInvalid {
          isInvalid = true
        } else {
          throw error
        }
      }
    }
    problems.tellStrangers(among: chosen.documents.count)
    try CommandFailure.throwWorst(of: failures + shared.failures)
    if isInvalid { throw ExitCode.documentInvalid }
    if prepared.isEmpty, !chosen.documents.isEmpty {
      throw CommandFailure(
        .commandLineWrong,
        "no document has a row that fits \(options.row.map { "--row \($0)" }.joined(separator: " "))",
        help: "`showcaller plan FILE` lists the rows of a document")
    }
    if !options.quiet { for rows in chosenRows { Terminal.say("note: \(TerminalText.escaped(rows))") } }
    return prepared
  }
}
