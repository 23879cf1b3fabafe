import ArgumentParser
import CastTransport
import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner
import Simulation
import Synchronization
import Workspace

/// `showcaller simulate`: plays a scenario on a virtual clock against the virtual receiver, without a socket.
struct SimulateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Play a scenario on a virtual clock and print its timeline and verdict, without a network.",
    discussion: "Exits as `run` would.")

  @OptionGroup var document: DocumentOptions

  @Option(help: ArgumentHelp("Order what is due at the same time by this seed.", valueName: "number"))
  var seed: UInt64 = 0

  @Option(name: .customLong("report"), help: ReportTarget.help)
  var reports: [ReportTarget] = []

  @Option(
    name: .customLong("row"),
    help: ArgumentHelp("Play the row of the matrix with this value, as often as it takes.", valueName: "name=value"))
  var row: [String] = []

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
    var loader = document.loader
    loader.reports = reports
    let runnable = try loader.runnable(to: "simulated", row: row, allowsPrograms: true)
    // Fixed, so that the same document and seed give the same bytes.
    let runID = "00000000000000000000000000"
    var configuration = RunConfiguration(
      runID: runID, toolVersion: ShowcallerCommand.version, wallClock: { Self.epoch })
    configuration.arguments = ["simulate", document.file]
    configuration.rerun = ["simulate"] + document.inputs.given.rerunArguments
    configuration.seed = seed
    // A simulation starts no programs: their secrets stay names.
    configuration.secrets = try await document.loader.secrets(of: runnable, allowsCommands: nil)
    configuration.documentHashes = runnable.hashes
    let files = try ReportFiles(reports, of: runnable.file, sources: runnable.texts, in: .process)
    let collected = CollectedEvents(also: files)
    var simulation = ScenarioSimulation()
    simulation.seed = seed
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
