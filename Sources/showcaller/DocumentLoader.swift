import ArgumentParser
import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner
import Workspace

/// Reads one document of a command line and makes of it what a command asks for.
struct DocumentLoader {
  /// As the command line names it; `-` is standard input.
  let file: String
  /// What the command line adds to it.
  var inputs: InputOptions
  /// Its text, where it was read before.
  var source: SourceFile?
  /// Tells what is wrong with it.
  var tell: @Sendable (_ problems: [Diagnostic], _ sources: [SourceFile]) -> Void = {
    DiagnosticPrinter.standardError.print($0, of: $1)
  }

  init(_ file: String, inputs: InputOptions) {
    self.file = file
    self.inputs = inputs
  }

  /// Reads and compiles the document; tells its problems on standard error.
  /// - Throws: Exit code 3 when the document has errors, 2 when it cannot be read.
  func compile() throws -> (document: PlanCompiler.Outcome.Document, plans: [Plan]) {
    let (document, outcome, _) = try compiled()
    return (document, outcome.plans)
  }

  private func compiled(device: PlanCompiler.Inputs.Device? = nil) throws -> (
    document: PlanCompiler.Outcome.Document, outcome: PlanCompiler.Outcome, inputs: PlanCompiler.Inputs
  ) {
    let source = try source ?? SourceFile(readingFrom: file)
    var compilerInputs = try inputs.compilerInputs(for: source)
    compilerInputs.device = device
    let outcome = PlanCompiler.compile(source, inputs: compilerInputs)
    tell(outcome.diagnostics, outcome.sources)
    guard let document = outcome.document, !outcome.diagnostics.contains(where: { $0.severity == .error }) else {
      throw ExitCode.documentInvalid
    }
    return (document, outcome, compilerInputs)
  }

  /// The scenario with the rows of its matrix that were asked for, all of which can be run.
  /// - Throws: As ``scenario(to:)``; exit code 3 when a row asks for what cannot be run yet, each use told; 2 when no
  ///   row of its matrix has the values of `row`, or one of them starts programs and that is not allowed.
  /// - Parameter device: The device in place of the document's, which needs none then.
  func runnable(
    to purpose: String, row: [String], allowsPrograms: Bool, device: PlanCompiler.Inputs.Device? = nil
  ) throws -> RunnableDocument {
    let whole = try scenario(to: purpose, device: device)
    guard let document = whole.withRows(fitting: row) else { throw noRow(row, among: whole.rows) }
    try refuseUnrunnable(document, allowsPrograms: allowsPrograms)
    return document
  }

  /// Tells why a document cannot be run, whoever wants it.
  /// - Throws: Exit code 3 when a row asks for what cannot be run yet, each use told; 2 when one starts programs and that
  ///   is not allowed.
  func refuseUnrunnable(_ document: RunnableDocument, allowsPrograms: Bool) throws {
    if document.startsPrograms, !allowsPrograms {
      throw CommandFailure(
        .commandLineWrong, "\(file) starts programs of this computer with `exec`",
        help: "`--allow-exec` allows it, if you trust the document"
      ).aboutDocument
    }
    try refuse(document.refusals, in: document)
  }

  /// Why no row has these values: a name that no matrix has, one without a value, or a value that none has.
  private func noRow(_ row: [String], among plans: [Plan]) -> CommandFailure {
    let names = plans.first?.row.map(\.name) ?? []
    if let failure = Self.malformed(row: row) { return failure }
    for wanted in row {
      let name = String(wanted.prefix { $0 != "=" })
      if names.contains(name) { continue }
      let known = names.map { "`\($0)`" }.joined(separator: ", ")
      return CommandFailure(
        .commandLineWrong, "the matrix of \(file) has no variable `\(name)`",
        help: names.isEmpty ? "it has no matrix: leave `--row` out" : "it has \(known)")
    }
    return CommandFailure(
      .commandLineWrong, "no row of the matrix of \(file) fits \(row.map { "--row \($0)" }.joined(separator: " "))",
      help: "`showcaller plan \(file)` lists the rows")
  }

