import ArgumentParser
import CastProtocol
import Glibc
import RunReporting
import ScenarioLanguage
import Workspace

/// `showcaller history`: how the scenarios of a folder of runs did over time.
struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", _superCommandName: ShowcallerCommand.name,
    abstract: "Show how scenarios did over their runs: durations, flaky steps, limits that come closer.",
    discussion: """
      Every run leaves a line in the folder of runs, which stays when its folder is removed. Scenarios that ran last come \
      first; of those that are named, each step is told. A block of a line is a run, × one that did not pass.
      """)

  @Argument(
    help: ArgumentHelp("Only these: documents, by their ids or their files.", valueName: "document"),
    completion: .file(extensions: ["yaml", "yml"]))
  var documents: [String] = []

  @Option(help: ArgumentHelp("Only what ran on devices with this in their names.", valueName: "name"))
  var device: String?

  @Option(help: ArgumentHelp("Look at so many of the newest runs of each scenario.", valueName: "count"))
  var last = Drift.runLimit

  @Flag(help: "Tell each step.")
  var steps = false

  @Flag(help: "Print JSON: an array of scenarios, each with its runs and its steps.")
  var json = false

  @Option(help: ArgumentHelp("Look for runs in this folder.", valueName: "folder"), completion: .directory)
  var runs = ReportCommand.usualRuns

  func validate() throws {
    if last < 1 { throw ValidationError("--last is \(last): it is a number of runs, from 1") }
    if documents.contains(where: \.isEmpty) { throw ValidationError("the name of a document is empty") }
  }

  func run() throws {
    let summaries = RunHistory(in: runs).read(surroundings: .process) {
      Terminal.say("warning: \(TerminalText.escaped($0))")
    }
    let running = RunHistory(in: runs).running
    let all = ScenarioTrend.all(of: summaries, last: last)
    let trends = all.filter(isWanted)
    if !trends.isEmpty { tellUnknown(all) }
    if json {
      Terminal.print(JSONValue.array(trends.map(\.json)).serialized())
      return
    }
    guard !trends.isEmpty else {
      let asked = documents.isEmpty ? "" : " of \(ReportKind.list(documents.map { "`\($0)`" }))"
      let wanted = TerminalText.escaped(asked + (device.map { " on a device called `\($0)`" } ?? ""))
      // What was asked for and is there: the devices of these documents, else the documents.
      let ofDocuments = all.filter { documents.isEmpty || isNamed($0) }
      let names = Set(ofDocuments.isEmpty ? all.map(\.key.document) : ofDocuments.map(\.key.device)).sorted()
      let place = ofDocuments.isEmpty ? "of" : "on"
      throw CommandFailure(
        .commandLineWrong, all.isEmpty ? nothing(running) : "no run in \(runs) is\(wanted)",
        help: all.isEmpty
          ? "`showcaller \(running.isEmpty ? "run FILE` leaves one there" : "report latest` tells how far it is"); "
            + "--runs names another folder"
          : "there are runs \(place) \(ReportKind.list(names.map { "`\(TerminalText.escaped($0))`" }))")
    }
    let text = TrendText(
      width: Terminal.outputIsTTY ? Terminal.width(of: STDOUT_FILENO) : nil, tellsAllSteps: steps || !documents.isEmpty)
    for line in text.lines(trends) { Terminal.print(line) }
    for run in running { Terminal.say("note: run \(run) still goes on, and is told when it is over") }
  }

  private func nothing(_ running: [String]) -> String {
    running.isEmpty ? "there is no run in \(runs)" : "no run in \(runs) is over yet: \(running[0]) still goes on"
  }

  /// Says which of several documents have no run.
  private func tellUnknown(_ all: [ScenarioTrend]) {
    for document in documents where !all.contains(where: { Self.isNamed($0, document) }) {
      Terminal.say(TerminalText.escaped("warning: no run in \(runs) is of `\(document)`"))
    }
  }

  private func isNamed(_ trend: ScenarioTrend) -> Bool { documents.contains { Self.isNamed(trend, $0) } }

  private static func isNamed(_ trend: ScenarioTrend, _ document: String) -> Bool {
    document == trend.key.document || FileIdentity.areSame(document, trend.file) || document == trend.file
  }

  private func isWanted(_ trend: ScenarioTrend) -> Bool {
    guard documents.isEmpty || isNamed(trend) else { return false }
    return device.map { trend.key.device.lowercased().contains($0.lowercased()) } ?? true
  }
}
