import ArgumentParser
import CastTransport
import Glibc
import RunReporting
import ScenarioLanguage
import Workspace

/// `showcaller report`: makes the reports of a run again from its stored events.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", _superCommandName: ShowcallerCommand.name,
    abstract: "Make the reports of a run again, from the events it left behind.",
    discussion: """
      Each is byte for byte what the run itself wrote by --report. Without an option it prints the console's report.
      Of a damaged or unfinished stream there is what can be read; standard error says which lines cannot. Exits 3 \
      where no line can.
      """)

  @Argument(
    help: ArgumentHelp(
      "A run's id or folder, `latest`, an archive of `run export`, or a file of events; - is standard input.",
      valueName: "run"))
  var name: String

  @Option(name: .customLong("report"), help: ReportTarget.help)
  var reports: [ReportTarget] = []

  @Option(
    help: ArgumentHelp("Write \(ReportKind.junit.summary).", valueName: "path"), completion: .file())
  var junit: String?

  @Option(
    help: ArgumentHelp("Write \(ReportKind.html.summary).", valueName: "path"), completion: .file())
  var html: String?

  @Flag(help: "Print \(ReportKind.console.summary).")
  var console = false

  @Flag(help: "Print \(ReportKind.json.summary).")
  var json = false

  @Flag(help: "Add how it compares with earlier runs to the console's report and to HTML.")
  var trend = false

  @Option(help: ArgumentHelp("Look for runs in this folder.", valueName: "folder"), completion: .directory)
  var runs = usualRuns

  /// Where runs leave their folders, below the working directory.
  static let usualRuns = ".showcaller/runs"

  private var wanted: [ReportTarget] {
    var wanted = reports
    if let junit { wanted.append(ReportTarget(.junit, junit)) }
    if let html { wanted.append(ReportTarget(.html, html)) }
    if console { wanted.append(ReportTarget(.console, "-")) }
    if json { wanted.append(ReportTarget(.json, "-")) }
    return wanted.isEmpty ? [ReportTarget(.console, "-")] : wanted
  }

  func validate() throws {
    if name.isEmpty { throw ValidationError("the name of the run is empty") }
    if junit?.isEmpty == true { throw ValidationError("--junit is empty: it names a file") }
    if html?.isEmpty == true { throw ValidationError("--html is empty: it names a file") }
    if wanted.filter({ $0.path == "-" }).count > 1 {
      throw ValidationError("only one report can go to standard output")
    }
    if trend, !wanted.contains(where: { [.console, .html].contains($0.kind) }) {
      throw ValidationError("--trend is for the console's report and for HTML: add --console or --html PATH")
    }
  }

  func run() throws {
    let stored = try StoredRun(name, in: runs, surroundings: .process)
    try ReportTarget.refuseSharedFiles(wanted)
    if let path = stored.path, let report = wanted.first(where: { FileIdentity.areSame($0.path, path) }) {
      throw CommandFailure(.commandLineWrong, "\(report.path) is what the reports are made from")
    }
    if let note = stored.note { Terminal.say("note: \(note)") }
    let (sources, reader) = try stored.readSources()
    try ReportTarget.refuse(wanted, over: sources.files.sorted())
    let shown = stored.reportSources(sources, hash: Digest.sha256, resumingIn: runs)
    for warning in reader.warnings(shown.fate) { Terminal.say("warning: \(TerminalText.escaped(warning))") }
    if let failure = stored.emptiness(reader) { throw failure }
    let trends = trend ? try trends(of: stored, isOver: shown.fate != .running) : nil
    let files = try wanted.map { try RemadeReport($0.with(trends), sources: shown, in: .process) }
    _ = try stored.read { event in for file in files { file.record(event) } }
    let failures = files.compactMap { $0.finish() }
    for failure in failures { Terminal.tell(failure) }
    if !failures.isEmpty { throw ExitCode.reportNotWritten }
  }

  /// The scenarios of the run with their earlier runs.
  /// - Parameter isOver: Whether the run is one of them already.
  private func trends(of stored: StoredRun, isOver: Bool) throws -> [ScenarioTrend] {
    guard let own = try RunHistory.summary(of: stored) else { return [] }
    let others = RunHistory(in: runs).read(surroundings: .process) {
      Terminal.say("warning: \(TerminalText.escaped($0))")
    }.filter { $0.run != own.run && $0.startedAt <= own.startedAt }
    let keys = Set(own.scenarios.map(\.key))
    return ScenarioTrend.all(of: others + (isOver ? [own] : [])).filter { keys.contains($0.key) }
  }
}

extension ReportTarget {
  /// The same report with how the run compares with earlier ones, where it is for people.
  fileprivate func with(_ trends: [ScenarioTrend]?) -> ReportTarget {
    guard let trends else { return self }
    switch kind {
    case .console:
      let width = path == "-" && Terminal.outputIsTTY ? Terminal.width(of: STDOUT_FILENO) : nil
      return ReportTarget(.console(with: TrendText(width: width, tellsAllSteps: true).lines(trends)), path)
    case .html: return ReportTarget(.html(with: TrendMarkup(trends)), path)
    default: return self
    }
  }
}
