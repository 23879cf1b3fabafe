package import CastProtocol

/// Turns documents into plans. Pure: files, the date and the zone data are inputs.
package struct PlanCompiler: Sendable {
  /// What the command line adds to a document.
  package struct Inputs: Sendable {
    /// `--set x=...`, in order; the strongest source.
    package var settings: [(name: String, value: String)] = []
    /// `--vars file.yaml`, in order.
    package var variableFiles: [SourceFile] = []
    /// Looks an environment variable up; only those a document names are asked for.
    package var environment: @Sendable (String) -> String? = { _ in nil }
    /// A file that `include:` or a calendar names, by its path and the name of the file that names it. The answer's name
    /// tells files apart.
    package var includedFile: @Sendable (_ path: String, _ includer: String) -> Result<SourceFile, FileProblem> = {
      _, _ in .failure(.notFound)
    }
    /// The copy that was made of a calendar on the web; `nil`: none was made yet.
    package var calendarCopy: @Sendable (_ url: String) -> SourceFile? = { _ in nil }
    /// What is wrong with a file that a secret names, by its path and the file that declares it.
    package var secretFileProblem: @Sendable (_ path: String, _ file: String) -> FileProblem? = { _, _ in nil }
    /// Secrets that the command line gives, by name, with its own words.
    package var givenSecrets: [(name: String, argument: String)] = []
    /// Whether a secret without a value is an error (`--no-secrets`).
    package var needsSecrets = true
    /// Whether the same holds for playlists; listing what is on when needs no values.
    package var servesPlaylists = false
    /// Whether a file that a `file:` URL names exists, by its path relative to the document.
    package var fileExists: @Sendable (String) -> Bool = { _ in true }
    /// Whether receivers run on this computer, and so find what listens on it at `localhost`.
    package var receiversAreHere = false
    /// The names of the files in a folder that a `file:` address names, by its path relative to the document; `nil`: there is
    /// none. Where nobody looks, a folder counts as one picture.
    package var folderFiles: @Sendable (_ path: String) -> [String]? = { _ in ["1.png"] }
    /// What depends on the date is checked as of this day; `nil`: it is not checked.
    package var today: CivilDate?
    /// A file of the zone database by its name in there, such as `Europe/Paris` or `zone.tab`. Names come checked: they
    /// cannot lead out of its folder. Without data, zones are checked by their spelling alone.
    package var zoneData: @Sendable (String) -> [UInt8]? = { _ in nil }
    /// The device that the command line names, for a scenario that names none.
    package var device: Device?
    /// The zone of the computer's own clock, where its name is known.
    package var localZone: String?
    /// What the computer's own clock shows, for a document that names no zone; `nil`: nobody knows.
    package var localClock: @Sendable () -> TimeZoneRules? = { nil }

    package init() {}

    /// As they count for one kind of document.
    func counting(for kind: DocumentKind) -> Inputs {
      var inputs = self
      if kind == .playlist { inputs.needsSecrets = needsSecrets && servesPlaylists }
      return inputs
    }

    package enum Device: Hashable, Sendable {
      case name(String)
      case host(HostAndPort)
    }
  }

  /// What came out: problems, sorted by place, at most 50; and a plan unless one of them is an error.
  package struct Outcome: Sendable {
    package enum Document: Sendable {
      case scenario(Plan)
      case playlist(PlaylistPlan)
      case library(id: String, title: String, receiver: ReceiverPlan)
    }
    package var document: Document?
    /// The plans of a scenario, one for each row of its matrix; the first is the document's.
    package var plans: [Plan] = []
    /// Where it sends receivers, each place once.
    package var addresses: [FetchedAddress] = []
    package var diagnostics: [Diagnostic]
    /// How many more problems there are.
    package var hidden = 0
    /// There were so many that looking for more stopped: ``hidden`` is what is known of.
    package var isCut = false
    /// The files that the problems are in, for a ``DiagnosticRenderer``: the document, files with variables, and the
    /// command line and environment as files of their own.
    package var sources: [SourceFile]

    package init(document: Document?, diagnostics: [Diagnostic], sources: [SourceFile] = []) {
      self.document = document
      self.diagnostics = diagnostics
      self.sources = sources
    }
  }

  /// Compiles one document.
  package static func compile(_ source: SourceFile, inputs: Inputs = Inputs()) -> Outcome {
    let reading = DocumentReader.read(source, inputs: inputs)
    guard let document = reading.document, !reading.diagnostics.budget.isSpent else {
      var outcome = Outcome(
        document: nil, diagnostics: reading.diagnostics.finished(file: source.name, in: reading.sources),
        sources: reading.sources)
      outcome.hidden = reading.diagnostics.hiddenCount
      outcome.isCut = reading.diagnostics.budget.hasTooManyErrors
      return outcome
    }
    let problems = reading.diagnostics
    var result: Outcome.Document?
    var plans: [Plan] = []
    var addresses = FetchedAddresses()
    var sources = reading.sources
    let id = document.root.text("id") ?? ScenarioCompiler.stem(of: source.name)
    switch document.kind {
    case .scenario:
      plans = Self.plans(document, inputs, addresses: &addresses, reportingTo: problems)
      result = plans.first.map { .scenario($0) }
      sources += Self.calendarFiles(of: document, inputs, reportingTo: problems)
    case .playlist:
      var compiler = PlaylistCompiler(document, inputs: inputs, problems: problems)
      let compiled = compiler.compile()
      addresses = compiler.addresses
      sources += compiler.times.calendarFiles
      if var plan = compiled {
        plan.secrets = SecretReader.needed(
          by: plan, of: document, inputs: inputs.counting(for: .playlist), reportingTo: problems)
        result = .playlist(plan)
      }
    case .library:
      if let row = document.rows.first {
        var compiler = ScenarioCompiler(document, row: row, inputs: inputs, problems: problems)
        compiler.compileDefinitions()
      }
      sources += Self.calendarFiles(of: document, inputs, reportingTo: problems)
      let receiver = ReceiverCompiler(root: document.root, problems: problems).compile()
      result = .library(id: id, title: document.title, receiver: receiver)
    }
    var outcome = Outcome(
      document: problems.hasErrors ? nil : result,
      diagnostics: problems.finished(file: source.name, in: sources),
      sources: sources)
    outcome.hidden = problems.hiddenCount
    outcome.isCut = problems.budget.hasTooManyErrors
    outcome.plans = problems.hasErrors ? [] : plans
    outcome.addresses = problems.hasErrors ? [] : addresses.all
    return outcome
  }

  /// Reads the calendars of a document that has no times of its own, so that what is wrong with them is told.
  private static func calendarFiles(
    of document: CheckedDocument, _ inputs: Inputs, reportingTo problems: DiagnosticCollector
  ) -> [SourceFile] {
    var calendars = CalendarCompiler(inputs)
    for entry in document.root.entries("calendars") { _ = calendars.calendar(entry, reportingTo: problems) }
    return calendars.sources
  }

  /// One plan for each row of the matrix. What is wrong in several rows is reported once; what no row reads is unused.
  private static func plans(
    _ document: CheckedDocument, _ inputs: Inputs, addresses: inout FetchedAddresses,
    reportingTo problems: DiagnosticCollector
  ) -> [Plan] {
    var plans: [Plan] = []
    var unused: [Diagnostic]?
    var unrolling = UnrollCost()
    for (index, row) in document.rows.enumerated() where !problems.budget.isSpent {
      var compiler = ScenarioCompiler(document, row: row, inputs: inputs, problems: problems)
      let compiled = compiler.compile()
      for address in compiler.steps.addresses.all { addresses.add(address) }
      if var plan = compiled {
        plan.secrets = SecretReader.needed(by: plan, of: document, inputs: inputs, reportingTo: problems)
        plans.append(plan)
      }
      var isAffordable = unrolling.addAll(of: compiler.unrolling)
      if index == 0, unrolling.isTooMuch(times: document.rows.count) {
        // The rows are probably too much together; counting them all takes less time than compiling up to the limit.
        var all = unrolling
        for other in document.rows.dropFirst() where isAffordable {
          isAffordable = all.addAll(of: ScenarioCompiler.cost(of: other, in: document, inputs))
        }
      }
      if document.rows.count > 1, !isAffordable, let key = document.root.keySpan("matrix") {
        problems.reportAndStop(
          Diagnostic(
            .error, .p617, "all rows of the matrix together unroll to too much",
            at: .init(key, "at most \(UnrollCost.Limit.steps) steps and \(UnrollCost.Limit.nodes) nodes"),
            footers: [.help("leave values out, or split the document")]))
        return plans
      }
      let own = compiler.unused
      if let before = unused {
        let places = Set(own.map(\.primary.span))
        unused = before.filter { places.contains($0.primary.span) }
      } else {
        unused = own
      }
    }
    for problem in unused ?? [] { problems.reportIfNoErrors(problem) }
    return plans
  }
}
