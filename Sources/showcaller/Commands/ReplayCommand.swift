import ArgumentParser
import CastProtocol
import RunReporting
import ScenarioLanguage
import ScenarioRunner
import Workspace

/// `showcaller replay`: judges expectations on what a stored run recorded.
struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay", _superCommandName: ShowcallerCommand.name,
    abstract: "Judge the expectations of an edited document on what a run recorded.",
    discussion: """
      Try another tolerance, time limit or rule of `watch` without a device: each expectation is judged as if it had \
      begun when its step began in the run, by the code that judges live. What acted is not done again. An expectation \
      that the run did not go on long enough for, or that asks for what events do not tell, is undecided.
      Exits 0 when all passed, 1 when one failed, 5 when one is undecided.
      """)

  @Argument(
    help: ArgumentHelp(
      "A run's id, folder or archive, or `latest`.", valueName: "run"), completion: .file())
  var name: String

  @Option(
    name: .customLong("with"),
    help: ArgumentHelp("The edited document; without it the one that was run.", valueName: "file"),
    completion: .file(extensions: ["yaml", "yml"]))
  var file: String?

  @OptionGroup var inputs: InputOptions

  @Flag(help: "Print one JSON object.")
  var json = false

  @Option(help: ArgumentHelp("Look for runs in this folder.", valueName: "folder"), completion: .directory)
  var runs = ReportCommand.usualRuns

  func validate() throws {
    if name.isEmpty { throw ValidationError("the name of the run is empty") }
    if file?.isEmpty == true { throw ValidationError("--with is empty: it names a file") }
  }

  func run() throws {
    let stored = try StoredRun(name, in: runs, surroundings: .process)
    if let note = stored.note { Terminal.say("note: \(note)") }
    let (sources, reader) = try stored.readSources()
    if let failure = stored.emptiness(reader) { throw failure }
    for warning in reader.warnings { Terminal.say("warning: \(TerminalText.escaped(warning))") }
    guard let document = try stored.documents().first else {
      throw CommandFailure(.documentInvalid, "\(name) does not tell what was run")
    }
    var edited = document
    if let file {
      var given = inputs.given
      // Secrets are names here and there: nothing of the device is asked again.
      given.leavesOutSecrets = true
      edited = try DocumentLoader(file, inputs: given, in: .process).runnable(
        to: "replayed", row: [], allowsPrograms: true)
    }
    var events: [Event] = []
    _ = try stored.read { events.append($0) }
    let replay = RunReplay(events, of: document, with: edited)
    let judged = replay.judged()
    guard judged.contains(where: { $0.kind != .row }) else {
      throw CommandFailure(
        .commandLineWrong, "no expectation of \(edited.file) can be judged on this run",
        help: "it has none on statuses, or its steps are not those of \(document.file)")
    }
    let report = ReplayReport(judged, of: sources.run.run, with: edited.file, names: replay.names)
    if json {
      Terminal.print(report.json.serialized())
    } else {
      for line in report.lines { Terminal.print(line) }
    }
    throw ExitCode(report.exit)
  }
}
