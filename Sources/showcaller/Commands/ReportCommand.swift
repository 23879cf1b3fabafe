import ArgumentParser
import CastTransport
import RunReporting
import ScenarioLanguage
import Workspace

/// `showcaller report`: makes the reports of a run again from its stored events.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Make the reports of a run again, from the events it left behind.",
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
    for warning in reader.warnings { Terminal.say("warning: \(TerminalText.escaped(warning))") }
    if let failure = stored.emptiness(reader) { throw failure }
    let texts = stored.texts(sources, hash: Digest.sha256)
    let files = try wanted.map { try RemadeReport($0, sources: texts, in: .process) }
    _ = try stored.read { event in for file in files { file.record(event) } }
    let failures = files.compactMap { $0.finish() }
    for failure in failures { Terminal.tell(failure) }
    if !failures.isEmpty { throw ExitCode.reportNotWritten }
  }
}