  private static func malformed(row: [String]) -> CommandFailure? {
    row.first { ($0.firstIndex(of: "=") ?? $0.startIndex) == $0.startIndex }.map { wanted in
      CommandFailure(
        .commandLineWrong, "`--row \(wanted)` names no value",
        help: "write `--row name=value`, as `showcaller plan` lists them")
    }
  }

  /// - Throws: Exit code 2 where a `--row` is none.
  static func refuseMalformed(row: [String]) throws(CommandFailure) {
    if let failure = malformed(row: row) { throw failure }
  }

  /// The plans of the rows that have all of these values.
  /// - Throws: Exit code 2 where none has.
  func rows(of plans: [Plan], fitting row: [String]) throws -> [Plan] {
    guard let fitting = RunnableDocument(plans)?.withRows(fitting: row) else { throw noRow(row, among: plans) }
    return fitting.rows
  }

  /// Tells why a document cannot be run, if anything speaks against it.
  /// - Throws: Exit code 3.
  func refuse(_ refusals: [Diagnostic], in document: RunnableDocument) throws {
    if refusals.isEmpty { return }
    tell(Array(refusals.prefix(50)), document.sources)
    throw ExitCode.documentInvalid
  }

  /// The values of all secrets that a row of the document needs.
  ///
  /// - Parameters:
  ///   - allowsCommands: Whether `command:` may start programs; `nil` leaves such secrets without a value.
  ///   - remembered: What was given to other documents, too.
  ///   - line: A signal ends the programs of secrets; `nil` where none are started.
  /// - Throws: Exit code 3, after telling why, where one has none; the signal's after a signal.
  func secrets(
    of document: RunnableDocument, allowsCommands: Bool?, remembering remembered: GivenSecrets = GivenSecrets(),
    until line: InterruptionLine? = nil
  ) async throws -> Secrets {
    if inputs.noSecrets || document.secrets.isEmpty { return Secrets() }
    let loader = SecretLoader(
      given: try inputs.givenSecrets(), allowsCommands: allowsCommands, in: .process, remembering: remembered)
    let (values, problems) = try await loader.load(document.secrets, until: line)
    try refuse(problems, in: document)
    return values
  }

  /// The scenario with all of its rows.
  /// - Throws: Exit code 2 for a playlist or a library, which do not run.
  func scenario(to purpose: String, device: PlanCompiler.Inputs.Device?) throws -> RunnableDocument {
    let (document, outcome, compilerInputs) = try compiled(device: device)
    switch document {
    case .scenario:
      guard var runnable = RunnableDocument(outcome.plans) else { throw ExitCode.documentInvalid }
      runnable.sources = outcome.sources
      runnable.warnings = outcome.diagnostics.count { $0.severity == .warning }
      runnable.inputs.settings = compilerInputs.settings.map { .init($0.name, $0.value) }
      runnable.inputs.variableFiles = inputs.variableFiles
      runnable.inputs.secrets = compilerInputs.givenSecrets.map { .init($0.name, $0.argument) }
      return runnable
    case .playlist:
      throw CommandFailure(
        .commandLineWrong, "\(file) \(Self.playlistFact(purpose))",
        help: "`showcaller check \(file)` finds its mistakes"
      ).aboutDocument
    case .library: throw isLibrary
    }
  }

  /// Why a playlist is neither run nor simulated.
  static func playlistFact(_ purpose: String) -> String {
    "is a playlist: playlists can be checked and planned, not \(purpose) yet"
  }

  /// Why a library has nothing to do.
  static let libraryFact = "is a library: it only holds definitions for other documents"

  /// A library has nothing to do.
  var isLibrary: CommandFailure { CommandFailure(.commandLineWrong, "\(file) \(Self.libraryFact)").aboutDocument }
}
