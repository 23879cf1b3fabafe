import ArgumentParser
import CastClient
import CastProtocol
import CastTransport
import ScenarioLanguage
import ScenarioRunner
import Simulation
import UnixSignals

/// `showcaller run`: runs a scenario on the device it names, or on a virtual receiver, and exits with the verdict.
struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run a scenario on the device it names, or on a virtual receiver.",
    discussion: """
      Exits 0 when it passed, 1 when an expectation failed, 3 for an invalid document, 4 without a device, 5 when a step \
      failed for another reason, 6 when a deadline passed, 130 after Ctrl-C (finally did run).
      """)

  @OptionGroup var document: DocumentOptions
  @OptionGroup var options: RunOptions

  func run() async throws {
    var (source, plan) = try document.compileRunnablePlan(
      to: "run", row: options.row, allowsPrograms: options.allowExec)
    if document.inputs.noSecrets, !plan.secrets.isEmpty {
      throw CommandFailure(.commandLineWrong, "a run needs the secrets of its document: leave out --no-secrets")
    }
    try refuseLocalMedia(of: plan)
    try chooseDevice(of: &plan)
    let secrets = try await document.secrets(of: plan, in: source, allowsCommands: options.allowExec)
    var system = SystemRandomNumberGenerator()
    let seed = options.seed ?? UInt64.random(in: 0...UInt64(UInt32.max), using: &system)
    let runID = RunID.make(unixMilliseconds: UInt64(max(0, WallClock.now * 1000)), using: &system)

    var configuration = RunConfiguration(
      runID: runID, toolVersion: ShowcallerCommand.version, wallClock: { WallClock.now })
    configuration.hostName = WallClock.hostName
    configuration.arguments = Array(CommandLine.arguments.dropFirst())
    configuration.seed = seed
    configuration.secrets = secrets
    configuration.speed = options.speed?.factor
    configuration.includesWire = options.wire
    configuration.failOnFlaky = options.failOnFlaky
    configuration.runDirectory = "\(options.runs)/\(runID)"
    configuration.cleanupWarns = options.cleanupWarn
    configuration.documentHashes = [plan.file: Digest.sha256(source.bytes) ?? ""]

    let reports = try RunReports(options: options, plan: plan, source: source, runID: runID)
    let network = TimeSource(ContinuousClock())
    let show = options.speed.map { TimeSource(ScaledClock(ContinuousClock(), factor: $0.factor)) } ?? network
    let times = TimeSources(show: show, network: network)
    var client = ClientConfiguration()
    // Replies are addressed to everyone: ids that start anywhere rarely meet another sender's (cast-protocol.md 4.4).
    client.firstRequestID = Int.random(in: 1...1_000_000_000, using: &system)

    let lab = options.isVirtual ? try await VirtualLab.start(for: plan, times: times, seed: seed) : nil
    let access =
      lab?.access(times: times, configuration: client) ?? LiveDevices.access(times: times, configuration: client)
    let redrawing = Terminal.errorIsTTY ? redraw(reports, by: times) : nil
    let outcome = await Interruptions.watching { interruptions in
      await Runner.run(
        plan, on: access, times: times, configuration: configuration, interruptions: interruptions,
        reportingTo: reports)
    }
    redrawing?.cancel()
    await lab?.stop()
    let isWritten = reports.finish()
    // What could not be written outranks every verdict but an interruption's neighbours above it (language.md 5.4).
    throw ExitCode(isWritten ? outcome.exitCode : ExitCode.reportNotWritten.rawValue)
  }

  /// Moves the progress line ten times a second.
  private func redraw(_ reports: RunReports, by times: TimeSources) -> Task<Void, Never> {
    let started = times.show.now
    return times.network.spawn {
      while (try? await times.network.sleep(for: .milliseconds(100))) != nil {
        reports.refresh(elapsed: (times.show.now - started).seconds)
      }
    }
  }

  /// A device cannot fetch a file of this computer until there is a media server.
  private func refuseLocalMedia(of plan: Plan) throws {
    for step in plan.allSteps {
      guard case .load(let load) = step.action else { continue }
      let url = load.request.media.contentURL ?? load.request.media.contentID
      if url.hasPrefix("file:") {
        throw CommandFailure(
          .documentInvalid, "\(plan.file):\(step.span.line): `\(url)` cannot be served to a device yet",
          help: "put the file on a web server the device can reach and load its http: or https: address")
      }
    }
  }

  /// `--host` and `--device` replace what the document says.
  private func chooseDevice(of plan: inout Plan) throws {
    if let host = options.host {
      let name = plan.device.name
      plan.device = Plan.DeviceSelector(span: plan.device.span)
      plan.device.name = name
      plan.device.host = host
    } else if let device = options.device {
      let span = plan.device.span
      guard var named = try plan.inventory[device] ?? Settings.load().selector(for: device) else { return }
      named.span = span
      plan.device = named
    }
  }
}
