package import CastProtocol
package import RunReporting
package import ScenarioLanguage

/// A document that can be run, and what the command line adds to it.
package struct PreparedDocument: Sendable {
  package let loader: DocumentLoader
  package internal(set) var runnable: RunnableDocument
  /// Whether not all rows of its matrix are run.
  package var hasChosenRows = false
  /// The repeats of each row that are run, from 1; `nil`: all.
  package internal(set) var chosenRepeats: [[Int]]?
  /// Rows that did not pass the last time and are left out now.
  package var leftRows: [JSONObject] = []
  package var secrets = Secrets()
}

/// Checks the documents of a command line before the first of them is run, and puts its devices into them.
package struct RunPreparation: Sendable {
  package var inputs: GivenInputs
  package var devices: DeviceChoice
  /// `--row`.
  package var row: [String] = []
  package var allowsPrograms = false
  /// What is to be written, and not over what is read.
  package var reports: [ReportTarget] = []
  /// Whether notes are left out.
  package var isQuiet = false
  private let surroundings: Surroundings

  package init(inputs: GivenInputs, devices: DeviceChoice, in surroundings: Surroundings) {
    self.inputs = inputs
    self.devices = devices
    self.surroundings = surroundings
  }

  /// What can be run of the documents that were chosen.
  /// - Throws: Where one is invalid, or does not fit the command line.
  package func prepare(_ chosen: ChosenDocuments) throws(WorkspaceError) -> [PreparedDocument] {
    try ReportTarget.refuse(reports, over: chosen.found + inputs.files)
    if chosen.areSeveral { return try prepareAll(of: chosen) }
    var prepared: [PreparedDocument] = []
    for document in chosen.documents {
      var loader = document.loader
      loader.reports = reports
      let whole = try loader.runnable(to: "run", row: row, allowsPrograms: allowsPrograms, device: devices.device)
      prepared.append(try prepare(whole, by: loader))
    }
    return prepared
  }

  private func prepare(
    _ whole: RunnableDocument, by loader: DocumentLoader
  ) throws(WorkspaceError) -> PreparedDocument {
    var runnable = whole
    try devices.apply(to: &runnable, from: loader.file)
    if inputs.leavesOutSecrets, !runnable.secrets.isEmpty {
      throw WorkspaceError(.commandLineWrong, "a run needs the secrets of its document: leave out --no-secrets")
    }
    return PreparedDocument(loader: loader, runnable: runnable)
  }

  /// Checks all documents: none is run while one of them is wrong.
  private func prepareAll(of chosen: ChosenDocuments) throws(WorkspaceError) -> [PreparedDocument] {
    var shared = try SharedInputs(inputs, in: surroundings)
    try DocumentLoader.refuseMalformed(row: row)
    let problems = ProblemPrinter(variableFiles: inputs.variableFiles, to: surroundings.messages)
    var prepared: [PreparedDocument] = []
    var failures: [WorkspaceError] = []
    var isInvalid = false
    var chosenRows: [String] = []
    var hasOtherRows = false
    for document in chosen.documents {
      do throws(WorkspaceError) {
        var loader = document.loader
        loader.tell = { problems.tell($0, $1) }
        loader.reports = reports
        if let source = loader.source { loader.inputs = try shared.own(of: source) }
        let whole = try loader.scenario(to: "run", device: devices.device)
        // `--row` chooses among the rows of all documents.
        let meant = document.rows(of: whole)
        guard let runnable = meant.withRows(fitting: row) else {
          hasOtherRows = hasOtherRows || whole.withRows(fitting: row) != nil
          continue
        }
        if runnable.rows.count < whole.rows.count {
          chosenRows.append("\(whole.file): \(runnable.rows.count) of \(whole.rows.count) rows")
        }
        try loader.refuseUnrunnable(runnable, allowsPrograms: allowsPrograms)
        var ready = try prepare(runnable, by: loader)
        ready.hasChosenRows = runnable.rows.count < whole.rows.count
        if document.rowsAgain != nil, runnable.rows.count < meant.rows.count {
          let own = Set(runnable.rows.map(\.rowValues))
          ready.leftRows = meant.rows.map(\.rowValues).filter { !own.contains($0) }
        }
        prepared.append(ready)
      } catch {
        if error.code == .told { isInvalid = true } else { failures.append(error) }
      }
    }
    problems.tellStrangers(among: chosen.documents.count)
    try WorkspaceError.throwWorst(of: failures + shared.failures, tellingOthersTo: surroundings.messages)
    if isInvalid { throw .told }
    if prepared.isEmpty, !chosen.documents.isEmpty {
      let words = row.map { "--row \($0)" }.joined(separator: " ")
      if hasOtherRows {
        throw WorkspaceError(
          .commandLineWrong, "no row that fits \(words) failed in the last run",
          help: "leave out --last-failed to run rows that passed or were no part of it")
      }
      throw WorkspaceError(
        .commandLineWrong, "no document has a row that fits \(words)",
        help: "`showcaller plan FILE` lists the rows of a document")
    }
    if !isQuiet { for rows in chosenRows { surroundings.messages.say("note: \(TerminalText.escaped(rows))") } }
    return prepared
  }
}
