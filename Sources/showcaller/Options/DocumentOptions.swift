import ArgumentParser
import CastProtocol
import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner
import Workspace

/// The document a command works on, and what the command line adds to it.
struct DocumentOptions: ParsableArguments {
  @Argument(help: "The YAML document; - is standard input.", completion: .file(extensions: ["yaml", "yml"]))
  var file: String

  @OptionGroup var inputs: InputOptions

  /// Reads and compiles the document; tells its problems on standard error.
  /// - Throws: Exit code 3 when the document has errors, 2 when it cannot be read.
  func compile() throws -> (document: PlanCompiler.Outcome.Document, plans: [Plan]) {
    let (document, outcome, _) = try compiled()
    return (document, outcome.plans)
  }

  private func compiled(device: PlanCompiler.Inputs.Device? = nil) throws -> (
    document: PlanCompiler.Outcome.Document, outcome: PlanCompiler.Outcome, inputs: PlanCompiler.Inputs
  ) {
    let source = try SourceFile(readingFrom: file)
    var compilerInputs = try inputs.compilerInputs(for: source)
    compilerInputs.device = device
    let outcome = PlanCompiler.compile(source, inputs: compilerInputs)
    DiagnosticPrinter.standardError.print(outcome.diagnostics, of: outcome.sources)
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
    if document.startsPrograms, !allowsPrograms {
      throw CommandFailure(
        .commandLineWrong, "\(file) starts programs of this computer with `exec`",
        help: "`--allow-exec` allows it, if you trust the document"
      ).aboutDocument
    }
    try refuse(document.refusals, in: document)
    return document
  }

  /// Why no row has these values: a name that no matrix has, one without a value, or a value that none has.
  private func noRow(_ row: [String], among plans: [Plan]) -> CommandFailure {
    let names = plans.first?.row.map(\.name) ?? []
    for wanted in row {
      guard let equals = wanted.firstIndex(of: "="), equals > wanted.startIndex else {
        return CommandFailure(
          .commandLineWrong, "`--row \(wanted)` names no value",
          help: "write `--row name=value`, as `showcaller plan` lists them")
      }
      let name = String(wanted[..<equals])
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
    DiagnosticPrinter.standardError.print(Array(refusals.prefix(50)), of: document.sources)
    throw ExitCode.documentInvalid
  }

  /// The values of all secrets that a row of the document needs.
  ///
  /// - Parameters:
  ///   - allowsCommands: Whether `command:` may start programs; `nil` leaves such secrets without a value.
  ///   - line: A signal ends the programs of secrets; `nil` where none are started.
  /// - Throws: Exit code 3, after telling why, where one has none; the signal's after a signal.
  func secrets(
    of document: RunnableDocument, allowsCommands: Bool?, until line: InterruptionLine? = nil
  ) async throws -> Secrets {
    if inputs.noSecrets || document.secrets.isEmpty { return Secrets() }
    let loader = SecretLoader(
      given: try inputs.givenSecrets(), allowsCommands: allowsCommands, in: .process)
    let (values, problems) = try await loader.load(document.secrets, until: line)
    try refuse(problems, in: document)
    return values
  }

  /// The scenario with all of its rows.
  /// - Throws: Exit code 2 for a playlist or a library, which do not run.
  private func scenario(to purpose: String, device: PlanCompiler.Inputs.Device?) throws -> RunnableDocument {
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
        .commandLineWrong, "\(file) is a playlist: playlists can be checked and planned, not \(purpose) yet",
        help: "`showcaller check \(file)` finds its mistakes"
      ).aboutDocument
    case .library: throw isLibrary
    }
  }

  /// A library has nothing to do.
  var isLibrary: CommandFailure {
    CommandFailure(.commandLineWrong, "\(file) is a library: it only holds definitions for other documents")
      .aboutDocument
  }
}

/// What the command line may add to any document.
struct InputOptions: ParsableArguments {
  @Option(name: .customLong("set"), help: ArgumentHelp("Set a variable of the document.", valueName: "name=value"))
  var settings: [String] = []

  @Option(
    name: .customLong("vars"), help: ArgumentHelp("Take variables from a YAML file; --set wins.", valueName: "file"),
    completion: .file(extensions: ["yaml", "yml"]))
  var variableFiles: [String] = []

  @Option(
    name: .customLong("secret"),
    help: ArgumentHelp("Take a secret of the document from a file; @- is standard input.", valueName: "name=@file"))
  var secrets: [String] = []

  @Flag(
    name: .customLong("no-secrets"),
    help: "Do not ask for the values of secrets; a run of a document that has some needs them.")
  var noSecrets = false

  @Option(
    name: .customLong("allow-path"),
    help: ArgumentHelp("Let documents include files below this folder, too.", valueName: "folder"),
    completion: .directory)
  var allowedPaths: [String] = []

  /// As the command line gave them; of secrets the places only.
  var rerunArguments: [String] {
    let pairs = [("--set", settings), ("--vars", variableFiles), ("--secret", secrets), ("--allow-path", allowedPaths)]
    return pairs.flatMap { option, values in values.flatMap { [option, $0] } } + (noSecrets ? ["--no-secrets"] : [])
  }

  /// `--secret` taken apart.
  func givenSecrets() throws -> [(name: String, argument: String)] {
    try secrets.map { given in
      guard let equals = given.firstIndex(of: "="), equals > given.startIndex else {
        throw CommandFailure(
          .commandLineWrong, "`--secret` needs a name and a file", help: "write `--secret token=@file`")
      }
      let name = String(given[..<equals])
      let argument = String(given[given.index(after: equals)...])
      // The value itself is not repeated: it may be one.
      guard argument.hasPrefix("@"), argument.count > 1 else {
        throw CommandFailure(
          .commandLineWrong, "`--secret \(name)=` takes a file, not the secret itself",
          help: "whoever can list processes could read it; write `--secret \(name)=@file`, or `@-` for standard input")
      }
      return (name, argument)
    }
  }

  func compilerInputs(for source: SourceFile) throws -> PlanCompiler.Inputs {
    var inputs = PlanCompiler.Inputs()
    inputs.settings = try settings.map { setting in
      guard let equals = setting.firstIndex(of: "="), equals > setting.startIndex else {
        throw CommandFailure(
          .commandLineWrong, "`--set \(setting)` has no \(setting.hasPrefix("=") ? "name" : "`=`")",
          help: "write `--set name=value`, such as `--set speed=1.5`")
      }
      return (String(setting[..<equals]), String(setting[setting.index(after: equals)...]))
    }
    inputs.variableFiles = try variableFiles.map { try SourceFile(readingFrom: $0) }
    inputs.environment = { Terminal.environment($0) }
    inputs.givenSecrets = try givenSecrets()
    inputs.needsSecrets = !noSecrets
    inputs.secretFileProblem = { SecretFile.problem(with: SecretFile.path($0, declaredIn: $1)) }
    let files = try ProjectFiles(of: source.name, allowing: allowedPaths)
    inputs.includedFile = { files.read($0, includedBy: $1) }
    let folder = source.name.lastIndex(of: "/").map { String(source.name[...$0]) } ?? ""
    inputs.fileExists = { path in Files.kind(of: path.hasPrefix("/") ? path : folder + path) == .regular }
    let time = SystemTime(.process)
    inputs.today = time.today
    inputs.zoneData = { time.zoneData($0) }
    inputs.localZone = time.localZone
    return inputs
  }
}
