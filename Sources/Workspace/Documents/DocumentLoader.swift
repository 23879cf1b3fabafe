package import ScenarioLanguage

/// Reads one document of a command line and makes of it what a command asks for.
package struct DocumentLoader: Sendable {
  /// As the command line names it; `-` is standard input.
  package let file: String
  /// What the command line adds to it.
  package var inputs: GivenInputs
  /// Whether it is loaded to be shown on screens: a playlist needs the values of its secrets for that alone.
  package var isServed = false
  /// Whether a run of it is gone on with, which takes each secret from where it was.
  var isResumed = false
  /// Its text, where it was read before.
  package var source: SourceFile?
  /// What must not be written over the files that it is read from.
  package var reports: [ReportTarget] = []
  /// Tells what is wrong with it.
  package var tell: @Sendable (_ problems: [Diagnostic], _ sources: [SourceFile]) -> Void
  let surroundings: Surroundings

  package init(_ file: String, inputs: GivenInputs, in surroundings: Surroundings) {
    self.file = file
    self.inputs = inputs
    self.surroundings = surroundings
    tell = surroundings.messages.tellProblems
  }

  /// Reads and compiles the document; tells its problems.
  /// - Throws: Where the document has errors, or cannot be read.
  package func compile() throws(WorkspaceError) -> (document: PlanCompiler.Outcome.Document, plans: [Plan]) {
    let (document, outcome, _) = try compiled()
    return (document, outcome.plans)
  }

  /// Reads and compiles the document; tells its problems.
  /// - Returns: Where it sends receivers.
  /// - Throws: As ``compile()``, and for a library.
  package func addresses() throws(WorkspaceError) -> [FetchedAddress] {
    let (document, outcome, _) = try compiled()
    if case .library = document { throw isLibrary }
    return outcome.addresses
  }

  private func compiled(device: PlanCompiler.Inputs.Device? = nil) throws(WorkspaceError) -> (
    document: PlanCompiler.Outcome.Document, outcome: PlanCompiler.Outcome, inputs: PlanCompiler.Inputs
  ) {
    let (outcome, compilerInputs) = try read(device: device)
    tell(outcome.diagnostics, outcome.sources)
    guard let document = outcome.valid else { throw .told }
    return (document, outcome, compilerInputs)
  }

  /// - Parameter onInclude: Sees each file that the document asks for, whether it is there or not.
  func read(
    device: PlanCompiler.Inputs.Device? = nil, onInclude: (@Sendable (_ name: String) -> Void)? = nil
  ) throws(WorkspaceError) -> (outcome: PlanCompiler.Outcome, inputs: PlanCompiler.Inputs) {
    if source == nil { try RunArchive.refuse(file) }
    let source =
      if let source { source } else {
        try SourceFile(readingFrom: file, standardInput: surroundings.standardInput)
      }
    var compilerInputs = try inputs.compilerInputs(for: source, in: surroundings)
    compilerInputs.device = device
    compilerInputs.servesPlaylists = isServed
    if let onInclude {
      compilerInputs.includedFile = { [include = compilerInputs.includedFile] path, includer in
        onInclude(ProjectFiles.name(of: path, includedBy: includer))
        return include(path, includer)
      }
      // A picture that is put there is an edit, too.
      let own = source.name.lastIndex(of: "/").map { String(source.name[...$0]) } ?? ""
      compilerInputs.folderFiles = { [list = compilerInputs.folderFiles] path in
        onInclude(path.hasPrefix("/") ? path : own + path)
        return list(path)
      }
      // A copy that comes while it is served is an edit.
      let copies = CalendarCopies(surroundings, of: source.name)
      compilerInputs.calendarCopy = { [copy = compilerInputs.calendarCopy] url in
        if let path = copies.path(of: url) { onInclude(path) }
        return copy(url)
      }
    }
    let outcome = PlanCompiler.compile(source, inputs: compilerInputs)
    try ReportTarget.refuse(reports, over: outcome.sources.map(\.name))
    return (outcome, compilerInputs)
  }

  // MARK: To be run

  /// The scenario with the rows of its matrix that were asked for, all of which can be run.
  /// - Throws: As ``scenario(to:device:)``; where a row asks for what cannot be run yet, each use told; where no row of
  ///   its matrix has the values of `row`, or one of them starts programs and that is not allowed.
  /// - Parameter device: The device in place of the document's, which needs none then.
  package func runnable(
    to purpose: String, row: [String], allowsPrograms: Bool, device: PlanCompiler.Inputs.Device? = nil
  ) throws(WorkspaceError) -> RunnableDocument {
    let whole = try scenario(to: purpose, device: device)
    guard let document = whole.withRows(fitting: row) else { throw noRow(row, among: whole.rows) }
    try refuseUnrunnable(document, allowsPrograms: allowsPrograms)
    return document
  }

  /// Tells why a document cannot be run, whoever wants it.
  /// - Throws: Where a row asks for what cannot be run yet, each use told; where one starts programs and that is not
  ///   allowed.
  package func refuseUnrunnable(_ document: RunnableDocument, allowsPrograms: Bool) throws(WorkspaceError) {
    try refuse(programsOf: document, allowsPrograms: allowsPrograms)
    try refuse(document.unsupportedUses, in: document)
  }

  func refuse(programsOf document: RunnableDocument, allowsPrograms: Bool) throws(WorkspaceError) {
    if document.startsPrograms, !allowsPrograms {
      throw WorkspaceError(
        .documentUnfit, "\(file) starts programs of this computer with `exec`",
        help: "`--allow-exec` allows it, if you trust the document")
    }
  }

  /// Tells why a document cannot be run, if anything speaks against it.
  package func refuse(_ problems: [Diagnostic], in document: RunnableDocument) throws(WorkspaceError) {
    try refuse(problems, in: document.sources)
  }

  /// Tells why a document cannot be run or shown, if anything speaks against it.
  package func refuse(_ problems: [Diagnostic], in sources: [SourceFile]) throws(WorkspaceError) {
    if problems.isEmpty { return }
    tell(Array(problems.prefix(50)), sources)
    throw .told
  }

  /// The scenario with all of its rows.
  /// - Throws: For a playlist or a library, which do not run.
  package func scenario(
    to purpose: String, device: PlanCompiler.Inputs.Device?
  ) throws(WorkspaceError) -> RunnableDocument {
    let (document, outcome, compilerInputs) = try compiled(device: device)
    switch document {
    case .scenario:
      guard var runnable = RunnableDocument(outcome.plans) else { throw .told }
      try ReportTarget.refuse(reports, over: runnable.secrets.compactMap(\.path))
      runnable.sources = outcome.sources
      runnable.warnings = outcome.diagnostics.count { $0.severity == .warning }
      runnable.inputs = .init(compilerInputs, variableFiles: inputs.variableFiles)
      return runnable
    case .playlist:
      throw WorkspaceError(
        .documentUnfit, "\(file) \(Self.playlistFact(purpose))",
        help: "`showcaller serve \(file)` shows it on its screens, `showcaller serve --virtual \(file)` on virtual ones"
      )
    case .library: throw isLibrary
    }
  }

  /// Why a playlist is neither run nor simulated.
  static func playlistFact(_ purpose: String) -> String {
    "is a playlist: it is served, not \(purpose)"
  }

  /// Why a library has nothing to do.
  static let libraryFact = "is a library: it only holds definitions for other documents"

  /// A library has nothing to do.
  package var isLibrary: WorkspaceError { WorkspaceError(.documentUnfit, "\(file) \(Self.libraryFact)") }

  /// What a library says of virtual receivers, and what it was read from.
  /// - Throws: For a document that is no library, or has errors.
  package func receiver() throws(WorkspaceError) -> (plan: ReceiverPlan, sources: [SourceFile]) {
    let (document, outcome, _) = try compiled()
    guard case .library(_, _, let receiver) = document else {
      throw WorkspaceError(
        .documentUnfit, "\(file) is no library: only a library says what goes wrong with a virtual receiver",
        help: "a library begins with `library: title`; `showcaller explain faults` shows one")
    }
    return (receiver, outcome.sources)
  }

  // MARK: Rows

  /// Why no row has these values: a name that no matrix has, one without a value, or a value that none has.
  private func noRow(_ row: [String], among plans: [Plan]) -> WorkspaceError {
    let names = plans.first?.row.map(\.name) ?? []
    if let failure = Self.malformed(row: row) { return failure }
    for wanted in row {
      let name = String(wanted.prefix { $0 != "=" })
      if names.contains(name) { continue }
      let known = names.map { "`\($0)`" }.joined(separator: ", ")
      return WorkspaceError(
        .commandLineWrong, "the matrix of \(file) has no variable `\(name)`",
        help: names.isEmpty ? "it has no matrix: leave `--row` out" : "it has \(known)")
    }
    return WorkspaceError(
      .commandLineWrong, "no row of the matrix of \(file) fits \(row.map { "--row \($0)" }.joined(separator: " "))",
      help: "`showcaller plan \(file)` lists the rows")
  }

  private static func malformed(row: [String]) -> WorkspaceError? {
    row.first { ($0.firstIndex(of: "=") ?? $0.startIndex) == $0.startIndex }.map { wanted in
      WorkspaceError(
        .commandLineWrong, "`--row \(wanted)` names no value",
        help: "write `--row name=value`, as `showcaller plan` lists them")
    }
  }

  /// - Throws: Where a `--row` is none.
  static func refuseMalformed(row: [String]) throws(WorkspaceError) {
    if let failure = malformed(row: row) { throw failure }
  }

  /// The plans of the rows that have all of these values.
  /// - Throws: Where none has.
  package func rows(of plans: [Plan], fitting row: [String]) throws(WorkspaceError) -> [Plan] {
    guard let fitting = RunnableDocument(plans)?.withRows(fitting: row) else { throw noRow(row, among: plans) }
    return fitting.rows
  }

  // MARK: Secrets

  /// What gets the values of secrets that a document needs; `nil` where it needs none.
  /// - Parameters:
  ///   - allowsCommands: Whether `command:` may start programs; `nil` leaves such secrets without a value.
  ///   - remembered: What was given to other documents, too.
  package func secretLoader(
    of secrets: [Plan.Secret], allowsCommands: Bool?, remembering remembered: GivenSecrets
  ) throws(WorkspaceError) -> SecretLoader? {
    if inputs.leavesOutSecrets || secrets.isEmpty { return nil }
    return SecretLoader(
      given: try inputs.givenSecrets(), allowsCommands: allowsCommands, isResumed: isResumed, in: surroundings,
      remembering: remembered)
  }
}

extension PlanCompiler.Outcome {
  /// The document, unless it has errors.
  var valid: Document? { diagnostics.contains { $0.severity == .error } ? nil : document }
}

extension RunnableDocument.Inputs {
  /// What was added from outside, in words.
  init(_ inputs: PlanCompiler.Inputs, variableFiles: [String]) {
    self.init()
    settings = inputs.settings.map { .init($0.name, $0.value) }
    self.variableFiles = variableFiles
    secrets = inputs.givenSecrets.map { .init($0.name, $0.argument) }
  }
}

extension Plan.Secret {
  /// The file that has its value, where one does.
  fileprivate var path: String? {
    if case .file(let path, let file) = source { SecretFile.path(path, declaredIn: file) } else { nil }
  }
}
