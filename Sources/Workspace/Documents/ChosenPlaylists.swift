import ScenarioLanguage

/// The playlists that a command line means.
package struct ChosenPlaylists: Sendable {
  /// Each reads its playlist anew whenever it is asked to.
  package var loaders: [DocumentLoader] = []
  /// Lines about what was passed over.
  package var notes: [String] = []
  private let inputs: GivenInputs
  private let surroundings: Surroundings

  /// Finds those that are named, and those in the folders that are named; what else is in a folder is passed over.
  /// - Throws: Where a file cannot be read, there is no playlist, or nobody has a use for a part of `inputs`.
  package init(_ files: [String], inputs: GivenInputs, in surroundings: Surroundings) throws(WorkspaceError) {
    self.inputs = inputs
    self.surroundings = surroundings
    let found = try FoundDocuments(files, inputs: inputs, in: surroundings)
    for document in found.documents {
      switch document.kindInFolder {
      case .scenario: notes.append("\(document.loader.file) \(DocumentLoader.scenarioFact)")
      case .library: notes.append("\(document.loader.file) \(DocumentLoader.libraryFact)")
      case .playlist, nil: loaders.append(document.loader)
      }
    }
    if loaders.isEmpty {
      let names = files.map(TerminalText.escaped).joined(separator: ", ")
      throw WorkspaceError(
        .commandLineWrong, "no playlists in \(names)", help: "documents that can be shown begin with `playlist:`")
    }
    if loaders.count > 1 { try shareInputs() }
    // What can be read once more is: it may be edited meanwhile.
    for index in loaders.indices where loaders[index].file != "-" { loaders[index].source = nil }
  }

  /// Leaves each what it has a use for.
  private mutating func shareInputs() throws(WorkspaceError) {
    var shared = try SharedInputs(inputs, in: surroundings)
    for index in loaders.indices {
      if let source = loaders[index].source { loaders[index].inputs = try shared.own(of: source) }
    }
    try WorkspaceError.throwWorst(of: shared.failures, tellingOthersTo: surroundings.messages)
  }

  /// Reads all of them and tells their problems: none is shown while one of them is wrong.
  /// - Returns: The playlists in the order of ``loaders``.
  package func load() throws(WorkspaceError) -> [LoadedPlaylist] {
    let problems = ProblemPrinter(
      variableFiles: loaders.count > 1 ? inputs.variableFiles : [], to: surroundings.messages)
    var playlists: [LoadedPlaylist] = []
    var failures: [WorkspaceError] = []
    var isInvalid = false
    for var loader in loaders {
      loader.tell = { problems.tell($0, $1) }
      do throws(WorkspaceError) {
        playlists.append(try loader.playlist())
      } catch {
        if error.code == .told { isInvalid = true } else { failures.append(error) }
      }
    }
    problems.tellStrangers(among: loaders.count)
    try WorkspaceError.throwWorst(of: failures, tellingOthersTo: surroundings.messages)
    if isInvalid { throw .told }
    return playlists
  }
}
