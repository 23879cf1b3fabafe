import ArgumentParser
import CastTransport
import ScenarioLanguage
import Workspace

/// `showcaller run export`: puts all that a run left behind into one file.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", _superCommandName: ShowcallerCommand.name,
    abstract: "Put a run into one file, for others to read: also `run export`.",
    usage: "showcaller run export <run> [--output <path>] [--runs <folder>]",
    discussion: """
      A ZIP archive with the run's events, plan, sources and pictures, a list of them, and its reports: a page, JUnit, \
      CTRF and Markdown. `report`, `merge` and `run --last-failed` read it as they read the run's folder. The values of \
      secrets are not in it. Prints the path of the file.
      """)

  @Argument(help: ArgumentHelp("A run's id or folder, or `latest`.", valueName: "run"))
  var name: String

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("Write this file; - is standard output. Without it: showcaller-run-ID.zip.", valueName: "path"),
    completion: .file(extensions: ["zip"]))
  var output: String?

  @Option(help: ArgumentHelp("Look for runs in this folder.", valueName: "folder"), completion: .directory)
  var runs = ReportCommand.usualRuns

  func validate() throws {
    if name.isEmpty { throw ValidationError("the name of the run is empty") }
    if output?.isEmpty == true { throw ValidationError("--output is empty: it names a file") }
  }

  func run() throws {
    if output == "-", Terminal.outputIsTTY {
      throw CommandFailure(
        .commandLineWrong, "an archive is no text for a terminal",
        help: "write it to a file with `-o PATH`, or pass it on with `|`")
    }
    let stored = try StoredRun(name, in: runs, surroundings: .process)
    if let note = stored.note { Terminal.say("note: \(note)") }
    let export = try RunExport(stored, hash: Digest.sha256)
    let archive = try export.archive()
    let path = output ?? export.fileName
    if path == "-" {
      StandardStream.output.writeNow(archive)
      return
    }
    try RunExport.store(archive, at: path)
    Terminal.print(TerminalText.escaped(path))
  }
}
