import ArgumentParser
import CastProtocol
import CastTransport
import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner
import Signage
import Simulation
import Synchronization
import Workspace

/// `showcaller simulate`: plays a scenario on a virtual clock against the virtual receiver, without a socket.
struct SimulateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate", _superCommandName: ShowcallerCommand.name,
    abstract: "Play a scenario or a playlist on a virtual clock, without a network, and print what happens.",
    discussion: """
      Of a scenario it prints the timeline and the verdict, and exits as `run` would; of a playlist what its screens \
      show if nothing goes wrong, and what that adds up to: a week in a second or two.
      """)

  @OptionGroup var document: DocumentOptions

  @Option(help: ArgumentHelp("Order what is due at the same time by this seed.", valueName: "number"))
  var seed: UInt64 = 0

  @OptionGroup var faults: FaultOptions

  @Option(name: .customLong("report"), help: ReportTarget.help)
  var reports: [ReportTarget] = []

  @Option(
    name: .customLong("row"),
    help: ArgumentHelp("Play the row of the matrix with this value, as often as it takes.", valueName: "name=value"))
  var row: [String] = []

  @Option(
    help: ArgumentHelp(
      "A playlist: begin on this day, or at this time by its clock; today unless it is given.", valueName: "moment"))
  var from: String?

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("A playlist: show so much of it, such as 7d; a day unless it is given.", valueName: "duration"))
  var length: TimeLimit?

  @Flag(help: "A playlist: print what its screens show as one JSON object.")
  var json = false

  @Flag(
    name: .customLong("receivers"),
    help: "A playlist: have virtual receivers play it, over the protocol; takes about a minute for each day.")
  var usesReceivers = false

  @Flag(help: "Has no effect; accepted so that the options of `run` fit. A simulation starts no program.")
  var allowExec = false

  func run() async throws {
    let code = try await NoRun.explaining(in: reports, of: document.file) { try await perform() }
    throw code
  }

  /// - Returns: The exit code of a simulation that began.
  private func perform() async throws -> ExitCode {
    try ReportTarget.refuseSharedFiles(reports)
    try ReportTarget.refuse(reports, over: [document.file] + document.inputs.given.files)
    if let playlist = playlist() { return try simulate(playlist) }
    if from != nil || length != nil || json || usesReceivers {
      throw CommandFailure(
        .commandLineWrong,
        "--from, --for, --json and --receivers are for playlists, which \(document.file) is not",
        help: "leave them out")
    }
    var loader = document.loader
    loader.reports = reports
    let runnable = try loader.runnable(to: "simulated", row: row, allowsPrograms: true)
    // Fixed, so that the same document and seed give the same bytes.
    let runID = "00000000000000000000000000"
    var configuration = RunConfiguration(
      runID: runID, toolVersion: ShowcallerCommand.version, wallClock: { Self.epoch })
    configuration.arguments = ["simulate", document.file]
    configuration.rerun = ["simulate"] + faults.rerunArguments + document.inputs.given.rerunArguments
    configuration.seed = seed
    // A simulation starts no programs: their secrets stay names.
    configuration.secrets = try await document.loader.secrets(of: runnable, allowsCommands: nil)
    configuration.documentHashes = runnable.hashes
    let files = try ReportFiles(reports, of: runnable.file, sources: ReportSources(runnable.texts), in: .process)
    let collected = CollectedEvents(also: files)
    var simulation = ScenarioSimulation()
    simulation.seed = seed
    simulation.faults = try faults.plan(beside: document.inputs.given)
    let outcome: Runner.Outcome
    do {
      outcome = try simulation.run(runnable, configuration: configuration, reportingTo: collected)
    } catch let error as SimulationError {
      throw CommandFailure(
        .bug, "the simulation went wrong: \(error)",
        help: "this is a bug in showcaller: please report it with the document")
    }
    let timeline = Timeline.text(of: runnable, events: collected.all)
    if reports.contains(where: { $0.path == "-" }) { Terminal.say(timeline) } else { Terminal.print(timeline) }
    let failures = files.finish(until: LastWait.deadline)
    for failure in failures { Terminal.tell(failure) }
    return failures.isEmpty ? ExitCode(outcome.exitCode) : .reportNotWritten
  }

  // MARK: playlists

  /// The longest that is simulated: a year of stills would take minutes.
  private static let longest = Duration.seconds(366 * 86_400)

  /// The document as a playlist; `nil` where it is something else, or nobody can read it.
  private func playlist() -> LoadedPlaylist? {
    // What comes from standard input can be read once only.
    guard document.file != "-" else { return nil }
    return try? document.loader.loadPlaylist()
  }

  private func simulate(_ loaded: LoadedPlaylist) throws -> ExitCode {
    if !faults.files.isEmpty, !usesReceivers {
      throw CommandFailure(
        .commandLineWrong, "--faults needs receivers to go wrong, and a forecast has none",
        help: "add --receivers: virtual receivers play \(document.file) then, over the protocol")
    }
    if !reports.isEmpty || !row.isEmpty {
      throw CommandFailure(
        .commandLineWrong, "\(document.file) is a playlist: it has no reports and no rows",
        help: "`--json` prints what its screens show")
    }
    document.loader.tell(loaded.diagnostics, loaded.sources)
    let program = Program(loaded.plan, in: try loaded.clocks())
    let length = length?.duration ?? .seconds(86_400)
    guard length > .zero, length <= Self.longest else {
      throw CommandFailure(.commandLineWrong, "--for is more than nothing and at most 366d")
    }
    let view = try served(program, from: try start(of: program), for: length)
    if json { Terminal.print(SafeJSON.text(view.json)) } else { StandardStream.output.write(view.text) }
    return .success
  }

  /// What a playlist shows, forecast or played.
  private func served(_ program: Program, from start: Double, for length: Duration) throws -> ServedView {
    guard usesReceivers else {
      var view = ServedView(in: program.zone)
      let forecast = PlaylistForecast(program, seed: seed)
      try forecast.run(from: start, to: start + length.seconds) { record in try view.add(record) }
      let unknown = forecast.itemsOfUnknownLength
      if !unknown.isEmpty {
        let names = unknown.prefix(5).joined(separator: ", ") + (unknown.count > 5 ? ", ..." : "")
        view.notes.append(
          "how long these last is not known, so each counts as \(PlaylistForecast.assumedLength.spelled): \(names); "
            + "`duration: 2m10s` in `media:` tells")
      }
      return view
    }
    var simulation = PlaylistSimulation(from: start, for: length)
    simulation.seed = seed
    simulation.keepsMoments = false
    simulation.faults = try faults.plan(beside: document.inputs.given)
    do {
      return try ServedView(try simulation.run(program).records, in: program.zone)
    } catch let error as SimulationError {
      throw CommandFailure(
        .bug, "the simulation went wrong: \(error)",
        help: "this is a bug in showcaller: please report it with the document")
    }
  }

  /// Unix time at which a playlist is begun.
  private func start(of program: Program) throws(CommandFailure) -> Double {
    let today = CivilDate(at: program.zone.wallTime(at: DocumentOptions.now)).at(second: 0)
    let wall = from.map { text in MomentView.wall(written: text) ?? CivilDate(written: text)?.at(second: 0) } ?? today
    guard let wall, let moment = MomentView(program, at: wall).moments.first else {
      throw CommandFailure(
        .commandLineWrong, "`\(from ?? "")` is no day and no moment",
        help: "write `--from 2026-12-24`, or `--from \"2026-12-24 18:30\"`")
    }
    return Double(moment)
  }

  /// 2026-01-01T00:00:00Z: where every simulation begins.
  private static let epoch = 1_767_225_600.0
}

/// Keeps every event for a view that needs them all.
private final class CollectedEvents: EventSink {
  private let events = Mutex<[Event]>([])
  private let other: any EventSink

  init(also other: any EventSink) { self.other = other }

  func record(_ event: Event) {
    events.withLock { $0.append(event) }
    other.record(event)
  }

  var all: [Event] { events.withLock { $0 } }
}
