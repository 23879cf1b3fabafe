package import ScenarioLanguage

/// A scenario with its schedules as it was read, ready to be run at its times.
package struct ScheduledDocument: Sendable {
  package var document: PreparedDocument
  /// Its schedules, with their clocks; none where an edit took them away.
  package var schedules: [(schedule: Schedule, clocks: TimeZoneRules)]
  /// The document, then what it includes and what gave it variables.
  package var sources: [SourceFile]
  /// Its warnings.
  package var diagnostics: [Diagnostic]
  /// The files to look at for changes.
  package var files: [String]
}

extension DocumentLoader {
  /// Reads and compiles a scenario that is run by its schedule, and tells nobody, as ``loadPlaylist()``.
  /// - Parameters:
  ///   - devices: Puts the devices of the command line into it.
  ///   - allowsPrograms: Whether it may start programs of this computer.
  package func loadScheduled(
    on devices: DeviceChoice, allowsPrograms: Bool
  ) throws(DocumentProblems) -> ScheduledDocument {
    let asked = AskedFiles((file == "-" ? [] : [file]) + inputs.variableFiles)
    var problems = DocumentProblems(files: [])
    do throws(WorkspaceError) {
      let (outcome, compilerInputs) = try read(device: devices.device, onInclude: asked.add)
      (problems.diagnostics, problems.sources) = (outcome.diagnostics, outcome.sources)
      if let document = try scheduled(outcome, compilerInputs, on: devices, allowsPrograms: allowsPrograms, &problems) {
        return ScheduledDocument(
          document: document.0, schedules: document.1, sources: outcome.sources, diagnostics: outcome.diagnostics,
          files: asked.names)
      }
    } catch {
      problems.failure = error
    }
    problems.files = asked.names
    throw problems
  }

  /// - Returns: `nil` where `problems` say why not.
  private func scheduled(
    _ outcome: PlanCompiler.Outcome, _ compilerInputs: PlanCompiler.Inputs, on devices: DeviceChoice,
    allowsPrograms: Bool, _ problems: inout DocumentProblems
  ) throws(WorkspaceError) -> (PreparedDocument, [(schedule: Schedule, clocks: TimeZoneRules)])? {
    switch outcome.valid {
    case .scenario: break
    case .playlist: throw WorkspaceError(.documentUnfit, "\(file) is a playlist now", help: "begin `serve` again")
    case .library: throw isLibrary
    case nil: return nil
    }
    guard var runnable = RunnableDocument(outcome.plans) else { return nil }
    runnable.sources = outcome.sources
    runnable.warnings = outcome.diagnostics.count { $0.severity == .warning }
    runnable.inputs = .init(compilerInputs, variableFiles: inputs.variableFiles)
    let uses = runnable.unsupportedUses
    guard uses.isEmpty else {
      problems.diagnostics = Array(uses.prefix(50))
      return nil
    }
    try refuse(programsOf: runnable, allowsPrograms: allowsPrograms)
    try devices.apply(to: &runnable, from: file)
    if inputs.leavesOutSecrets, !runnable.secrets.isEmpty {
      throw WorkspaceError(.commandLineWrong, "a run needs the secrets of its document: leave out --no-secrets")
    }
    var schedules: [(schedule: Schedule, clocks: TimeZoneRules)] = []
    for schedule in runnable.rows[0].schedules {
      schedules.append((schedule, try SystemTime(surroundings).clocks(ofZone: schedule.timeZone)))
    }
    return (PreparedDocument(loader: self, runnable: runnable), schedules)
  }

  /// Why a scenario that was named is not served.
  package var hasNoSchedule: WorkspaceError {
    WorkspaceError(
      .documentUnfit, "\(file) \(Self.unscheduledFact)",
      help: "give it one, such as `schedule: [{ at: \"04:30\", timezone: Europe/Paris }]`, or begin it now: "
        + "`showcaller run \(file)`")
  }

  /// Why a scenario is passed over where documents to serve are meant.
  static let unscheduledFact = "is a scenario without a `schedule`: nothing says when it runs"
}
