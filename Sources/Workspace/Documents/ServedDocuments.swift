import ScenarioLanguage

/// The playlists, and the scenarios with a schedule, that a command line means.
package struct ServedDocuments: Sendable {
  /// Of the playlists; each reads its playlist anew whenever it is asked to.
  package var loaders: [DocumentLoader] = []
  /// Of the scenarios that have a schedule.
  package var scenarios: [DocumentLoader] = []
  /// Lines about what was passed over.
  package var notes: [String] = []
  private let inputs: GivenInputs
  private let surroundings: Surroundings

  /// Finds those that are named, and those in the folders that are named; what else is in a folder is passed over.
  /// - Parameter expectsMore: Whether documents come from elsewhere, too: `files` may be empty, and `inputs` may be for them.
  /// - Throws: Where a folder cannot be read, there is nothing to serve, or nobody has a use for a part of `inputs`.
  package init(
    _ files: [String], expectsMore: Bool = false, inputs: GivenInputs, in surroundings: Surroundings
  ) throws(WorkspaceError) {
    self.inputs = inputs
    self.surroundings = surroundings
    let found = try FoundDocuments(files, keepsUnreadable: true, inputs: inputs, in: surroundings)
    notes = found.unreadable.map(\.message)
    for document in found.documents {
      var (loader, isNamed) = (document.loader, document.kindInFolder == nil)
      loader.isServed = true
      let header = loader.source.map { DocumentHeader($0) }
      switch isNamed ? header?.kind : document.kindInFolder {
      case .scenario where header?.hasSchedule == true: scenarios.append(loader)
      // What is wrong with it is told when it is loaded.
      case .scenario where isNamed: scenarios.append(loader)
      case .scenario: notes.append("\(loader.file) \(DocumentLoader.unscheduledFact)")
      case .library where !isNamed: notes.append("\(loader.file) \(DocumentLoader.libraryFact)")
      // What was named is taken for a playlist, and told if it is none.
      case .library, .playlist, nil: loaders.append(loader)
      }
    }
    if loaders.isEmpty, scenarios.isEmpty, !(expectsMore && files.isEmpty) {
      let names = files.map(TerminalText.escaped).joined(separator: ", ")
      throw WorkspaceError(
        .commandLineWrong, "no playlists in \(names), and no scenarios with a `schedule`",
        help: "documents that can be shown begin with `playlist:`")
    }
    if loaders.count + scenarios.count > 1 || expectsMore { try shareInputs(refusingStrangers: !expectsMore) }
    // What can be read once more is: it may be edited meanwhile.
    for index in loaders.indices where loaders[index].file != "-" { loaders[index].source = nil }
    for index in scenarios.indices where scenarios[index].file != "-" { scenarios[index].source = nil }
  }

  /// Gives each document the inputs that it uses.
  private mutating func shareInputs(refusingStrangers: Bool) throws(WorkspaceError) {
    var shared = try SharedInputs(inputs, in: surroundings)
    for index in loaders.indices {
      if let source = loaders[index].source { loaders[index].inputs = try shared.own(of: source) }
    }
    for index in scenarios.indices {
      if let source = scenarios[index].source { scenarios[index].inputs = try shared.own(of: source) }
    }
    // One that cannot be read now may have a use for anything.
    if !refusingStrangers || (loaders + scenarios).contains(where: { $0.source == nil }) { return }
    try WorkspaceError.throwWorst(of: shared.failures, tellingOthersTo: surroundings.messages)
  }

  /// Reads a playlist that came from elsewhere, with what it uses of the command line's inputs.
  package func loader(ofDelivered file: String) -> DocumentLoader {
    var loader = DocumentLoader(file, inputs: inputs, in: surroundings)
    loader.isServed = true
    if let source = try? SourceFile(readingFrom: file, standardInput: surroundings.standardInput),
      var shared = try? SharedInputs(inputs, in: surroundings), let own = try? shared.own(of: source)
    {
      loader.inputs = own
    }
    return loader
  }

  /// What was read, or why it cannot be served, in the order of ``loaders`` and of ``scenarios``.
  package struct Loaded: Sendable {
    package var playlists: [Result<LoadedPlaylist, DocumentProblems>] = []
    package var scenarios: [Result<ScheduledDocument, DocumentProblems>] = []
  }

  /// Reads all of them and tells their problems.
  /// - Parameters:
  ///   - devices: Puts the devices of the command line into the scenarios.
  ///   - allowsPrograms: Whether scenarios may start programs of this computer.
  package func load(on devices: DeviceChoice, allowsPrograms: Bool) -> Loaded {
    let count = loaders.count + scenarios.count
    let problems = ProblemPrinter(
      variableFiles: count > 1 ? inputs.variableFiles : [], to: surroundings.messages)
    var loaded = Loaded()
    for loader in loaders {
      loaded.playlists.append(
        Self.result(problems) { () throws(DocumentProblems) in
          let playlist = try loader.loadPlaylist()
          return (playlist, playlist.diagnostics, playlist.sources)
        })
    }
    for loader in scenarios {
      loaded.scenarios.append(
        Self.result(problems) { () throws(DocumentProblems) in
          let scenario = try loader.loadScheduled(on: devices, allowsPrograms: allowsPrograms)
          if scenario.schedules.isEmpty {
            throw DocumentProblems(files: scenario.files, failure: loader.hasNoSchedule)
          }
          return (scenario, scenario.diagnostics, scenario.sources)
        })
    }
    problems.tellStrangers(among: count)
    return loaded
  }

  /// Loads a document and tells its problems.
  private static func result<Document>(
    _ problems: ProblemPrinter,
    _ load: () throws(DocumentProblems) -> (Document, [Diagnostic], [SourceFile])
  ) -> Result<Document, DocumentProblems> {
    do throws(DocumentProblems) {
      let (document, diagnostics, sources) = try load()
      problems.tell(diagnostics, sources)
      return .success(document)
    } catch {
      if !error.sources.isEmpty { problems.tell(error.diagnostics, error.sources) }
      return .failure(error)
    }
  }

  /// Tells why documents are not served.
  /// - Parameter isAll: Whether nothing else is: then the worst is thrown.
  package func tell(_ failures: [WorkspaceError], isAll: Bool) throws(WorkspaceError) {
    let failures = failures.filter { $0.code != .told }
    guard isAll else { return failures.forEach(surroundings.messages.tellFailure) }
    try WorkspaceError.throwWorst(of: failures, tellingOthersTo: surroundings.messages)
    throw .told
  }
}

extension DocumentProblems {
  /// Why it is not served; where its mistakes were told there is nothing left to say.
  package var reason: WorkspaceError { failure ?? .told }

  /// What is wrong first, in a line.
  package func summary(of file: String) -> String {
    if let failure { return failure.message }
    let first = diagnostics.first { $0.severity == .error }
    return first.map { "\($0.primary.span.file), line \($0.primary.span.line): \($0.message)" } ?? "\(file) has errors"
  }
}
