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
  /// - Throws: Where a file cannot be read, there is nothing to serve, a scenario is named that has no schedule, or nobody
  ///   has a use for a part of `inputs`.
  package init(_ files: [String], inputs: GivenInputs, in surroundings: Surroundings) throws(WorkspaceError) {
    self.inputs = inputs
    self.surroundings = surroundings
    let found = try FoundDocuments(files, inputs: inputs, in: surroundings)
    for document in found.documents {
      var (loader, isNamed) = (document.loader, document.kindInFolder == nil)
      loader.isServed = true
      let header = loader.source.map { DocumentHeader($0) }
      switch isNamed ? header?.kind : document.kindInFolder {
      case .scenario where header?.hasSchedule == true: scenarios.append(loader)
      case .scenario where isNamed: throw loader.hasNoSchedule
      case .scenario: notes.append("\(loader.file) \(DocumentLoader.unscheduledFact)")
      case .library where !isNamed: notes.append("\(loader.file) \(DocumentLoader.libraryFact)")
      // What was named is taken for a playlist, and told if it is none.
      case .library, .playlist, nil: loaders.append(loader)
      }
    }
    if loaders.isEmpty, scenarios.isEmpty {
      let names = files.map(TerminalText.escaped).joined(separator: ", ")
      throw WorkspaceError(
        .commandLineWrong, "no playlists in \(names), and no scenarios with a `schedule`",
        help: "documents that can be shown begin with `playlist:`")
    }
    if loaders.count + scenarios.count > 1 { try shareInputs() }
    // What can be read once more is: it may be edited meanwhile.
    for index in loaders.indices where loaders[index].file != "-" { loaders[index].source = nil }
    for index in scenarios.indices where scenarios[index].file != "-" { scenarios[index].source = nil }
  }

  /// Leaves each what it has a use for.
  private mutating func shareInputs() throws(WorkspaceError) {
    var shared = try SharedInputs(inputs, in: surroundings)
    for index in loaders.indices {
      if let source = loaders[index].source { loaders[index].inputs = try shared.own(of: source) }
    }
    for index in scenarios.indices {
      if let source = scenarios[index].source { scenarios[index].inputs = try shared.own(of: source) }
    }
    try WorkspaceError.throwWorst(of: shared.failures, tellingOthersTo: surroundings.messages)
  }

  /// Reads all of them and tells their problems: none is served while one of them is wrong.
  /// - Parameters:
  ///   - devices: Puts the devices of the command line into the scenarios.
  ///   - allowsPrograms: Whether scenarios may start programs of this computer.
  /// - Returns: The playlists in the order of ``loaders``, the scenarios in that of ``scenarios``.
  package func load(
    on devices: DeviceChoice, allowsPrograms: Bool
  ) throws(WorkspaceError) -> (playlists: [LoadedPlaylist], scenarios: [ScheduledDocument]) {
    let count = loaders.count + scenarios.count
    let problems = ProblemPrinter(
      variableFiles: count > 1 ? inputs.variableFiles : [], to: surroundings.messages)
    var playlists: [LoadedPlaylist] = []
    var scheduled: [ScheduledDocument] = []
    var failures: [WorkspaceError] = []
    var isInvalid = false
    func note(_ error: WorkspaceError) {
      if error.code == .told { isInvalid = true } else { failures.append(error) }
    }
    for var loader in loaders {
      loader.tell = { problems.tell($0, $1) }
      do throws(WorkspaceError) { playlists.append(try loader.playlist()) } catch { note(error) }
    }
    for var loader in scenarios {
      loader.tell = { problems.tell($0, $1) }
      do throws(WorkspaceError) {
        scheduled.append(try loader.scheduled(on: devices, allowsPrograms: allowsPrograms))
      } catch { note(error) }
    }
    problems.tellStrangers(among: count)
    try WorkspaceError.throwWorst(of: failures, tellingOthersTo: surroundings.messages)
    if isInvalid { throw .told }
    return (playlists, scheduled)
  }
}
