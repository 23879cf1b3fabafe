import ArgumentParser
import Glibc
import Preflight
import ScenarioLanguage
import Simulation
import WebClient
import Workspace

extension CheckFormatName: ExpressibleByArgument {}

/// `showcaller check`: finds the mistakes of documents without touching the network.
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", _superCommandName: ShowcallerCommand.name,
    abstract: "Find the mistakes of documents; a network is only used with --probe.",
    discussion: """
      Exits 0 when every document compiles, 3 when one does not, 2 when a file cannot be read (after all others were \
      checked).

      With --probe every address that a valid document sends receivers to is fetched once, as a receiver would: what it \
      would stumble over is told at the place where the address is written.
      """)

  @Argument(
    help: ArgumentHelp(
      "YAML documents and folders of them; - is standard input.",
      discussion: """
        Folders are searched for *.yaml and *.yml, but not what is hidden, node_modules, or behind a link; files that \
        are no documents are skipped there.
        """),
    completion: .file(extensions: ["yaml", "yml"]))
  var files: [String]

  @OptionGroup var inputs: InputOptions

  @Flag(help: "Warnings fail the check, too.")
  var strict = false

  @Flag(help: "Do not simulate scenarios for what can never pass.")
  var noSimulate = false

  @Flag(help: "Fetch every address that receivers are sent to, as they would.")
  var probe = false

  @OptionGroup(title: "With --probe") var probing: ProbeOptions

  @Option(
    help: ArgumentHelp("With --probe: the longest time for all addresses; 5m unless it is given.", valueName: "time"))
  var timeout: TimeLimit?

  @Option(help: "How to tell what is wrong.")
  var format = CheckFormatName.human

  @Option(
    help: ArgumentHelp("What standard input is called; its paths are relative to it.", valueName: "file"),
    completion: .file(extensions: ["yaml", "yml"]))
  var stdinName: String?

  @Option(help: "Color: on a terminal without NO_COLOR, always, or never.")
  var color = ColorChoice.auto

  @Flag(name: [.customShort("q"), .long], help: "Tell problems only.")
  var quiet = false

  enum ColorChoice: String, CaseIterable, ExpressibleByArgument { case auto, always, never }

  func validate() throws {
    if stdinName != nil, !files.contains("-") {
      throw ValidationError("--stdin-name names standard input: add - to the files")
    }
    if stdinName?.isEmpty == true { throw ValidationError("--stdin-name is empty") }
    if !probe, probing.isGiven || timeout != nil {
      throw ValidationError("--model, --resolver and --timeout are about addresses: add --probe")
    }
    if let timeout, timeout.duration <= .zero { throw ValidationError("--timeout is above 0") }
  }

  func run() async throws {
    var finder = DocumentFinder()
    for file in files { try finder.add(file) }
    let found = finder.found
    if found.isEmpty, finder.unreadable.isEmpty {
      throw CommandFailure(
        .commandLineWrong, "no documents in \(files.map(TerminalText.escaped).joined(separator: ", "))",
        help: "documents are YAML files that begin with `scenario:`, `playlist:` or `library:`")
    }
    // What is wrong with the command line is told before anything is checked.
    _ = try inputs.given.compilerInputs(for: SourceFile(name: "", bytes: []), in: .process)

    var report = CheckReport(format: makeFormat(hasSummary: finder.hasFolder || found.count > 1), total: found.count)
    report.begin()
    for file in finder.unreadable { report.add(.unreadable(file)) }
    if probe {
      await probeAll(found, in: &report)
    } else if found.count == 1 {
      report.add(check(found[0]))
    } else {
      await checkAll(found) { report.add($0) }
    }
    try report.end(isStrict: strict, files: files)
  }

  /// Checks documents on every core and hands the outcomes over in their order; few are under way at any time.
  private func checkAll(_ found: [DocumentFinder.Found], _ body: (CheckOutcome) -> Void) async {
    let window = max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN))) * 4
    await withTaskGroup(of: (Int, CheckOutcome).self) { group in
      var waiting: [Int: CheckOutcome] = [:]
      var (started, told) = (0, 0)
      while told < found.count {
        while started < found.count, started - told < window {
          let (index, file) = (started, found[started])
          group.addTask { @concurrent () async -> (Int, CheckOutcome) in (index, check(file)) }
          started += 1
        }
        guard let (index, outcome) = await group.next() else { return }
        waiting[index] = outcome
        while let next = waiting.removeValue(forKey: told) {
          body(next)
          told += 1
        }
      }
    }
  }

  /// Checks documents one after the other, and fetches what each sends receivers to.
  private func probeAll(_ found: [DocumentFinder.Found], in report: inout CheckReport) async {
    let end = ContinuousClock.now + (timeout?.duration ?? .seconds(300))
    let rules = ProbeRules(model: probing.model, playsAt: Surroundings.process.unixTime())
    let prober = Prober(WebClient(), rules, names: probing.names) { end - ContinuousClock.now }
    var documents = DocumentProbe(prober, rules)
    for file in found {
      var outcome = check(file)
      if case .checked(let result) = outcome {
        let more = await documents.diagnostics(for: result.addresses) { report.show("fetched \($0) of \($1)") }
        outcome = .checked(result.adding(more))
      }
      report.add(outcome)
    }
  }

  private func check(_ found: DocumentFinder.Found) -> CheckOutcome {
    let name = found.path == "-" ? stdinName ?? "<stdin>" : found.path
    do {
      if found.isNamed { try RunArchive.refuse(found.path) }
      var source = try SourceFile(readingFrom: found.path)
      source.name = name
      if !found.isNamed, !DocumentSniffer.isDocument(source.bytes) { return .skipped(name) }
      let inputs = try inputs.given.compilerInputs(for: source, in: .process)
      return .checked(
        DocumentCheck.check(source, inputs: inputs, isNamed: found.isNamed, simulates: !noSimulate))
    } catch {
      let failure = CommandFailure(any: error)
      return .unreadable(.init(file: name, message: failure?.message ?? "cannot read \(name)", help: failure?.help))
    }
  }

  private func makeFormat(hasSummary: Bool) -> any CheckFormat {
    switch format {
    case .human:
      var style = HumanCheckFormat.Style()
      style.isColored =
        switch color {
        case .auto: Terminal.usesColor(on: Terminal.outputIsTTY)
        case .always: true
        case .never: false
        }
      style.width = Terminal.outputIsTTY ? Terminal.width(of: STDOUT_FILENO) : nil
      style.isQuiet = quiet
      style.isStrict = strict
      style.hasSummary = hasSummary
      style.annotates = Terminal.environment("GITHUB_ACTIONS") == "true"
      return HumanCheckFormat(style)
    case .json: return JSONCheckFormat(tool: "showcaller \(ShowcallerCommand.version)")
    case .sarif: return SARIFCheckFormat(toolVersion: ShowcallerCommand.version)
    case .github: return GitHubCheckFormat()
    case .gcc: return GCCCheckFormat()
    }
  }
}
