import ArgumentParser
import CastTransport
import RunReporting
import ScenarioLanguage
import Workspace

/// `showcaller report merge`: makes one report of several runs.
struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", _superCommandName: ShowcallerCommand.name,
    abstract: "Make one report of several runs, such as shards: also `report merge`.",
    usage: "showcaller report merge <run> ... [--report <kind=path> ...] [--runs <folder>]",
    discussion: """
      The report has the runs in the order of the command line. Of several runs of one document the worst result counts; \
      of a run that died and the one that went on with it, the latter. \
      Without --report it prints the console's report.
      """)

  @Argument(
    help: ArgumentHelp(
      "Runs: their ids or folders, archives that `run export` made, or files of events.", valueName: "run"),
    completion: .file())
  var names: [String]

  @Option(name: .customLong("report"), help: ReportTarget.help)
  var reports: [ReportTarget] = []

  @Option(help: ArgumentHelp("Look for runs in this folder.", valueName: "folder"), completion: .directory)
  var runs = ReportCommand.usualRuns

  func validate() throws {
    if names.contains(where: \.isEmpty) { throw ValidationError("the name of a run is empty") }
    if names.filter({ $0 == "-" }).count > 1 { throw ValidationError("only one run can come from standard input") }
    if reports.filter({ $0.path == "-" }).count > 1 {
      throw ValidationError("only one report can go to standard output")
    }
  }

  func run() throws {
    let wanted = reports.isEmpty ? [ReportTarget(.console, "-")] : reports
    var stored: [StoredRun] = []
    for name in names { stored.append(try StoredRun(name, in: runs, surroundings: .process)) }
    let merged = try MergedRuns(stored)
    for one in merged.leftOut { Terminal.say("note: run \(one.run) is left out: run \(one.by) has gone on with it") }
    try ReportTarget.refuse(wanted, over: merged.files)
    let failures = try merged.write(wanted, hash: Digest.sha256, in: .process)
    for failure in failures { Terminal.tell(failure) }
    if !failures.isEmpty { throw ExitCode.reportNotWritten }
  }
}
