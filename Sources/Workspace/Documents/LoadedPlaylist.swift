package import ScenarioLanguage
import Synchronization

/// A playlist as it was read: its plan, and what whoever shows it needs besides.
package struct LoadedPlaylist: Sendable {
  package var plan: PlaylistPlan
  /// The document, then what it includes, its calendars, and what gave it variables.
  package var sources: [SourceFile]
  /// What was added to it from outside.
  package var inputs: RunnableDocument.Inputs
  /// Its warnings.
  package var diagnostics: [Diagnostic]
  /// The files to look at for changes.
  package var files: [String]
  /// How its clocks go, or why that is not known here.
  package var zone: Result<TimeZoneRules, WorkspaceError>

  /// How its clocks go.
  /// - Throws: Where that is not known here.
  package func clocks() throws(WorkspaceError) -> TimeZoneRules { try zone.get() }
}

/// Why a document could not be loaded.
package struct DocumentProblems: Error, Sendable {
  /// What is wrong in the document; warnings, too.
  package var diagnostics: [Diagnostic] = []
  /// The files that ``diagnostics`` are in.
  package var sources: [SourceFile] = []
  /// The files to look at for a cure: those that are missing are among them.
  package var files: [String]
  /// What else is wrong, such as that there is no such file; `nil`: ``diagnostics`` say it all.
  package var failure: WorkspaceError?

  package init(
    diagnostics: [Diagnostic] = [], sources: [SourceFile] = [], files: [String], failure: WorkspaceError? = nil
  ) {
    self.diagnostics = diagnostics
    self.sources = sources
    self.files = files
    self.failure = failure
  }
}

extension DocumentLoader {
  /// Reads and compiles a playlist and tells nobody: what there is to tell is in what comes back.
  ///
  /// Once more it reads everything anew, except standard input and a ``source`` that was set.
  package func loadPlaylist() throws(DocumentProblems) -> LoadedPlaylist {
    let asked = AskedFiles((file == "-" ? [] : [file]) + inputs.variableFiles)
    let outcome: PlanCompiler.Outcome
    let compilerInputs: PlanCompiler.Inputs
    do throws(WorkspaceError) {
      (outcome, compilerInputs) = try read(onInclude: asked.add)
    } catch {
      throw DocumentProblems(files: asked.names, failure: error)
    }
    var problems = DocumentProblems(
      diagnostics: outcome.diagnostics, sources: outcome.sources, files: asked.names)
    switch outcome.valid {
    case .playlist(let plan):
      return LoadedPlaylist(
        plan: plan, sources: outcome.sources, inputs: .init(compilerInputs, variableFiles: inputs.variableFiles),
        diagnostics: outcome.diagnostics, files: asked.names,
        zone: SystemTime(surroundings).knownClocks(ofZone: plan.timeZone))
    case .scenario: problems.failure = isNoPlaylist
    case .library: problems.failure = isLibrary
    case nil: break
    }
    throw problems
  }

  /// Reads and compiles a playlist; tells its problems.
  /// - Throws: Where the document has errors, cannot be read, or is no playlist.
  package func playlist() throws(WorkspaceError) -> LoadedPlaylist {
    do throws(DocumentProblems) {
      let loaded = try loadPlaylist()
      tell(loaded.diagnostics, loaded.sources)
      return loaded
    } catch {
      if !error.sources.isEmpty { tell(error.diagnostics, error.sources) }
      throw error.failure ?? .told
    }
  }

  /// Why a scenario is not shown.
  private var isNoPlaylist: WorkspaceError {
    WorkspaceError(
      .documentUnfit, "\(file) \(Self.scenarioFact)",
      help: "`showcaller plan \(file)` shows what it does, and its schedule")
  }

  private static let scenarioFact = "is a scenario: only a playlist shows things by the clock"
}

/// The names of files that a document has to do with, each once, in the order in which it asks for them.
final class AskedFiles: Sendable {
  private let asked: Mutex<[String]>

  init(_ names: [String]) { asked = Mutex(names) }

  var names: [String] { asked.withLock { $0 } }

  @Sendable func add(_ name: String) {
    asked.withLock { names in
      if !names.contains(name) { names.append(name) }
    }
  }
}
